"""One order of the topics, for the lines of the index and for who goes to the archive first. Pure.

    score = feedback · Σ over weeks  log₂(1 + uses in the week) · 2^(−age / half-life)

Weeks are ISO weeks; the age of the last one is that of the last use itself, so that a use of today counts whole, the
others are as old as their Thursdays. Recent use comes first, and it has to be a
habit to outweigh: the logarithm keeps one busy afternoon from ruling the index for a year, the sum over weeks lets a
topic that is used every week rise. With a half-life of 30 days 100 uses 50 days ago (6.66 · 0.31 = 2.10) stand above 2
uses 30 days ago (0.79), and these above a single use 20 days ago (0.63): what was once needed much is not archived
before what was looked at once. Equal scores are told apart by last use, then by being known longer, then by the place
in the index, so that two runs never differ.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

HALF_LIFE_DAYS = 30.0
_DAY = 86_400.0
_DIGITS = 9  # scores are compared at this precision, or the last bits of a sum would decide


@dataclass(frozen=True, slots=True)
class Ranked:
    """A topic with its score (higher is more needed; 0 where it was never used) and one line of reasons."""

    name: str
    score: float
    why: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A topic to rank: its name, when it was first seen (UTC), and the factor of the user's feedback (1.0 = none)."""

    name: str
    first_seen: datetime
    feedback: float = 1.0


@dataclass(frozen=True, slots=True)
class Usage:
    """How often a topic was used in each ISO week (`2026-W07`), and when it was last used (UTC)."""

    weeks: Mapping[str, int]
    last_used: datetime


def rank(
    candidates: Sequence[Candidate], uses: Mapping[str, Usage], now: datetime, half_life: float = HALF_LIFE_DAYS
) -> list[Ranked]:
    """The candidates, the most needed first; they come in the order of the index.

    `uses` holds the topics that were used at all; a use in the future counts as one of now. Raises ValueError where the
    half-life is not a positive number of days, or a week is none.
    """
    if not half_life > 0:
        raise ValueError("the half-life must be a positive number of days")
    rows = [(_judged(topic, uses.get(topic.name), now, half_life), place) for place, topic in enumerate(candidates)]
    rows.sort(key=lambda row: (*_needed(row[0], uses), candidates[row[1]].first_seen, row[1]))
    return [ranked for ranked, _ in rows]


def _needed(ranked: Ranked, uses: Mapping[str, Usage]) -> tuple[float, float]:
    last = uses[ranked.name].last_used.timestamp() if ranked.name in uses else 0.0
    return -round(ranked.score, _DIGITS), -last


def _judged(topic: Candidate, usage: Usage | None, now: datetime, half_life: float) -> Ranked:
    if usage is None or not usage.weeks:
        return Ranked(topic.name, 0.0, "never used: 0")
    ages = _ages(usage, now)
    score = topic.feedback * sum(
        math.log2(1 + usage.weeks[week]) * 2 ** (-age / half_life) for week, age in ages.items()
    )
    return Ranked(topic.name, score, _why(score, usage, now, topic.feedback))


def _ages(usage: Usage, now: datetime) -> dict[str, float]:
    """The age of each week in days."""
    days = {week: datetime.fromisoformat(f"{week}-4").replace(tzinfo=UTC) for week in sorted(usage.weeks)}
    days[max(days)] = usage.last_used
    return {week: max(0.0, (now - day).total_seconds() / _DAY) for week, day in days.items()}


def _why(score: float, usage: Usage, now: datetime, feedback: float) -> str:
    total, weeks = sum(usage.weeks.values()), len(usage.weeks)
    used = f"{total} {'use' if total == 1 else 'uses'} in {weeks} {'week' if weeks == 1 else 'weeks'}"
    days = max(0, (now - usage.last_used).days)
    liked = f", feedback ×{feedback:g}" if feedback != 1 else ""
    return f"{used}, the last {days} {'day' if days == 1 else 'days'} ago{liked}: {score:.2f}"
