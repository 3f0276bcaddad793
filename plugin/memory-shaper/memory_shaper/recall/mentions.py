"""What is talked about: hot topics and attention, counted in the record. Shell: the record.

One mention adds to both; each topic fades by itself from its last mention on, and only the record's most recent
thousand of each are kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from ..record import Count, Record
from ..rules.base import lower
from ..rules.words import GENERIC
from .factors import Known, Strengths, Topic, faded

MOST_WORDS = 5
_HOT, _ATTENTION = "hot", "attention"
_UNIT = 100  # counters are whole numbers
_BASE, _PER_INTENSITY = 2.0, 1.5
_HEAT = {1: 1.5, -1: 1.3, 0: 1.0}  # a good word, a bad word, neither
_DAY = 86400.0


def mention(record: Record, words: Iterable[str], intensity: float, mood: int, now: datetime, how: Strengths) -> None:
    """Count a mention of up to five words: attention + 2 + 1.5 · intensity, heat + 1 (more with a mood)."""
    telling = dict.fromkeys(lower(word) for word in words)
    chosen = [word for word in telling if len(word) > 1 and word not in GENERIC][:MOST_WORDS]
    if not chosen:
        return
    added = _BASE + _PER_INTENSITY * min(max(intensity, 0.0), 2.0)
    with record.transaction():
        _add(record, _ATTENTION, chosen, added, now, how.attention_half_life)
        _add(record, _HOT, chosen, _HEAT[mood], now, how.hot_half_life)


def known(record: Record, now: datetime) -> Known:
    """Return what the record remembers of feedback and topics; one bad word weighs as much as two good ones."""
    net = {row.name: row.up - 2 * row.down for row in record.counters.feedback()}
    return Known(net, topics(record, _HOT, now), topics(record, _ATTENTION, now))


def topics(record: Record, counter: str, now: datetime) -> tuple[Topic, ...]:
    """Return the topics of a counter ("hot" or "attention"), the highest score first."""
    found = [Topic(row.key, row.value / _UNIT, _age(row, now)) for row in record.counters.counts(counter)]
    return tuple(sorted(found, key=lambda topic: (-topic.score, topic.word)))


def _add(record: Record, counter: str, words: Iterable[str], added: float, now: datetime, half_life: float) -> None:
    """Let what is there fade up to now, then add."""
    there = {row.key: row for row in record.counters.counts(counter)}
    for word in words:
        row = there.get(word)
        left = faded(Topic(word, row.value, _age(row, now)), half_life) if row else 0.0
        record.counters.count(counter, word, now, round(left + added * _UNIT) - (row.value if row else 0))


def _age(row: Count, now: datetime) -> float:
    return max((now - row.at).total_seconds(), 0.0) / _DAY
