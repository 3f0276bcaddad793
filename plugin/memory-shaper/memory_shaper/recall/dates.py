"""Dates in English and Chinese text, as spans of days; relative ones are counted from the text's own date. Pure.

A span may leave its year open (`7 May`, `3月上旬`) or be a weekday alone. What cannot be a date (30 February) is none.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from .dateforms import FORMS, MONTHS, PARTS, RELATIVE_DAYS, RELATIVE_YEARS, UNITS, WEEKDAYS, WHICH, number


@dataclass(frozen=True, slots=True)
class Span:
    """The days an expression may mean.

    `first` and `last` are (month, day); `year` is None where it is left open, then every year fits; `weekday` is
    0 (Monday) to 6, None where it does not matter.
    """

    year: int | None
    first: tuple[int, int] = (1, 1)
    last: tuple[int, int] = (12, 31)
    weekday: int | None = None

    def covers(self, day: date) -> bool:
        """Tell whether a day is in the span."""
        if self.weekday is not None and day.weekday() != self.weekday:
            return False
        return self.year in (None, day.year) and self.first <= (day.month, day.day) <= self.last

    def marks(self) -> tuple[str, ...]:
        """Return the span as plain marks: `2025-03-07`, `2025-03`, `2025`, `03-07`, `03`, `w5`.

        >>> Span(2025, (3, 7), (3, 7)).marks()
        ('2025-03-07', '2025-03', '2025')
        """
        found = [] if self.weekday is None else [f"w{self.weekday + 1}"]
        year = "" if self.year is None else f"{self.year:04d}"
        if self.first == self.last:
            found.append(f"{year}-{self.first[0]:02d}-{self.first[1]:02d}".strip("-"))
        if self.first[0] == self.last[0]:
            found.append(f"{year}-{self.first[0]:02d}".strip("-"))
        return (*found, year) if year else tuple(found)


def find_dates(text: str, own: date | None = None) -> tuple[Span, ...]:
    """Return the dates of a text in order, none twice; relative dates only where the text's own date is known.

    >>> [span.marks() for span in find_dates("on May 7, 2023 and 3月上旬")]
    [('2023-05-07', '2023-05', '2023'), ('03',)]
    """
    return tuple(dict.fromkeys(_spans(text, own)))


def day_of(year: int, month: int, day: int) -> date | None:
    """Return the day, None where the calendar has no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _spans(text: str, own: date | None) -> Iterator[Span]:
    for found in FORMS.finditer(text):
        parts = {name.rstrip("0123456789"): value.casefold() for name, value in found.groupdict().items() if value}
        span = _absolute(parts, own) or (_relative(parts, own) if own else None)
        if span is not None:
            yield span


def _absolute(parts: dict[str, str], own: date | None) -> Span | None:
    """Read an expression that names a year, a month or a weekday itself."""
    year = int(parts["year"]) if "year" in parts else None
    if "fromyear" in parts and own:
        year = own.year + RELATIVE_YEARS[parts["fromyear"]]
    month = _month(parts)
    if month is not None:
        return _in_month(year, month, parts)
    if "weekday" in parts and not ("which" in parts and own):
        return Span(None, weekday=WEEKDAYS[parts["weekday"]])
    return None if year is None else _in_year(year, parts)


def _month(parts: dict[str, str]) -> int | None:
    if "month" in parts:
        return MONTHS[parts["month"]]
    return number(parts["num"].rstrip("月")) if "num" in parts else None


def _in_month(year: int | None, month: int, parts: dict[str, str]) -> Span | None:
    if not 1 <= month <= 12:
        return None
    length = monthrange(year or 2024, month)[1]
    written = parts.get("day") or parts.get("handay")
    if written:
        day = number(written)
        return Span(year, (month, day), (month, day)) if 1 <= day <= length else None
    first, last = PARTS.get(parts.get("part", ""), (1, 31))
    return Span(year, (month, first), (month, min(last, length)))


def _in_year(year: int, parts: dict[str, str]) -> Span:
    if "half" in parts:
        return Span(year, (1, 1), (6, 30)) if parts["half"] == "上" else Span(year, (7, 1), (12, 31))
    if "quarter" in parts:
        last = 3 * number(parts["quarter"])
        return Span(year, (last - 2, 1), (last, monthrange(year, last)[1]))
    return Span(year)


def _relative(parts: dict[str, str], own: date) -> Span | None:
    """Read an expression that counts from the text's own date."""
    if "near" in parts:
        return _one_day(own, RELATIVE_DAYS[parts["near"]])
    if "count" in parts:
        count = number(parts["count"])
        return _shift(own, UNITS[parts["unit"]], -count if "ago" in parts else count)
    if "weekday" in parts:
        return _weekday(own, WHICH[parts["which"]], parts["weekday"])
    return _shift(own, UNITS[parts["unit"]], WHICH[parts["which"]]) if "which" in parts else None


def _weekday(own: date, which: int, name: str) -> Span | None:
    """Return one weekday: in Chinese that of the week meant, in English the nearest one before or after."""
    shift = WEEKDAYS[name] - own.weekday()
    if not name.isascii():
        return _one_day(own, shift + 7 * which)
    if which:
        shift = shift % 7 - 7 if which < 0 else (shift - 1) % 7 + 1
    return _one_day(own, shift)


def _one_day(own: date, shift: int) -> Span | None:
    try:
        day = own + timedelta(days=shift)
    except OverflowError:
        return None
    return Span(day.year, (day.month, day.day), (day.month, day.day))


def _shift(own: date, unit: str, count: int) -> Span | None:
    """Return the day, week, month or year that lies `count` units from the text's own date."""
    if unit == "day":
        return _one_day(own, count)
    if unit == "week":
        return _week(own, count)
    year, month = divmod(own.year * 12 + own.month - 1 + (count if unit == "month" else 12 * count), 12)
    if not 1 <= year <= 9999:
        return None
    return Span(year) if unit == "year" else _in_month(year, month + 1, {})


def _week(own: date, count: int) -> Span | None:
    """Return a week, Monday to Sunday; of one that crosses the new year the part in the text's own year."""
    days = [_one_day(own, 7 * count - own.weekday() + i) for i in range(7)]
    known = [day for day in days if day is not None]
    kept = [day for day in known if day.year == own.year] or known
    return Span(kept[0].year, kept[0].first, kept[-1].last) if kept else None
