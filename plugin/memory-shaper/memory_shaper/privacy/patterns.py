"""The user's patterns: compiled, and refused where one could run for ever. Pure.

Python's matcher tries every way in which a pattern can be cut up, and cannot be stopped. So a pattern is refused where
the number of ways grows with a power of the text: a repeat of unknown length over something whose own length may vary
(`(a+)+`, `(a|ab)*`), more than two open repeats, or too many optional parts. What is left is at worst about the cube of
a window's length, and a text is matched line by line in windows (`WINDOW` characters that overlap by `OVERLAP`).
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from math import log10

WINDOW, OVERLAP = 1000, 200
LONGEST = 1000  # characters of a pattern
_MOST_OPEN = 2
_MOST_WAYS = 4.0  # as a power of ten; one less for each open repeat
_TOKEN = re.compile(
    r"\\.|\[\^?\]?(?:\\.|\[:[a-z]+:\]|[^\]\\])*\]|\(\?#[^)]*\)|\((?:\?(?:P<\w+>|P=\w+\)|[a-zA-Z-]*:|<?[=!]|>|"
    r"\([^)]*\)|[a-zA-Z-]+\)))?|\)|\||\{(?:\d*,\d*|\d+)\}[?+]?|[*+?][?+]?|.",
    re.DOTALL,
)
_FLAGS_ONLY = re.compile(r"\(\?(?:[a-zA-Z-]+|P=\w+)\)")
_COUNTS = re.compile(r"\{(\d*)(,?)(\d*)\}")


class BadPattern(ValueError):
    """A pattern that is not used; the text says why."""


@dataclass(slots=True)
class _Group:
    """What is known of a group while it is read: in how many ways it can be cut up (as a power of ten), open repeats
    left out, and whether its length varies at all."""

    ways: float = 0.0
    varies: bool = False
    branches: int = 1

    @property
    def all_ways(self) -> float:
        return self.ways + log10(self.branches)


def compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern ready for use. Raises BadPattern: no pattern, matches the empty text, or may run for ever.

    >>> compiled(r"(?:\\d{1,3}\\.){3}\\d{1,3}").search("at 10.0.0.7").group()
    '10.0.0.7'
    >>> compiled("(a+)+b")
    Traceback (most recent call last):
    memory_shaper.privacy.patterns.BadPattern: it repeats what may itself vary in length, and could run for ever
    """
    if not pattern or len(pattern) > LONGEST:
        raise BadPattern(f"a pattern has 1 to {LONGEST:,} characters")
    made = _made(pattern)
    if made.flags & re.VERBOSE:
        raise BadPattern("the flag x is not supported here")
    if made.search(""):
        raise BadPattern("it matches the empty text, and so everything")
    _check_time(pattern)
    return made


def _made(pattern: str) -> re.Pattern[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # what will mean something else in a later Python
        try:
            return re.compile(pattern)
        except (re.error, OverflowError, RecursionError, Warning) as error:
            raise BadPattern(f"it is no regular expression ({error})") from error


def _check_time(pattern: str) -> None:
    stack, last, opened = [_Group()], _Group(), 0
    for token in _tokens(pattern):
        counts = _repeat(token)
        if counts is not None:
            low, high = counts
            if high > 1 and last.varies and (high >= WINDOW or last.all_ways * high > _MOST_WAYS):
                raise BadPattern("it repeats what may itself vary in length, and could run for ever")
            opened += high >= WINDOW
            stack[-1].varies |= low != high
            stack[-1].ways += last.all_ways * (high - 1) + (log10(high - low + 1) if high < WINDOW else 0)
            continue
        last = _read(token, stack)
    if opened > _MOST_OPEN or stack[0].all_ways > _MOST_WAYS - opened:
        told = f"more than {_MOST_OPEN} open repeats (`*`, `+`, `{{n,}}`), or too many optional parts"
        raise BadPattern(f"it has {told}, and could run for ever")


def _read(token: str, stack: list[_Group]) -> _Group:
    """Take in a token that is no repeat; what a repeat behind it would repeat."""
    if token[0] == "(":
        stack.append(_Group())
    elif token == "|":
        stack[-1].varies = True
        stack[-1].branches += 1
    elif token == ")":
        group = stack.pop()
        stack[-1].ways += group.all_ways
        stack[-1].varies |= group.varies
        return group
    return _Group()


def _tokens(pattern: str) -> Iterator[str]:
    for match in _TOKEN.finditer(pattern):
        token = match[0]
        if not token.startswith("(?#") and not _FLAGS_ONLY.fullmatch(token):
            yield token


def _repeat(token: str) -> tuple[int, int] | None:
    """The least and the greatest number of times, None for a token that is no repeat."""
    if token[0] in "*+":
        return (token[0] == "+", WINDOW)
    if token[0] == "?":
        return (0, 1)
    counts = _COUNTS.match(token)
    if counts is None:
        return None
    low = int(counts[1] or 0)
    return (low, min(int(counts[3] or WINDOW), WINDOW) if counts[2] else min(low, WINDOW))


@dataclass(frozen=True, slots=True)
class Hit:
    """A place where a pattern matches: its line from 1, where that line starts and ends, where the match does."""

    line: int
    line_start: int
    line_end: int
    start: int
    end: int
    match: re.Match[str]


def hits(pattern: re.Pattern[str], text: str) -> Iterator[Hit]:
    """Where a pattern matches, line by line, in bounded time for each window; what overlaps an earlier hit is left."""
    start = 0
    for number, line in enumerate(text.split("\n"), 1):
        end = start
        for at in range(0, max(1, len(line) - OVERLAP), WINDOW - OVERLAP):
            for match in pattern.finditer(line[at : at + WINDOW]):
                low, high = start + at + match.start(), start + at + match.end()
                if low >= end and high > low:
                    yield Hit(number, start, start + len(line), low, high, match)
                    end = high
        start += len(line) + 1
