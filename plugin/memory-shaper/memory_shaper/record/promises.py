"""Drafts that an allowed call, or the host once it approves what it has staged, is about to make true.

Every process sees them: a state that one process allowed is no damage to another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from .database import Database, Row
from .times import moment, moment_or_none, stamp, stamp_or_none

# A promise that has been kept or has run out stays this long, for whoever is looking just now.
_AFTERGLOW = timedelta(minutes=10)
_COLUMNS = "file, before, session, call, at, expires_at, done_at"


@dataclass(frozen=True, slots=True)
class Promise:
    """A file may soon hold one of `afters` (digests, None: absent) instead of `before`.

    `expires_at` None: until it is kept or dropped, as for a staged change. The record fills in
    `id` and `done_at`.
    """

    file: str
    before: str | None
    afters: tuple[str | None, ...]
    session: str
    call: str
    at: datetime
    expires_at: datetime | None = None
    id: int = 0
    done_at: datetime | None = None


class Promises:
    """The promises in a record."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def make(self, promise: Promise) -> int:
        """Write a promise before its call is let through; its id."""
        values = (promise.file, promise.before, promise.session, promise.call, stamp(promise.at))
        sql = f"INSERT INTO promises ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, NULL)"
        with self._database.transaction():
            self._sweep(promise.at - _AFTERGLOW)
            number = self._database.add(sql, *values, stamp_or_none(promise.expires_at))
            for after in promise.afters:
                self._database.add("INSERT INTO drafts (promise, after) VALUES (?, ?)", number, after)
        return number

    def find(self, file: str, digest: str | None, now: datetime) -> list[Promise]:
        """The open promises that explain this content (None: the absence) of a file, oldest first."""
        sql = f"""SELECT {_COLUMNS}, id FROM promises WHERE file = ? AND done_at IS NULL
                  AND (expires_at IS NULL OR expires_at > ?)
                  AND id IN (SELECT promise FROM drafts WHERE after IS ?) ORDER BY id"""
        return [self._read(row) for row in self._database.rows(sql, file, stamp(now), digest)]

    def promised(self, file: str, digest: str | None, now: datetime) -> bool:
        """Whether an open promise explains this content (None: the absence) of a file."""
        return bool(self.find(file, digest, now))

    def open(self, now: datetime) -> list[Promise]:
        """All open promises, oldest first."""
        sql = f"""SELECT {_COLUMNS}, id FROM promises WHERE done_at IS NULL
                  AND (expires_at IS NULL OR expires_at > ?) ORDER BY id"""
        return [self._read(row) for row in self._database.rows(sql, stamp(now))]

    def keep(self, number: int, now: datetime) -> None:
        """Say that one of the promise's drafts has come true: it explains nothing from now on."""
        with self._database.transaction():
            self._database.run("UPDATE promises SET done_at = ? WHERE id = ?", stamp(now), number)

    def drop(self, session: str, call: str) -> int:
        """Take back the open promises of a call that ended otherwise; how many there were."""
        wanted = "SELECT id FROM promises WHERE session = ? AND call = ? AND done_at IS NULL"
        return self._delete([row[0] for row in self._database.rows(wanted, session, call)])

    def hold(self, session: str, call: str) -> None:
        """Let the open promises of a call stand until they are kept: the host has staged the change."""
        sql = "UPDATE promises SET expires_at = NULL WHERE session = ? AND call = ? AND done_at IS NULL"
        with self._database.transaction():
            self._database.run(sql, session, call)

    def _sweep(self, before: datetime) -> None:
        sql = "SELECT id FROM promises WHERE coalesce(done_at, expires_at) < ?"
        self._delete([row[0] for row in self._database.rows(sql, stamp(before))])

    def _delete(self, numbers: Sequence[int]) -> int:
        with self._database.transaction():
            for number in numbers:
                self._database.run("DELETE FROM drafts WHERE promise = ?", number)
            return sum(self._database.run("DELETE FROM promises WHERE id = ?", number) for number in numbers)

    def _read(self, row: Row) -> Promise:
        rows = self._database.rows("SELECT after FROM drafts WHERE promise = ? ORDER BY rowid", row[-1])
        afters = tuple(after for (after,) in rows)
        return self._database.read(lambda whole: _promise(whole, afters), row)


def _promise(row: Row, afters: tuple[str | None, ...]) -> Promise:
    file, before, session, call, at, expires_at, done_at, number = row
    ends = (moment_or_none(expires_at), number, moment_or_none(done_at))
    return Promise(file, before, afters, session, call, moment(at), *ends)
