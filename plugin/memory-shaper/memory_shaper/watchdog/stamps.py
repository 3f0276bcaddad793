"""Reading time stamps as hosts have written them over the years. Pure."""

from __future__ import annotations

import math
from datetime import UTC, datetime

_FIRST = 1e9  # September 2001: no agent is older, and a smaller number is a counter or a default
_UNITS = ((1e11, 1.0), (1e14, 1e-3), (1e17, 1e-6), (1e20, 1e-9))  # below this value the unit is s, ms, µs, ns


def seconds(value: object) -> float | None:
    """Unix seconds of a stored stamp, None where it tells no time.

    Takes seconds, milliseconds, microseconds and nanoseconds as numbers or as digits, and ISO 8601 text (without a
    zone it is read as UTC).

    >>> seconds(1796040772.5), seconds("1796040772500"), seconds("2026-11-30T12:12:52.5Z"), seconds("soon")
    (1796040772.5, 1796040772.5, 1796040772.5, None)
    """
    if type(value) is float and _FIRST <= value < _UNITS[0][0]:  # what hosts write today
        return value
    if isinstance(value, str | bytes):
        return _from_text(value if isinstance(value, str) else value.decode("utf-8", "replace"))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_number(value)
    return None


def moment(unix: float) -> datetime:
    """A UTC datetime, exact to the microsecond, of Unix seconds that `seconds` returned."""
    return datetime.fromtimestamp(unix, UTC)


def _from_number(value: float) -> float | None:
    if not _FIRST <= value < _UNITS[-1][0]:  # false for NaN, too
        return None
    return next(float(value) * unit for limit, unit in _UNITS if value < limit)


def _from_text(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return _from_iso(text.strip())
    return _from_number(number) if math.isfinite(number) else None


def _from_iso(text: str) -> float | None:
    try:
        stamp = datetime.fromisoformat(text)
    except ValueError:
        return None
    return _from_number((stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)).timestamp())
