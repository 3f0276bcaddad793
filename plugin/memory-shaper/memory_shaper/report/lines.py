"""The facts about lines: the budget by parts, every entry with its use, what collides. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from .. import host, names
from ..grammar import parse, parse_line
from ..model import Entry, Kind
from ..recall.collisions import Collision
from ..record import Topic, Week
from ..record.times import iso_week
from ..watchdog.judging import Judged
from ..watchdog.report import Facts
from .facts import Budget, Line, Pair, Share, Used

WEEKS = 26
_MARKS = {"!!": "critical", "!": "pinned", "": "unmarked"}
_SHARES = ("heading", "critical", "pinned", "unmarked", "other", "joins")


def last_weeks(now: datetime, many: int = WEEKS) -> tuple[str, ...]:
    """The names of the last ISO weeks up to that of `now` (UTC), the oldest first.

    >>> last_weeks(datetime.fromisoformat("2027-01-05T00:00:00+00:00"), 3)
    ('2026-W52', '2026-W53', '2027-W01')
    """
    return tuple(iso_week(now - timedelta(weeks=back)) for back in reversed(range(many)))


def budget(text: str, facts: Facts) -> Budget:
    """How full the index with this text is, part by part; the parts add up to its size."""
    growth, policy = facts.forecast, facts.policy
    return Budget(
        chars=host.size(text),
        cap=policy.cap,
        cap_source=facts.cap_source,
        near=policy.near,
        goal=policy.goal,
        shares=tuple(_shares(text)),
        daily=growth.daily if growth else None,
        full_at=growth.full_at if growth else None,
    )


def _shares(text: str) -> Iterator[Share]:
    chars: Counter[str] = Counter()
    many: Counter[str] = Counter()
    parts = host.entries(text)
    for place, part in enumerate(parts):
        what = "heading" if place == 0 and part.startswith("#") else _kind(part)
        chars[what] += len(part)
        many[what] += 1
    joins = max(0, len(parts) - 1)
    chars["joins"], many["joins"] = joins * len(host.DELIMITER), joins
    yield from (Share(what, chars[what], many[what]) for what in _SHARES if chars[what])


def _kind(part: str) -> str:
    line = parse_line(part) if "\n" not in part else None
    return _MARKS[line.entry.mark] if line and line.kind is Kind.ENTRY and line.entry else "other"


def usage(topics: Sequence[Topic], weeks: Sequence[Week], shown: Sequence[str]) -> dict[str, Used]:
    """The use of every topic by `names.same` of its file; two spellings of one name add up."""
    place = {week: number for number, week in enumerate(shown)}
    counts: dict[str, list[int]] = {}
    for week in weeks:
        if week.week in place:
            counts.setdefault(names.same(week.name), [0] * len(shown))[place[week.week]] += week.count
    found: dict[str, Used] = {}
    for topic in topics:
        key = names.same(topic.name)
        before = found.get(key, Used())
        found[key] = Used(
            before.uses + topic.count,
            tuple(counts.get(key, [0] * len(shown))),
            min(filter(None, (before.first_seen, topic.first_seen)), default=None),
            max(filter(None, (before.last_read, topic.last_used)), default=None),
        )
    return found


def entries_of(text: str) -> list[Entry]:
    """The entries of an index, in order."""
    return [entry for _, entry in parse(text).entries()]


def lines(entries: Sequence[Entry], used: Mapping[str, Used], judged: Sequence[Judged], weeks: int) -> tuple[Line, ...]:
    """The entries in the order of the index; `judged` is empty for an archive and for what is no index yet."""
    by_place = {one.place: one for one in judged}
    return tuple(_line(entry, used, by_place.get(place), weeks) for place, entry in enumerate(entries))


def _line(entry: Entry, used: Mapping[str, Used], one: Judged | None, weeks: int) -> Line:
    nothing = Used(0, (0,) * weeks)
    use = used.get(names.same(entry.target), nothing)
    line = Line(entry.mark, entry.target, entry.keywords, len(str(entry)), use)
    if one is None:
        return line
    return Line(entry.mark, entry.target, entry.keywords, one.size, use, round(one.score, 3), one.why, one.stays)


def pairs(entries: Sequence[Entry], found: Sequence[Collision]) -> tuple[Pair, ...]:
    """The collisions with the names of their lines."""
    return tuple(
        Pair(
            entries[one.owner].target,
            one.owner + 1,
            entries[one.taker].target,
            one.taker + 1,
            one.taken,
            one.shared,
        )
        for one in found
    )
