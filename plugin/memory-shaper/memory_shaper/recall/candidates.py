"""The few texts worth a closer look: those that hold the rare words of a query, or fit its dates. Shell: SQLite."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from .analyser import Query
from .postings import BLOCK
from .score import WEIGHTS, Sight, Spots, depth, idf
from .shelf import EXTRA, Field, Shelf

# Texts that are scored in full, half as many in a large store; the rest is decided by whole-text BM25 and dates alone.
MOST = 60
# Texts that the words looked up may be in, taken together, rarest words first.
_ROWS = 3000
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
    """What one field of the texts gave: their BM25, and the rows of the terms that were looked up."""

    scores: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    rows: dict[str, Mapping[int, bytes]] = field(default_factory=dict)


def find_candidates(shelf: Shelf, query: Query, dates: Mapping[int, float], allowed: Allowed | None) -> Candidates:
    """Return the texts to score; the filter `allowed` comes before the cut."""
    words = tuple(query.words)
    near: tuple[str, ...] = ()
    if not dates and not query.lone and not any(shelf.holding(word) for word in words):
        near = tuple(dict.fromkeys(term for word in words for term in _look_alikes(shelf, word)))
    extra = tuple(EXTRA + word for word in query.extra)
    begun = tuple(term for char in query.lone for term in shelf.beginning_with(char))
    weight = {term: idf(shelf.means.texts, shelf.holding(term)) for term in (*words, *near, *extra, *begun)}
    by_words = _look_up(shelf, (*words, *near, *begun), weight, shelf.slow)
    by_extra = _look_up(shelf, extra, weight, shelf.extra_slow)
    total = _totals(by_words.scores, by_extra.scores, dates)
    ranked: Iterable[int] = sorted(total, key=total.__getitem__, reverse=True)
    chosen = list(islice(filter(allowed, ranked) if allowed else ranked, depth(MOST, shelf.means)))
    return Candidates(_sights(shelf, chosen, by_words, by_extra), weight, near)


def _totals(words: dict[int, float], extra: Mapping[int, float], dates: Mapping[int, float]) -> Mapping[int, float]:
    """Add BM25 and dates, each divided by its best."""
    if not extra and not dates:
        return words
    total: dict[int, float] = defaultdict(float)
    for found, share in ((words, 2.0), (extra, WEIGHTS["extra"]), (dates, WEIGHTS["date"])):
        factor = share / max(found.values(), default=1.0)
        for text, value in found.items():
            total[text] += value * factor
    return total


def _sights(shelf: Shelf, texts: Sequence[int], words: _Found, extra: _Found) -> dict[int, Sight]:
    by_words, by_extra = _held(words, texts), _held(extra, texts)
    return {
        text: Sight(
            _spots(own, by_words[text], shelf.cards[text].length), _spots(more, by_extra[text], shelf.cards[text].extra)
        )
        for text, (own, more) in shelf.fields(texts).items()
    }


def _held(found: _Found, texts: Iterable[int]) -> dict[int, list[str]]:
    """Return which of the terms looked up each of some texts holds."""
    held: dict[int, list[str]] = {text: [] for text in texts}
    places: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for text in held:
        places[text // BLOCK].append((text, text % BLOCK))
    for term, rows in found.rows.items():
        for block in rows.keys() & places.keys():
            lows = rows[block][::2]
            for text, low in places[block]:
                if low in lows:
                    held[text].append(term)
    return held


def _spots(field: Field, terms: Iterable[str], length: int) -> Spots:
    found = [(place, term) for term in terms for place in _places(field.terms, term)]
    return Spots(found, field.marks, field.starts, length)


def _places(terms: str, term: str) -> Iterator[int]:
    """Yield where a term stands among terms between blanks; a search for the last blank too would stop at each."""
    look, size = f" {term}", len(term) + 1
    place = terms.find(look)
    while place >= 0:
        if terms[place + size] == " ":
            yield place
        place = terms.find(look, place + size)


def _look_up(shelf: Shelf, terms: Iterable[str], weight: Mapping[str, float], slow: Mapping[int, float]) -> _Found:
    """Find the texts that hold the rarer terms, with their BM25 (as in `score`, written out for speed)."""
    result = _Found()
    scores = result.scores
    for term in _rare(shelf, terms):
        worth = weight[term]
        rows = result.rows[term] = shelf.rows(term)
        for block, row in rows.items():
            first = block * BLOCK
            for low, count in zip(row[::2], row[1::2], strict=False):
                text = first + low
                scores[text] += worth * count / (count + slow[text])
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
