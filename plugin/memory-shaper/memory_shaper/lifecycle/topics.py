"""The topics of a home with what they say of themselves and what is known of them. Shell: reads files and the record.

Read once a run, never written.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta

from .. import archive, grammar, names
from ..recall.emotion import intensity
from ..recall.factors import Strengths, factors
from ..recall.mentions import known
from ..recall.notes import own_date, read_front
from ..record import Record
from ..settings import Home
from ..watchdog import folder, tallying
from .model import Standing, Topic

_CALM_HEAD = 4_000  # characters that an emotion is read from


def read_topics(home: Home, shelf: archive.Shelf) -> list[Topic]:
    """The live topics by name; what cannot be read as text is left out, as what nothing is known of.

    Raises Missing or Unreadable for the folder itself.
    """
    entries = {names.same(entry.target): entry for _, entry in grammar.parse(shelf.index).entries()}
    files = folder.files(home.memories)
    found = []
    for file in sorted(folder.topics(files), key=lambda file: file.name):
        text = _text(home, file)
        if text is not None:
            front = read_front(text)
            entry = entries.get(names.same(file.name))
            day = own_date(file.name, front)
            found.append(Topic(file.name, text, file.at, front, day, entry, file.stays))
    return found


def _text(home: Home, file: folder.File) -> str | None:
    if not file.readable:
        return None
    try:
        return (home.memories / file.name).read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def standings(record: Record, topics: Iterable[Topic], how: Strengths, now: datetime) -> dict[str, Standing]:
    """What is known of each topic, by its name."""
    history, remembered = tallying.history(record), known(record, now)
    found = {}
    for topic in topics:
        seen = history.get(names.same(topic.name))
        written = _midnight(topic.day) if topic.day else topic.at
        later = [seen.last_used, seen.changed] if seen else []
        touched = max([written, *(at for at in later if at)])
        felt = intensity(topic.text[:_CALM_HEAD])
        words = " ".join((topic.name.removesuffix(".md"), *(topic.entry.keywords if topic.entry else ())))
        attention = factors(topic.name, words, None, felt, remembered, how)["attention"]
        first = min([written, *([seen.first_seen] if seen else [])])
        net = remembered.feedback.get(topic.name, 0)
        found[topic.name] = Standing(min(touched, now + timedelta(days=1)), first, net, felt, attention)
    return found


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
