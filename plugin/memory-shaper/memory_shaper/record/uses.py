"""Uses of topics: when each was first seen and last used, how often in all and week by week, and how far was read.

A use is counted once per session, turn and topic, however often the host's database is read again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from .database import Database, Row
from .times import iso_week, moment, moment_or_none, stamp, stamp_or_none

# Enough for years of use; a use older than all of these could be counted again if the host's database is made anew.
_REMEMBERED = 50_000
_TOPIC = "name, first_seen, last_used, count, digest, changed"


@dataclass(frozen=True, slots=True)
class Use:
    """A topic file was read in a turn of a session."""

    name: str
    at: datetime
    session: str
    turn: str


@dataclass(frozen=True, slots=True)
class Topic:
    """What is known about the use of a topic. `digest` is that of its file when it was last looked at, `changed` when
    it was first seen to be another one."""

    name: str
    first_seen: datetime
    last_used: datetime | None
    count: int
    digest: str | None
    changed: datetime | None = None


@dataclass(frozen=True, slots=True)
class Week:
    """How often a topic was used in an ISO week such as `2026-W07`."""

    name: str
    week: str
    count: int


@dataclass(frozen=True, slots=True)
class Watermark:
    """How far a database was read: up to which row, and which span of time the rows seen so far cover.

    `identity` tells the database from one made anew at the same place.
    """

    source: str
    identity: str
    last_id: int
    earliest: datetime | None
    latest: datetime | None
    at: datetime


def _topic(row: Row) -> Topic:
    name, first_seen, last_used, count, digest, changed = row
    return Topic(name, moment(first_seen), moment_or_none(last_used), count, digest, moment_or_none(changed))


def _watermark(row: Row) -> Watermark:
    source, identity, last_id, earliest, latest, at = row
    return Watermark(source, identity, last_id, moment_or_none(earliest), moment_or_none(latest), moment(at))


class Uses:
    """The uses in a record."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def tally_batch(self, uses: Iterable[Use], watermark: Watermark) -> int:
        """Count uses and move the watermark, all or none; how many uses were new.

        A watermark never goes back within one database, so two readers at once do no harm.
        """
        with self._database.transaction():
            new = sum(self._count(use) for use in uses)
            self._move(watermark)
            if new:
                self._forget_oldest()
        return new

    def look(self, digests: Mapping[str, str], now: datetime) -> None:
        """Note which topics there are and the digest of each file; a topic not seen before is first seen now."""
        sql = """INSERT INTO topics (name, first_seen, count, digest) VALUES (?, ?, 0, ?)
                 ON CONFLICT (name) DO UPDATE SET digest = excluded.digest,
                     changed = CASE WHEN digest <> excluded.digest THEN ? ELSE changed END"""
        with self._database.transaction():
            for name, digest in digests.items():
                self._database.run(sql, name, stamp(now), digest, stamp(now))

    def rename_use(self, old: str, new: str) -> bool:
        """Carry the history of a topic over to its new name, added to what is there; False where there is none."""
        with self._database.transaction():
            moved = self._topic(old)
            if moved is None or old == new:
                return False
            self._merge(moved, new)
            sql = """INSERT INTO weeks (name, week, count) SELECT ?, week, count FROM weeks WHERE name = ?
                     ON CONFLICT (name, week) DO UPDATE SET count = count + excluded.count"""
            self._database.run(sql, new, old)
            sql = """INSERT INTO feedback (name, up, down, at) SELECT ?, up, down, at FROM feedback WHERE name = ?
                     ON CONFLICT (name) DO UPDATE SET up = up + excluded.up, down = down + excluded.down,
                                                      at = max(at, excluded.at)"""
            self._database.run(sql, new, old)
            self.forget_use(old)
        return True

    def forget_use(self, name: str) -> None:
        """Drop all that is known about the use of a topic, its feedback too."""
        with self._database.transaction():
            for table in ("topics", "weeks", "feedback"):
                self._database.run(f"DELETE FROM {table} WHERE name = ?", name)

    def topics(self) -> list[Topic]:
        """All topics ever seen, by name."""
        rows = self._database.rows(f"SELECT {_TOPIC} FROM topics ORDER BY name")
        return [self._database.read(_topic, row) for row in rows]

    def weeks(self) -> list[Week]:
        """The counts of all topics, by week and name."""
        return [Week(*row) for row in self._database.rows("SELECT name, week, count FROM weeks ORDER BY week, name")]

    def watermark(self, source: str) -> Watermark | None:
        """How far a database was read, None where it never was."""
        sql = "SELECT source, identity, last_id, earliest, latest, at FROM watermarks WHERE source = ?"
        row = self._database.row(sql, source)
        return self._database.read(_watermark, row) if row else None

    def _topic(self, name: str) -> Topic | None:
        sql = f"SELECT {_TOPIC} FROM topics WHERE name = ?"
        row = self._database.row(sql, name)
        return self._database.read(_topic, row) if row else None

    def _count(self, use: Use) -> bool:
        key = _key(use)
        if not self._database.run("INSERT OR IGNORE INTO counted (use, at) VALUES (?, ?)", key, stamp(use.at)):
            return False
        self._merge(Topic(use.name, use.at, use.at, 1, None), use.name)
        sql = """INSERT INTO weeks (name, week, count) VALUES (?, ?, 1)
                 ON CONFLICT (name, week) DO UPDATE SET count = count + 1"""
        self._database.run(sql, use.name, iso_week(use.at))
        return True

    def _merge(self, topic: Topic, name: str) -> None:
        sql = f"""INSERT INTO topics ({_TOPIC}) VALUES (?, ?, ?, ?, ?, ?)
                 ON CONFLICT (name) DO UPDATE SET
                     first_seen = min(first_seen, excluded.first_seen), count = count + excluded.count,
                     last_used = coalesce(max(last_used, excluded.last_used), last_used, excluded.last_used),
                     changed = coalesce(max(changed, excluded.changed), changed, excluded.changed),
                     digest = coalesce(digest, excluded.digest)"""
        changed = stamp_or_none(topic.changed)
        values = (stamp(topic.first_seen), stamp_or_none(topic.last_used), topic.count, topic.digest, changed)
        self._database.run(sql, name, *values)

    def _move(self, mark: Watermark) -> None:
        # A missing side of a span must not win: min and max of SQLite are NULL where one side is.
        sql = """INSERT INTO watermarks (source, identity, last_id, earliest, latest, at) VALUES (?, ?, ?, ?, ?, ?)
                 ON CONFLICT (source) DO UPDATE SET
                     last_id = iif(identity = excluded.identity, max(last_id, excluded.last_id), excluded.last_id),
                     earliest = coalesce(min(earliest, excluded.earliest), earliest, excluded.earliest),
                     latest = coalesce(max(latest, excluded.latest), latest, excluded.latest),
                     identity = excluded.identity, at = excluded.at"""
        span = (stamp_or_none(mark.earliest), stamp_or_none(mark.latest))
        self._database.run(sql, mark.source, mark.identity, mark.last_id, *span, stamp(mark.at))

    def _forget_oldest(self) -> None:
        extra = self._database.number("SELECT count(*) FROM counted") - _REMEMBERED
        if extra > _REMEMBERED // 10:
            sql = "DELETE FROM counted WHERE use IN (SELECT use FROM counted ORDER BY at LIMIT ?)"
            self._database.run(sql, extra)


def _key(use: Use) -> bytes:
    """A short name for a session, turn and topic; the parts are told apart by their lengths."""
    parts = [part.encode("utf-8", "backslashreplace") for part in (use.session, use.turn, use.name)]
    return hashlib.blake2b(b"".join(b"%d:%b" % (len(part), part) for part in parts), digest_size=16).digest()
