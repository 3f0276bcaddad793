"""Commands with sources and a destination: cp, mv, install, rsync, scp."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..shell.hands import SILENT, UNHEARD, Call, Outcome
from ..shell.paths import base, join
from .options import Options, named, read_options

MAX_COPIED = 2_000
"""Files of a copied folder that are named one by one; of more, the whole destination counts."""

_TAKES = frozenset({"t", "target-directory", "S", "suffix", "m", "mode", "o", "owner", "g", "group", "strip-program"})
_RSYNC = named(
    "e rsh f filter exclude include exclude-from include-from files-from B block-size T temp-dir "
    "compare-dest copy-dest link-dest bwlimit timeout port log-file password-file rsync-path chmod chown "
    "max-size min-size M remote-option backup-dir suffix partial-dir out-format info debug iconv"
)
_REMOTE = re.compile(r"[^/:]+:|[a-z]+://")


def copy(call: Call) -> Outcome:
    """cp and install: sources are read only, the destination is written."""
    given = read_options(call.args, _TAKES if call.name != "cp" else _TAKES - {"m", "mode", "o", "g"})
    if call.name.endswith("install") and given.has("d", "directory"):
        for path in given.operands:
            call.hands.metadata(path, call.name) if call.hands.exists(path) else call.hands.write(path, call.name)
            call.hands.made_folder(path)
        return SILENT
    deep = given.has("r", "R", "recursive", "a", "archive")
    for source, place in _pairs(call, given):
        _copy_one(call, source, place, deep, given.has("n", "no-clobber"))
        if given.has("s", "symbolic-link", "l", "link"):
            call.hands.link(source, place)
    return SILENT


def move(call: Call) -> Outcome:
    """mv: the source goes, the destination is written."""
    given = read_options(call.args, _TAKES - {"m", "mode", "o", "g"})
    for source, place in _pairs(call, given):
        if given.has("n", "no-clobber") and call.hands.exists(place):
            continue
        folder = call.hands.is_folder(source)
        text = call.hands.text(source) if _may_be_run(place) else None
        call.hands.delete(source, call.name, folder)
        call.hands.write(place, call.name, folder)
        call.hands.keep(place, text)
    return SILENT


def _may_be_run(path: str) -> bool:
    return path.endswith((".sh", ".py", ".bash"))


def _pairs(call: Call, given: Options) -> list[tuple[str, str]]:
    """Each source with the path that it becomes."""
    folder = given.last("t", "target-directory")
    if folder is not None:
        return [(source, join(folder, base(source))) for source in given.operands]
    *sources, place = given.operands or [""]
    into = not given.has("T", "no-target-directory") and (place.endswith("/") or call.hands.is_folder(place))
    if not into:
        return [(source, place) for source in sources] if len(sources) == 1 else []
    return [(source, join(place, base(source)) if base(source) not in ("", ".", "..") else place) for source in sources]


def _copy_one(call: Call, source: str, place: str, deep: bool, careful: bool) -> None:
    hands = call.hands
    if hands.is_folder(source) or source.endswith(("/", "/.")):
        if deep and hands.is_folder(source):
            _copy_folder(call, source, place, careful)
        elif deep:
            hands.opaque()
        return
    if careful and hands.exists(place):
        return
    hands.write(place, call.name)
    if _may_be_run(place):
        hands.keep(place, hands.text(source))


def _copy_folder(call: Call, source: str, place: str, careful: bool) -> None:
    for number, path in enumerate(below(call, source)):
        if number >= MAX_COPIED:
            call.hands.opaque()
            return
        target = join(place, path)
        if not (careful and call.hands.exists(target)):
            call.hands.write(target, call.name)
    if not call.hands.exists(place):
        call.hands.made_folder(place)


def below(call: Call, folder: str) -> Iterator[str]:
    """The files under a folder, seen from it; folders themselves are not among them."""
    waiting = [("", 0)]
    while waiting:
        inner, level = waiting.pop()
        for name in call.hands.names(join(folder, inner) if inner else folder):
            path = join(inner, name)
            if not call.hands.is_folder(join(folder, path)):
                yield path
            elif level < 32:
                waiting.append((path, level + 1))


def synchronise(call: Call) -> Outcome:
    """rsync: a source with a trailing slash stands for what is in it; --delete makes the whole destination its twin."""
    given = read_options(call.args, _RSYNC)
    *sources, place = given.operands or [""]
    if given.has("n", "dry-run", "list-only") or not sources or _REMOTE.match(place):
        return UNHEARD
    if any(name.startswith(("delete", "del")) for name in given.flags):
        call.hands.write(place, call.name, tree=True)
        return UNHEARD
    for source in sources:
        _sync_one(call, source, place, given, len(sources) > 1)
    return UNHEARD


def _sync_one(call: Call, source: str, place: str, given: Options, several: bool) -> None:
    hands = call.hands
    inside = several or place.endswith("/") or hands.is_folder(place)
    target = join(place, base(source)) if inside else place
    if given.has("existing") and not hands.exists(target):
        return
    if _REMOTE.match(source) or hands.is_folder(source):
        _sync_folder(call, source, place, given)
    elif not (given.has("ignore-existing") and hands.exists(target)):
        hands.write(target, call.name)
    if given.has("remove-source-files"):
        hands.delete(source, call.name)


def _sync_folder(call: Call, source: str, place: str, given: Options) -> None:
    """A folder, or something remote that may be one."""
    if _REMOTE.match(source):
        named = base(source).rpartition(":")[2]
        call.hands.write(join(place, named) if call.hands.is_folder(place) and named else place, call.name)
        call.hands.opaque()
    elif given.has("filter", "exclude", "include", "exclude-from", "files-from", "f", "u", "update"):
        call.hands.opaque()
    elif given.has("r", "recursive", "a", "archive"):
        target = place if source.endswith(("/", "/.")) else join(place, base(source))
        _copy_folder(call, source, target, given.has("ignore-existing"))


def secure_copy(call: Call) -> Outcome:
    """scp: only what lands on this machine counts."""
    given = read_options(call.args, ("c", "F", "i", "J", "l", "o", "P", "S", "D", "X"))
    *sources, place = given.operands or [""]
    if not _REMOTE.match(place):
        for source in sources:
            name = base(source).rpartition(":")[2]
            call.hands.write(join(place, name) if call.hands.is_folder(place) else place, call.name)
            if given.has("r") and call.hands.is_folder(place):
                call.hands.opaque()
    return UNHEARD
