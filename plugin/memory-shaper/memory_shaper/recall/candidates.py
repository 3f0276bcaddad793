"""The few texts worth a closer look: those that hold the rare words of a query, or fit its dates. Shell: SQLite."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from .analyser import Query
from .score import WEIGHTS, idf, saturate
from .shelf import EXTRA, Shelf

# Texts that are scored in full; the rest is decided by whole-text BM25 and dates alone.
MOST = 60
# Entries of the word lists that are read for one query, rarest words first.
_ROWS = 6000
# A word in more texts than this is not looked up where three rarer ones are there.
_COMMON = 0.2
# Share of the pairs of letters that an unknown word and a known one must have in common.
_ALIKE = 0.6

Allowed = Callable[[int], bool]


@dataclass(frozen=True, slots=True)
class Candidates:
    """The texts to score, and what every term of the query weighs; `near` holds words that only look alike."""

    texts: tuple[int, ...]
    weight: Mapping[str, float]
    near: tuple[str, ...] = ()


def find_candidates(shelf: Shelf, query: Query, dates: Mapping[int, float], allowed: Allowed) -> Candidates:
    """Return the texts to score; filters come before the cut."""
    words = tuple(query.words)
    near: tuple[str, ...] = ()
    if not dates and not query.lone and not any(shelf.holding(word) for word in words):
        near = tuple(dict.fromkeys(term for word in words for term in _look_alikes(shelf, word)))
    extra = tuple(EXTRA + word for word in query.extra)
    weight = {term: idf(shelf.means.texts, shelf.holding(term)) for term in (*words, *near, *extra)}
    begun = tuple(term for char in query.lone for term in shelf.beginning_with(char))
    by_words = _look_up(shelf, (*words, *near, *begun), allowed)
    by_extra = _look_up(shelf, extra, allowed)
    by_date = {text: fit for text, fit in dates.items() if allowed(text)}
    total: dict[int, float] = defaultdict(float)
    for found, signals in ((by_words, 2.0), (by_extra, WEIGHTS["extra"]), (by_date, WEIGHTS["date"])):
        best = max(found.values(), default=0.0)
        for text, value in found.items():
            total[text] += signals * value / best
    ranked = sorted(total, key=lambda text: (-total[text], -text))
    return Candidates(tuple(ranked[:MOST]), weight, near)


def _look_up(shelf: Shelf, terms: Iterable[str], allowed: Allowed) -> dict[int, float]:
    """Return the BM25 of the texts that hold the rarer terms."""
    found: dict[int, float] = defaultdict(float)
    extra = False
    for term in _rare(shelf, terms):
        extra = term.startswith(EXTRA)
        weight = idf(shelf.means.texts, shelf.holding(term))
        mean = shelf.means.extra if extra else shelf.means.text
        for text, count in shelf.occurrences(term).items():
            found[text] += weight * saturate(count, shelf.length(text, extra), mean)
    return {text: value for text, value in found.items() if allowed(text)}


def _rare(shelf: Shelf, terms: Iterable[str]) -> Iterator[str]:
    """Yield the terms to look up, the rarest first, as far as the rows to read allow."""
    counted = sorted((count, term) for term in dict.fromkeys(terms) if (count := shelf.holding(term)))
    rows = 0
    for place, (count, term) in enumerate(counted):
        rows += count
        common = count > max(_COMMON * shelf.means.texts, MOST)
        if (place and rows > _ROWS) or (place >= 3 and common):
            return
        yield term


def _look_alikes(shelf: Shelf, word: str) -> list[str]:
    """Return up to three known words that share most of their characters with an unknown one."""
    if len(word) < 4 or not word.isalnum():
        return []
    own = _twos(word)
    ranked = []
    for term in shelf.beginning_with(word[0]):
        if abs(len(term) - len(word)) <= 2:
            other = _twos(term)
            likeness = 2 * len(own & other) / (len(own) + len(other))
            if likeness >= _ALIKE:
                ranked.append((-likeness, term))
    return [term for _, term in sorted(ranked)[:3]]


def _twos(word: str) -> frozenset[str]:
    padded = f"{word}_"
    return frozenset(padded[i : i + 2] for i in range(len(word)))
