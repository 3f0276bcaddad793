"""Paths, commands and patches in the arguments of a tool, whatever they are called. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..effects import World
from ..paths import absolute, expand_user, expand_variables, without_scheme

MAX_DEPTH = 8
"""Lists and tables inside one another that are looked into."""

MAX_LEAVES = 2_000
"""Values that are looked at in the arguments of one call."""

SOURCES = frozenset({"source", "src", "from", "oldpath", "sourcepath", "sourcefile", "frompath", "oldname", "srcpath"})
GOALS = frozenset(
    {"dest", "destination", "dst", "to", "newpath", "newname", "destinationpath", "destpath", "topath", "dstpath"}
)
OUTPUTS = frozenset({"output", "outputpath", "outputfile", "savepath", "saveto", "outfile", "outpath", "downloadpath"})
_PATHS = frozenset(
    [
        "path",
        "filepath",
        "filename",
        "file",
        "targetfile",
        "target",
        "targetpath",
        "uri",
        "url",
        "paths",
        "files",
        "filepaths",
        "absolutepath",
        "abspath",
        "relativepath",
        "relativeworkspacepath",
        "fullpath",
        "notebookpath",
        "documentpath",
        "location",
        "directory",
        "dir",
        "folder",
        "fileuri",
    ]
)
PATHS = _PATHS | SOURCES | GOALS | OUTPUTS
COMMANDS = ("command", "cmd", "commands", "commandline", "shellcommand")
FOLDERS = ("workdir", "cwd", "workingdirectory", "workingdir")
PATCHES = frozenset({"patch", "diff", "input", "patchtext", "unifieddiff"})


_PLAIN = re.compile(r"/[\w./-]{1,400}")
"""An absolute path that can be taken in one way only."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A text in the arguments, under the name (lower case, without signs) that it is given by."""

    name: str
    text: str


def plain_name(name: object) -> str:
    """An argument's name without its signs and capitals: `file_path`, `filePath` and `file-path` are one."""
    return name[:100].replace("_", "").replace("-", "").lower() if isinstance(name, str) else ""


def leaves(arguments: Mapping[object, object]) -> tuple[list[Leaf], bool]:
    """Every text in the arguments, a list's under the list's name; False where there is more than the bounds allow."""
    found: list[Leaf] = []
    waiting: list[tuple[str, object, int]] = [("", arguments, 0)]
    complete = True
    for name, value, depth in waiting:
        if isinstance(value, str):
            found.append(Leaf(name, value))
            continue
        inner = list(_inside(name, value)) if depth <= MAX_DEPTH else []
        room = MAX_LEAVES - len(waiting)
        complete = complete and len(inner) <= room and (depth <= MAX_DEPTH or not isinstance(value, Mapping | list))
        waiting.extend((key, one, depth + 1) for key, one in inner[: max(room, 0)])
    return found, complete


def _inside(name: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield plain_name(key), one
            if name == "files" and isinstance(key, str):  # {"files": {"a.md": "its text"}}
                yield "path", key
    elif isinstance(value, list | tuple):
        for one in value:
            yield name, one


def candidates(text: str, world: World) -> list[str]:
    """The absolute paths that a tool may take a text for: as it is, with `~`, with variables, as a `file:` address."""
    if _PLAIN.fullmatch(text):
        place = absolute(text, None)
        return [place] if place else []
    bare = without_scheme(text)
    spelled = dict.fromkeys((bare, bare.strip()))
    for one in list(spelled):
        home = expand_user(one, world.env)
        spelled |= dict.fromkeys((home, expand_user(expand_variables(one, world.env), world.env)))
    places = (absolute(one, world.cwd) for one in spelled)
    return list(dict.fromkeys(place for place in places if place is not None))
