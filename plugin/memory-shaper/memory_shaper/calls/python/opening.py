"""Opening files: which modes write, and what an open file answers. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..effects import Act
from .machine import Machine, path_texts
from .values import HOLE, UNKNOWN, Arguments, Handle, Value, known, union


@dataclass(frozen=True, slots=True)
class Opener:
    """Where a function that opens a file takes its path and mode from, and the mode it uses if none is given."""

    path: tuple[str, ...] = ("file", "filename", "name", "path")
    place: int = 0
    mode_place: int = 1
    mode: str = "r"
    mode_names: tuple[str, ...] = ("mode",)


OPENERS: Mapping[str, Opener] = {
    "open": Opener(),
    "codecs.open": Opener(),
    "gzip.open": Opener(),
    "bz2.open": Opener(),
    "lzma.open": Opener(),
    "gzip.GzipFile": Opener(),
    "bz2.BZ2File": Opener(),
    "lzma.LZMAFile": Opener(),
    "io.FileIO": Opener(),
    "aiofiles.open": Opener(),
    "zipfile.ZipFile": Opener(),
    "tarfile.open": Opener(),
    "tarfile.TarFile": Opener(),
    "wave.open": Opener(),
    "shelve.open": Opener(mode="c", mode_names=("flag",)),
    "dbm.open": Opener(mode_names=("flag",)),
    "logging.FileHandler": Opener(mode="a"),
    "logging.handlers.WatchedFileHandler": Opener(mode="a"),
    "logging.handlers.RotatingFileHandler": Opener(mode="a"),
    "logging.handlers.TimedRotatingFileHandler": Opener(mode="a", mode_place=-1, mode_names=()),
    "logging.basicConfig": Opener(place=-1, mode_place=-1, mode="a", mode_names=("filemode",)),
}

_FLAGS = {
    "O_RDONLY": 0,
    "O_WRONLY": 1,
    "O_RDWR": 2,
    "O_CREAT": 0o100,
    "O_EXCL": 0o200,
    "O_TRUNC": 0o1000,
    "O_APPEND": 0o2000,
    "O_NONBLOCK": 0o4000,
    "O_CLOEXEC": 0o2000000,
    "O_NOFOLLOW": 0o400000,
}
OPEN_FLAGS: Mapping[str, int] = {f"os.{name}": bit for name, bit in _FLAGS.items()}
"""The flags of os.open by name, with the numbers they have on Linux."""

_WRITING_FLAGS = 1 | 2 | 0o100 | 0o1000 | 0o2000


def open_by_mode(machine: Machine, opener: Opener, arguments: Arguments, via: str) -> Value:
    """A call that opens a file: READ or WRITE by its mode; a mode that is not known is opaque, not a write."""
    path = arguments.at(opener.place, *opener.path)
    mode = arguments.at(opener.mode_place, *opener.mode_names) or known(opener.mode)
    return open_path(machine, path or UNKNOWN, mode, via)


def open_path(machine: Machine, path: Value, mode: Value, via: str) -> Value:
    """A path opened in a mode: the effects, and the open files it may give."""
    machine.opaque = machine.opaque or not mode.complete
    for option in mode.options:
        if not isinstance(option, str) or HOLE in option:
            machine.opaque = True
            continue
        machine.touch(Act.WRITE if set(option) & set("wax+cn") else Act.READ, path, via)
    handles = union(known(Handle(machine.place(text) or HOLE)) for text in path_texts(path))
    return Value(handles.options, path.complete and handles.complete)


def open_by_flags(machine: Machine, arguments: Arguments) -> Value:
    """`os.open(path, flags)`."""
    path, flags = arguments.at(0, "path") or UNKNOWN, arguments.at(1, "flags") or UNKNOWN
    numbers = [option for option in flags.options if isinstance(option, int)]
    if arguments.at(3, "dir_fd") is not None or not flags.complete or len(numbers) < len(flags.options):
        machine.opaque = True
        return UNKNOWN
    for number in numbers:
        machine.touch(Act.WRITE if number & _WRITING_FLAGS else Act.READ, path, "os.open")
    return UNKNOWN


def open_database(machine: Machine, arguments: Arguments) -> Value:
    """`sqlite3.connect(path)`: a write, unless it is in memory or opened read-only."""
    for option in (arguments.at(0, "database") or UNKNOWN).options:
        text = option if isinstance(option, str) else ""
        if text != ":memory:" and "mode=ro" not in text and "immutable=1" not in text:
            machine.touch(Act.WRITE, known(text.removeprefix("file:").partition("?")[0] or option), "sqlite3.connect")
    return UNKNOWN


def handle_method(machine: Machine, handle: Handle, name: str, arguments: Arguments) -> Value:
    """A method of an open file; what it writes was counted when it was opened, what it unpacks is not known."""
    if name in ("extractall", "extract"):
        machine.opaque = True
    if name in ("__enter__", "detach"):
        return known(handle)
    if name == "read" and not arguments.all():
        text = machine.world.text(handle.path)
        return UNKNOWN if text is None else Value((text,), False)
    return UNKNOWN
