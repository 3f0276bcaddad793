"""The functions of Python and its library that a program may call, by their full names. Pure."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Mapping

from ..effects import Act
from . import opening, places, processes, writing
from .builtin import BUILTINS
from .machine import Machine, path_texts, shell_text
from .values import HOLE, NONE, UNKNOWN, Arguments, PathText, Value, known, only

_BUILTINS = frozenset(dir(builtins))
_KEPT_IMPORTS = {
    name: name
    for name in ["os", "sys", "shutil", "subprocess", "pathlib", "json", "glob", "io", "re", "time", "datetime"]
}
_KEPT_IMPORTS |= {"Path": "pathlib.Path"}
_KEPT_IMPORTS |= {name: f"hermes_tools.{name}" for name in ("terminal", "write_file", "patch", "read_file")}

TOOL_ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "terminal": ("command", "timeout", "workdir"),
    "write_file": ("path", "content", "cross_profile"),
    "patch": ("path", "old_string", "new_string", "replace_all", "mode", "patch"),
    "read_file": ("path", "offset", "limit"),
}
"""The positional arguments of the host's tools as a script calls them."""

_CANONICAL = {
    "io.open": "open",
    "io.open_code": "open",
    "os.popen2": "os.popen",
    "tarfile.TarFile.open": "tarfile.open",
    "shutil.copyfileobj": "print",
    "pathlib.PosixPath": "pathlib.Path",
    "pathlib.PurePath": "pathlib.Path",
    "pathlib.PurePosixPath": "pathlib.Path",
    "fileinput.FileInput": "fileinput.input",
    "glob.iglob": "glob.glob",
    "os.fwalk": "os.walk",
    "os.getenvb": "os.getenv",
    "os.environ.get": "os.getenv",
    "os.environ.pop": "os.getenv",
}
_MODULES = {"builtins": "", "posixpath": "os.path", "ntpath": "os.path", "posix": "os", "nt": "os"}


def canonical(name: str) -> str:
    """The one name that the tables use for a function known under several."""
    root, dot, rest = name.partition(".")
    if root in _MODULES and dot:
        name = f"{_MODULES[root]}.{rest}".lstrip(".")
    return _CANONICAL.get(name, name)


def name_of_builtin(name: str) -> str | None:
    """What a name means that the program never set: a builtin, or an import that a kernel kept from an earlier call."""
    return name if name in _BUILTINS else _KEPT_IMPORTS.get(name)


def module_constant(machine: Machine, name: str) -> Value | None:
    """A constant of a module, None where it is none that is known."""
    if name in opening.OPEN_FLAGS:
        return known(opening.OPEN_FLAGS[name])
    texts = {
        "os.sep": "/",
        "os.path.sep": "/",
        "os.linesep": "\n",
        "sys.executable": "python3",
        "os.devnull": "/dev/null",
    }
    if name in texts:
        return known(texts[name])
    return UNKNOWN if name == "sys.argv" else None


def is_library(name: str) -> bool:
    """Whether a full name belongs to Python itself, so that what is in no table touches no file."""
    root = name.partition(".")[0]
    return root in _BUILTINS or (root in sys.stdlib_module_names and root not in ("ctypes", "mmap", "importlib"))


def library_call(machine: Machine, name: str, arguments: Arguments) -> Value | None:
    """A call of a function of a module, None where no table knows it."""
    if name in _FUNCTIONS:
        return _FUNCTIONS[name](machine, arguments)
    if name in opening.OPENERS:
        return opening.open_by_mode(machine, opening.OPENERS[name], arguments, name)
    if name in writing.CHANGES:
        return writing.change(machine, writing.CHANGES[name], arguments, name)
    if name in writing.PAIRS:
        return writing.pair(machine, name, arguments)
    if name.startswith("os.path."):
        return places.path_function(machine, name[8:], arguments)
    if name.startswith("hermes_tools."):
        return _host_tool(machine, name[13:], arguments)
    started = (processes.WORDS, processes.LINES, processes.WORD_LISTS, processes.WORD_ARGUMENTS)
    if name == processes.POPEN or any(name in table for table in started):
        return processes.start(machine, name, arguments)
    return None


def _host_tool(machine: Machine, tool: str, arguments: Arguments) -> Value:
    """A tool of the host called from a script, judged like the call itself for every path or command it may get."""
    names = TOOL_ARGUMENTS.get(tool)
    if names is None:
        return UNKNOWN
    given = {**dict(zip(names, arguments.positional, strict=False)), **arguments.named}
    fixed = {name: only(value) for name, value in given.items()}
    texts: dict[str, object] = {name: one for name, one in fixed.items() if isinstance(one, str | int) and one != HOLE}
    for key in ("command", "path", "patch"):
        if key not in given:
            continue
        machine.opaque = machine.opaque or not given[key].complete
        for text in path_texts(given[key]):
            _call_tool(machine, tool, {**texts, key: text}, key)
    return UNKNOWN


def _call_tool(machine: Machine, tool: str, arguments: Mapping[str, object], key: str) -> None:
    text = str(arguments[key])
    if key == "command":
        arguments = {**arguments, key: shell_text(text)}
    elif HOLE in text:
        machine.opaque = True
        return
    machine.use(tool, arguments)


def _make_path(machine: Machine, arguments: Arguments) -> Value:
    parts = list(arguments.positional) or [known(".")]
    return places.as_paths(places.join_all(parts))


def _get_environment(machine: Machine, arguments: Arguments) -> Value:
    key, default = only(arguments.at(0, "key")), arguments.at(1, "default") or NONE
    if not isinstance(key, str) or HOLE in key:
        return UNKNOWN
    return known(machine.env[key]) if key in machine.env else default


def _set_environment(machine: Machine, arguments: Arguments) -> Value:
    key, value = only(arguments.at(0, "key")), only(arguments.at(1, "value"))
    if isinstance(key, str) and isinstance(value, str) and HOLE not in value:
        machine.env[key] = value
    elif isinstance(key, str):
        machine.env.pop(key, None)
    return UNKNOWN


def _set_default(machine: Machine, arguments: Arguments) -> Value:
    if only(arguments.at(0, "key")) not in machine.env:
        _set_environment(machine, arguments)
    return _get_environment(machine, arguments)


def _change_folder(machine: Machine, arguments: Arguments) -> Value:
    folders = [machine.place(text) for text in path_texts(arguments.at(0, "path") or UNKNOWN)]
    machine.cwd = folders[0] if len(folders) == 1 else None
    return NONE


def _host_home(machine: Machine, arguments: Arguments) -> Value:
    home = machine.env.get("HERMES_HOME") or f"{machine.env.get('HOME', HOLE)}/.hermes"
    return known(PathText(home))


def _opaque(machine: Machine, arguments: Arguments) -> Value:
    machine.opaque = True
    return UNKNOWN


def _database(machine: Machine, arguments: Arguments) -> Value:
    return opening.open_database(machine, arguments)


def _temporary(machine: Machine, arguments: Arguments) -> Value:
    return known(machine.env.get("TMPDIR") or "/tmp")


def _copied_text(machine: Machine, arguments: Arguments) -> Value:
    for value in arguments.all():
        machine.touch(Act.READ, value, "filecmp")
    return UNKNOWN


_FUNCTIONS: Mapping[str, Callable[[Machine, Arguments], Value]] = {
    **BUILTINS,
    "pathlib.Path": _make_path,
    "pathlib.Path.home": lambda machine, _: known(PathText(machine.env.get("HOME", HOLE))),
    "pathlib.Path.cwd": lambda machine, _: known(PathText(machine.cwd or HOLE)),
    "os.getcwd": lambda machine, _: known(machine.cwd or HOLE),
    "os.chdir": _change_folder,
    "os.getenv": _get_environment,
    "os.environ.setdefault": _set_default,
    "os.putenv": _set_environment,
    "os.listdir": lambda machine, arguments: places.list_function(machine, "listdir", arguments),
    "os.scandir": lambda machine, arguments: places.list_function(machine, "scandir", arguments),
    "os.walk": lambda machine, arguments: places.list_function(machine, "walk", arguments),
    "os.open": opening.open_by_flags,
    "glob.glob": places.glob_function,
    "sqlite3.connect": _database,
    "fileinput.input": writing.edit_in_place,
    "filecmp.cmp": _copied_text,
    "shutil.make_archive": writing.make_archive,
    "shutil.unpack_archive": _opaque,
    "tempfile.gettempdir": _temporary,
    "hermes_constants.get_hermes_home": _host_home,
}
