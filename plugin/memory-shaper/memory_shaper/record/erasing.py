"""Taking a file out of the record for good: its events, texts, counts and proposals, and the bytes they stood on.

SQLite leaves what is deleted in free pages and in its write-ahead file. So rows are overwritten as they go, and
`compact` makes the file anew and empties the other one.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from .database import Database
from .errors import RecordBusy
from .texts import Texts

_MANY = 400  # values of one statement


@dataclass(frozen=True, slots=True)
class Erasure:
    """What is to go. `files` are relative to the memories folder, `indexes` the files whose old texts are passed
    through `strip`, `words` the counter keys, `speaks_of` whether a text of a proposal is about the topic."""

    files: frozenset[str]
    indexes: frozenset[str]
    words: frozenset[str]
    strip: Callable[[bytes], bytes]
    speaks_of: Callable[[str], bool]


class Erasing:
    """The one part of the record that forgets on purpose."""

    def __init__(self, database: Database, texts: Texts) -> None:
        self._database = database
        self._texts = texts

    def moved(self, files: Collection[str]) -> frozenset[str]:
        """The files together with every name that they had or have by a move of ours."""
        known = set(files)
        moves = self._database.rows("SELECT file, target FROM steps WHERE kind = 'move'")
        while more := {one for move in moves if known & set(move) for one in move} - known:
            known |= more
        return frozenset(known)

    def texts_of(self, files: Collection[str]) -> Iterator[bytes]:
        """Every stored text that only these files ever had."""
        for digest in sorted(self._theirs(files)):
            text = self._texts.text(digest)
            if text is not None:
                yield text

    def erase(self, what: Erasure, now: datetime) -> None:
        """Take it all out, in one transaction; doing it twice is doing it once."""
        self._database.run("PRAGMA secure_delete = ON")
        with self._database.transaction(durable=True):
            doomed = self._theirs(what.files)
            renamed = self._strip(what, doomed, now)
            self._stand_alone(doomed | renamed.keys())
            self._rename(renamed)
            for digest in doomed | renamed.keys():
                self._database.run("DELETE FROM texts WHERE digest = ?", digest)
                self._database.run("DELETE FROM kept WHERE digest = ?", digest)
            self._drop_rows(what)

    def left(self, what: Erasure) -> int:
        """How many rows there still are of it."""
        tables = (("events", "file"), ("accepted", "file"), ("steps", "file"), ("steps", "target"), *_BY_NAME)
        names = [*_spellings(what.files)]
        found = sum(self._count(table, column, names) for table, column in tables)
        return found + self._count("counters", "key", [*what.words]) + len(self._proposals(what))

    def compact(self) -> None:
        """Make the file anew without free pages and empty the write-ahead file.

        Raises RecordBusy where another process is in the way: the bytes are still there then.
        """
        self._database.run("PRAGMA secure_delete = ON")
        self._database.run("PRAGMA temp_store = MEMORY")
        self.checkpoint()
        self._database.run("VACUUM")
        self.checkpoint()

    def checkpoint(self) -> None:
        """Empty the write-ahead file. Raises RecordBusy."""
        busy = self._database.row("PRAGMA wal_checkpoint(TRUNCATE)")
        if busy and busy[0]:
            told = "another process reads the record, so deleted bytes are still in its files"
            raise RecordBusy(self._database.path, told, "end it or wait, then run the same again")

    def _theirs(self, files: Collection[str]) -> set[str]:
        """The digests that stand for contents of these files and of no other."""
        wanted = set(files)
        theirs: set[str] = set()
        others: set[str] = set()
        sql = """SELECT file, before, after FROM events UNION ALL SELECT file, digest, NULL FROM accepted
                 UNION ALL SELECT file, before, after FROM steps UNION ALL SELECT file, before, NULL FROM promises"""
        for file, before, after in self._database.rows(sql):
            (theirs if file in wanted else others).update(one for one in (before, after) if one)
        return theirs - others

    def _strip(self, what: Erasure, doomed: set[str], now: datetime) -> dict[str, str]:
        """New digests of the texts of indexes, and of texts that nothing names, by the old ones."""
        rows = self._database.rows(
            "SELECT file, before, after FROM events UNION ALL SELECT file, digest, NULL FROM accepted"
        )
        others = {one for file, *both in rows if file not in what.indexes for one in both if one}
        renamed: dict[str, str] = {}
        for (digest,) in self._database.rows("SELECT digest FROM texts ORDER BY digest"):
            if digest in doomed or digest in others:
                continue
            old = self._texts.text(digest) or b""
            new = what.strip(old)
            if new != old:
                renamed[digest] = self._texts.put(new, now)
        return renamed

    def _stand_alone(self, bases: Collection[str]) -> None:
        """Texts that lean on one that goes are packed by themselves."""
        for digest, base in self._database.rows("SELECT digest, base FROM texts WHERE base IS NOT NULL"):
            if base in bases and digest not in bases:
                packed = zlib.compress(self._texts.text(digest) or b"", 6)
                sql = "UPDATE texts SET base = NULL, packed = ?, size = ? WHERE digest = ?"
                self._database.run(sql, packed, len(packed), digest)

    def _rename(self, renamed: dict[str, str]) -> None:
        for old, new in renamed.items():
            for table, column in _DIGESTS:
                self._database.run(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", new, old)

    def _drop_rows(self, what: Erasure) -> None:
        names = [*_spellings(what.files)]
        for table, column in (
            ("events", "file"),
            ("accepted", "file"),
            ("steps", "file"),
            ("steps", "target"),
            *_BY_NAME,
        ):
            self._delete(table, column, names)
        self._delete("counters", "key", [*what.words])
        for number in self._proposals(what):
            self._database.run("DELETE FROM proposals WHERE id = ?", number)
        self._database.run(
            """DELETE FROM intents WHERE finished_at IS NOT NULL
               AND id NOT IN (SELECT intent FROM events WHERE intent IS NOT NULL)"""
        )
        self._database.run("DELETE FROM steps WHERE intent NOT IN (SELECT id FROM intents)")

    def _proposals(self, what: Erasure) -> list[int]:
        rows = self._database.rows("SELECT id, target, title, payload FROM proposals")
        return [row[0] for row in rows if any(map(what.speaks_of, (*row[1:3], *_texts(row[3]))))]

    def _delete(self, table: str, column: str, values: list[str]) -> None:
        for start in range(0, len(values), _MANY):
            some = values[start : start + _MANY]
            self._database.run(f"DELETE FROM {table} WHERE {column} IN ({_marks(some)})", *some)

    def _count(self, table: str, column: str, values: list[str]) -> int:
        return sum(
            self._database.number(f"SELECT count(*) FROM {table} WHERE {column} IN ({_marks(some)})", *some)
            for start in range(0, len(values), _MANY)
            if (some := values[start : start + _MANY])
        )


_BY_NAME = (("topics", "name"), ("weeks", "name"), ("feedback", "name"))
_DIGESTS = (
    ("events", "before"), ("events", "after"), ("accepted", "digest"), ("steps", "before"), ("steps", "after"),
    ("promises", "before"), ("drafts", "after"), ("topics", "digest"),
)  # fmt: skip


def _marks(values: Collection[str]) -> str:
    return ", ".join("?" * len(values))


def _spellings(files: Collection[str]) -> list[str]:
    """The files as the journal names them and as counts do, which know no folder."""
    return sorted({*files, *(file.rpartition("/")[2] for file in files)})


def _texts(payload: str) -> list[str]:
    """Every text in a payload."""
    found: list[str] = []
    waiting: list[object] = [json.loads(payload)]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return found
