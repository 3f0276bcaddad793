"""How do times grow, from a hundred notes to a hundred thousand? Ours beside FTS5, bm25s and tantivy in the same run.

Notes of about sixty words are searched by warm questions; indexes are checked; states of a host are tallied.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import state_db
import verify
from common import SEED, How, Result, draw
from memory_shaper import grammar, rules
from memory_shaper.recall.search import search
from memory_shaper.recall.sidecar import Sidecar
from memory_shaper.watchdog.scan import Watermark, scan
from peers import percentiles, timed, times
from search_speed import Words

WORDS = 60
SIZES = (100, 1_000, 10_000, 100_000)
ROUNDS = 3
QUESTIONS = 60


def measure(how: How) -> Result:
    """The curves, in milliseconds by size."""
    sizes = SIZES[:2] if how.quick else SIZES
    rounds = 1 if how.quick else ROUNDS
    curves: dict[str, dict[str, object]] = {"search, p50 ms": {}, "build, ms": {}, "verify, ms": {}, "tally, ms": {}}
    for size in sizes:
        searched, built = _search(size)
        curves["search, p50 ms"][str(size)] = searched
        curves["build, ms"][str(size)] = built
        curves["verify, ms"][str(size)] = _best(lambda size=size: _verify(size), rounds)  # type: ignore[misc]
        curves["tally, ms"][str(size)] = _tally(size, rounds)
    return Result({"sizes": list(sizes), "words a note": WORDS}, curves)


def _best(call: Callable[[], object], rounds: int) -> dict[str, float]:
    """The smallest and the largest of a few runs, in ms."""
    found = [round(1000 * timed(call), 2) for _ in range(rounds)]
    return {"min": min(found), "max": max(found)}


def _search(size: int) -> tuple[Mapping[str, float | str], float]:
    words = Words(SEED)
    texts = [words.text(WORDS) for _ in range(size)]
    chance = draw(f"growth {size}")
    questions = [" ".join(chance.sample(chance.choice(texts).split(), 7)) for _ in range(QUESTIONS)]
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        ours, built = _ours(Path(folder), texts, questions)
    others = {name: row if isinstance(row, str) else row["p50"] for name, row in times(texts, questions).items()}
    return {"memory-shaper": ours, **others}, round(1000 * built, 1)


def _ours(folder: Path, texts: Sequence[str], questions: Sequence[str]) -> tuple[float, float]:
    memories = folder / "memories"
    memories.mkdir()
    for number, text in enumerate(texts):
        (memories / f"n{number:06d}.md").write_text(text, "utf-8")
    with Sidecar(folder / "sidecar.db", memories) as sidecar:
        built = timed(sidecar.refresh)
        found = percentiles(lambda question: search(sidecar, question, refresh=False), questions)
    return found["p50"], built


def _verify(size: int) -> object:
    grammar._remembered.cache_clear()
    return rules.check(rules.Scope(verify.index(size), verify.folder(size)))


def _tally(size: int, rounds: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        path = Path(folder, "state.db")
        state_db.build(path, max(size, 12))
        return _best(lambda: scan(path, Watermark(), state_db.TOPICS, state_db.file_reader), rounds)
