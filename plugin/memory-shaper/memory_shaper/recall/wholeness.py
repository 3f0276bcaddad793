"""Whether a sidecar holds together: a look at its ends, not at its rows, so that it costs no question. Shell: SQLite.

SQLite tells of broken pages. A table that is gone or was emptied is a good file for SQLite, and a sidecar that finds
nothing or fails half-way; so the tables are held against each other.
"""

from __future__ import annotations

import sqlite3

from . import gathered

SHELVES = ("note", "session")
_SHELF = """
(SELECT max(id) FROM {shelf}_text) IS (SELECT max(id) FROM {shelf}_body)
AND (EXISTS (SELECT 1 FROM {shelf}_post) OR NOT EXISTS (SELECT 1 FROM {shelf}_text WHERE length > 0))
"""
_FILES = """
(SELECT count(*) FROM file) = (SELECT count(*) FROM note_text)
AND (EXISTS (SELECT 1 FROM state WHERE key = 'rules') OR NOT EXISTS (SELECT 1 FROM file))
"""
_GATHERED = f"""
(NOT EXISTS (SELECT 1 FROM state WHERE key = 'gathered') OR {len(gathered.NAMES)} =
(SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ({", ".join(map(repr, gathered.NAMES))})))
"""
# One statement, so that it sees one state whatever other processes write.
_WHOLE = "SELECT " + " AND ".join((*(_SHELF.format(shelf=shelf) for shelf in SHELVES), _FILES, _GATHERED))


def is_whole(connection: sqlite3.Connection) -> bool:
    """Tell whether the tables agree. Raises sqlite3.OperationalError where one is missing, or the file is locked."""
    return bool(connection.execute(_WHOLE).fetchone()[0])
