"""How well texts answer a query: BM25 of whole texts, windows, neighbours, characters and dates, in fixed weights. Pure.

BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009), with the always positive idf
ln(1 + (N - n + 0.5) / (n + 0.5)); every signal is divided by its best value and the weighted sum decides.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .analyser import Query
from .cut import char_terms, root

K1 = 0.9
B = 0.6
# Units of a window that is wide enough for a question and its answer.
WIDE = 3
# Texts whose neighbours and characters are looked at, the best by everything else.
CLOSER = 20
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
    """Where the terms of a query stand in one field of one text: (place, term), of `length` places; `starts` holds the
    first place of every unit."""

    found: Sequence[tuple[int, str]]
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
class _Body:
    forms: Sequence[str]
    starts: Sequence[int]


# Reads the forms of some texts, in their order.
Forms = Callable[[Sequence[int]], Mapping[int, Sequence[str]]]


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
    query: Query,
    sights: Mapping[int, Sight],
    weight: Mapping[str, float],
    means: Means,
    dates: Mapping[int, float],
    forms: Forms,
) -> dict[int, Scored]:
    """Score texts against a query.

    `weight` gives the idf of every word and extra word of the query, `dates` how well the day of a text fits the dates
    that the query names; `forms` reads the forms of the few texts that get a closer look. The scores compare texts of
    one call only.
    """
    signals = _Signals()
    signals.values["date"] = {name: dates[name] for name in sights if dates.get(name)}
    for name, sight in sights.items():
        _word_signals(signals, name, sight.words, weight, means)
        _extra_signal(signals, name, sight.extra, weight, means)
    first = _fuse(signals, query, sights, weight)
    ranked = sorted(first, key=lambda name: (-first[name].total, -name))[:CLOSER]
    bodies = {name: _Body(text, sights[name].words.starts) for name, text in forms(ranked).items()}
    places, firsts, chars = _telling(query, bodies)
    _pair_signal(signals, query, bodies, places, firsts, means)
    _char_signal(signals, query, bodies, places, chars, means)
    return _fuse(signals, query, sights, weight)


def _telling(
    query: Query, bodies: Mapping[int, _Body]
) -> tuple[dict[int, list[tuple[int, str]]], dict[str, str], dict[str, tuple[str, ...]]]:
    """Return where the telling forms stand: those that begin a pair of the query, with their root, and those that share
    characters with it, with what they share."""
    pairs = frozenset(first for first, _ in query.pairs)
    wanted = frozenset(query.chars)
    forms = set().union(*(body.forms for body in bodies.values()))
    firsts = {form: word for form in forms if (word := root(form)) in pairs}
    sharing = (form for form in forms if not wanted.isdisjoint(char_terms(form)))
    chars = {form: tuple(char for char in char_terms(form) if char in wanted) for form in sharing}
    telling = firsts.keys() | chars.keys()
    places = {
        name: [(i, form) for i, form in enumerate(body.forms) if form in telling] for name, body in bodies.items()
    }
    return places, firsts, chars


def _word_signals(signals: _Signals, name: int, spots: Spots, weight: Mapping[str, float], means: Means) -> None:
    if not spots.found:
        return
    counts = Counter(word for _, word in spots.found)
    signals.found[name] = frozenset(counts)
    signals.values["text"][name] = _bm25(counts, spots.length, means.text, weight)
    units = _by_unit(((place, (word,)) for place, word in spots.found), spots.starts)
    single = _windows(units, spots.starts, spots.length, 1, weight, means.unit)
    wide = _windows(units, spots.starts, spots.length, WIDE, weight, means.unit)
    signals.values["unit"][name] = _fading(single.values())
    signals.values["window"][name] = _fading(wide.values())
    # Of equal units the later one: a correction stands below what it corrects.
    signals.unit[name] = max(single, key=lambda unit: (single[unit], unit))


def _extra_signal(signals: _Signals, name: int, spots: Spots, weight: Mapping[str, float], means: Means) -> None:
    if spots.found:
        units = _by_unit(((place, (word,)) for place, word in spots.found), spots.starts)
        windows = _windows(units, spots.starts, spots.length, 1, weight, means.extra_unit)
        signals.values["extra"][name] = _fading(windows.values())


def _by_unit(spots: Iterable[tuple[int, Iterable[str]]], starts: Sequence[int]) -> _Counts:
    """Count the terms at places of a text by unit."""
    units: _Counts = {}
    for place, terms in spots:
        unit = bisect_right(starts, place) - 1
        counts = units.get(unit)
        if counts is None:
            counts = units[unit] = {}
        for term in terms:
            counts[term] = counts.get(term, 0) + 1
    return units


def _windows(
    units: _Counts, starts: Sequence[int], length: int, width: int, weight: Mapping[str, float], mean: float
) -> dict[int, float]:
    """Return the BM25 of every window of `width` units that holds a term; windows may reach over the ends."""
    scores = {}
    for first, counts in (units if width == 1 else _joined(units, width)).items():
        last = first + width
        size = (starts[last] if last < len(starts) else length) - starts[max(first, 0)]
        scores[first] = _bm25(counts, size, mean * width, weight)
    return scores


def _joined(units: _Counts, width: int) -> _Counts:
    joined: _Counts = {}
    for unit, found in units.items():
        for first in range(unit - width + 1, unit + 1):
            counts = joined.get(first)
            if counts is None:
                joined[first] = found.copy()
            else:
                for term, count in found.items():
                    counts[term] = counts.get(term, 0) + count
    return joined


def _bm25(counts: Mapping[str, int], length: float, mean: float, weight: Mapping[str, float]) -> float:
    # The same as the sum of `saturate`, without a call for every term: this is where the time goes.
    slow = K1 * (1 - B + B * length / (mean or 1))
    total = 0.0
    for term, count in counts.items():
        total += weight[term] * count / (count + slow)
    return total * (K1 + 1)


def _fading(scores: Iterable[float]) -> float:
    best = sorted(scores, reverse=True)[:BEST_WINDOWS]
    return sum(score * FADE**place for place, score in enumerate(best))


def _pair_signal(
    signals: _Signals,
    query: Query,
    bodies: Mapping[int, _Body],
    places: Mapping[int, Sequence[tuple[int, str]]],
    firsts: Mapping[str, str],
    means: Means,
) -> None:
    """Score the neighbours of the query that are neighbours in a text too."""
    wanted = frozenset(query.pairs)
    found: dict[int, Counter[tuple[str, str]]] = {}
    for name, body in bodies.items():
        forms = (*body.forms, "")
        pairs = ((firsts[form], root(forms[place + 1])) for place, form in places[name] if form in firsts)
        found[name] = Counter(pair for pair in pairs if pair in wanted)
    holding = Counter(pair for counts in found.values() for pair in counts)
    weight = {pair: idf(means.texts, count) for pair, count in holding.items()}
    for name, counts in found.items():
        if counts:
            length = len(bodies[name].forms)
            signals.values["pairs"][name] = sum(
                weight[pair] * saturate(count, length, means.text) for pair, count in counts.items()
            )


def _char_signal(
    signals: _Signals,
    query: Query,
    bodies: Mapping[int, _Body],
    places: Mapping[int, Sequence[tuple[int, str]]],
    chars: Mapping[str, tuple[str, ...]],
    means: Means,
) -> None:
    """Score windows by characters: it finds inflections and misspellings that stems do not."""
    spots = {name: [(i, chars[form]) for i, form in found if form in chars] for name, found in places.items()}
    holding = Counter(char for found in spots.values() for char in {char for _, shared in found for char in shared})
    weight = {char: idf(means.texts, count) for char, count in holding.items()}
    for name, body in bodies.items():
        units = _by_unit(spots[name], body.starts)
        if units:
            windows = _windows(units, body.starts, len(body.forms), WIDE, weight, means.unit)
            signals.values["chars"][name] = _fading(windows.values())
            signals.unit.setdefault(name, max(units))
            lone = {char for char in query.lone if any(char in counts for counts in units.values())}
            signals.found[name] = signals.found.get(name, frozenset()) | lone


def _fuse(signals: _Signals, query: Query, names: Iterable[int], weight: Mapping[str, float]) -> dict[int, Scored]:
    """Add the signals in their weights, then scale by how much of the query the fullest text holds."""
    best = {signal: max(values.values()) for signal, values in signals.values.items() if values}
    active = sum(WEIGHTS[signal] for signal in best) or 1.0
    every = sum(weight[word] for word in query.words) or 1.0
    reach = {name: sum(weight[word] for word in query.words if word in found) for name, found in signals.found.items()}
    least = _LEAST_REACH_DATED if "date" in best else _LEAST_REACH
    scale = min(1.0, max(least, max(reach.values(), default=0.0) / every)) / active
    scored = {}
    for name in names:
        parts = {signal: signals.values[signal].get(name, 0.0) / top for signal, top in best.items()}
        total = sum(WEIGHTS[signal] * part for signal, part in parts.items())
        found = signals.found.get(name, frozenset())
        words = tuple(word for word in query.words if word in found)
        scored[name] = Scored(total * scale, parts, signals.unit.get(name, 0), words)
    return scored
