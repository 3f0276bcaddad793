"""Proposing a name and keywords for a text: what is telling in it and rare in the index. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from . import names
from .model import Entry
from .rules import MOST
from .rules.base import hyphenated, lower
from .rules.words import GENERIC

Segment = Callable[[str], Sequence[str]]

FEWEST = 5
_PROPOSED = 12
_LONGEST_NAME = 60
_WORD = re.compile(r"[^\W_](?:[\w.+#/-]*[\w+#])?")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_SHORT_FACTS = ("preference", "habit", "personal", "profile", "fact")
STOP = frozenset(
    """
    am been being but by can could did do does doing done down each few get got had has have he her here him his i if
    into its just let like made make many may me might more most much must my need needs never no nor not now off once
    one only our out over own per please same say says she should so some such than that their them then there these
    they those through too under until up us use used user uses using very via want wants we were when where which
    while who why will would you your remember always also after again before because between both during
    的 了 是 在 和 有 我 你 他 她 它 们 也 都 就 不 要 这 那 与 及 或 被 把 对 从 到 为 以 请 记住 需要 使用 可以
    """.split()
)


def propose(
    text: str,
    index: Iterable[Entry],
    given: Sequence[str] = (),
    most: int = _PROPOSED,
    segment: Segment | None = None,
) -> list[str]:
    """Keywords for a text, the given ones first: frequent in the text, rare in the other entries, no filler words.

    Where enough are given, they are taken as they are. `segment` cuts Chinese into words; without one, or where it
    gives nothing, long runs are cut into pairs.
    """
    chosen = list(dict.fromkeys(word for raw in given if (word := hyphenated(raw))))[:MOST]
    if len(chosen) >= FEWEST:
        return chosen
    known = Counter(lower(word) for entry in index for word in entry.keywords)
    counts = Counter(_candidates(text, segment))
    first = {word: place for place, word in enumerate(counts)}
    ranked = sorted(counts, key=lambda word: (known[word], -counts[word] - _weight(word), first[word]))
    chosen += [word for word in ranked if word not in chosen][: max(0, most - len(chosen))]
    if len(chosen) < FEWEST:
        chosen += [word for word in _pairs(text) if word not in chosen][: FEWEST - len(chosen)]
    return chosen


def _pairs(text: str) -> list[str]:
    """Of a short text, neighbouring words joined by a hyphen: `red-car`; then what a short fact mostly is about."""
    words = [word for raw in _WORD.findall(text) if (word := hyphenated(raw)) and word not in STOP | GENERIC]
    pairs = [f"{one}-{two}" for one, two in pairwise(words) if len(one) + len(two) < _LONGEST_NAME]
    return list(dict.fromkeys([*pairs, *words, *_SHORT_FACTS])) if words else []


def _candidates(text: str, segment: Segment | None = None) -> list[str]:
    found: list[str] = []
    for raw in _WORD.findall(text):
        if _HAN.search(raw):
            found += [piece for run in _HAN.findall(raw) for piece in _cut(run, segment)]
        elif (word := hyphenated(raw)) and _tells(word):
            found.append(word)
    return found


def _cut(run: str, segment: Segment | None) -> list[str]:
    # Without a dictionary: a short run is a word, a long one is cut into pairs.
    words = segment(run) if segment else ()
    pieces = words or ([run] if len(run) <= 4 else [run[i : i + 2] for i in range(0, len(run) - 1, 2)])
    return [piece for piece in pieces if len(set(piece)) > 1 and piece not in STOP and piece not in GENERIC]


def _tells(word: str) -> bool:
    return 2 < len(word) <= 40 and word not in GENERIC and word not in STOP and not word.isdigit()


def _weight(word: str) -> float:
    # Longer words and words with digits or signs in them (versions, commands, codes) say more.
    return min(len(word), 12) / 12 + (0.5 if re.search(r"[\d.+#/_-]", word) else 0)


def file_name(text: str, topic: str = "") -> str:
    """The name of a topic file: from the given topic, else from the first telling words of the text."""
    source = topic.strip().removesuffix(".md") if topic.strip() else " ".join(_telling(text)[:4])
    words = re.findall(r"[\w.+-]+", lower(source))
    stem = re.sub(r"-{2,}", "-", "-".join(words)).strip("-._")[:_LONGEST_NAME].strip("-._") or "note"
    name = f"{stem}.md"
    return f"note-{name}" if names.fault(name) else name


def _telling(text: str) -> list[str]:
    found = list(dict.fromkeys(_candidates(text[:2000])))
    return found or re.findall(r"\w+", text[:200])
