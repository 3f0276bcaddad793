"""The journal: what happened to the guarded files, in the order in which it happened."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from .database import Database, Row, Value
from .pruning import Limits, prune
from .times import moment, stamp

# Looking at every event whether the record is within its limits would cost more than a few events too many.
_PRUNE_EVERY = 256


class EventKind(StrEnum):
    """What happened. A new kind is a new schema version, since older programs cannot read it."""

    ACCEPTED = "accepted"  # an allowed change by the agent stands
    ASKED = "asked"  # the human was asked
    APPROVED = "approved"  # a change stands by the human's word
    BLOCKED = "blocked"  # a call was refused
    RESTORED = "restored"  # damage was put back
    DAMAGED = "damaged"  # damage from outside was seen and left as it is
    OUTSIDE = "outside"  # a valid change from outside was accepted
    CHANGED = "changed"  # a command of ours changed files (add, fix, migrate, merge …; `rule` names it)
    MARKED = "marked"  # a mark was set or cleared
    ORDERED = "ordered"  # entries were put in order of use
    ARCHIVED = "archived"  # an entry and its topic file went to the archive
    UNARCHIVED = "unarchived"  # an entry and its topic file came back
    FORGOTTEN = "forgotten"  # a topic was taken out for good
    UNDONE = "undone"  # an earlier event was taken back; `undo_of` names it
    REPAIRED = "repaired"  # an unfinished change of a killed process was finished or undone
    NOTED = "noted"  # anything else worth a line


@dataclass(frozen=True, slots=True)
class Source:
    """Who did it: tool, session and call as the host names them, the surface, and the process id."""

    tool: str = ""
    session: str = ""
    call: str = ""
    surface: str = ""
    pid: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the journal.

    `file` is relative to `memories/`; `before` and `after` are digests, None where the file was or is absent; `rule`
    and `detail` are rule names and counts, never memory text. The last four are the journal's to fill in: `intent`
    groups the events of one change of several files, `accepts` says that `after` became the accepted state, and
    `reverted_by` is the event that took this one (or its group) back.
    """

    kind: EventKind
    at: datetime
    file: str = ""
    before: str | None = None
    after: str | None = None
    rule: str = ""
    detail: str = ""
    source: Source = field(default_factory=Source)
    undo_of: int | None = None
    id: int = 0
    intent: int | None = None
    accepts: bool = False
    reverted_by: int | None = None


@dataclass(frozen=True, slots=True)
class Daily:
    """How many events of a kind there were on a day (`2026-03-01`), and the last of them (UTC)."""

    day: str
    kind: EventKind
    count: int
    last: datetime


# What an event has in common with the intent that leads to it.
ORIGIN = "kind, at, rule, detail, tool, session, call, surface, pid, undo_of"
_COLUMNS = f"{ORIGIN}, file, before, after, intent, accepts"
_SELECT = f"""SELECT {_COLUMNS}, id,
    (SELECT max(later.id) FROM events AS later WHERE later.undo_of = events.id OR later.undo_of IN
        (SELECT group_.id FROM events AS group_ WHERE group_.intent = events.intent)) FROM events"""


def origin_values(event: Event) -> tuple[Value, ...]:
    """The values of the columns in `ORIGIN`."""
    who = event.source
    what = (event.kind.value, stamp(event.at), event.rule, event.detail)
    return (*what, who.tool, who.session, who.call, who.surface, who.pid, event.undo_of)


def origin_event(row: Row) -> Event:
    """The event behind the columns in `ORIGIN`; ValueError for a kind that does not exist."""
    kind, at, rule, detail, *who, undo_of = row
    return Event(EventKind(kind), moment(at), rule=rule, detail=detail, source=Source(*who), undo_of=undo_of)


def _event(row: Row) -> Event:
    file, before, after, intent, accepts, number, reverted_by = row[10:]
    seen = replace(origin_event(row[:10]), file=file, before=before, after=after)
    return replace(seen, id=number, intent=intent, accepts=bool(accepts), reverted_by=reverted_by)


def _daily(row: Row) -> Daily:
    day, kind, count, last = row
    return Daily(day, EventKind(kind), count, moment(last))


def _kind(row: Row) -> EventKind:
    return EventKind(row[0])


class Journal:
    """The events in a record. Ids only grow."""

    def __init__(self, database: Database, limits: Limits) -> None:
        self._database = database
        self._limits = limits

    def note(self, event: Event) -> int:
        """Write an event and return its id. Every few hundred events the record is brought within its limits."""
        values = (event.file, event.before, event.after, event.intent, event.accepts)
        marks = ", ".join("?" * 15)
        with self._database.transaction(durable=True):
            sql = f"INSERT INTO events ({_COLUMNS}) VALUES ({marks})"
            number = self._database.add(sql, *origin_values(event), *values)
            if number % _PRUNE_EVERY == 0:
                prune(self._database, self._limits)
        return number

    def event(self, number: int) -> Event | None:
        """The event with this id, None where there is none (any more)."""
        row = self._database.row(f"{_SELECT} WHERE id = ?", number)
        return self._database.read(_event, row) if row else None

    def count(self) -> int:
        """How many events there are."""
        return self._database.number("SELECT count(*) FROM events")

    def newest(self, limit: int, file: str | None = None, kind: EventKind | None = None) -> list[Event]:
        """The newest events, the newest first, of one file or of one kind where that is asked for."""
        return self._events("DESC", limit, 0, file, kind)

    def since(self, number: int, limit: int, file: str | None = None, kind: EventKind | None = None) -> list[Event]:
        """The events after the one with this id, in the order in which they happened."""
        return self._events("ASC", limit, number, file, kind)

    def changes(self, limit: int, file: str | None = None) -> list[list[Event]]:
        """The newest changes, or those of a file, each with the events of all its files in their order; an event that
        belongs to no change of several files stands alone."""
        of_file = "WHERE file = ? " if file is not None else ""
        sql = f"""SELECT max(id) AS newest, intent FROM events {of_file}
                  GROUP BY ifnull(intent, -id) ORDER BY newest DESC LIMIT ?"""
        rows = self._database.rows(sql, *([] if file is None else [file]), max(0, limit))
        groups = [self._alone(number) if intent is None else self.group(intent) for number, intent in rows]
        return [group for group in groups if group]

    def files(self) -> list[str]:
        """The files of all events, by name."""
        return [name for (name,) in self._database.rows("SELECT DISTINCT file FROM events ORDER BY file")]

    def counts(self, number: int) -> dict[EventKind, int]:
        """How many changes of each kind there were after the event with this id; several files may be one change."""
        sql = "SELECT kind, count(DISTINCT ifnull(intent, -id)) FROM events WHERE id > ? GROUP BY kind"
        return {self._database.read(_kind, row): row[1] for row in self._database.rows(sql, number)}

    def _alone(self, number: int) -> list[Event]:
        event = self.event(number)
        return [event] if event else []

    def group(self, intent: int) -> list[Event]:
        """The events of one change of several files."""
        rows = self._database.rows(f"{_SELECT} WHERE intent = ? ORDER BY id", intent)
        return [self._database.read(_event, row) for row in rows]

    def daily(self, since: datetime) -> list[Daily]:
        """How many events of each kind there were on each day (local time) since a moment, by day and kind."""
        sql = """SELECT date(at, 'localtime') AS day, kind, count(*), max(at) FROM events WHERE at >= ?
                 GROUP BY day, kind ORDER BY day, kind"""
        return [self._database.read(_daily, row) for row in self._database.rows(sql, stamp(since))]

    def _events(self, order: str, limit: int, number: int, file: str | None, kind: EventKind | None) -> list[Event]:
        wanted = "id > ? AND (? IS NULL OR kind = ?)" + (" AND file = ?" if file is not None else "")
        name = kind.value if kind else None
        values: list[Value] = [number, name, name, *([] if file is None else [file])]
        rows = self._database.rows(f"{_SELECT} WHERE {wanted} ORDER BY id {order} LIMIT ?", *values, max(0, limit))
        return [self._database.read(_event, row) for row in rows]
