"""Gathering what a plan is made of: the folders, the record, the settings. Shell: reads, never writes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime

from .. import edit, grammar, names
from ..record import EventKind, Feedback, Record
from ..record import Topic as Known
from ..settings import Home, Settings
from . import folder, tallying
from .judging import Evidence, Policy, Situation, Topic
from .ranking import Usage

_RECENT_EVENTS = 500


def policy(settings: Settings) -> Policy:
    """The settings that a plan follows."""
    values = (settings.number(name) for name in ("near_cap", "archive_to", "grace_days", "half_life_days"))
    return Policy(settings.cap, *values)


def evidence(record: Record) -> Evidence:
    """Which span of state.db the tally has seen up to its last pass."""
    mark = record.uses.watermark(tallying.SOURCE)
    return Evidence(mark.earliest, mark.latest) if mark else Evidence()


def situation(home: Home, settings: Settings, record: Record, now: datetime, seen: Evidence | None = None) -> Situation:
    """The situation of a home; `seen` is what the tally says of today, else the word of its last pass counts.

    Raises Missing where the memories folder is missing, Unreadable.
    """
    shelf, _, _ = edit.shelf(home)
    known = folder.files(home.memories)
    topics = _topics(shelf.index, known, record, now)
    return Situation(
        shelf, topics, seen if seen is not None else evidence(record), policy(settings), now, ordered_at(record)
    )


def _topics(index: str, known: dict[str, folder.File], record: Record, now: datetime) -> dict[str, Topic]:
    """What is known of the topic of each entry whose file is here, by `names.same`."""
    history = tallying.history(record)
    usages = _usages(record, history)
    words = {names.same(word.name): feedback(word) for word in record.counters.feedback()}
    by_form = {names.same(name): file for name, file in sorted(known.items())}
    twins = {names.same(name) for name in known if by_form[names.same(name)].name != name}
    found: dict[str, Topic] = {}
    for target in {entry.target for _, entry in grammar.parse(index).entries()}:
        key = names.same(target)
        file = known.get(target) or by_form.get(key)
        if file is None:
            continue
        stays = "another file differs from it in case or Unicode form only" if key in twins else file.stays
        seen = history.get(key)
        times = [file.at, *([seen.first_seen] if seen else []), *([seen.last_used] if seen and seen.last_used else [])]
        found[key] = Topic(min(times), usages.get(key), words.get(key, 1.0), stays)
    missing = Topic(now, stays="it is not downloaded")
    return found | {names.same(name): missing for name in folder.placeholders(known)}


def _usages(record: Record, history: Mapping[str, Known]) -> dict[str, Usage]:
    weeks: dict[str, dict[str, int]] = defaultdict(dict)
    for week in record.uses.weeks():
        of_topic = weeks[names.same(week.name)]
        of_topic[week.week] = of_topic.get(week.week, 0) + week.count
    return {
        key: Usage(weeks[key], topic.last_used) for key, topic in history.items() if topic.last_used and key in weeks
    }


def feedback(words: Feedback) -> float:
    """The factor of the user's words on a topic: each word for it adds a tenth, each against it takes a sixth away, up
    to three of them; 1.3 at best, 0.5 at worst.

    >>> from datetime import UTC
    >>> [feedback(Feedback("a.md", up, down, datetime.now(UTC))) for up, down in ((0, 0), (5, 1), (0, 3))]
    [1.0, 1.3, 0.5]
    """
    net = max(-3, min(3, words.up - words.down))
    return 1 + net * (0.1 if net > 0 else 1 / 6)


def ordered_at(record: Record) -> datetime | None:
    """When the watchdog changed the order of the index last, None for never."""
    for event in record.journal.newest(_RECENT_EVENTS, file=names.INDEX):
        if event.source.surface == tallying.SURFACE and event.kind in (EventKind.ORDERED, EventKind.ARCHIVED):
            return event.at
    return None
