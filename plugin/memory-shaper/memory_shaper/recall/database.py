"""The sidecar file: opened private, of our kind and version, or thrown away and made anew. Shell: SQLite.

Nothing in it is the truth, so damage never has to be mended: a file that is not whole is removed with a note.
"""

from __future__ import annotations

import os
import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path

from ..errors import MemoryShaperError, ReadOnly
from .wholeness import SHELVES, is_whole

APPLICATION_ID = 0x4D53_6463
# Raised with every change of the tables, of what the analyser makes of a text, of what is kept of its front matter.
VERSION = 3
BUSY_SECONDS = 2.0

# Numbers of texts are never given twice, so that number and stamp tell what a text was when it was read.
_TABLES = """
CREATE TABLE {shelf}_text(
    id INTEGER PRIMARY KEY AUTOINCREMENT, stamp INTEGER NOT NULL, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
    day INTEGER, segmented INTEGER NOT NULL, length INTEGER NOT NULL, extra INTEGER NOT NULL, units INTEGER NOT NULL,
    extra_units INTEGER NOT NULL, facts TEXT NOT NULL
);
CREATE INDEX {shelf}_unsegmented ON {shelf}_text(name) WHERE segmented = 0;
CREATE TABLE {shelf}_body(
    id INTEGER PRIMARY KEY, places BLOB NOT NULL, cuts BLOB NOT NULL,
    words TEXT NOT NULL, extra TEXT NOT NULL, forms TEXT NOT NULL
);
CREATE TABLE {shelf}_post(
    term TEXT NOT NULL, block INTEGER NOT NULL, texts BLOB NOT NULL, PRIMARY KEY(term, block)
) WITHOUT ROWID;
"""
_FILES = """
CREATE TABLE file(
    name TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime INTEGER NOT NULL, checked INTEGER NOT NULL, digest BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE state(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
DAMAGED = "the sidecar was damaged and is built again"


class SidecarError(MemoryShaperError):
    """The sidecar cannot be used; the text says why. It can be deleted at any time."""


@dataclass(frozen=True, slots=True)
class Opened:
    """An open sidecar; `note` says why it was made anew, "" where it was simply opened or new."""

    connection: sqlite3.Connection
    note: str = ""


def open_sidecar(path: Path) -> Opened:
    """Open the sidecar at `path`; a missing one is made, a damaged or older one is made anew.

    Raises SidecarError where the file is locked, ReadOnly where it cannot be made.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        sweep(path)
        return _open(path)
    except sqlite3.OperationalError as error:
        raise explain(path, error) from error
    except OSError as error:
        raise ReadOnly(f"{path}: the sidecar cannot be made ({error.strerror})") from error


def open_in_memory(note: str) -> Opened:
    """Open a sidecar that no file keeps, for a home that cannot be written; it is built for this process alone."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    _make(connection)
    return Opened(connection, note)


def discard(path: Path) -> None:
    """Remove a sidecar with its write-ahead files; the log goes first, so that it never meets another file."""
    for name in (f"{path}-wal", f"{path}-shm", f"{path}-journal", str(path)):
        Path(name).unlink(missing_ok=True)


def sweep(path: Path) -> None:
    """Remove what an interrupted build or an older version left beside the sidecar."""
    for pattern in (f"{path.name}.tmp*", f"{path.name}.new*", f"{path.stem}-*.tmp"):
        for left in path.parent.glob(pattern):
            left.unlink(missing_ok=True)


def explain(path: Path, error: sqlite3.Error) -> MemoryShaperError:
    """Return our error for one of SQLite's."""
    text = str(error)
    if "readonly" in text or "unable to open" in text:
        return ReadOnly(f"{path}: the sidecar cannot be written ({text})")
    return SidecarError(f"{path}: the sidecar cannot be used ({text}); delete it, it is built again")


def changes(connection: sqlite3.Connection) -> int:
    """Return a number that is another one after each change of the file, by this connection or by others."""
    return int(connection.execute("PRAGMA data_version").fetchone()[0]) * 2**32 + connection.total_changes


def is_damage(error: sqlite3.Error) -> bool:
    """Tell whether an error means that the file is not whole, rather than busy or not to be written."""
    return not isinstance(error, sqlite3.OperationalError) or "no such" in str(error) or "malformed" in str(error)


def _open(path: Path) -> Opened:
    fresh = not path.exists()
    if fresh:
        _begin(path)
    note = ""
    connection = _connect(path)
    if not fresh and (note := _fault(connection)):
        connection.close()
        _begin(path)
        connection = _connect(path)
    try:
        _make(connection)
    except BaseException:
        connection.close()
        raise
    return Opened(connection, note)


def _begin(path: Path) -> None:
    """Put an empty private file in place; a log that was left of an older one would be played into it."""
    discard(path)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)


def _fault(connection: sqlite3.Connection) -> str:
    """Return why a file cannot be kept, "" where it can."""
    try:
        kind = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        pages = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if pages and kind == APPLICATION_ID and version == VERSION:
            return "" if is_whole(connection) else DAMAGED
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise
        return DAMAGED
    except sqlite3.DatabaseError:
        return DAMAGED
    if not pages:
        return ""
    return "the sidecar was of another version and is built again"


def _make(connection: sqlite3.Connection) -> None:
    """Make the tables where there are none; of two processes the second finds them made."""
    _write_ahead(connection)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA cache_size = -32000")
    if connection.execute("PRAGMA user_version").fetchone()[0] == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        if connection.execute("PRAGMA user_version").fetchone()[0] != VERSION:
            tables = [_TABLES.format(shelf=shelf) for shelf in SHELVES]
            for statement in ";".join((*tables, _FILES)).split(";\n"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to a write-ahead log. SQLite does not wait for another process that is switching, so we do."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.02)
