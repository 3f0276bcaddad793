"""Hits with their factors, and the order in which they are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from .further import Expansion, Why
from .hit import Hit

LEAST_SESSIONS = 3
"""Places that are kept for past sessions where notes are asked for too."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A hit with its factors; `total` is the text score times all of them, `score` the same but at most 1; `via` are
    the further words that led to it where the question itself did not."""

    hit: Hit
    factors: Mapping[str, float]
    via: tuple[Expansion, ...] = ()

    @property
    def total(self) -> float:
        return self.hit.score * prod(self.factors.values())

    @property
    def score(self) -> float:
        return min(1.0, self.total)


def room(best: Sequence[Ranked], limit: int) -> int:
    """How many of the places are for notes."""
    said = sum(one.hit.kind == "session" for one in best)
    return max(limit - min(said, LEAST_SESSIONS), 0)


def is_literal(one: Ranked) -> bool:
    """Whether a hit is a note that holds what was asked for, and not one whose words only look like it."""
    return one.hit.kind != "session" and one.hit.mode != "alike"


def placed(best: tuple[Ranked, ...], wider: Sequence[Ranked], limit: int) -> tuple[Ranked, ...]:
    """Put hits that only further words led to behind those of the question, and before those that only look alike.

    Where the question found enough the last place goes to one by a synonym that is kept by hand.
    """
    most = room(best, limit)
    literal = [one for one in best if is_literal(one)]
    if len(literal) >= most:
        wider = [one for one in wider if any(word.why is Why.SYNONYM for word in one.via)][: min(1, most - 1)]
        literal = literal[: most - len(wider)]
    if not wider:
        return best
    behind = sorted(wider, key=lambda one: -one.total)
    behind += (one for one in best if one.hit.kind != "session" and not is_literal(one))
    shown = list(literal)
    for one in behind:
        shown.append(_under(one, shown[-1].total) if shown else one)
    return (*shown[:most], *(one for one in best if one.hit.kind == "session"))[:limit]


def _under(one: Ranked, most: float) -> Ranked:
    """A hit whose total is no more than that of the hit before it."""
    share = most / one.total if one.total > most else 1.0
    return one if share == 1.0 else replace(one, hit=replace(one.hit, score=one.hit.score * share))
