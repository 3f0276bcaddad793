"""When will the index meet its cap? From the sizes that the journal remembers. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Size:
    """The size of the index at a moment (UTC), from the journal."""

    at: datetime
    size: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """How fast the index grows (characters a day, archiving left out) and when it meets its cap at that pace."""

    daily: float
    full_at: datetime | None = None


def forecast(history: Sequence[Size], size: int, cap: int, now: datetime, days: float = 60) -> Forecast | None:
    """The growth over the last `days` and where it leads; None where the history is shorter than a day.

    `history` is in the order of time. What was archived or removed does not count against the growth.
    """
    recent = [point for point in history if now - point.at <= timedelta(days=days)]
    span = (now - recent[0].at).total_seconds() / 86_400 if recent else 0.0
    if span < 1:
        return None
    sizes = [*(point.size for point in recent), size]
    daily = sum(max(0, later - earlier) for earlier, later in pairwise(sizes)) / span
    left = max(0, cap - size)
    # Beyond a thousand years no calendar helps.
    reachable = daily > 0 and left / daily < 365_000
    return Forecast(daily, now + timedelta(days=left / daily) if reachable else None)
