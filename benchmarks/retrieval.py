"""Questions of public sets and of our own, put to the search of the product and to four other rankings.

Tuning splits were looked at while the defaults were chosen; test splits were read once the defaults stood.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path

import cmrc
import lifebench
import locomo
from common import How, Missing, Result, interval
from keeping import memories
from memory_shaper.recall import score
from memory_shaper.recall.factors import Strengths
from retrieval_tools import DEEPEST, RANKINGS, Corpus, Document, Figures, Question
from retrieval_tools import measure as put

QUICK_STEP = 10
SMALL = 150
# The digest of the defaults that stood before a test split was read; no test split is read with any others.
FROZEN = "4ed0825d1017"
TUNING_USERS = ("leimingxuan", "lumingqiang", "songyajing")
_DAY = date(2026, 1, 1)
Read = Callable[[How], list[Corpus]]


def measure(how: How) -> Result:
    """Every set that is there, by every ranking."""
    figures: dict[str, object] = {"defaults": defaults()}
    timings: dict[str, object] = {}
    skipped: dict[str, str] = {}
    for name, (split, read) in SETS.items():
        try:
            _only_frozen(split)
            corpora = [_sampled(corpus, QUICK_STEP if how.quick else 1) for corpus in _few(read(how), how)]
        except Missing as missing:
            skipped[f"{name}, {split}"] = str(missing)
            continue
        found = {arm: put(corpora, ranking) for arm, ranking in RANKINGS.items()}
        figures[f"{name}, {split}"] = {arm: _rows(name, arm, one) for arm, one in found.items()} | {
            "lead": _leads(name, found)
        }
        timings[f"{name}, {split}"] = {arm: _milliseconds(one.seconds) for arm, one in found.items()}
    return Result(figures, timings, skipped)


def defaults() -> dict[str, object]:
    """What decides the order of hits, and a digest of it: a changed default changes the digest."""
    values: dict[str, object] = {
        "weights": dict(score.WEIGHTS),
        "k1": score.K1,
        "b": score.B,
        "factors": asdict(Strengths()),
    }
    digest = hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:12]
    return values | {"digest": digest}


def _few(corpora: list[Corpus], how: How) -> list[Corpus]:
    return corpora[: 2 if how.quick else None]


def _only_frozen(split: str) -> None:
    if split == "test" and (digest := defaults()["digest"]) != FROZEN:
        raise Missing(
            f"the defaults ({digest}) are not those that were frozen ({FROZEN}): tune first, then freeze them"
        )


def _sampled(corpus: Corpus, step: int) -> Corpus:
    """Every so many-th question; all of a small set."""
    return replace(corpus, questions=corpus.questions[:: step if len(corpus.questions) > SMALL else 1])


def _rows(name: str, arm: str, figures: Figures) -> dict[str, dict[str, object]]:
    """The figures of all questions and of each type, with the intervals of hit@1 and MRR."""
    return {label or "all": _row(f"{name} {arm} {label}", figures, label) for label in ("", *figures.categories())}


def _row(key: str, figures: Figures, category: str) -> dict[str, object]:
    places = [place for kind, place in figures.places if category in ("", kind)]
    low, high = interval([100.0 * (place == 0) for place in places], key)
    found: dict[str, object] = {**figures.row(category), "hit@1 95 %": [round(low, 1), round(high, 1)]}
    if not category:
        low, high = interval([_reciprocal(place) for place in places], key)
        found["mrr 95 %"] = [round(low, 4), round(high, 4)]
    return found


def _reciprocal(place: int) -> float:
    return 1 / (place + 1) if place < DEEPEST else 0.0


def _leads(name: str, found: Mapping[str, Figures]) -> dict[str, object]:
    """By how many points of hit@1 the product leads each other ranking, question by question."""
    ours = found["memory-shaper"].places
    leads: dict[str, object] = {}
    for arm, figures in found.items():
        if arm != "memory-shaper":
            gains = [
                100.0 * ((mine == 0) - (theirs == 0))
                for (_, mine), (_, theirs) in zip(ours, figures.places, strict=True)
            ]
            low, high = interval(gains, f"{name} lead {arm}")
            leads[arm] = {"hit@1": round(sum(gains) / len(gains), 1), "95 %": [round(low, 1), round(high, 1)]}
    return leads


def _milliseconds(seconds: Sequence[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    return {
        f"p{part}": round(1000 * ordered[min(len(ordered) - 1, len(ordered) * part // 100)], 2) for part in (50, 95)
    }


def _locomo_tuning(how: How) -> list[Corpus]:
    try:
        return locomo.read(how.file("locomo10-tune.json"))
    except Missing:
        return locomo.read(how.file("locomo10.json"))[0::2]


def _locomo_test(how: How) -> list[Corpus]:
    return locomo.read(how.file("locomo10.json"))[1::2]


def _users(how: How) -> Iterator[tuple[str, Path]]:
    for path in sorted(how.file("lifebench-zh").glob("*.json")):
        yield path.stem, path


def _lifebench_tuning(how: How) -> list[Corpus]:
    return [corpus for name, path in _users(how) if name in TUNING_USERS for corpus in lifebench.read(path)]


def _lifebench_test(how: How) -> list[Corpus]:
    paths = [path for name, path in _users(how) if name not in TUNING_USERS]
    if not paths:
        raise Missing("lifebench-zh holds no user beyond those of the tuning split")
    return [corpus for path in paths for corpus in lifebench.read(path)]


def _cmrc(how: How) -> list[Corpus]:
    return cmrc.read(how.file("cmrc2018_dev.json"))


def own(how: How) -> list[Corpus]:
    """The memories and probes of fixtures/memories.yaml."""
    documents = [Document(_DAY, memory.text.splitlines()) for memory in memories()]
    questions = [
        Question(probe.question, frozenset((number,)), "English" if probe.question.isascii() else "Chinese")
        for number, memory in enumerate(memories())
        for probe in memory.probes
    ]
    return [Corpus("own", documents, questions)]


# name: (split, what reads it)
SETS: Mapping[str, tuple[str, Read]] = {
    "LoCoMo10": ("tuning", _locomo_tuning),
    "LoCoMo10, other half": ("test", _locomo_test),
    "LifeBench": ("tuning", _lifebench_tuning),
    "LifeBench, other users": ("test", _lifebench_test),
    "CMRC2018": ("tuning", _cmrc),
    "complex memories": ("test", own),
}
