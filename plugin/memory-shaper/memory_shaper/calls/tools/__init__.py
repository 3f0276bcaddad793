"""One answer for every tool call: which paths would it touch, which commands would it start? Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from ..effects import Act, Effect, Reading, World
from ..elsewhere import elsewhere
from ..other import read_other
from ..paths import absolute, expand_user, expand_variables
from ..python import Shell, read_python
from .arguments import COMMANDS, FOLDERS, GOALS, OUTPUTS, PATCHES, PATHS, SOURCES, Leaf, candidates, leaves, plain_name
from .names import Kind, kind_of
from .patches import patched_paths

__all__ = ["read_tool"]

_EMPTY = Reading()
_OPAQUE = Reading(opaque=True)
_CODE = ("code", "script", "python", "pythoncode", "sourcecode")
_PROGRAM_NAMES = frozenset({*COMMANDS, *_CODE, "source"})
_SHELLS = frozenset({"bash", "sh", "shell", "zsh", "dash", "terminal"})
_PYTHONS = frozenset({"", "python", "python3", "py", "ipython"})
_TYPING = frozenset({"submit", "write", "input", "send", "send_keys", "sendkeys"})
_LOOKING = frozenset({"view", "read", "open", "list"})
_EDITING = frozenset({"create", "str_replace", "insert", "undo_edit", "write", "edit", "delete"}) | _LOOKING
_ACTS = {Kind.DELETE: Act.DELETE, Kind.READ: Act.READ}
MAX_CALLS = 50
"""Calls inside one `tool_call`, and commands in one list, that are read."""

MAX_DEPTH = 3
"""Calls of `tool_call` inside one another that are read."""


def read_tool(tool: str, args: object, world: World, shell: Shell, depth: int = 0) -> Reading:
    """All that can be read off one call of any tool; `shell` reads command lines, `depth` counts calls around it.

    Never raises, whatever the arguments are. A relative path is taken from `world.cwd`; where that is unknown, or a
    tool is not known and takes no path, the reading is opaque. The memory tool, judged elsewhere, reads as nothing.
    """
    kind = kind_of(tool) if isinstance(tool, str) else Kind.NOTHING
    if kind is Kind.NOTHING:
        return _EMPTY
    given = _table(args)
    if given is None:
        return _EMPTY
    names = {plain_name(key): value for key, value in given.items()}
    if kind is Kind.BUNDLE:
        return _bundle(names, world, shell, depth)
    if kind is Kind.JOB:
        return _OPAQUE
    if kind is Kind.PROCESS:
        return _process(names, world, shell)
    return _join([*_programs(kind, names, world, shell), _files(kind, given, names, world)])


def _table(args: object) -> Mapping[object, object] | None:
    """The arguments as a table; some callers hand them on as JSON text."""
    if isinstance(args, str):
        try:
            args = json.loads(args)
        except (ValueError, RecursionError):
            return None
    return args if isinstance(args, Mapping) else None


def _bundle(names: Mapping[str, object], world: World, shell: Shell, depth: int) -> Reading:
    """`tool_call {name, arguments}` and `tool_call {calls: [{name, arguments}]}`."""
    calls = names.get("calls")
    listed = [one for one in calls if isinstance(one, Mapping)] if isinstance(calls, list | tuple) else []
    if depth >= MAX_DEPTH or len(listed) > MAX_CALLS:
        return _OPAQUE
    found = []
    for call in [names, *listed]:
        name = call.get("name")
        if isinstance(name, str):
            found.append(read_tool(name, call.get("arguments", call.get("args")), world, shell, depth + 1))
    return _join(found)


def _process(names: Mapping[str, object], world: World, shell: Shell) -> Reading:
    """Text that is typed into a running process: perhaps a shell, in a folder that nobody knows."""
    action = names.get("action")
    if not isinstance(action, str) or action.lower() not in _TYPING:
        return _EMPTY
    texts = [names[key] for key in ("data", "input", "text", "keys") if isinstance(names.get(key), str)]
    unknown = elsewhere(world, None, world.env)
    return replace(_join(shell(text, unknown) for text in texts if isinstance(text, str)), cwd=None, opaque=bool(texts))


def _programs(kind: Kind, names: Mapping[str, object], world: World, shell: Shell) -> list[Reading]:
    """What the commands and the code in the arguments would do."""
    if names.keys().isdisjoint(_PROGRAM_NAMES):
        return []
    found = []
    here = _moved(names, world)
    commands = [command for key in COMMANDS if key in names for command in _several(key, names[key])]
    if commands and not _is_editor(commands[0], names):
        found.append(_commands(commands, here, shell))
    keys = (*_CODE, "source") if kind is Kind.CODE or "language" in names else _CODE
    for key in keys:
        text = names.get(key)
        if isinstance(text, str):
            found.append(_code(text, names.get("language", names.get("lang", "")), here, shell))
    return found


def _is_editor(command: object, names: Mapping[str, object]) -> bool:
    """An editor's `command` (`create`, `view`) beside a path is no shell command."""
    return isinstance(command, str) and command in _EDITING and "path" in names


def _moved(names: Mapping[str, object], world: World) -> World:
    """The world from the folder that the call names."""
    for key in FOLDERS:
        folder = names.get(key)
        if isinstance(folder, str) and folder:
            text = expand_user(expand_variables(folder, world.env), world.env)
            return elsewhere(world, absolute(text, world.cwd), world.env)
    return elsewhere(world, world.cwd, world.env)


def _several(key: str, value: object) -> Sequence[object]:
    """The commands under a name: a list is several of them under `commands`, else the words of one."""
    return value[:MAX_CALLS] if key == "commands" and isinstance(value, list | tuple) else [value]


def _commands(commands: Sequence[object], world: World, shell: Shell) -> Reading:
    """Commands one after the other, each in the folder that the one before left."""
    found: list[Reading] = []
    for command in commands:
        if isinstance(command, Mapping):
            command = command.get("command", command.get("cmd"))
        if isinstance(command, str):
            found.append(shell(command, world))
        elif isinstance(command, list | tuple):
            found.append(shell([word for word in command if isinstance(word, str)], world))
        if found:
            world = elsewhere(world, found[-1].cwd, world.env)
    return _join(found)


def _code(source: str, language: object, world: World, shell: Shell) -> Reading:
    name = language.lower().strip() if isinstance(language, str) else ""
    if name in _SHELLS:
        return shell(source, world)
    if name not in _PYTHONS:
        return read_other(name, source, world, shell)
    tool: Callable[[str, Mapping[str, object], World], Reading] = partial(_inner_call, shell=shell)
    return read_python(source, world, shell, tool)


def _inner_call(tool: str, args: Mapping[str, object], world: World, *, shell: Shell) -> Reading:
    return read_tool(tool, args, world, shell)


def _files(kind: Kind, given: Mapping[object, object], names: Mapping[str, object], world: World) -> Reading:
    """What happens to the paths in the arguments, by the kind of the tool."""
    if kind in (Kind.SHELL, Kind.CODE):
        return _EMPTY
    command = names.get("command")
    looks = kind is Kind.LOOK or (isinstance(command, str) and command in _LOOKING)
    found, complete = leaves(given)
    effects: dict[Effect, None] = {}
    unplaced = False
    for act, text in _acts(Kind.LOOK if looks else kind, found, names):
        places = candidates(text, world)
        unplaced = unplaced or not places
        tree = act is Act.DELETE
        effects |= {Effect(act, place, kind.name.lower(), tree and world.is_folder(place)): None for place in places}
    return Reading(tuple(effects), (), None, unplaced or not complete or (kind is Kind.OTHER and not effects))


def _acts(kind: Kind, found: Iterable[Leaf], names: Mapping[str, object]) -> list[tuple[Act, str]]:
    """Each path with what the tool does to it."""
    acts: list[tuple[Act, str]] = []
    two = any(name in GOALS for name in names)
    for leaf in found:
        if leaf.name in PATCHES and kind is not Kind.LOOK and names.get("mode") != "replace":
            acts.extend(patched_paths(leaf.text))
        elif leaf.name in PATHS and leaf.text:
            act = _act(kind, leaf.name, two)
            acts.extend([(act, leaf.text)] if act is not None else [])
    return acts


def _act(kind: Kind, name: str, two: bool) -> Act | None:
    """What a tool does to the path under a name; None where it does nothing to it."""
    if kind in (Kind.MOVE, Kind.COPY):
        source = name in SOURCES or (two and name not in GOALS)
        if source:
            return Act.DELETE if kind is Kind.MOVE else None
        return Act.WRITE
    if kind in (Kind.LOOK, Kind.OTHER):
        return Act.WRITE if name in OUTPUTS else None
    return _ACTS.get(kind, Act.WRITE)


def _join(readings: Iterable[Reading]) -> Reading:
    """Several readings as one; the folder is the last one's."""
    found = list(readings)
    if len(found) == 1:
        return found[0]
    effects = dict.fromkeys(effect for one in found for effect in one.effects)
    runs = tuple(run for one in found for run in one.runs)
    folders = [one.cwd for one in found if one.cwd is not None]
    return Reading(tuple(effects), runs, folders[-1] if folders else None, any(one.opaque for one in found))
