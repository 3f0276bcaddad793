"""How well the days of texts fit the dates that a query names. Pure."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date

from .dates import Span, day_of
from .score import idf

# What happened is often told some days later: a text from the weeks after a date fits by half, fading by half a week.
AFTER = 0.5
AFTER_HALF_LIFE = 7
_AFTER_DAYS = 21


def fit(spans: Sequence[Span], days: Sequence[tuple[int, int]], texts: int) -> dict[int, float]:
    """Return for each text that fits a date how rare that is, summed over the dates.

    `days` are (ordinal of the day, text) in order; `texts` is the number of all texts. Weekdays alone say too little
    to find a text by and are left out.
    """
    found: dict[int, float] = defaultdict(float)
    ordinals = [day for day, _ in days]
    for span in spans:
        if span.weekday is None and days:
            _fit_one(span, days, ordinals, texts, found)
    return dict(found)


def _fit_one(
    span: Span, days: Sequence[tuple[int, int]], ordinals: Sequence[int], texts: int, found: dict[int, float]
) -> None:
    inside: set[int] = set()
    after: dict[int, float] = {}
    for first, last in _intervals(span, ordinals[0], ordinals[-1]):
        start, end = bisect_left(ordinals, first), bisect_right(ordinals, last)
        inside.update(text for _, text in days[start:end])
        for day, text in days[end : bisect_right(ordinals, last + _AFTER_DAYS)]:
            after[text] = max(after.get(text, 0.0), AFTER * 2 ** (-(day - last) / AFTER_HALF_LIFE))
    weight = idf(texts, len(inside))
    for text in inside:
        found[text] += weight
    for text, share in after.items():
        if text not in inside:
            found[text] += weight * share


def _intervals(span: Span, earliest: int, latest: int) -> Iterator[tuple[int, int]]:
    """Yield the span as (first, last) ordinals, for every year of the store where its year is open."""
    years = range(date.fromordinal(earliest).year, date.fromordinal(latest).year + 1)
    for year in years if span.year is None else (span.year,):
        last_day = 28 if span.last == (2, 29) and day_of(year, 2, 29) is None else span.last[1]
        first, last = day_of(year, *span.first), day_of(year, span.last[0], last_day)
        if first and last:
            yield first.toordinal(), last.toordinal()
