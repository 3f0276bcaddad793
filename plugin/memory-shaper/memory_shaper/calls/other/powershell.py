"""PowerShell: commands, their named parameters, redirects and the static methods of System.IO.File. Pure."""

from __future__ import annotations

import re
from itertools import pairwise

from ..effects import Act, Effect, Reading, World
from ..paths import absolute, expand_user

_WRITERS = "set-content add-content out-file clear-content tee-object new-item export-csv sc ac ni clc tee"
_ACTS = {
    **dict.fromkeys(_WRITERS.split(), Act.WRITE),
    **dict.fromkeys(["remove-item", "ri", "rm", "del", "erase", "rd", "rmdir"], Act.DELETE),
    **dict.fromkeys(["copy-item", "cp", "copy", "cpi"], Act.WRITE),
    **dict.fromkeys(["move-item", "mv", "move", "mi", "rename-item", "ren", "rni"], Act.WRITE),
    **dict.fromkeys(["set-itemproperty", "set-acl"], Act.METADATA),
}
_TWO = frozenset({"copy-item", "cp", "copy", "cpi", "move-item", "mv", "move", "mi", "rename-item", "ren", "rni"})
_COPY = frozenset({"copy-item", "cp", "copy", "cpi"})
_PATHS = frozenset({"-path", "-filepath", "-literalpath", "-destination", "-outfile", "-newname"})
_STATIC = re.compile(
    r"\]::(WriteAll\w+|AppendAll\w+|Delete|Move|Copy|Replace|Create\w*|OpenWrite)\(\s*(?:\"([^\"]*)\"|'([^']*)')", re.I
)
_WORD = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'|(>>?)|([^\s\"'>|;]+)|([|;\n])")
_ENV = re.compile(r"\$(?:env:(\w+)|\{env:(\w+)\}|(HOME)\b)", re.I)


def read_powershell(source: str, world: World) -> Reading:
    """The paths that commands of a PowerShell text change; always opaque."""
    effects: dict[Effect, None] = {}
    command: list[str] = []
    for hit in _WORD.finditer(source[:1_000_000]):
        if hit[5]:
            _add(effects, command, world)
            command = []
        else:
            command.append(next(group for group in hit.groups() if group is not None))
    _add(effects, command, world)
    for hit in _STATIC.finditer(source):
        _note(effects, Act.DELETE if hit[1].lower() == "delete" else Act.WRITE, hit[2] or hit[3] or "", hit[1], world)
    return Reading(tuple(effects), (), None, True)


def _add(effects: dict[Effect, None], command: list[str], world: World) -> None:
    for sign, path in pairwise(command):
        if sign in (">", ">>"):
            _note(effects, Act.WRITE, path, sign, world)
    name = command[0].lower() if command else ""
    if name not in _ACTS:
        return
    named = {key.lower(): value for key, value in pairwise(command) if key.lower() in _PATHS}
    values = {*named.values()}
    loose = [word for word in command[1:] if not word.startswith("-") and word not in values]
    paths = list(named.values()) or (loose[:2] if name in _TWO else loose[:1])
    if name in _COPY:
        paths = [named["-destination"]] if "-destination" in named else loose[1:2]
    elif name in _TWO and paths:
        _note(effects, Act.DELETE, paths[0], name, world)
    for path in paths[1:] if name in _TWO - _COPY else paths:
        _note(effects, _ACTS[name], path, name, world)


def _note(effects: dict[Effect, None], act: Act, path: str, via: str, world: World) -> None:
    text = _ENV.sub(lambda hit: world.env.get((hit[1] or hit[2] or hit[3]).upper(), hit[0]), path)
    place = absolute(expand_user(text, world.env), world.cwd)
    if place is not None and "$" not in place:
        effects[Effect(act, place, via)] = None
