"""Temporary files that killed writers left in the memories folder: found by `doctor`, removed by `fix --leftovers`.

The host's store names its temporary files as ours are named, so a file counts only when nobody can still be writing
it: it is older than a day and no process has it open. Shell: reads folders, and /proc where there is one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from .. import edit, names, store
from ..record import EventKind, Record
from ..settings import Home
from .change import Change, perform
from .request import Outcome, Request
from .screen import counted

_PREFIX, _SUFFIX = ".mem_", ".tmp"
_OLD = 86_400  # seconds; no writer holds a temporary file longer than a moment
_FOLDERS = ("", names.ARCHIVE_FOLDER)


def leftovers(home: Home) -> list[str]:
    """The temporary files that are surely left over, relative to the memories folder."""
    found = [f"{folder}/{name}".lstrip("/") for folder in _FOLDERS for name in _old(home.memories / folder)]
    busy = _open_files() if found else set()
    return [name for name in found if os.path.realpath(home.memories / name) not in busy]


def _old(folder: Path) -> Iterator[str]:
    latest = time.time() - _OLD
    try:
        names_ = sorted(os.listdir(folder))
    except OSError:  # told as the index, or no archive yet
        return
    for name in names_:
        path = folder / name
        if name.startswith(_PREFIX) and name.endswith(_SUFFIX) and path.is_file() and not path.is_symlink():
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < latest:
                    yield name


def _open_files() -> set[str]:
    """Every file that a process has open, as far as the system tells."""
    found: set[str] = set()
    for handle in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):  # a process that ended, or another user's
            found.add(os.readlink(handle))
    return found


def remove(request: Request) -> Outcome:
    """Remove them; their text stays in the journal, so `undo` brings them back."""
    return perform(request, lambda record: _change(request.home, record))


def _change(home: Home, _: Record | None) -> Change:
    found = leftovers(home)
    edits: list[edit.Edit] = []
    for name in found:
        data = store.read_bytes(home.memories / name)
        edits += [edit.NewText(name, data, None)] if data is not None else []
    told = f"removed {counted(len(edits), 'temporary file')} of killed writers; the texts are in the journal"
    return Change(edits, EventKind.CHANGED, "leftovers", told)
