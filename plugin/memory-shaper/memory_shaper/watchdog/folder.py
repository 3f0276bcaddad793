"""The files of the memories folder as the watchdog sees them: how old, and what keeps one from being moved. Shell."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from .. import names
from ..errors import Missing, Unreadable

# Windows: the file is on a drive in the cloud, and reading it would fetch it (OFFLINE, RECALL_ON_OPEN, …_DATA_ACCESS).
_NOT_HERE = 0x1000 | 0x40000 | 0x400000
_PIECE = 1 << 20  # bytes


@dataclass(frozen=True, slots=True)
class File:
    """One name in a folder: the earlier of its times (UTC), its size in bytes, and why it is never moved ("": it may
    be). `readable` says that its bytes can be had without fetching them from elsewhere or waiting for them."""

    name: str
    at: datetime
    size: int
    stays: str = ""
    readable: bool = True


def files(folder: Path) -> dict[str, File]:
    """What lies in a folder, by name; folders are left out.

    Raises Missing, or Unreadable: a folder that cannot be listed is never an empty one.
    """
    try:
        with os.scandir(folder) as found:
            items = list(found)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise Missing(f"{folder}: there is no such folder") from error
    except OSError as error:
        raise Unreadable(f"{folder}: cannot be read ({error.strerror}); nothing was changed") from error
    return {file.name: file for file in _seen(items)}


def _seen(items: list[os.DirEntry[str]]) -> Iterator[File]:
    known = frozenset(item.name for item in items)
    for item in items:
        try:
            own = item.stat(follow_symlinks=False)
        except FileNotFoundError:  # gone since the listing
            continue
        if not stat.S_ISDIR(own.st_mode):
            yield _file(item, own, known)


def _file(item: os.DirEntry[str], own: os.stat_result, known: frozenset[str]) -> File:
    born = getattr(own, "st_birthtime", own.st_mtime)
    at = datetime.fromtimestamp(min(own.st_mtime, born), UTC)
    if stat.S_ISLNK(own.st_mode):
        return File(item.name, at, own.st_size, "it is a link", _leads_to_file(item))
    if not stat.S_ISREG(own.st_mode):
        return File(item.name, at, own.st_size, "it is no ordinary file", readable=False)
    if getattr(own, "st_file_attributes", 0) & _NOT_HERE:
        return File(item.name, at, own.st_size, "it is not downloaded", readable=False)
    if original := names.conflict_copy_of(item.name, known):
        return File(item.name, at, own.st_size, f'it is a conflict copy of "{original}"')
    return File(item.name, at, own.st_size)


def _leads_to_file(item: os.DirEntry[str]) -> bool:
    try:
        return item.is_file()
    except OSError:  # a loop of links
        return False


def placeholders(known: dict[str, File]) -> set[str]:
    """The names of files of which a cloud drive keeps only `.NAME.icloud` here."""
    return {name[1:-7] for name in known if name.startswith(".") and name.endswith(".icloud")} - set(known)


def topics(known: dict[str, File]) -> Iterator[File]:
    """The files among them that are topic files."""
    everything = known.keys()
    return (file for file in known.values() if names.is_topic(file.name, everything))


def digest(path: Path) -> str | None:
    """The digest of a file's bytes, None for a file that is gone or cannot be read."""
    try:
        with open(path, "rb") as file:
            summed = hashlib.sha256()
            while piece := file.read(_PIECE):
                summed.update(piece)
    except OSError:
        return None
    return summed.hexdigest()


def skipped(path: Path) -> tuple[tuple[str, str], ...]:
    """(name, why) of each markdown file and link that is left alone, and of each file that is not downloaded."""
    known = files(path)
    kept = [(file.name, file.stays) for file in known.values() if file.stays]
    return tuple(sorted([*kept, *((name, "it is not downloaded") for name in placeholders(known))]))
