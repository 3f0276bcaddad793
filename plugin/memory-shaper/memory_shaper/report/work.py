"""The facts about what happened: the journal by kind and day, the questions, the watchdog's runs. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from ..model import Finding, Kind
from ..recall.questions import Asked
from ..record import Daily
from ..record import Event as Noted
from ..record import EventKind as NoteKind
from ..record.times import iso_week
from ..rules import Scope
from ..watchdog.report import Facts
from .facts import Event, Found, Journal, Missed, Questions, Run, Upkeep, Week
from .facts import Kind as EventKind

DAYS = 30
QUESTION_WEEKS = 13
_NEWEST = 40
_RUNS = 8
_NEXT = 5


def journal(daily: Sequence[Daily], newest: Iterable[Noted], total: int, now: datetime) -> Journal:
    """The events of the last days by kind, and the newest ones."""
    today = now.astimezone().date()
    days = tuple((today - timedelta(days=back)).isoformat() for back in reversed(range(DAYS)))
    kinds: dict[str, list[Daily]] = {}
    for row in daily:
        kinds.setdefault(row.kind.value, []).append(row)
    rows = tuple(_kind(name, rows, days) for name, rows in sorted(kinds.items()))
    return Journal(days, rows, tuple(_event(event) for event in list(newest)[:_NEWEST]), total)


def _kind(name: str, rows: Sequence[Daily], days: Sequence[str]) -> EventKind:
    counts = {row.day: row.count for row in rows}
    shown = tuple(counts.get(day, 0) for day in days)
    return EventKind(name, shown, sum(counts.values()), max(row.last for row in rows))


def _event(event: Noted) -> Event:
    who = event.source
    return Event(
        id=event.id,
        at=event.at,
        kind=event.kind.value,
        file=event.file,
        rule=event.rule,
        detail=event.detail,
        tool=who.tool,
        surface=who.surface,
        taken_back=event.reverted_by is not None,
    )


def questions(asked: Iterable[Asked], now: datetime, with_content: bool) -> Questions:
    """The questions week by week, and the newest that no line matched; their words only where they are asked for."""
    weeks = [iso_week(now - timedelta(weeks=back)) for back in reversed(range(QUESTION_WEEKS))]
    rows = list(asked)
    every, missed = Counter(map(_week, rows)), Counter(_week(row) for row in rows if row.missed)
    newest = [row for row in sorted(rows, key=lambda row: -row.at) if row.missed][:_NEWEST]
    return Questions(
        asked=len(rows),
        missed=sum(row.missed for row in rows),
        weeks=tuple(Week(week, every[week], missed[week]) for week in weeks),
        newest=tuple(Missed(_moment(row), row.text if with_content else "") for row in newest),
    )


def _moment(row: Asked) -> datetime:
    return datetime.fromtimestamp(row.at, UTC)


def _week(row: Asked) -> str:
    return iso_week(_moment(row))


def findings(file: str, scope: Scope, found: Iterable[Finding]) -> tuple[Found, ...]:
    """The findings in a file. Of a line that is no entry the text is left out: it may be prose."""
    entries = {number for number, _ in scope.lines(Kind.ENTRY, Kind.TEMPLATE)}
    return tuple(
        Found(
            file=file,
            line=one.line,
            rule=one.rule,
            severity=one.severity.value,
            message=one.message,
            fix=one.fix,
            source=one.source if one.line in entries else "",
        )
        for one in found
    )


def upkeep(facts: Facts, done: Iterable[Noted]) -> Upkeep:
    """What the watchdog did (the newest event first), would do now, and would take next."""
    runs = [Run(event.at, event.kind.value, event.detail) for event in done if event.kind is not NoteKind.NOTED]
    distinct = list(dict.fromkeys(runs))[:_RUNS]
    gone = {one.judged.entry.target for one in facts.archived}
    following = [one.entry.target for one in facts.first.next() if one.entry.target not in gone]
    return Upkeep(
        last_run=facts.last_run,
        runs=tuple(distinct),
        held=facts.first.held,
        now=tuple(one.judged.entry.target for one in facts.archived),
        next=() if facts.first.held else tuple(following[:_NEXT]),
    )
