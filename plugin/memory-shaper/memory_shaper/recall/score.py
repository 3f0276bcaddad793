"""How well texts answer a query: BM25 of whole texts, windows, neighbours, characters and dates, in fixed weights. Pure.

BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009), with the always positive idf
ln(1 + (N - n + 0.5) / (n + 0.5)); every signal is divided by its best value and the weighted sum decides.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .analyser import Query
from .cut import char_terms

K1 = 0.9
B = 0.6
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


@dataclass(frozen=True, slots=True)
class Means:
    """Sizes of a store: number of texts and units, terms per text and per unit, for words and for extra words."""

    texts: int
    text: float
    unit: float
    extra: float
    extra_unit: float


@dataclass(frozen=True, slots=True)
class Body:
    """One text as its terms; `starts` holds where each unit begins in `words` and `forms`, `extra_starts` in `extra`."""

    words: Sequence[str]
    forms: Sequence[str]
    starts: Sequence[int]
    extra: Sequence[str] = ()
    extra_starts: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Scored:
    """The score of one text: 0 to 1, its parts before weighting (0 to 1 each), the best unit, the words found."""

    total: float
    parts: Mapping[str, float]
    unit: int
    found: tuple[str, ...]


@dataclass(slots=True)
class _Signals:
    values: dict[str, dict[int, float]] = field(default_factory=lambda: defaultdict(dict))
    unit: dict[int, int] = field(default_factory=dict)
    found: dict[int, frozenset[str]] = field(default_factory=dict)


def idf(texts: int, holding: int) -> float:
    """Return the weight of a term that `holding` of `texts` texts hold; never negative.

    >>> round(idf(10, 2), 4) == round(math.log(4.4), 4)
    True
    """
    return math.log(1 + (max(texts, holding) - holding + 0.5) / (holding + 0.5))


def saturate(count: float, length: float, mean: float) -> float:
    """Return what `count` occurrences in a text of `length` terms are worth, between 0 and K1 + 1."""
    if not count:
        return 0.0
    return count * (K1 + 1) / (count + K1 * (1 - B + B * length / (mean or 1)))


def score(
    query: Query, bodies: Mapping[int, Body], weight: Mapping[str, float], means: Means, dates: Mapping[int, float]
) -> dict[int, Scored]:
    """Score texts against a query.

    `weight` gives the idf of every word and extra word of the query, `dates` how well the day of a text fits the dates
    that the query names. The scores compare texts of one call only.
    """
    signals = _Signals()
    signals.values["date"] = {name: dates[name] for name in bodies if dates.get(name)}
    for name, body in bodies.items():
        _word_signals(signals, name, body, weight, means)
        _extra_signal(signals, name, body, weight, means)
    _pair_signal(signals, query, bodies, means)
    _char_signal(signals, query, bodies, means)
    return _fuse(signals, query, bodies, weight)


def _word_signals(signals: _Signals, name: int, body: Body, weight: Mapping[str, float], means: Means) -> None:
    places = [(place, word) for place, word in enumerate(body.words) if word in weight]
    if not places:
        return
    counts = Counter(word for _, word in places)
    length = len(body.words)
    signals.found[name] = frozenset(counts)
    signals.values["text"][name] = sum(
        weight[word] * saturate(count, length, means.text) for word, count in counts.items()
    )
    units = _by_unit(places, body.starts)
    single = _windows(units, body.starts, length, 1, weight, means.unit)
    wide = _windows(units, body.starts, length, 3, weight, means.unit)
    signals.values["unit"][name] = _fading(single.values())
    signals.values["window"][name] = _fading(wide.values())
    # Of equal units the later one: a correction stands below what it corrects.
    signals.unit[name] = max(single, key=lambda unit: (single[unit], unit))


def _extra_signal(signals: _Signals, name: int, body: Body, weight: Mapping[str, float], means: Means) -> None:
    places = [(place, word) for place, word in enumerate(body.extra) if word in weight]
    if places:
        units = _by_unit(places, body.extra_starts)
        windows = _windows(units, body.extra_starts, len(body.extra), 1, weight, means.extra_unit)
        signals.values["extra"][name] = _fading(windows.values())


def _by_unit(places: Iterable[tuple[int, str]], starts: Sequence[int]) -> dict[int, Counter[str]]:
    units: dict[int, Counter[str]] = {}
    for place, word in places:
        units.setdefault(bisect_right(starts, place) - 1, Counter())[word] += 1
    return units


def _windows(
    units: Mapping[int, Counter[str]],
    starts: Sequence[int],
    length: int,
    width: int,
    weight: Mapping[str, float],
    mean: float,
) -> dict[int, float]:
    """Return the BM25 of every window of `width` units that holds a word; windows may reach over the ends."""
    counts: dict[int, Counter[str]] = {}
    for unit, found in units.items():
        for first in range(unit - width + 1, unit + 1):
            counts.setdefault(first, Counter()).update(found)
    scores = {}
    for first, found in counts.items():
        last = first + width
        size = (starts[last] if last < len(starts) else length) - starts[max(first, 0)]
        scores[first] = sum(weight[word] * saturate(count, size, mean * width) for word, count in found.items())
    return scores


def _fading(scores: Iterable[float]) -> float:
    best = sorted(scores, reverse=True)[:BEST_WINDOWS]
    return sum(score * FADE**place for place, score in enumerate(best))


def _pair_signal(signals: _Signals, query: Query, bodies: Mapping[int, Body], means: Means) -> None:
    """Score the neighbours of the query that are neighbours in a text too."""
    wanted = frozenset(query.pairs)
    firsts = frozenset(first for first, _ in wanted)
    found: dict[int, Counter[tuple[str, str]]] = {}
    for name, body in bodies.items():
        words = body.words
        pairs = ((word, words[i + 1]) for i, word in enumerate(words[:-1]) if word in firsts)
        found[name] = Counter(pair for pair in pairs if pair in wanted)
    holding = Counter(pair for counts in found.values() for pair in counts)
    for name, counts in found.items():
        if counts:
            length = len(bodies[name].words)
            signals.values["pairs"][name] = sum(
                idf(means.texts, holding[pair]) * saturate(count, length, means.text) for pair, count in counts.items()
            )


def _char_signal(signals: _Signals, query: Query, bodies: Mapping[int, Body], means: Means) -> None:
    """Score windows by characters: it finds inflections and misspellings that stems do not."""
    wanted = frozenset(query.chars)
    forms = dict.fromkeys(form for body in bodies.values() for form in body.forms)
    telling = {form: shared for form in forms if (shared := tuple(c for c in char_terms(form) if c in wanted))}
    places = {
        name: [(i, form) for i, form in enumerate(body.forms) if form in telling] for name, body in bodies.items()
    }
    holding = Counter(
        char for found in places.values() for char in {char for _, form in found for char in telling[form]}
    )
    weight = {char: idf(means.texts, count) for char, count in holding.items()}
    for name, body in bodies.items():
        units: dict[int, Counter[str]] = {}
        for place, form in places[name]:
            units.setdefault(bisect_right(body.starts, place) - 1, Counter()).update(telling[form])
        windows = _windows(units, body.starts, len(body.words), 3, weight, means.unit)
        if windows:
            lone = {char for _, form in places[name] for char in telling[form] if char in query.lone}
            signals.found[name] = signals.found.get(name, frozenset()) | lone
            signals.unit.setdefault(name, max(units))
            signals.values["chars"][name] = _fading(windows.values())


def _fuse(
    signals: _Signals, query: Query, bodies: Mapping[int, Body], weight: Mapping[str, float]
) -> dict[int, Scored]:
    """Add the signals in their weights, then scale by how much of the query the fullest text holds."""
    best = {signal: max(values.values()) for signal, values in signals.values.items() if values}
    active = sum(WEIGHTS[signal] for signal in best) or 1.0
    every = sum(weight[word] for word in query.words) or 1.0
    reach = {name: sum(weight[word] for word in query.words if word in found) for name, found in signals.found.items()}
    least = _LEAST_REACH_DATED if "date" in best else _LEAST_REACH
    scale = min(1.0, max(least, max(reach.values(), default=0.0) / every)) / active
    scored = {}
    for name in bodies:
        parts = {signal: signals.values[signal].get(name, 0.0) / top for signal, top in best.items()}
        total = sum(WEIGHTS[signal] * part for signal, part in parts.items())
        found = signals.found.get(name, frozenset())
        words = tuple(word for word in query.words if word in found)
        scored[name] = Scored(total * scale, parts, signals.unit.get(name, 0), words)
    return scored
