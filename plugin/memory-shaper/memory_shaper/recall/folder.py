"""Which files the sidecar reads: topics, the archive, notes in sub-folders; links followed where allowed. Shell."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from .. import names

TOPIC = "topic"
ARCHIVE = "archive"
FOLDER = "folder"
LARGEST = 4_000_000


class Found(NamedTuple):
    """A file to be read: its name below the memories folder with `/`, what it is, its size and time of change."""

    name: str
    path: str
    kind: str
    size: int
    mtime: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or folder that is not read, and why."""

    name: str
    reason: str


@dataclass(slots=True)
class Listing:
    """All that was found in a folder."""

    found: list[Found] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)


def list_notes(memories: Path, roots: Sequence[Path] = (), only: Collection[str] | None = None) -> Listing:
    """List the notes of a memories folder; a link is followed only into the folder itself or one of `roots`.

    With `only` nothing but these names is looked at.

    Raises OSError where the folder itself cannot be read: an unreadable folder is not an empty one.
    """
    allowed = [Path(os.path.realpath(root)) for root in (memories, *roots)]
    listing = Listing()
    seen: set[str] = set()
    waiting = [("", memories)]
    while waiting:
        below, folder = waiting.pop()
        real = os.path.realpath(folder)
        if real in seen:
            listing.skipped.append(Skipped(below.rstrip("/"), "this folder was read under another name"))
            continue
        seen.add(real)
        wanted = None
        if only is not None:
            wanted = {name[len(below) :].partition("/")[0] for name in only if name.startswith(below)}
        try:
            entries, others = _entries(folder, wanted)
        except OSError as error:
            if not below:
                raise
            listing.skipped.append(Skipped(below.rstrip("/"), f"the folder cannot be read ({error.strerror})"))
            continue
        waiting.extend(_read(entries, others, below, allowed, listing))
    listing.found.sort(key=itemgetter(0))
    listing.skipped.sort(key=lambda skipped: skipped.name)
    return listing


@dataclass(frozen=True, slots=True)
class _Named:
    """One name looked up alone, as os.scandir gives it."""

    name: str
    path: str

    def is_symlink(self) -> bool:
        return os.path.islink(self.path)

    def is_dir(self) -> bool:
        return os.path.isdir(self.path)

    def stat(self) -> os.stat_result:
        return os.stat(self.path)


_Entry = os.DirEntry[str] | _Named


def _entries(folder: Path, wanted: Set[str] | None) -> tuple[Sequence[_Entry], Set[str]]:
    """Return the entries of a folder, or the wanted ones, with the names that tell a copy from an original."""
    if wanted is not None and not any(" " in name and name.endswith(".md") for name in wanted):
        named = [_Named(name, os.path.join(folder, name)) for name in wanted if name]
        os.stat(folder)
        return [entry for entry in named if os.path.lexists(entry.path)], wanted
    with os.scandir(folder) as scan:
        entries = list(scan)
    others = frozenset(entry.name for entry in entries)
    return [entry for entry in entries if wanted is None or entry.name in wanted], others


def _read(
    entries: Sequence[_Entry],
    others: Set[str],
    below: str,
    allowed: Sequence[Path],
    listing: Listing,
) -> Iterator[tuple[str, Path]]:
    """Add the files of one folder, in which are also `others`, to the listing and yield the folders in it."""
    kind = kind_of(below)
    for entry in entries:
        name = below + entry.name
        if entry.is_symlink() and (reason := _link_fault(entry, allowed)):
            if entry.name.endswith(".md") or reason != _DANGLING:
                listing.skipped.append(Skipped(name, reason))
        elif entry.is_dir():
            if not entry.name.startswith("."):
                yield name + "/", Path(entry.path)
        elif _is_note(entry.name, others):
            _add(entry, name, kind, listing)
        elif original := names.conflict_copy_of(entry.name, others):
            listing.skipped.append(Skipped(name, f"conflict copy of {original}"))
        elif entry.name.endswith(".icloud"):
            listing.skipped.append(Skipped(name, "not downloaded"))


@lru_cache(maxsize=65536)
def _looks_like_note(name: str) -> bool:
    return names.is_topic(name)


def _is_note(name: str, others: Set[str]) -> bool:
    """Tell whether a name is a note's; only one with a blank can be the copy of another name beside it."""
    return _looks_like_note(name) and (" " not in name or names.is_topic(name, others))


_DANGLING = "this link leads nowhere"


def _link_fault(entry: _Entry, allowed: Sequence[Path]) -> str:
    real = Path(os.path.realpath(entry.path))
    if not any(real.is_relative_to(root) for root in allowed):
        return "this link leads out of the allowed folders"
    return "" if os.path.exists(entry.path) else _DANGLING


def _add(entry: _Entry, name: str, kind: str, listing: Listing) -> None:
    try:
        stat = entry.stat()
    except OSError as error:
        listing.skipped.append(Skipped(name, f"cannot be read ({error.strerror})"))
        return
    if not stat.st_size:
        listing.skipped.append(Skipped(name, "empty or not downloaded"))
    elif stat.st_size > LARGEST:
        listing.skipped.append(Skipped(name, f"larger than {LARGEST:,} bytes"))
    else:
        listing.found.append(Found(name, entry.path, kind, stat.st_size, stat.st_mtime_ns))


def kind_of(name: str) -> str:
    """What a note is by its name below the memories folder: topic, archive or folder."""
    top, slash, _ = name.rpartition("/")
    if not slash:
        return TOPIC
    return ARCHIVE if top.split("/")[0] == names.ARCHIVE_FOLDER else FOLDER
