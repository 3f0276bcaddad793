"""Moments as the record stores them: UTC, ISO text with microseconds and `Z`; text order is time order. Pure."""

from __future__ import annotations

from datetime import UTC, datetime


def stamp(moment: datetime) -> str:
    """The stored text of a moment; ValueError for one without a time zone.

    >>> stamp(datetime(2026, 3, 1, 12, tzinfo=UTC))
    '2026-03-01T12:00:00.000000Z'
    """
    if moment.tzinfo is None:
        raise ValueError("a moment without a time zone cannot be recorded")
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def moment(text: str) -> datetime:
    """The moment behind a stored text, in UTC; ValueError where it is none."""
    return datetime.fromisoformat(text)


def stamp_or_none(moment: datetime | None) -> str | None:
    """Like `stamp`, None stays None."""
    return None if moment is None else stamp(moment)


def moment_or_none(text: str | None) -> datetime | None:
    """Like `moment`, None stays None."""
    return None if text is None else moment(text)


def iso_week(moment: datetime) -> str:
    """The ISO 8601 week of a moment in UTC.

    >>> iso_week(datetime(2027, 1, 1, tzinfo=UTC))
    '2026-W53'
    """
    year, week, _ = moment.astimezone(UTC).isocalendar()
    return f"{year}-W{week:02}"
