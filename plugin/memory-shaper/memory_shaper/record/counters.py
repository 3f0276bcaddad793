"""Small facts that outlive a process: feedback on topics, counters, signs of life of the surfaces, notes by key."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from .database import Database, Row
from .times import moment, stamp

# Of each counter so many keys stay, the most recently counted.
_KEYS = 1000
_BEATS_STAY = timedelta(days=30)


class Beat(StrEnum):
    """What a surface was seen doing: its settings name us, it has loaded us, it has called one of our hooks, it has
    kept a refusal of ours, it has run a call that was refused."""

    ENABLED = "enabled"
    LOADED = "loaded"
    FIRED = "fired"
    ENFORCED = "enforced"
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """The last time a process of a surface was seen doing something."""

    surface: str
    event: Beat
    pid: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Feedback:
    """How often a topic was called helpful (`up`) and unhelpful (`down`), and when last."""

    name: str
    up: int
    down: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Count:
    """One counter: its name, the key it counts under, the value, and when it last changed."""

    name: str
    key: str
    value: int
    at: datetime


def _heartbeat(row: Row) -> Heartbeat:
    surface, event, pid, at = row
    return Heartbeat(surface, Beat(event), pid, moment(at))


def _feedback(row: Row) -> Feedback:
    name, up, down, at = row
    return Feedback(name, up, down, moment(at))


def _count(row: Row) -> Count:
    name, key, value, at = row
    return Count(name, key, value, moment(at))


class Counters:
    """The small facts in a record."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def rate(self, name: str, helpful: bool, now: datetime) -> None:
        """Count one word of feedback on a topic."""
        sql = """INSERT INTO feedback (name, up, down, at) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET
                 up = up + excluded.up, down = down + excluded.down, at = max(at, excluded.at)"""
        with self._database.transaction():
            self._database.run(sql, name, int(helpful), int(not helpful), stamp(now))

    def feedback(self) -> list[Feedback]:
        """The feedback on all topics, by name."""
        rows = self._database.rows("SELECT name, up, down, at FROM feedback ORDER BY name")
        return [self._database.read(_feedback, row) for row in rows]

    def count(self, name: str, key: str, now: datetime, by: int = 1) -> int:
        """Add to a counter and return its value; of each name only the thousand most recent keys stay."""
        sql = """INSERT INTO counters (name, key, value, at) VALUES (?, ?, ?, ?) ON CONFLICT (name, key) DO UPDATE SET
                 value = value + excluded.value, at = max(at, excluded.at)"""
        with self._database.transaction():
            self._database.run(sql, name, key, by, stamp(now))
            value = self._database.number("SELECT value FROM counters WHERE name = ? AND key = ?", name, key)
            if value == by:  # It may be new, so one may have to go.
                self._forget_oldest(name)
        return value

    def counts(self, name: str) -> list[Count]:
        """All keys of a counter, the most recently counted first."""
        sql = "SELECT name, key, value, at FROM counters WHERE name = ? ORDER BY at DESC, key"
        return [self._database.read(_count, row) for row in self._database.rows(sql, name)]

    def beat(self, beat: Heartbeat) -> None:
        """Note a sign of life; those of a month ago are dropped."""
        with self._database.transaction():
            sql = "REPLACE INTO heartbeats (surface, event, pid, at) VALUES (?, ?, ?, ?)"
            self._database.run(sql, beat.surface, beat.event.value, beat.pid, stamp(beat.at))
            self._database.run("DELETE FROM heartbeats WHERE at < ?", stamp(beat.at - _BEATS_STAY))

    def beats(self) -> list[Heartbeat]:
        """All signs of life, the latest first."""
        rows = self._database.rows("SELECT surface, event, pid, at FROM heartbeats ORDER BY at DESC")
        return [self._database.read(_heartbeat, row) for row in rows]

    def meta(self, key: str) -> str | None:
        """The note under a key, None where there is none."""
        row = self._database.row("SELECT value FROM meta WHERE key = ?", key)
        return str(row[0]) if row else None

    def set_meta(self, key: str, value: str) -> None:
        """Put a note under a key, in place of the one before."""
        with self._database.transaction():
            self._database.run("REPLACE INTO meta (key, value) VALUES (?, ?)", key, value)

    def _forget_oldest(self, name: str) -> None:
        sql = """DELETE FROM counters WHERE name = ? AND key IN
                 (SELECT key FROM counters WHERE name = ? ORDER BY at DESC, key LIMIT -1 OFFSET ?)"""
        self._database.run(sql, name, name, _KEYS)
