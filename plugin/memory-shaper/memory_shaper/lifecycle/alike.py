"""Do two texts say the same, nearly the same, or contradict each other? And which of many are worth comparing? Pure.

A negation more or a changed number, date, version, sign or small word ("before", "after") makes a contradiction, never
a likeness: "allergic to peanuts" and "not allergic to peanuts" share every telling word. A telling word of its own on
each side makes another statement, however long both are. The order of the input enters nowhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from enum import StrEnum

from .passages import Said

_FEWEST = 2  # telling words; less says too little to be compared
_ALIKE = 0.8  # Jaccard of telling words
_IN_ORDER = 0.5  # Jaccard of neighbours
_RAREST = 6  # words by which a text looks for others
_SHARED = 0.6  # of these words
_MOST_HOLDING = 20  # texts; a word that more have leads to none of them
_MOST_COMPARED = 20  # texts that one is compared with
_OPPOSITES = {
    frozenset(pair.split("/"))
    for pair in (
        "enabl/disabl", "on/off", "true/fals", "open/close", "allow/deni", "allow/forbid", "alway/never", "up/down",
        "accept/reject", "like/dislik", "like/hate", "love/hate", "includ/exclud", "start/stop", "允许/禁止",
        "喜欢/讨厌", "支持/反对", "开启/关闭", "启用/停用", "启用/禁用", "增加/减少", "同意/拒绝",
    )
}  # fmt: skip


class Likeness(StrEnum):
    """How two texts stand to each other."""

    SAME = "same"  # but for case, blanks, the list marker and the stop at the end
    NEAR = "near"  # the same telling words in the same order, or one says a little more
    CONTRARY = "contrary"  # the same but for a negation, a value, a sign, a small word or an opposite
    APART = "apart"


def compare(one: Said, other: Said) -> Likeness:
    """How two texts stand to each other; the order of the two does not matter."""
    if one.key == other.key:
        return Likeness.SAME
    if min(len(one.frame), len(other.frame)) < _FEWEST:
        return Likeness.APART
    if frozenset(one.frame ^ other.frame) in _OPPOSITES and one.values == other.values:
        return Likeness.CONTRARY
    if not _alike(one, other):
        return Likeness.APART
    return Likeness.CONTRARY if _clash(one, other) else Likeness.NEAR


def _clash(one: Said, other: Said) -> bool:
    """Whether two texts of like words differ in what turns their sense: each has something there that the other lacks,
    or one of them denies more, or has a sign more and nothing else."""
    if one.denials != other.denials:
        return True
    pairs = ((one.values, other.values), (one.signs, other.signs), (one.turns, other.turns))
    if any(mine - theirs and theirs - mine for mine, theirs in pairs):
        return True
    return one.signs != other.signs and (one.frame, one.values) == (other.frame, other.values)


def _alike(one: Said, other: Said) -> bool:
    if one.frame - other.frame and other.frame - one.frame:
        return False
    return jaccard(one.frame, other.frame) >= _ALIKE and jaccard(one.order, other.order) >= _IN_ORDER


def jaccard(one: Set[object], other: Set[object]) -> float:
    """The share of what is in both sets among what is in either; 1 for two empty ones.

    >>> jaccard({1, 2, 3}, {2, 3, 4})
    0.5
    """
    both = len(one & other)
    either = len(one) + len(other) - both
    return both / either if either else 1.0


def candidates(texts: Sequence[Said]) -> list[tuple[int, int]]:
    """The pairs (places, the smaller first) of texts that may be alike or contrary, in order.

    Texts of one frame are paired with the first of them, others by the rarest of their words. So the pairs grow with
    the number of texts, at most `_MOST_COMPARED` a text.
    """
    found = set(_of_one_frame(texts))
    holding: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        for word in text.frame:
            holding.setdefault(word, []).append(place)
    for place, text in enumerate(texts):
        found.update((min(place, other), max(place, other)) for other in _near(place, text, holding))
    return sorted(found)


def _of_one_frame(texts: Sequence[Said]) -> Iterator[tuple[int, int]]:
    first: dict[frozenset[str], list[int]] = {}
    for place, text in enumerate(texts):
        if len(text.frame) >= _FEWEST:
            known = first.setdefault(text.frame, [])
            for other in known:
                yield other, place
            if len(known) < _MOST_COMPARED:
                known.append(place)


def _near(place: int, text: Said, holding: Mapping[str, list[int]]) -> list[int]:
    """The texts that share most of the rarest words of one: what is alike shares four words in five."""
    telling = [word for word in text.frame if 1 < len(holding[word]) <= _MOST_HOLDING]
    rarest = sorted(telling, key=lambda word: (len(holding[word]), word))[:_RAREST]
    often = Counter(other for word in rarest for other in holding[word] if other != place)
    shared = [(-count, other) for other, count in often.items() if count >= _SHARED * len(rarest)]
    return [other for _, other in sorted(shared)[:_MOST_COMPARED]]


def families(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, ...]]:
    """The names that hang together by some pairs, each family sorted, the families by their first name.

    >>> families([("c", "b"), ("a", "b"), ("x", "y")])
    [('a', 'b', 'c'), ('x', 'y')]
    """
    root: dict[str, str] = {}

    def top(name: str) -> str:
        while root.setdefault(name, name) != name:
            root[name] = root[root[name]]
            name = root[name]
        return name

    for one, other in pairs:
        first, second = sorted((top(one), top(other)))
        root[second] = first
    members: dict[str, list[str]] = {}
    for name in sorted(root):
        members.setdefault(top(name), []).append(name)
    return sorted(tuple(names) for names in members.values())
