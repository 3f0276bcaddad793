"""How far a sidecar is behind the notes, without changing either. Shell: disk and SQLite."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from .database import APPLICATION_ID, VERSION, SidecarError, explain
from .folder import list_notes


def behind(path: Path, memories: Path) -> int | None:
    """How many notes were added, changed or removed since the sidecar at `path` was built; None where there is none.

    Raises SidecarError for one that is damaged or of another version, OSError where the folder cannot be read.
    """
    if not path.exists():
        return None
    there = {found.name: (found.size, found.mtime) for found in list_notes(memories).found}
    try:
        known = _known(path)
    except sqlite3.Error as error:
        raise explain(path, error) from error
    same = sum(known.get(name) == seen for name, seen in there.items())
    return len(there.keys() | known.keys()) - same


def _known(path: Path) -> dict[str, tuple[int, int]]:
    # The last connection to close removes the write-ahead files, and only one that may write can do so.
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    address = f"{path.absolute().as_uri()}?{'mode=rw' if writable else 'immutable=1'}"
    with closing(sqlite3.connect(address, uri=True, timeout=0.5)) as connection:
        kind, version = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
        )
        if (kind, version) != (APPLICATION_ID, VERSION):
            raise SidecarError(f"{path}: the sidecar is of another version; the next search builds it anew")
        return {name: (size, mtime) for name, size, mtime in connection.execute("SELECT name, size, mtime FROM file")}
