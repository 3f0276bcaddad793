"""The few texts worth a closer look: those that hold the rare words of a query, or fit its dates. Shell: SQLite."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from .analyser import Query
from .score import WEIGHTS, Sight, Spots, idf, saturate
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

    sights: Mapping[int, Sight]
    weight: Mapping[str, float]
    near: tuple[str, ...] = ()


@dataclass(slots=True)
class _Found:
    """What one field of the texts gave: their BM25, and where the terms stand."""

    scores: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    spots: dict[int, list[tuple[int, str]]] = field(default_factory=lambda: defaultdict(list))


def find_candidates(shelf: Shelf, query: Query, dates: Mapping[int, float], allowed: Allowed) -> Candidates:
    """Return the texts to score; filters come before the cut."""
    words = tuple(query.words)
    near: tuple[str, ...] = ()
    if not dates and not query.lone and not any(shelf.holding(word) for word in words):
        near = tuple(dict.fromkeys(term for word in words for term in _look_alikes(shelf, word)))
    extra = tuple(EXTRA + word for word in query.extra)
    begun = tuple(term for char in query.lone for term in shelf.beginning_with(char))
    weight = {term: idf(shelf.means.texts, shelf.holding(term)) for term in (*words, *near, *extra, *begun)}
    by_words = _look_up(shelf, (*words, *near, *begun), weight, allowed)
    by_extra = _look_up(shelf, extra, weight, allowed)
    by_date = {text: fit for text, fit in dates.items() if allowed(text)}
    total: dict[int, float] = defaultdict(float)
    scores = ((by_words.scores, 2.0), (by_extra.scores, WEIGHTS["extra"]), (by_date, WEIGHTS["date"]))
    for found, share in scores:
        best = max(found.values(), default=0.0)
        for text, value in found.items():
            total[text] += share * value / best
    ranked = sorted(total, key=lambda text: (-total[text], -text))[:MOST]
    return Candidates(_sights(shelf, ranked, by_words, by_extra), weight, near)


def _sights(shelf: Shelf, texts: Iterable[int], words: _Found, extra: _Found) -> dict[int, Sight]:
    return {
        text: Sight(
            Spots(words.spots.get(text, ()), starts, shelf.length(text)),
            Spots(extra.spots.get(text, ()), extra_starts, shelf.length(text, True)),
        )
        for text, (starts, extra_starts) in shelf.starts(texts).items()
    }


def _look_up(shelf: Shelf, terms: Iterable[str], weight: Mapping[str, float], allowed: Allowed) -> _Found:
    """Find the texts that hold the rarer terms."""
    result = _Found()
    refused: set[int] = set()
    for term in _rare(shelf, terms):
        extra = term.startswith(EXTRA)
        mean = shelf.means.extra if extra else shelf.means.text
        counts: Counter[int] = Counter()
        for text, place in shelf.occurrences(term):
            counts[text] += 1
            result.spots[text].append((place, term))
        refused |= {text for text in counts if text not in result.scores and not allowed(text)}
        for text, count in counts.items():
            if text not in refused:
                result.scores[text] += weight[term] * saturate(count, shelf.length(text, extra), mean)
    return result


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
