"""Misspelt words, told by rapidfuzz where it can be imported. Shell: loads a library."""

from __future__ import annotations

from collections.abc import Callable, Iterable

# From a word and known words to those it may be a misspelling of, the nearest first.
Near = Callable[[str, Iterable[str]], list[str]]

# A short word with one wrong letter is another word; letters in the wrong order are a slip at any length.
SHORTEST = 5
_ONE_EDIT_FROM = 7
_TWO_EDITS_FROM = 9


def near_words() -> Near | None:
    """Return what finds misspellings, None where rapidfuzz is missing."""
    try:
        from rapidfuzz.distance import OSA
    except ImportError:
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
    return min(len(word), len(other)) >= _ONE_EDIT_FROM or sorted(word) == sorted(other)
