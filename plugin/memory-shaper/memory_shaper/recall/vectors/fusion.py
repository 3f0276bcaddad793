"""One order from two: how well words match, and how alike the meanings are. Pure.

The convex sum keeps how sure each of the two is; on both public sets it gained where reciprocal ranks lost (docs/
recall.md). Reciprocal ranks are Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion" (2009).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

RANKS = 60
# Fewer notes say nothing about how alike notes usually are.
_ENOUGH = 20


def spread(likeness: Mapping[str, float]) -> dict[str, float]:
    """Likenesses stretched over 0 to 1 between the least and the greatest; all 0 where they are the same.

    >>> spread({"a": 0.7, "b": 0.8, "c": 0.9})["c"]
    1.0
    """
    least, most = min(likeness.values(), default=0.0), max(likeness.values(), default=0.0)
    width = most - least
    return {name: (value - least) / width if width > 0 else 0.0 for name, value in likeness.items()}


def outstanding(likeness: Mapping[str, float], margin: float) -> list[str]:
    """The names that stand out from what is usual, the most alike first.

    What is usual differs between models and is taken as the median m; a value v stands out where (v − m) / (1 − m) is
    at least `margin`.
    """
    usual = max(0.0, median(likeness.values())) if len(likeness) >= _ENOUGH else 0.0
    least = usual + margin * (1 - usual)
    return [name for name in _ranked(likeness) if likeness[name] >= least]


def convex(words: Mapping[str, float], meaning: Mapping[str, float], weight: float) -> dict[str, float]:
    """(1 − weight) · words + weight · meaning; words alone for a name whose meaning is unknown.

    >>> convex({"a": 0.5, "b": 0.5}, {"a": 1.0, "c": 1.0}, 0.25)
    {'a': 0.625, 'b': 0.5, 'c': 0.25}
    """
    known = {name: (1 - weight) * words.get(name, 0.0) + weight * value for name, value in meaning.items()}
    return {name: known.get(name, words.get(name, 0.0)) for name in (*words, *(set(meaning) - set(words)))}


def reciprocal(*orders: Sequence[str]) -> dict[str, float]:
    """The sum of 1 / (60 + rank) over all orders, scaled so that the first of all of them has 1.

    >>> scores = reciprocal(["A", "B", "C"], ["C", "A"])
    >>> sorted(scores, key=scores.__getitem__, reverse=True)
    ['A', 'C', 'B']
    """
    scores: dict[str, float] = {}
    for order in orders:
        for rank, name in enumerate(order, 1):
            scores[name] = scores.get(name, 0.0) + (RANKS + 1) / (RANKS + rank) / len(orders)
    return scores


def by_rank(words: Mapping[str, float], meaning: Mapping[str, float]) -> dict[str, float]:
    """Reciprocal ranks of two scorings."""
    return reciprocal(_ranked(words), _ranked(meaning))


def _ranked(scores: Mapping[str, float]) -> list[str]:
    return sorted(scores, key=lambda name: (-scores[name], name))
