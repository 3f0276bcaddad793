"""Spans of time as people write them: `forever`, `90d`, `12w`, `2y`. Pure."""

from __future__ import annotations

import re

FOREVER = "forever"
_SPAN = re.compile(r"\s*(\d{1,6})\s*(d|w|y|days?|weeks?|years?)\s*", re.IGNORECASE | re.ASCII)
_DAYS = {"d": 1, "w": 7, "y": 365}


def days_of(text: str) -> int | None:
    """How many days a span is, None for `forever`; a year has 365.

    Raises ValueError with what was wanted for any other text.

    >>> [days_of(text) for text in ("365d", "12w", "2 years", "forever")]
    [365, 84, 730, None]
    """
    if text.strip().casefold() == FOREVER:
        return None
    found = _SPAN.fullmatch(text)
    days = int(found[1]) * _DAYS[found[2][0].lower()] if found else 0
    if not days:
        raise ValueError("forever, or a span such as 90d, 12w or 2y")
    return days
