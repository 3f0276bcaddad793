"""What is each part of the search worth? One part is taken out at a time, and the same questions are asked again.

Signals are switched off in the sum; parts of the analyser are replaced while notes and questions are cut; the factors
are set to the values that switch them off, after half of the questions were asked and answered with feedback.
"""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest import mock

from common import How, Missing, Result, interval
from memory_shaper import edit
from memory_shaper.recall import cut, score
from memory_shaper.recall.analyser import analyse_query
from memory_shaper.recall.find import Ask, Finder, strengths
from memory_shaper.recall.jieba_words import JiebaWords
from memory_shaper.recall.mentions import mention
from memory_shaper.record import Record
from memory_shaper.settings import Home, Settings
from retrieval import SETS, Read
from retrieval_tools import DEEPEST, Corpus, Figures, number_of, ours, place_of, write_notes
from retrieval_tools import measure as put

STEP, QUICK_STEP = 4, 12
_CACHED = ("cut", "atoms", "stem")
_NAMES = ("LoCoMo10", "LifeBench")
Change = tuple[object, str, object]


def _same(text: str) -> str:
    return text


def _no_words(self: object, run: str) -> Sequence[str]:
    return ()


def _single(run: str) -> cut.Piece:
    """A run of Chinese in single characters."""
    return cut.Piece(tuple(run), tuple(run), tuple(cut._is_stop_dense(char) for char in run))


# part of the analyser: what stands in its place
ANALYSER: Mapping[str, tuple[Change, ...]] = {
    "stems": ((cut, "stem", _same),),
    "irregular forms": ((cut, "IRREGULAR", {}),),
    "stop words": ((cut, "STOP_ENGLISH", frozenset()), (cut, "STOP_CHINESE", frozenset())),
    "parts of technical words": ((cut, "_parts", lambda raw: iter(())),),
    "pairs of Chinese characters": ((cut, "_dense", _single),),
    "traditional to simplified": ((cut, "to_simplified", _same),),
    "jieba's words": ((JiebaWords, "__call__", _no_words),),
}
# factor: the settings that switch it off
FACTORS: Mapping[str, Mapping[str, float]] = {
    "decay": {"decay_floor": 1.0},
    "emotion": {"emotion_factor": 0.0},
    "feedback": {"feedback_boost": 1.0, "feedback_penalty": 1.0},
    "hot topics": {"hot_topic_boost": 1.0},
    "attention": {"attention_boost": 1.0},
}


def measure(how: How) -> Result:
    """Every ablation on a sample of each tuning set that is there."""
    figures: dict[str, object] = {}
    skipped: dict[str, str] = {}
    step = QUICK_STEP if how.quick else STEP
    for name in _NAMES:
        split, read = SETS[name]
        try:
            corpora = _read(name, read, how)
        except Missing as missing:
            skipped[f"{name}, {split}"] = str(missing)
            continue
        sampled = [replace(corpus, questions=corpus.questions[::step]) for corpus in corpora]
        figures[name] = {
            "signals and analyser": _compared(name, _searched(sampled)),
            "factors": _compared(f"{name} factors", _weighed(corpora, step)),
        }
    return Result(figures, skipped=skipped)


def _read(name: str, read: Read, how: How) -> list[Corpus]:
    """The haystacks of a set; in a quick run one of the first set."""
    if how.quick and name != _NAMES[0]:
        raise Missing("a quick run has no time for it")
    return read(how)[: 1 if how.quick else None]


def _compared(name: str, found: Mapping[str, Figures]) -> dict[str, object]:
    """The figures with everything, and by how much each missing part lowers hit@1 and MRR."""
    whole = found["everything"]
    rows: dict[str, object] = {"everything": whole.row()}
    for part, figures in found.items():
        if part != "everything":
            rows[part] = figures.row() | {
                "hit@1 lost": _loss(f"{name} {part}", whole, figures, lambda place: 100.0 * (place == 0)),
                "mrr lost": _loss(f"{name} {part}", whole, figures, _reciprocal),
            }
    return rows


def _reciprocal(place: int) -> float:
    return 1 / (place + 1) if place < DEEPEST else 0.0


def _loss(key: str, whole: Figures, without: Figures, worth: Callable[[int], float]) -> dict[str, object]:
    pairs = zip(whole.places, without.places, strict=True)
    losses = [worth(mine) - worth(theirs) for (_, mine), (_, theirs) in pairs]
    low, high = interval(losses, key)
    return {"mean": round(sum(losses) / len(losses), 4), "95 %": [round(low, 4), round(high, 4)]}


def _searched(corpora: Sequence[Corpus]) -> dict[str, Figures]:
    found = {name: Figures([], []) for name in ("everything", *(f"signal {signal}" for signal in score.WEIGHTS))}
    for corpus in corpora:
        with ours(corpus) as rank:
            for question in corpus.questions:
                found["everything"].places.append((question.category, place_of(rank(question.text), question)))
                for signal in score.WEIGHTS:
                    with mock.patch.object(score, "WEIGHTS", {**score.WEIGHTS, signal: 0.0}):
                        place = place_of(rank(question.text), question)
                    found[f"signal {signal}"].places.append((question.category, place))
    for part, changes in ANALYSER.items():
        with without(changes):
            found[part] = put(corpora, ours)
    return found


@contextmanager
def without(changes: Sequence[Change]) -> Iterator[None]:
    """Put something else in the place of parts of the analyser for a while; what was remembered of words is dropped."""
    with ExitStack() as stack:
        _forget()
        for owner, name, other in changes:
            stack.enter_context(mock.patch.object(owner, name, other))
        yield
    _forget()


def _forget() -> None:
    for name in _CACHED:
        for value in vars(importlib.import_module(f"memory_shaper.recall.{name}")).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def _weighed(corpora: Sequence[Corpus], step: int) -> dict[str, Figures]:
    """Each factor off in turn: every second question of the sample is history, the others are asked."""
    found = {name: Figures([], []) for name in ("everything", *FACTORS, "all factors")}
    for corpus in corpora:
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            home = Home(Path(folder, ".hermes"), "given")
            write_notes(home.memories, corpus)
            _ask_about(home, corpus, step, found)
    return found


def _ask_about(home: Home, corpus: Corpus, step: int, found: Mapping[str, Figures]) -> None:
    latest = max(document.day for document in corpus.documents)
    now = datetime(latest.year, latest.month, latest.day, tzinfo=UTC) + timedelta(days=30)
    questions = corpus.questions[:: max(1, step // 2)]
    everything = Settings()
    off: dict[str, Mapping[str, float]] = {"everything": {}, **FACTORS}
    off["all factors"] = {name: value for values in FACTORS.values() for name, value in values.items()}
    finder = Finder(home)
    with edit.open_record(home) as record:
        for question in questions[0::2]:
            best = finder.find(Ask(question.text, 1), everything, now).hits
            _remember(record, question.text, now)
            if best:
                record.counters.rate(best[0].hit.name, number_of(best[0].hit.name) in question.gold, now)
    for question in questions[1::2]:
        for name, values in off.items():
            settings = replace(everything, values={**everything.values, **values})
            hits = finder.find(Ask(question.text, DEEPEST), settings, now).hits
            ranked = [number_of(one.hit.name) for one in hits]
            found[name].places.append((question.category, place_of(ranked, question)))
    finder.close()


def _remember(record: Record, text: str, now: datetime) -> None:
    """Count the telling words of a question as talked about, as a message that touches a line counts its keywords."""
    mention(record, analyse_query(text).words, 0.0, 0, now, strengths(Settings()))
