"""Which words keep the same company? Pairs that stand in mostly the same notes. Pure.

Jaccard = notes with both / notes with either. For each note only its rarest words are compared, so that the work grows
with the number of notes and not with the square of their words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

MOST_PAIRS = 200
LEAST_JACCARD = 0.5
LEAST_SHARED = 3
_PER_NOTE = 40


@dataclass(frozen=True, slots=True)
class Pair:
    """Two words, in how many notes both stand, and what share that is of the notes with either."""

    word: str
    other: str
    shared: int
    jaccard: float


def pairs(notes: Mapping[str, Collection[str]], least_notes: int) -> list[Pair]:
    """Return the words of `least_notes` or more notes that mostly share them, the closest first.

    Two words are a pair with a Jaccard of 0.5 or more and three or more notes in common.

    >>> pairs({"a": ["cpu", "fan"], "b": ["fan", "cpu"], "c": ["cpu", "fan"], "d": ["tea"]}, 3)
    [Pair(word='cpu', other='fan', shared=3, jaccard=1.0)]
    """
    holding = Counter(word for words in notes.values() for word in set(words))
    rare: dict[str, list[str]] = {}
    where: dict[str, list[str]] = defaultdict(list)
    for name, words in notes.items():
        known = [word for word in set(words) if holding[word] >= least_notes]
        rare[name] = sorted(known, key=lambda word: (holding[word], word))[:_PER_NOTE]
        for word in rare[name]:
            where[word].append(name)
    found = [pair for word in sorted(where) for pair in _of_word(word, where[word], rare, holding)]
    return sorted(found, key=lambda pair: (-pair.jaccard, -pair.shared, pair.word, pair.other))[:MOST_PAIRS]


def _of_word(
    word: str, names: Collection[str], rare: Mapping[str, list[str]], holding: Mapping[str, int]
) -> list[Pair]:
    shared: Counter[str] = Counter()
    for name in names:
        shared.update(rare[name])
    rows = [(other, n, n / (holding[word] + holding[other] - n)) for other, n in shared.items() if other > word]
    return [
        Pair(word, other, n, round(jaccard, 3))
        for other, n, jaccard in rows
        if n >= LEAST_SHARED and jaccard >= LEAST_JACCARD and not (word in other or other in word)
    ]
