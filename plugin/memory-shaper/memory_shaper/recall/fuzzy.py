"""Misspelt words, told by rapidfuzz where it can be imported; a library, no file and no clock."""

from __future__ import annotations

from collections.abc import Iterable

from .matching import SHORTEST, Near

# A short word with one wrong letter is another word; letters in the wrong order are a slip at any length.
_ONE_LEFT_OUT_FROM = 6
_ONE_EDIT_FROM = 7
_TWO_EDITS_FROM = 9
_VOWELS = frozenset("aeiouy")


def near_words() -> Near | None:
    """Return what finds misspellings, None where rapidfuzz is missing or broken."""
    try:
        from rapidfuzz.distance import OSA
    except Exception:  # missing, or there and broken, in whatever way
        return None

    def near(word: str, known: Iterable[str]) -> list[str]:
        most = 2 if len(word) >= _TWO_EDITS_FROM else 1
        rated = [
            (OSA.distance(word, other, score_cutoff=most), other)
            for other in known
            if len(other) >= SHORTEST and abs(len(other) - len(word)) <= most
        ]
        return [other for distance, other in sorted(rated) if 0 < distance <= most and _is_slip(word, other)]

    return near


def _is_slip(word: str, other: str) -> bool:
    """A slip of the keys, not another word: letters swapped, left out or doubled, or a vowel for a vowel.

    >>> [_is_slip(*pair) for pair in (("deplyo", "deploy"), ("kubernates", "kubernetes"), ("cooking", "cooling"))]
    [True, True, False]
    """
    if sorted(word) == sorted(other):
        return True
    if len(word) != len(other):
        return min(len(word), len(other)) >= _ONE_LEFT_OUT_FROM
    changed = [pair for pair in zip(word, other, strict=True) if pair[0] != pair[1]]
    return len(word) > _ONE_EDIT_FROM and len(changed) == 1 and set(changed[0]) <= _VOWELS
