"""Proposing a name and keywords for a text: what is telling in it and rare in the index. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import log

from . import names
from .model import Entry
from .rules import MOST
from .rules.base import hyphenated, lower
from .rules.words import GENERIC
from .sayings import SAYINGS
from .terms import PLENTY, STOP, WEAK, Segment, gain, root, terms

FEWEST = 5
_PROPOSED = 12
_LONGEST_NAME = 60
_NAME_WORDS = 3
_SAID = 4  # the strongest words, of which what people say for them is taken too
_WORD = re.compile(r"[^\W_](?:[\w.+#/-]*[\w+#])?")
_SHORT_FACTS = ("preference", "habit", "personal", "profile", "fact")


def propose(
    text: str,
    index: Sequence[Entry],
    given: Sequence[str] = (),
    most: int = _PROPOSED,
    segment: Segment | None = None,
) -> list[str]:
    """Keywords for a text, the given ones first: telling in the text, rare in the other entries, no filler words.

    Where enough are given, they are taken as they are. `segment` cuts Chinese into words; without one long runs are
    cut at function characters.
    """
    chosen = list(dict.fromkeys(word for raw in given if (word := hyphenated(raw))))[:MOST]
    if len(chosen) >= FEWEST:
        return chosen
    taken = Counter(root(lower(word)) for entry in index for word in entry.keywords)
    chosen += [word for word in _ranked(text, taken, len(index), segment) if word not in chosen][: most - len(chosen)]
    if len(chosen) < FEWEST:
        chosen += [word for word in _pairs(text) if word not in chosen][: FEWEST - len(chosen)]
    return chosen


def _ranked(text: str, taken: Counter[str], size: int, segment: Segment | None) -> list[str]:
    """The words of a text by weight and rarity, each strong one followed by what people say for it."""
    weights = _weights(text, segment)
    worth = {word: weight * (0.3 + log((size + 2) / (1 + taken[root(word)]))) for word, weight in weights.items()}
    best = sorted(worth, key=lambda word: (-worth[word], word))
    said = {other: word for word in best[:_SAID] for other in SAYINGS.get(word, SAYINGS.get(root(word), ()))}
    roots = {root(word) for word in best}
    also = [word for word in said if root(word) not in roots and not taken[root(word)]]
    return [*best[:PLENTY], *also[:2], *best[PLENTY:]]


def _weights(text: str, segment: Segment | None) -> dict[str, float]:
    weights: dict[str, float] = {}
    spelled: dict[str, str] = {}
    for place, term in enumerate(terms(text, segment)):
        word = spelled.setdefault(term.root, term.word)
        weights[word] = max(weights.get(word, 0.0), gain(term, word, place)) + (0.15 if word in weights else 0.0)
    strong = {word: weight for word, weight in weights.items() if weight >= WEAK}
    return strong if len(strong) >= FEWEST else weights


def _pairs(text: str) -> list[str]:
    """Of a short text, neighbouring words joined by a hyphen: `red-car`; then what a short fact mostly is about."""
    words = [word for raw in _WORD.findall(text) if (word := hyphenated(raw)) and word not in STOP | GENERIC]
    pairs = [f"{one}-{two}" for one, two in pairwise(words) if len(one) + len(two) < _LONGEST_NAME]
    return list(dict.fromkeys([*pairs, *words, *_SHORT_FACTS])) if words else []


def file_name(text: str, topic: str = "", segment: Segment | None = None) -> str:
    """The name of a topic file: from the given topic, else from the most telling words, in the order of the text."""
    source = topic.strip().removesuffix(".md") if topic.strip() else " ".join(_telling(text[:2000], segment))
    words = re.findall(r"[\w.+-]+", lower(source))
    stem = re.sub(r"-{2,}", "-", "-".join(words)).strip("-._")[:_LONGEST_NAME].strip("-._") or "note"
    name = f"{stem}.md"
    return f"note-{name}" if names.fault(name) else name


def _telling(text: str, segment: Segment | None) -> Iterable[str]:
    weights = _weights(text, segment)
    best = sorted(weights, key=lambda word: (-weights[word], word))[:_NAME_WORDS]
    return [word for word in weights if word in best] or re.findall(r"\w+", text[:200])[:_NAME_WORDS]
