"""Cutting a text into the small units that are scored: lines, and sentences where a line is long. Pure.

The units of a text, joined, give the text; what is shown is always cut from the text itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_LINE = re.compile(r"[^\n]*\n\s*|[^\n]+\Z")
_END = re.compile(r"[。！？；][”』」’）]*|[.!?]+[\"')\]”’]*(?=\s)\s*")
_NO_END = re.compile(
    r"(?:\b(?:[A-Za-z]|[Dd]r|[Mm]rs?|[Mm]s|[Pp]rof|[Ss]t|vs|etc|cf|approx|[Nn]o|[Ff]ig|[Vv]ol|e\.g|i\.e|a\.m|p\.m))\.\s*\Z"
)
_LONG = 300
_LONGEST = 1000


def units(text: str) -> list[tuple[int, int]]:
    """Return the units of a text as (start, end) in order, without a gap.

    A unit is one line with the blank lines after it; a line over 300 characters is cut at the ends of sentences (never
    inside a number, a version or a common abbreviation), and where it has none at a blank before 1,000 characters.
    """
    found: list[tuple[int, int]] = []
    for line in _LINE.finditer(text):
        found.extend(_line(text, line.start(), line.end()))
    return found


def _line(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the units of one line, sentences packed as long as they fit."""
    while end - start > _LONG:
        cut = _cut(text, start, min(end, start + _LONGEST))
        if cut >= end:
            break
        yield start, cut
        start = cut
    if start < end:
        yield start, end


def _cut(text: str, start: int, limit: int) -> int:
    """Return where the unit that begins at `start` ends: the last sentence end within 300 characters, else the next."""
    best = 0
    for found in _END.finditer(text, start, limit):
        if best and found.end() - start > _LONG:
            break
        if not (found[0][0] == "." and _NO_END.search(text, max(start, found.start() - 8), found.end())):
            best = found.end()
            if best - start > _LONG:
                break
    if best or limit - start < _LONGEST:
        return best or limit
    blank = text.rfind(" ", start + _LONG, limit)
    return blank + 1 if blank > 0 else limit
