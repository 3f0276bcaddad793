"""How well texts answer a query: BM25 of texts, windows, neighbours, characters and dates, in fixed weights. Pure.

BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009), with the always positive idf
ln(1 + (N - n + 0.5) / (n + 0.5)); every signal is divided by its best value and the weighted sum decides.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from .analyser import Query

K1 = 0.9
B = 0.6
# Units of a window that is wide enough for a question and its answer.
WIDE = 3
# Characters in more of these texts tell them apart so little that they are not worth their time.
_CHAR_SHARE = 0.8
# Texts whose neighbours and characters are looked at, the best by everything else; half of them in a large store.
CLOSER = 20
LARGE = 1000
# The best five windows count, each half as much as the one before.
BEST_WINDOWS = 5
FADE = 0.5

# A query of which no text holds a word may still be met by its date, or by characters alone, with less confidence.
_LEAST_REACH = 0.1
_LEAST_REACH_DATED = 0.5

# One set for every language and size; measured by benchmarks/locomo.py and benchmarks/lifebench.py.
WEIGHTS: Mapping[str, float] = {
    "text": 0.25,
    "window": 0.5,
    "unit": 0.5,
    "pairs": 0.5,
    "chars": 0.75,
    "extra": 1.0,
    "date": 2.0,
}


_Counts = dict[int, dict[str, int]]


@dataclass(frozen=True, slots=True)
class Means:
    """Sizes of a store: number of texts and units, terms per text and per unit, for words and for extra words."""

    texts: int
    text: float
    unit: float
    extra: float
    extra_unit: float


@dataclass(frozen=True, slots=True)
class Spots:
    """Where the terms of a query stand in one field of one text of `length` terms: (character, term); `marks` holds the
    first character of every unit, `starts` its first term."""

    found: Sequence[tuple[int, str]]
    marks: Sequence[int]
    starts: Sequence[int]
    length: int


@dataclass(frozen=True, slots=True)
class Sight:
    """One text as far as it touches a query."""

    words: Spots
    extra: Spots


@dataclass(frozen=True, slots=True)
class Scored:
    """The score of one text: 0 to 1, its parts before weighting (0 to 1 each), the best unit, the words found."""

    total: float
    parts: Mapping[str, float]
    unit: int
    found: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Closer:
    """A text to be looked at closely: its words and its forms, each between blanks, and where in `forms` the units
    begin."""

    words: str
    forms: str
    marks: Sequence[int]


# Reads some texts for a closer look.
Reader = Callable[[Sequence[int]], Mapping[int, Closer]]


@dataclass(slots=True)
class _Signals:
    values: dict[str, dict[int, float]] = field(default_factory=lambda: defaultdict(dict))
    unit: dict[int, int] = field(default_factory=dict)
    found: dict[int, Set[str]] = field(default_factory=dict)


def idf(texts: int, holding: int) -> float:
    """Return the weight of a term that `holding` of `texts` texts hold; never negative.

    >>> round(idf(10, 2), 4) == round(math.log(4.4), 4)
    True
    """
    return math.log(1 + (max(texts, holding) - holding + 0.5) / (holding + 0.5))


def slowness(length: float, mean: float) -> float:
    """Return what BM25 adds to the count of a term in a text of this length: k1 (1 - b + b length / mean)."""
    return K1 * (1 - B) + K1 * B / (mean or 1) * length


def depth(most: int, means: Means) -> int:
    """Return how many texts to look at: `most`, or half of them in a large store, where time is short."""
    return most if means.texts <= LARGE else most // 2


def score(
    query: Query,
    sights: Mapping[int, Sight],
    weight: Mapping[str, float],
    means: Means,
    dates: Mapping[int, float],
    read: Reader,
) -> dict[int, Scored]:
    """Score texts against a query.

    `weight` gives the idf of every word and extra word of the query, `dates` how well the day of a text fits the dates
    that the query names; `read` reads the few texts that get a closer look. The scores compare texts of
    one call only.
    """
    signals = _Signals()
    signals.values["date"] = {name: dates[name] for name in sights if dates.get(name)}
    for name, sight in sights.items():
        _word_signals(signals, name, sight.words, weight, means)
        _extra_signal(signals, name, sight.extra, weight, means)
    first = _totals(signals.values)
    ranked = sorted(sights, key=lambda name: (-first.get(name, 0.0), -name))[: depth(CLOSER, means)]
    texts = read(ranked)
    _pair_signal(signals, query, texts, sights, means)
    _char_signal(signals, query, texts, sights, means)
    return _fuse(signals, query, sights, weight)


def _word_signals(signals: _Signals, name: int, spots: Spots, weight: Mapping[str, float], means: Means) -> None:
    if not spots.found:
        return
    counts = Counter([word for _, word in spots.found])
    signals.found[name] = counts.keys()
    signals.values["text"][name] = _bm25(counts, spots.length, means.text, weight)
    units = _by_unit(spots.found, spots.marks)
    single = _windows(units, spots, 1, weight, means.unit)
    signals.values["unit"][name] = _fading(single.values())
    signals.values["window"][name] = _fading(_windows(_joined(units), spots, WIDE, weight, means.unit).values())
    # Of equal units the later one: a correction stands below what it corrects.
    best = max(single.values())
    signals.unit[name] = max(unit for unit, value in single.items() if value == best)


def _extra_signal(signals: _Signals, name: int, spots: Spots, weight: Mapping[str, float], means: Means) -> None:
    if spots.found:
        windows = _windows(_by_unit(spots.found, spots.marks), spots, 1, weight, means.extra_unit)
        signals.values["extra"][name] = _fading(windows.values())


def _by_unit(found: Iterable[tuple[int, str]], marks: Sequence[int]) -> _Counts:
    """Count the terms at places of a text by unit."""
    units: _Counts = {}
    for place, term in found:
        unit = bisect_right(marks, place) - 1
        counts = units.get(unit)
        if counts is None:
            units[unit] = {term: 1}
        else:
            counts[term] = counts.get(term, 0) + 1
    return units


def _joined(units: _Counts) -> _Counts:
    """Return the counts of every window of WIDE units that holds a term; windows may reach over the ends."""
    joined: _Counts = {}
    for unit, found in units.items():
        for first in range(unit - WIDE + 1, unit + 1):
            known = joined.get(first)
            joined[first] = found if known is None else _sum(known, found)
    return joined


def _sum(first: dict[str, int], second: dict[str, int]) -> dict[str, int]:
    both = first.copy()
    for term, count in second.items():
        both[term] = both.get(term, 0) + count
    return both


def _windows(units: _Counts, spots: Spots, width: int, weight: Mapping[str, float], mean: float) -> dict[int, float]:
    """Return the BM25 of windows of `width` units by their first unit (as `_bm25`, written out for speed)."""
    starts, after = spots.starts, len(spots.starts)
    fixed, slope = K1 * (1 - B), K1 * B / (mean * width or 1)
    scores = {}
    for first, counts in units.items():
        last = first + width
        end = starts[last] if last < after else spots.length
        slow = fixed + slope * (end - (starts[first] if first > 0 else 0))
        total = 0.0
        for term, count in counts.items():
            total += weight[term] * count / (count + slow)
        scores[first] = total
    return scores


def _bm25(counts: Mapping[str, int], length: float, mean: float, weight: Mapping[str, float]) -> float:
    """Return BM25 without its factor (k1 + 1), which falls out when a signal is divided by its best."""
    slow = slowness(length, mean)
    total = 0.0
    for term, count in counts.items():
        total += weight[term] * count / (count + slow)
    return total


def _fading(scores: Iterable[float]) -> float:
    total, share = 0.0, 1.0
    for score in sorted(scores, reverse=True)[:BEST_WINDOWS]:
        total += score * share
        share *= FADE
    return total


def _pair_signal(
    signals: _Signals, query: Query, texts: Mapping[int, Closer], sights: Mapping[int, Sight], means: Means
) -> None:
    """Score the neighbours of the query that are neighbours in a text too."""
    wanted = [f" {first} {second}" for first, second in query.pairs]
    found = {
        name: {pair: count for pair in wanted if pair in text.words and (count := text.words.count(f"{pair} "))}
        for name, text in texts.items()
    }
    weight = _weights(found.values(), means)
    for name, counts in found.items():
        if counts:
            signals.values["pairs"][name] = _bm25(counts, sights[name].words.length, means.text, weight)


def _char_signal(
    signals: _Signals, query: Query, texts: Mapping[int, Closer], sights: Mapping[int, Sight], means: Means
) -> None:
    """Score windows by characters: it finds inflections and misspellings that stems do not."""
    spots = {name: list(_find_chars(text.forms, query.chars)) for name, text in texts.items()}
    holding = Counter(char for found in spots.values() for char in {char for _, char in found})
    most = max(_CHAR_SHARE * len(texts), 3)
    weight = {char: idf(means.texts, count) for char, count in holding.items() if count <= most}
    lone = {f" {char}": char for char in query.lone}
    for name, found in spots.items():
        units = _by_unit((spot for spot in found if spot[1] in weight), texts[name].marks)
        if units:
            windows = _windows(_joined(units), sights[name].words, WIDE, weight, means.unit)
            signals.values["chars"][name] = _fading(windows.values())
            signals.unit.setdefault(name, max(units))
            held = {lone[char] for counts in units.values() for char in lone.keys() & counts.keys()}
            signals.found[name] = signals.found.get(name, frozenset()) | held


def _find_chars(forms: str, chars: Iterable[str]) -> Iterator[tuple[int, str]]:
    for char in chars:
        place = forms.find(char)
        while place >= 0:
            yield place, char
            place = forms.find(char, place + 1)


def _weights(found: Iterable[Iterable[str]], means: Means) -> dict[str, float]:
    """Return the idf of terms from the texts looked at; what is nowhere else may be rarer than it seems."""
    holding = Counter(term for terms in found for term in terms)
    return {term: idf(means.texts, count) for term, count in holding.items()}


def _totals(signals: Mapping[str, Mapping[int, float]]) -> dict[int, float]:
    """Add the signals in their weights, each divided by its best."""
    totals: dict[int, float] = defaultdict(float)
    for signal, values in signals.items():
        if values:
            factor = WEIGHTS[signal] / max(values.values())
            for name, value in values.items():
                totals[name] += factor * value
    return totals


def _fuse(signals: _Signals, query: Query, names: Iterable[int], weight: Mapping[str, float]) -> dict[int, Scored]:
    """Add the signals, then scale by how much of the query the fullest text holds."""
    best = {signal: max(values.values()) for signal, values in signals.values.items() if values}
    active = sum(WEIGHTS[signal] for signal in best) or 1.0
    every = sum(weight[word] for word in query.words) or 1.0
    held = {name: [word for word in query.words if word in found] for name, found in signals.found.items()}
    reach = max((sum([weight[word] for word in words]) for words in held.values()), default=0.0)
    least = _LEAST_REACH_DATED if "date" in best else _LEAST_REACH
    scale = min(1.0, max(least, reach / every)) / active
    totals = _totals(signals.values)
    return {
        name: Scored(
            total=totals.get(name, 0.0) * scale,
            parts={signal: signals.values[signal].get(name, 0.0) / top for signal, top in best.items()},
            unit=signals.unit.get(name, 0),
            found=tuple(held.get(name, ())),
        )
        for name in names
    }
