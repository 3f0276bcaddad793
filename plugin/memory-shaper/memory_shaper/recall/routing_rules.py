"""Rules about how lines answer questions: `verify --routing`. Pure.

They cut every keyword as routing does, which is too slow for each call of the guard, so they have a table of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from ..model import Severity
from ..rules.base import Fault, Row, Rule, Scope
from .atoms import key_of

_COMMON_SHARE = 0.2
_COMMON_LINES = 5
_MANY = 64  # lines with one keyword; beyond them the keyword itself is reported


@dataclass(frozen=True, slots=True)
class _Lines:
    """The lines by the roots of their keywords: who holds a root, under which spelling; and each line's own roots."""

    holders: Mapping[str, Mapping[int, str]]
    roots: Mapping[int, frozenset[str]]


@lru_cache(maxsize=1)  # one cut for all the rules
def _lines(scope: Scope) -> _Lines:
    holders: dict[str, dict[int, str]] = defaultdict(dict)
    for row in scope.rows:
        for keyword in row.words:
            if (key := key_of(keyword)) and key.telling:
                holders[key.root].setdefault(row.number, keyword)
    roots: dict[int, set[str]] = defaultdict(set)
    for root, lines in holders.items():
        for number in lines:
            roots[number].add(root)
    return _Lines(holders, {number: frozenset(found) for number, found in roots.items()})


def keyword_stolen(scope: Scope) -> Iterator[Fault]:
    """Another line holds the same word in another form, and is as good an answer to a question with either."""
    for lines in _lines(scope).holders.values():
        first, spelled = min(lines.items())
        for number, keyword in sorted(lines.items())[:_MANY]:
            if keyword != spelled:
                message = (
                    f'"{keyword}" is the same word as "{spelled}" of line {first}: each takes questions from the other'
                )
                yield Fault(number, message, "keep it in the line that it says more about", keyword)


def keyword_everywhere(scope: Scope) -> Iterator[Fault]:
    """A keyword of many lines tells none of them from the others."""
    every = len(scope.rows)
    for lines in _lines(scope).holders.values():
        if len(lines) >= max(_COMMON_LINES, _COMMON_SHARE * every):
            number, keyword = min(lines.items())
            message = f'"{keyword}" stands in {len(lines)} of {every} lines: it leads to none of them'
            yield Fault(number, message, "use a word that is the topic's own", keyword)


def line_never_wins(scope: Scope) -> Iterator[Fault]:
    """A line whose keywords all stand in another line is never the better answer."""
    lines = _lines(scope)
    for row in scope.rows:
        own = lines.roots.get(row.number, frozenset())
        if own and (better := _better(row, own, lines)):
            yield Fault(row.number, f"all its keywords stand in line {better}, too: no question leads here first", _FIX)
        elif not own:
            yield Fault(row.number, "none of its keywords tells anything: no question leads here", _FIX)


_FIX = "give it keywords of its own, or merge the two topics"


def _better(row: Row, own: frozenset[str], lines: _Lines) -> int | None:
    """The line that answers whatever this one answers: more keywords, or the same ones further up."""
    rarest = min(own, key=lambda root: len(lines.holders[root]))
    if len(lines.holders[rarest]) > _MANY:
        return None
    for number in sorted(lines.holders[rarest]):
        other = lines.roots[number]
        if number != row.number and own <= other and (len(own) < len(other) or number < row.number):
            return number
    return None


ROUTING_RULES: dict[str, tuple[Rule, Severity]] = {
    function.__name__.replace("_", "-"): (function, Severity.WARNING)
    for function in (keyword_stolen, keyword_everywhere, line_never_wins)
}
