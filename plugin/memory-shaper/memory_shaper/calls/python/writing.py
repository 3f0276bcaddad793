"""Functions and methods that change files, other than by opening them. Pure."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..effects import Act, Effect
from ..paths import files_below
from .machine import Machine, path_texts
from .opening import open_path
from .places import as_paths
from .values import HOLE, UNKNOWN, Arguments, Items, PathText, Value, known, only, truth

MAX_COPIED = 500
"""Files of a copied folder that are told apart; a larger one counts as everything below its destination."""


@dataclass(frozen=True, slots=True)
class Change:
    """A function that does one thing to the path in one of its arguments."""

    act: Act
    place: int = 0
    names: tuple[str, ...] = ("path",)
    tree: bool = False


_SECOND = ("dst", "target", "filename")
CHANGES: Mapping[str, Change] = {
    "os.remove": Change(Act.DELETE),
    "os.unlink": Change(Act.DELETE),
    "os.rmdir": Change(Act.DELETE),
    "os.removedirs": Change(Act.DELETE, names=("name",)),
    "os.truncate": Change(Act.WRITE),
    "os.mkdir": Change(Act.WRITE),
    "os.makedirs": Change(Act.WRITE, names=("name",)),
    "os.mknod": Change(Act.WRITE),
    "os.mkfifo": Change(Act.WRITE),
    "os.chmod": Change(Act.METADATA),
    "os.lchmod": Change(Act.METADATA),
    "os.chown": Change(Act.METADATA),
    "os.lchown": Change(Act.METADATA),
    "os.chflags": Change(Act.METADATA),
    "os.utime": Change(Act.METADATA),
    "os.setxattr": Change(Act.METADATA),
    "os.removexattr": Change(Act.METADATA),
    "shutil.chown": Change(Act.METADATA),
    "shutil.rmtree": Change(Act.DELETE, tree=True),
    "shutil.copyfile": Change(Act.WRITE, 1, _SECOND),
    "shutil.copymode": Change(Act.METADATA, 1, _SECOND),
    "shutil.copystat": Change(Act.METADATA, 1, _SECOND),
    "urllib.request.urlretrieve": Change(Act.WRITE, 1, _SECOND),
    "Path.write_text": Change(Act.WRITE, -2),
    "Path.write_bytes": Change(Act.WRITE, -2),
    "Path.touch": Change(Act.WRITE, -2),
    "Path.mkdir": Change(Act.WRITE, -2),
    "Path.unlink": Change(Act.DELETE, -2),
    "Path.rmdir": Change(Act.DELETE, -2),
    "Path.chmod": Change(Act.METADATA, -2),
    "Path.lchmod": Change(Act.METADATA, -2),
    "Path.read_text": Change(Act.READ, -2),
    "Path.read_bytes": Change(Act.READ, -2),
    "linecache.getline": Change(Act.READ, names=("filename",)),
    "linecache.getlines": Change(Act.READ, names=("filename",)),
}
"""What changes a path; place -2 is the path that a method belongs to."""

_WRITING_NAME = re.compile(r"(?:save|write|dump|to|export)(?:_\w+)?\Z|save\w+|open\Z")
_OWN_WRITES = frozenset({"write", "writelines", "write_text", "write_bytes", "to_thread", "dumps"})
_LIKE_PATH = re.compile(r"[^\0\n]*(?:/[^\0\n/ ]|\.[A-Za-z]\w{0,7}\Z)")
_HIDDEN_WRITES = frozenset(
    [
        "open",
        "touch",
        "unlink",
        "rmdir",
        "rename",
        "renames",
        "truncate",
        "chmod",
        "mkdir",
        "symlink_to",
        "hardlink_to",
        "write_text",
        "write_bytes",
        "remove",
        "rmtree",
        "copy",
        "copy2",
        "copyfile",
        "copytree",
        "move",
        "system",
        "popen",
        "run",
        "call",
        "check_call",
        "check_output",
        "Popen",
        "extractall",
    ]
)


def change(machine: Machine, what: Change, arguments: Arguments, via: str, owner: Value | None = None) -> Value:
    """A call out of the table CHANGES. Paths that hang on an open folder (`dir_fd`) are not known."""
    if "dir_fd" in arguments.named:
        machine.opaque = True
        return UNKNOWN
    path = owner if what.place == -2 else arguments.at(what.place, *what.names)
    machine.touch(what.act, path or UNKNOWN, via, tree=what.tree)
    return UNKNOWN


def move(machine: Machine, source: Value, target: Value, via: str) -> Value:
    """A rename: the source goes, the destination is written."""
    for place in machine.places(source):
        machine.add(Effect(Act.DELETE, place, via, machine.world.is_folder(place)))
        for name in machine.places(target):
            machine.add(Effect(Act.WRITE, name, via, machine.world.is_folder(place)))
    if not source.options:
        machine.touch(Act.WRITE, target, via)
    return target


def move_into(machine: Machine, source: Value, target: Value, via: str) -> Value:
    """`shutil.move`: a destination that is a folder takes the source in."""
    return move(machine, source, inside(machine, source, target), via)


def copy_into(machine: Machine, source: Value, target: Value, via: str) -> Value:
    """`shutil.copy`: a destination that is a folder takes the source in."""
    machine.touch(Act.WRITE, inside(machine, source, target), via)
    return UNKNOWN


def inside(machine: Machine, source: Value, target: Value) -> Value:
    """The destination, or the source's name in it where it is a folder."""
    names = [posixpath.basename(text.rstrip("/")) for text in path_texts(source)]
    found: list[str] = []
    for text in path_texts(target):
        place = machine.place(text)
        folder = place is not None and (machine.world.is_folder(place) or text.endswith("/"))
        found.extend([f"{place}/{name}" for name in names] if folder else [text])
    return Value(tuple(found), target.complete and source.complete)


def link(machine: Machine, source: Value, target: Value, via: str) -> Value:
    """A hard or symbolic link at `target`; what is written there later lands in the source."""
    for place in machine.places(target):
        machine.add(Effect(Act.WRITE, place, via))
        machine.effects[Effect(Act.WRITE, place, via)] = None
        for origin in machine.places(source):
            machine.links[place] = origin
    return UNKNOWN


def copy_tree(machine: Machine, source: Value, target: Value, via: str) -> Value:
    """`shutil.copytree`: every file of the source below the destination."""
    for place in machine.places(source):
        files = list(files_below(machine.world, place, MAX_COPIED + 1))
        for goal in machine.places(target):
            machine.add(Effect(Act.WRITE, goal, via, len(files) > MAX_COPIED or not files))
            for file in files[:MAX_COPIED]:
                machine.add(Effect(Act.WRITE, goal + file[len(place) :], via))
    return UNKNOWN


PAIRS: Mapping[str, Callable[[Machine, Value, Value, str], Value]] = {
    "os.rename": move,
    "os.renames": move,
    "os.replace": move,
    "os.link": link,
    "os.symlink": link,
    "shutil.copy": copy_into,
    "shutil.copy2": copy_into,
    "shutil.move": move_into,
    "shutil.copytree": copy_tree,
}
"""Functions of a source and a destination."""


def pair(machine: Machine, name: str, arguments: Arguments) -> Value:
    """A call out of the table PAIRS."""
    if any(key.endswith("dir_fd") for key in arguments.named):
        machine.opaque = True
        return UNKNOWN
    source, target = arguments.at(0, "src", "old") or UNKNOWN, arguments.at(1, "dst", "new") or UNKNOWN
    return PAIRS[name](machine, source, target, name)


def path_write(machine: Machine, path: PathText, name: str, arguments: Arguments) -> Value | None:
    """A method of a pathlib path that touches files, None where it is none."""
    owner, first = known(path), arguments.at(0, "target", "mode") or UNKNOWN
    if name == "open":
        return open_path(machine, owner, arguments.at(0, "mode") or known("r"), "open")
    if f"Path.{name}" in CHANGES:
        return change(machine, CHANGES[f"Path.{name}"], arguments, name, owner)
    if name in ("rename", "replace", "move"):
        return as_paths(move(machine, owner, first, name))
    if name in ("copy", "copy_into", "move_into"):
        into = first if name == "copy" else inside(machine, owner, first)
        return move(machine, owner, into, name) if name == "move_into" else copy_into(machine, owner, into, name)
    if name in ("symlink_to", "hardlink_to", "link_to"):
        return link(machine, first, owner, name) if name != "link_to" else link(machine, owner, first, name)
    return None


def edit_in_place(machine: Machine, arguments: Arguments) -> Value:
    """`fileinput.input(files, inplace=True)`."""
    inplace = arguments.at(1, "inplace")
    if inplace is None or truth(inplace) is False:
        return UNKNOWN
    files = arguments.at(0, "files") or UNKNOWN
    for option in files.options:
        for value in option.values if isinstance(option, Items) else (known(option),):
            machine.touch(Act.WRITE, value, "fileinput")
    machine.opaque = machine.opaque or not files.complete
    return UNKNOWN


def make_archive(machine: Machine, arguments: Arguments) -> Value:
    """`shutil.make_archive(base_name, format)`: one file, named after both."""
    kind = only(arguments.at(1, "format"))
    suffix = {"zip": ".zip", "tar": ".tar", "gztar": ".tar.gz", "bztar": ".tar.bz2", "xztar": ".tar.xz"}.get(str(kind))
    for text in path_texts(arguments.at(0, "base_name") or UNKNOWN):
        machine.touch(Act.WRITE, known(text + suffix if suffix else HOLE), "make_archive")
    return UNKNOWN


def unknown_call(machine: Machine, name: str, arguments: Arguments, *, foreign: bool = False) -> Value:
    """A call that no table knows: one that is named after writing writes the constant paths it is given.

    `foreign` says that the function belongs to a module of which nothing is known; such a call is opaque in any case.
    """
    last = name.rpartition(".")[2]
    if last not in _OWN_WRITES and _WRITING_NAME.match(last) and last != "open":
        for value in arguments.all():
            _write_if_path(machine, value, last)
    if foreign or last in _HIDDEN_WRITES or _WRITING_NAME.match(last) or _renames(last, arguments):
        machine.opaque = True
    return UNKNOWN


def _write_if_path(machine: Machine, value: Value, via: str) -> None:
    for option in value.options:
        if isinstance(option, PathText) or (isinstance(option, str) and _LIKE_PATH.match(option)):
            machine.touch(Act.WRITE, known(option), via)


def _renames(name: str, arguments: Arguments) -> bool:
    """`x.replace(y)` of one argument is a path's, of two a string's."""
    return name == "replace" and len(arguments.all()) == 1
