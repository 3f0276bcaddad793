"""Which pieces belong into one topic file: near-repeats, and texts about the same subject. Pure and deterministic.

Two pieces are as near as the share of telling words that they have in common, weighted by how rare each word is:
    near(a, b) = Σ weight of shared roots / min(Σ weight of a, Σ weight of b, 3 · ln(n + 1))
    weight = form · place · ln((n + 1) / holders),  place = 1.3 for what the text begins with, else 0.8
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from math import log

from ..sayings import SAYINGS
from ..terms import Term, root
from .parts import Group, Piece

MOST_PIECES, MOST_CHARACTERS = 8, 6000  # in one topic file
FEWEST_WORDS = 5
_NEARLY_SAME = 0.6  # share of all their words
_LEAST_FORM = 0.5  # of a word that can make two texts one subject
_MOST_HOLDERS = 10  # a word in more pieces than this says nothing about a pair of them
_MOST_SHOWN = 3
_SUBJECT = 5  # words; what a text begins with is what it is about

Pairs = Mapping[tuple[int, int], float]
Weights = Sequence[Mapping[str, float]]


def weigh(words: Sequence[Sequence[Term]]) -> list[dict[str, float]]:
    """For each piece its roots with their weights; what people say for a word counts as well, though for less."""
    forms = [_forms(found) for found in words]
    holders: dict[str, int] = defaultdict(int)
    for found in forms:
        for name in found:
            holders[name] += 1
    return [{name: form * log((len(words) + 1) / holders[name]) for name, form in found.items()} for found in forms]


def _forms(words: Iterable[Term]) -> dict[str, float]:
    found: dict[str, float] = {}
    for number, term in enumerate(term for term in words if term.form >= _LEAST_FORM):
        form = term.form * (1.3 if number < _SUBJECT else 0.8)
        found[term.root] = max(found.get(term.root, 0.0), form)
        for other in SAYINGS.get(term.word, SAYINGS.get(term.root, ())):
            found[root(other)] = max(found.get(root(other), 0.0), form * 0.7)
    return found


def nearness(weights: Weights) -> Pairs:
    """How near each pair of pieces is that shares a word which few hold."""
    holders: dict[str, list[int]] = defaultdict(list)
    for number, found in enumerate(weights):
        for name in found:
            holders[name].append(number)
    shared: dict[tuple[int, int], float] = defaultdict(float)
    for name, numbers in holders.items():
        if len(numbers) <= _MOST_HOLDERS:
            for first, second in combinations(numbers, 2):
                shared[first, second] += min(weights[first][name], weights[second][name])
    totals = [sum(found.values()) for found in weights]
    enough = 3 * log(len(weights) + 1)
    return {
        (first, second): min(1.0, value / max(min(totals[first], totals[second], enough), 1.0))
        for (first, second), value in shared.items()
    }


def group(pieces: Sequence[Piece], weights: Weights, pairs: Pairs, least: float) -> list[Group]:
    """The pieces in groups, in their order: two groups become one while their mean nearness is at least `least`.

    Pieces that no longer hold keep to themselves, and so do whole files.
    """
    home = list(range(len(pieces)))
    members = {number: [number] for number in home}
    for (first, second), near in sorted(pairs.items(), key=lambda item: (-item[1], item[0])):
        if near < least:
            break
        left, right = sorted((home[first], home[second]))
        if left != right and _may_join(pieces, members[left], members[right], pairs, least):
            for number in members[right]:
                home[number] = left
            members[left] += members.pop(right)
    return [_named(pieces, sorted(found), weights) for _, found in sorted(members.items())]


def _may_join(pieces: Sequence[Piece], left: list[int], right: list[int], pairs: Pairs, least: float) -> bool:
    both = [pieces[number] for number in (*left, *right)]
    if len(both) > MOST_PIECES or sum(len(piece.text) for piece in both) > MOST_CHARACTERS:
        return False
    if any(piece.file for piece in both) or len({piece.over for piece in both}) > 1:
        return False
    sum_ = sum(pairs.get((min(a, b), max(a, b)), 0.0) for a in left for b in right)
    return sum_ >= least * 0.6 * len(left) * len(right)


def _named(pieces: Sequence[Piece], numbers: list[int], weights: Weights) -> Group:
    return Group(tuple(pieces[number] for number in numbers), _why(numbers, weights))


def _why(numbers: list[int], weights: Weights) -> str:
    if len(numbers) < 2:
        return ""
    every = [set(weights[number]) for number in numbers]
    if len(set.intersection(*every)) >= _NEARLY_SAME * len(set.union(*every)):
        return "say nearly the same"
    counts: dict[str, int] = defaultdict(int)
    for number in numbers:
        for name in weights[number]:
            counts[name] += 1
    telling = {name: max(weights[number].get(name, 0.0) for number in numbers) for name in counts}
    shared = sorted((n for n in counts if counts[n] > 1), key=lambda name: (-telling[name] * counts[name], name))
    return f"share {', '.join(shared[:_MOST_SHOWN])}"


def with_short_ones_together(groups: Sequence[Group], roots: Mapping[int, Collection[str]]) -> list[Group]:
    """Groups whose words are too few for a line of their own, put together in files of several.

    `roots` are the roots of each piece by its number.
    """
    short = [one for one in groups if _is_short(one, roots)]
    if len(short) < 2:
        return list(groups)
    apart = [one for one in groups if not _is_short(one, roots)]
    pieces = sorted((piece for one in short for piece in one.pieces), key=lambda piece: piece.number)
    heaps = [pieces[at : at + MOST_PIECES] for at in range(0, len(pieces), MOST_PIECES)]
    together = [Group(tuple(heap), "are too short for a line of their own") for heap in heaps]
    return sorted([*apart, *together], key=lambda one: one.pieces[0].number)


def _is_short(one: Group, roots: Mapping[int, Collection[str]]) -> bool:
    found = {name for piece in one.pieces for name in roots[piece.number]}
    return len(found) < FEWEST_WORDS and not any(piece.file or piece.over for piece in one.pieces)
