"""How long do building, refreshing and searching take? Beside FTS5, bm25s and tantivy over the same texts.

    python benchmarks/search_speed.py [--json] [--small]

Texts are drawn with a fixed seed from 60,000 made-up words in Zipf's proportions, a tenth of them Chinese; a question
is seven words of one text. "search" is one process asking 200 questions, "cold" the first question of a new process,
"find" all that the tool does: the folder compared, searched, weighed by its factors, the lines of the index asked.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path

from common import PACKAGE, SEED
from memory_shaper import edit
from memory_shaper.recall.find import Ask, finder
from memory_shaper.recall.search import Scope, Wish, search
from memory_shaper.recall.sessions import refresh_sessions
from memory_shaper.recall.sidecar import Sidecar
from memory_shaper.settings import Home, load
from peers import percentiles, timed, times

QUESTIONS = 200
_STARTS = ("b", "c", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "br", "st", "tr", "pl", "ch")
_SYLLABLES = [start + end for start in _STARTS for end in ("a", "e", "i", "o", "u", "ai", "ea", "or")]


class Words:
    """A vocabulary in Zipf's proportions; the same seed gives the same texts."""

    def __init__(self, seed: int, size: int = 60_000) -> None:
        self.random = random.Random(seed)
        self.words = list(dict.fromkeys(self._word() for _ in range(size)))
        self.weights = list(accumulate(1 / (rank + 10) for rank in range(len(self.words))))

    def _word(self) -> str:
        if self.random.random() < 0.1:
            return "".join(chr(self.random.randrange(0x4E00, 0x5600)) for _ in range(2))
        return "".join(self.random.choices(_SYLLABLES, k=self.random.randint(2, 4)))

    def text(self, size: int) -> str:
        """Return a text of about `size` words in lines of about fifteen."""
        words = self.random.choices(self.words, cum_weights=self.weights, k=size)
        return "\n".join(" ".join(words[i : i + 15]) for i in range(0, size, 15)) + "\n"


def _questions(words: Words, texts: Sequence[str]) -> list[str]:
    return [" ".join(words.random.sample(words.random.choice(texts).split(), 7)) for _ in range(QUESTIONS)]


def notes(folder: Path, count: int, size: int) -> dict[str, object]:
    """Measure `count` notes of about `size` words each."""
    words = Words(SEED)
    texts = [words.text(size) for _ in range(count)]
    memories = folder / "memories"
    memories.mkdir(parents=True)
    for number, text in enumerate(texts):
        (memories / f"n{number:05d}.md").write_text(text, "utf-8")
    questions = _questions(words, texts)
    home = _home(folder, words, texts)
    time.sleep(2.1)  # So that the files are older than the tick of their clock, as notes are.
    with Sidecar(home.data / "sidecar.db", memories, rules=load(home).rules) as sidecar:
        result: dict[str, object] = {"build s": round(timed(sidecar.refresh), 2)}
        result["refresh without a change ms"] = round(1000 * timed(sidecar.refresh), 1)
        result["search ms"] = percentiles(lambda question: search(sidecar, question, refresh=False), questions)
        result["search with refresh ms"] = percentiles(lambda question: search(sidecar, question), questions[:20])
        result["find ms"] = _finding(home, questions[:20])
        result["store one ms"] = _changes(sidecar, memories, words, size, named=True)
        result["refresh with a change ms"] = _changes(sidecar, memories, words, size, named=False)
    result["cold search ms"] = round(1000 * _cold(home, questions[1]), 1)
    result["disk MB"] = round((home.data / "sidecar.db").stat().st_size / 1e6, 1)
    result["peak RSS MB"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)
    result["peers ms"] = times(texts, questions)
    return result


def _home(folder: Path, words: Words, texts: Sequence[str]) -> Home:
    """Return a home with sixteen lines in its index and a record."""
    home = Home(folder, "given")
    lines = [f"{','.join(words.random.sample(text.split(), 12))} → n{i:05d}.md" for i, text in enumerate(texts[:16])]
    home.index.write_text("\n§\n".join(lines), "utf-8")
    with edit.open_record(home, load(home)):
        return home


def _finding(home: Home, questions: Sequence[str]) -> dict[str, float]:
    settings, now = load(home), datetime.now(UTC)
    with finder(home) as finds:
        return percentiles(lambda question: finds.find(Ask(question), settings, now), questions)


def _changes(sidecar: Sidecar, memories: Path, words: Words, size: int, named: bool) -> dict[str, float]:
    """Time taking over one changed note, whose name is told, or that is looked for among all."""
    seconds = []
    for number in range(40):
        name = f"n{number:05d}.md"
        (memories / name).write_text(words.text(size), "utf-8")
        os.utime(memories / name, (1.7e9 + number, 1.7e9 + number))
        only = [name] if named else None
        seconds.append(timed(lambda only=only: sidecar.refresh(only=only)))  # type: ignore[misc]
    seconds.sort()
    return {"p50": round(1000 * seconds[20], 1), "p95": round(1000 * seconds[38], 1)}


def _cold(home: Home, question: str) -> float:
    code = (
        "import sys, time; start = time.perf_counter(); sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\nfrom memory_shaper.recall.search import search\n"
        "from memory_shaper.recall.sidecar import Sidecar\n"
        "from memory_shaper.settings import Home, load\nhome = Home(Path(sys.argv[2]), 'given')\n"
        "with Sidecar(home.data / 'sidecar.db', home.memories, rules=load(home).rules) as sidecar:\n"
        "    search(sidecar, sys.argv[3])\n"
        "print(time.perf_counter() - start)"
    )
    command = [sys.executable, "-c", code, str(PACKAGE), str(home.path), question]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def sessions(folder: Path, messages: int) -> dict[str, object]:
    """Measure `messages` messages of past sessions, fifty to a session."""
    words = Words(SEED + 1)
    texts = [words.text(words.random.randint(10, 60)) for _ in range(messages)]
    state = folder / "state.db"
    with closing(sqlite3.connect(state)) as host:
        host.execute("CREATE TABLE sessions(id TEXT PRIMARY KEY)")
        host.execute(
            "CREATE TABLE messages(id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, timestamp REAL)"
        )
        host.executemany("INSERT INTO sessions VALUES (?)", ((f"s{i}",) for i in range(messages // 50 + 1)))
        rows = ((f"s{i // 50}", "user" if i % 2 else "assistant", text, 1.7e9 + i * 60) for i, text in enumerate(texts))
        host.executemany("INSERT INTO messages(session_id, role, content, timestamp) VALUES (?, ?, ?, ?)", rows)
        host.commit()
    (folder / "memories").mkdir()
    wish = Wish(scope=Scope.SESSIONS, state=state)
    questions = _questions(words, texts)
    with Sidecar(folder / "sidecar.db", folder / "memories") as sidecar:
        result: dict[str, object] = {"take over s": round(timed(lambda: refresh_sessions(sidecar, state)), 2)}
        result["refresh without a change ms"] = round(1000 * timed(lambda: refresh_sessions(sidecar, state)), 1)
        result["search ms"] = percentiles(lambda question: search(sidecar, question, wish, refresh=False), questions)
    return result


def main() -> int:
    """Measure every size and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--small", action="store_true", help="a tenth of every size")
    wanted = parser.parse_args()
    share = 10 if wanted.small else 1
    results = {}
    for name, measure in {
        "5,000 entries of 120 words": lambda folder: notes(folder, 5000 // share, 120),
        "10,000 topics of 2 kB": lambda folder: notes(folder, 10_000 // share, 300),
        "100,000 session messages": lambda folder: sessions(folder, 100_000 // share),
    }.items():
        with tempfile.TemporaryDirectory() as folder:
            results[name] = measure(Path(folder))
        if not wanted.json:
            print(name, *(f"  {key}: {value}" for key, value in results[name].items()), sep="\n", flush=True)
    if wanted.json:
        print(
            json.dumps(
                {"python": sys.version.split()[0], "sqlite": sqlite3.sqlite_version, "seed": SEED, **results}, indent=1
            )
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
