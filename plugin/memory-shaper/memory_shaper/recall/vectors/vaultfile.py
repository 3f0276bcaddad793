"""The file of vectors: opened private, of our kind and version, or thrown away and made anew. Shell: SQLite."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from ..database import discard, is_damage

_APPLICATION_ID = 0x4D53_7663
_VERSION = 1
_BUSY_SECONDS = 0.5
_TABLES = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS space(
    id INTEGER PRIMARY KEY, address BLOB NOT NULL, model TEXT NOT NULL, size INTEGER NOT NULL DEFAULT 0,
    answered INTEGER NOT NULL DEFAULT 0, UNIQUE(address, model)
);
CREATE TABLE IF NOT EXISTS breaker(
    space INTEGER NOT NULL, task TEXT NOT NULL, failures INTEGER NOT NULL, until REAL NOT NULL, trouble TEXT NOT NULL,
    PRIMARY KEY(space, task)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS note(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, digest BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS passage(
    note INTEGER NOT NULL, place INTEGER NOT NULL, digest BLOB NOT NULL, PRIMARY KEY(note, place)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS passage_digest ON passage(digest);
CREATE TABLE IF NOT EXISTS vector(
    id INTEGER PRIMARY KEY, space INTEGER NOT NULL, digest BLOB NOT NULL, value BLOB NOT NULL, UNIQUE(space, digest)
);
CREATE TABLE IF NOT EXISTS change(number INTEGER NOT NULL);
INSERT INTO change SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM change);
PRAGMA application_id = {_APPLICATION_ID};
PRAGMA user_version = {_VERSION};
COMMIT;
"""


def open_vectors(path: Path) -> sqlite3.Connection:
    """Open the file at `path`; raises OSError or sqlite3.Error where it cannot be made or used."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        _begin(path)
    connection = _connected(path)
    try:
        if not _can_stay(connection):
            connection.close()
            _begin(path)
            connection = _connected(path)
        connection.execute("PRAGMA journal_mode = WAL")
        if connection.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
            connection.executescript(_TABLES)
    except BaseException:
        connection.close()
        raise
    return connection


def _begin(path: Path) -> None:
    """Put an empty file in place that only the user can read."""
    discard(path)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)


def _can_stay(connection: sqlite3.Connection) -> bool:
    """Tell whether a file is still empty, or whole and of our version."""
    try:
        if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return True
        kind = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        return bool((kind, version) == (_APPLICATION_ID, _VERSION))
    except sqlite3.Error as error:
        if not is_damage(error):
            raise
        return False
