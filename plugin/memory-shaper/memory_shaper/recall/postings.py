"""Which texts hold a term and how often: two bytes a text, in rows of 256 texts. Shell: SQLite.

A row is short enough to be written anew, so that a changed note costs only the terms whose count changed; a term is
read in a few rows, and its number of texts is their length.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping

BLOCK = 256
_MOST = 255
# Counts that are held back, so that a build writes each row a few times instead of once a text.
_FULL = 500_000

_Key = tuple[str, int]


class Postings:
    """The counts of one shelf in an open sidecar; changes wait for `flush`, until then reading does not see them."""

    def __init__(self, connection: sqlite3.Connection, prefix: str) -> None:
        self._connection = connection
        self._table = f"{prefix}_post"
        self._new: dict[int, dict[str, bytearray]] = {}
        self._changed: dict[_Key, dict[int, int]] = {}
        self._waiting = 0

    def add(self, text: int, counts: Mapping[str, int]) -> None:
        """Take the counts of a text that has none yet; the number of a text is never given twice."""
        block, low = divmod(text, BLOCK)
        rows = self._new.setdefault(block, {})
        for term, count in counts.items():
            row = rows.get(term)
            if row is None:
                row = rows[term] = bytearray()
            row.append(low)
            row.append(count if count < _MOST else _MOST)
        self._waiting += len(counts)
        if self._waiting > _FULL:
            self.flush()

    def change(self, text: int, before: Mapping[str, int], after: Mapping[str, int]) -> None:
        """Take the counts of a text in place of those it had; none removes it."""
        block, low = divmod(text, BLOCK)
        for term in before.keys() | after.keys():
            count = after.get(term, 0)
            if count != before.get(term, 0):
                self._changed.setdefault((term, block), {})[low] = min(count, _MOST)

    def flush(self) -> None:
        """Write what waits; new texts come first, since they may have been changed since."""
        blocks = sorted(self._new.items())
        self._connection.executemany(
            f"INSERT INTO {self._table}(term, block, texts) VALUES (?, ?, ?) "
            "ON CONFLICT(term, block) DO UPDATE SET texts = CAST(texts || excluded.texts AS BLOB)",
            (
                (term, block, rows[term])
                for term in sorted({term for _, rows in blocks for term in rows})
                for block, rows in blocks
                if term in rows
            ),
        )
        self._new.clear()
        self._rewrite(sorted(self._changed))
        self.drop()

    def drop(self) -> None:
        """Forget what waits, as after a change that was rolled back."""
        self._new.clear()
        self._changed.clear()
        self._waiting = 0

    def _rewrite(self, keys: Iterable[_Key]) -> None:
        rows = {key: self._changed_row(key) for key in keys}
        where = "WHERE term = ? AND block = ?"
        self._connection.executemany(
            f"INSERT OR REPLACE INTO {self._table}(term, block, texts) VALUES (?, ?, ?)",
            ((*key, row) for key, row in rows.items() if row),
        )
        self._connection.executemany(
            f"DELETE FROM {self._table} {where}", (key for key, row in rows.items() if not row)
        )

    def _changed_row(self, key: _Key) -> bytes:
        found = self._connection.execute(
            f"SELECT texts FROM {self._table} WHERE term = ? AND block = ?", key
        ).fetchone()
        row = bytearray(found[0] if found else b"")
        for low, count in self._changed[key].items():
            place = row[::2].find(low) * 2
            if place >= 0:
                del row[place : place + 2]
            if count:
                row += bytes((low, count))
        return bytes(row)

    def rows(self, term: str) -> dict[int, bytes]:
        """Return the texts that hold a term, two bytes each, by block.

        The first byte and 256 times the block are the number of a text, the second byte is its count, at most 255.
        """
        return dict(
            self._connection.execute(f"SELECT block, texts FROM {self._table} WHERE term = ?", (term,)).fetchall()
        )

    def beginning_with(self, character: str) -> list[str]:
        """Return the terms that begin with a character."""
        rows = self._connection.execute(
            f"SELECT DISTINCT term FROM {self._table} WHERE term >= ? AND term < ?",
            (character, character + "\U0010ffff"),
        )
        return [term for (term,) in rows]
