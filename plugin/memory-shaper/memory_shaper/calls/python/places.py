"""Paths as a program builds them: os.path, pathlib, glob and the listings of folders. Pure."""

from __future__ import annotations

import fnmatch
import posixpath
import re
from collections.abc import Iterator

from ..paths import expand_user, expand_variables, files_below
from .folding import join
from .machine import Machine, path_texts
from .values import HOLE, MAX_ITEMS, UNKNOWN, Arguments, Constant, Items, PathText, Value, items, known, union

_WILD = re.compile(r"[*?\[]")


def path_function(machine: Machine, name: str, arguments: Arguments) -> Value:
    """A function of os.path, applied to every path that its first argument may be."""
    first = arguments.at(0, "path", "p", "filename")
    if name == "join":
        return join_all([arguments.at(place) or UNKNOWN for place in range(len(arguments.positional))])
    if first is None:
        return UNKNOWN
    texts = list(path_texts(first))
    found = union(_one_path(machine, name, text) for text in texts)
    return Value(found.options, found.complete and first.complete)


def join_all(parts: list[Value], limit: int = 256) -> Value:
    """Every combination of the parts joined as a path, at most `limit` of them; an unknown part leaves a hole."""
    heads = [""]
    complete = True
    for part in parts:
        texts = [*path_texts(part), *([] if part.complete else [HOLE])]
        complete = complete and len(heads) * len(texts) <= limit
        heads = [join(head, text) for head in heads for text in texts][:limit]
    found = union(known(head) for head in heads)
    return Value(found.options, found.complete and complete)


def _one_path(machine: Machine, name: str, text: str) -> Value:
    if name == "expanduser":
        return known(expand_user(text, machine.env))
    if name == "expandvars":
        return known(expand_variables(text, machine.env))
    if name in ("abspath", "realpath"):
        return known(machine.place(text) or HOLE)
    if name == "normpath":
        return known(posixpath.normpath(text))
    if name in ("dirname", "basename") and not text.endswith(HOLE):
        return known(posixpath.dirname(text) if name == "dirname" else posixpath.basename(text))
    if name in ("split", "splitext") and HOLE not in text:
        return items(posixpath.split(text) if name == "split" else posixpath.splitext(text))
    return UNKNOWN


def path_attribute(machine: Machine, path: PathText, name: str) -> Value | None:
    """A property of a pathlib path (or of a folder entry), None where it is none that is known."""
    text = posixpath.normpath(path.text) if HOLE not in path.text else path.text
    base = posixpath.basename(text)
    stem, suffix = posixpath.splitext(base)
    texts = {"name": base, "stem": stem, "suffix": suffix, "path": path.text}
    if name in texts:
        return known(texts[name])
    if name == "parent":
        return known(PathText(posixpath.dirname(text) or "."))
    if name == "parents":
        return known(Items(tuple(known(PathText(one)) for one in _ancestors(text))))
    if name == "parts":
        return items([*(["/"] if text.startswith("/") else []), *filter(None, text.split("/"))])
    return None


def _ancestors(text: str) -> Iterator[str]:
    for _ in range(min(text.count("/"), 100)):
        text = posixpath.dirname(text)
        yield text or "."


def path_method(machine: Machine, path: PathText, name: str, arguments: Arguments) -> Value | None:
    """A method of a pathlib path that touches nothing, None where it is none that is known."""
    text = path.text
    if name in ("joinpath", "__truediv__"):
        return as_paths(join_all([known(text), *arguments.positional]))
    if name in ("with_name", "with_stem", "with_suffix", "relative_to"):
        return _renamed(text, name, arguments.at(0) or UNKNOWN)
    if name in ("resolve", "absolute"):
        return known(PathText(machine.place(text) or HOLE))
    if name == "expanduser":
        return known(PathText(expand_user(text, machine.env)))
    if name in ("as_posix", "__str__", "__fspath__"):
        return known(text)
    if name == "as_uri":
        return known("file://" + text)
    if name in ("iterdir", "glob", "rglob"):
        return _listing(machine, text, name, arguments.at(0, "pattern"))
    return None


def _renamed(text: str, name: str, argument: Value) -> Value:
    folder, base = posixpath.split(text)
    stem, suffix = posixpath.splitext(base)
    found = []
    for given in path_texts(argument):
        if name == "relative_to":
            found.append(known(PathText(posixpath.relpath(text, given) if HOLE not in text + given else HOLE)))
        else:
            new = {"with_name": given, "with_stem": given + suffix, "with_suffix": stem + given}[name]
            found.append(known(PathText(join(folder, new))))
    merged = union(found)
    return Value(merged.options, merged.complete and argument.complete)


def as_paths(value: Value) -> Value:
    """The value with its strings as pathlib paths."""
    options = tuple(PathText(one) if isinstance(one, str) else one for one in value.options)
    return Value(options, value.complete)


def _listing(machine: Machine, folder: str, name: str, pattern: Value | None) -> Value:
    at = machine.place(folder)
    if at is None:
        return UNKNOWN
    if name == "iterdir":
        return items(PathText(posixpath.join(at, one)) for one in machine.world.names(at))
    patterns = list(path_texts(pattern)) if pattern and pattern.complete else []
    if len(patterns) != 1 or HOLE in patterns[0]:
        return UNKNOWN
    wanted = f"**/{patterns[0]}" if name == "rglob" else patterns[0]
    return items(map(PathText, glob_paths(machine, posixpath.join(at, wanted), hidden=True)))


def glob_paths(machine: Machine, pattern: str, *, hidden: bool = False) -> list[str]:
    """The existing paths that an absolute pattern matches; `**` is any depth, at most MAX_ITEMS paths are looked at."""
    head, parts = "/", [part for part in pattern.split("/") if part]
    while parts and not _WILD.search(parts[0]):
        head = posixpath.join(head, parts.pop(0))
    if not parts:
        return [head]
    matcher = re.compile(
        "/".join(map(_component, parts)).replace("/**/", "/(?:.*/)?").replace("**/", "(?:.*/)?") + r"\Z"
    )
    deep = len(parts) if "**" not in parts else 0
    found = []
    for path in files_below(machine.world, head, MAX_ITEMS):
        below = path[len(head.rstrip("/")) + 1 :]
        right_depth = not deep or below.count("/") + 1 == deep
        if right_depth and matcher.match(below) and (hidden or "/." not in "/" + below):
            found.append(path)
    return found


def _component(part: str) -> str:
    if part == "**":
        return part
    return fnmatch.translate(part).removeprefix("(?s:").removesuffix(r")\Z").replace(".*", "[^/]*")


def glob_function(machine: Machine, arguments: Arguments) -> Value:
    """`glob.glob(pattern, root_dir=…)`: the paths as the program sees them."""
    found = []
    root = arguments.at(-1, "root_dir")
    for text in path_texts(arguments.at(0, "pathname") or UNKNOWN):
        at = machine.place(text)
        if at is None or root is not None:
            return UNKNOWN
        found.extend(glob_paths(machine, at))
    return items(found)


def list_function(machine: Machine, name: str, arguments: Arguments) -> Value:
    """`os.listdir` (names), `os.scandir` (entries) and `os.walk` (folder, folders, files)."""
    given = arguments.at(0, "path", "top") or known(".")
    folders = [machine.place(text) for text in path_texts(given)]
    if not given.complete or len(folders) != 1 or folders[0] is None:
        return UNKNOWN
    names = machine.world.names(folders[0])
    if name == "listdir":
        return items(names)
    if name == "scandir":
        return items(PathText(posixpath.join(folders[0], one)) for one in names)
    return _walk(machine, folders[0])


def _walk(machine: Machine, top: str) -> Value:
    below = list(files_below(machine.world, top, MAX_ITEMS))
    folders = {path for path in below if machine.world.is_folder(path)}
    by_folder: dict[str, list[str]] = {folder: [] for folder in (top, *sorted(folders))}
    for path in below:
        by_folder[posixpath.dirname(path)].append(path)
    rows: list[Constant] = []
    for folder, paths in by_folder.items():
        lists = [
            items(posixpath.basename(one) for one in paths if (one in folders) is wanted) for wanted in (True, False)
        ]
        rows.append(Items((known(folder), *lists)))
    return items(rows)
