"""Backups of ours and what a purge takes out of them. Shell: the archives, and the record in each.

The record knows where backups were written. One that was moved since is its owner's; the proof says which are gone.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from .. import names
from ..errors import MemoryShaperError
from ..lifecycle import packing
from ..lifecycle.packing import MEMORIES, RECORD, Backup, Packed
from ..record import Record
from .stripping import Doomed, without_lines

_KEY = "backups"
_INDEXES = frozenset((names.INDEX, f"{names.ARCHIVE_FOLDER}/{names.ARCHIVE_INDEX}"))
Erase = Callable[[Record], None]


def note(record: Record, path: Path) -> None:
    """Remember where a backup was written."""
    with record.transaction():
        known = [one for one in _noted(record) if one != str(path.absolute())]
        record.counters.set_meta(_KEY, json.dumps([*known, str(path.absolute())]))


def _noted(record: Record) -> list[str]:
    return [str(one) for one in json.loads(record.counters.meta(_KEY) or "[]")]


def there(record: Record) -> list[Path]:
    """The backups that still lie where they were written."""
    return [path for one in _noted(record) if (path := Path(one)).is_file()]


def clean(path: Path, what: Doomed, erase: Erase) -> None:
    """Write a backup anew without a topic; `erase` takes it out of the record in it. Raises what reading one raises."""
    made = packing.read(path)
    files = dict(_files(made, what, erase))
    if files == dict(made.files):
        return
    queries = tuple(
        (asked, tuple(name for name in found if names.same(name) not in _same(what))) for asked, found in made.queries
    )
    kept = [(asked, found) for asked, found in queries if not set(asked.split()) & what.words]
    fresh = path.with_name(f".purged-{os.getpid()}-{path.name}")
    try:
        packing.write(fresh, replace(made, files=files, queries=tuple(kept)))
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def is_clean(path: Path, what: Doomed) -> str:
    """Why a backup is not clean, "" where it is."""
    try:
        made = packing.read(path)
    except MemoryShaperError as error:
        return str(error)
    held = [name for name, file in made.files.items() if name != RECORD and _stripped(name, file, what) != file]
    return f"still holds {len(held)} files of it" if held else ""


def _files(made: Backup, what: Doomed, erase: Erase) -> Iterator[tuple[str, Packed]]:
    for name, file in made.files.items():
        left = Packed(_erased(file.data, erase), file.mtime) if name == RECORD else _stripped(name, file, what)
        if left is not None:
            yield name, left


def _stripped(name: str, file: Packed, what: Doomed) -> Packed | None:
    """A file of a backup as it stays, None for one of the topic's."""
    bare = name.removeprefix(MEMORIES)
    if names.same(bare) in _same(what):
        return None
    if bare not in _INDEXES:
        return file
    text = file.data.decode("utf-8", "surrogateescape")
    return Packed(without_lines(text, what.names).encode("utf-8", "surrogateescape"), file.mtime)


def _same(what: Doomed) -> frozenset[str]:
    return frozenset(map(names.same, what.files))


def _erased(data: bytes, erase: Erase) -> bytes:
    """The bytes of a record without the topic."""
    with tempfile.TemporaryDirectory(prefix="memory-shaper-") as folder:
        path = Path(folder) / RECORD
        path.write_bytes(data)
        with Record.open(path) as record:
            erase(record)
        with contextlib.suppress(FileNotFoundError):
            Path(f"{path}-wal").unlink()
        return path.read_bytes()
