"""What does a search cost that also compares 5,000 vectors? With numpy and without, beside the same by words alone.

    python benchmarks/vectors.py [--json] [--notes N] [--size N]

Notes are drawn with a fixed seed; their vectors are random, since only their number and size cost time. The endpoint
is a process of this machine that answers at once, so what it takes to embed is not in the figures.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "plugin" / "memory-shaper"), str(ROOT / "benchmarks")]

from memory_shaper.recall.find import Ask, Finder
from memory_shaper.recall.vectors import maths
from memory_shaper.settings import Home, Settings
from search_speed import Words

SEED = 20261130
REPEATS = 20


class Endpoint(BaseHTTPRequestHandler):
    """Answers every text with a random vector."""

    size = 0
    random = random.Random(SEED)

    def do_POST(self) -> None:
        count = len(json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"])
        rows = [{"index": i, "embedding": [self.random.gauss() for _ in range(self.size)]} for i in range(count)]
        body = json.dumps({"data": rows}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


def best_ms(call: Callable[[], object]) -> float:
    """The least CPU time of a call in ms."""
    spent = []
    for _ in range(REPEATS):
        began = time.process_time()
        call()
        spent.append(time.process_time() - began)
    return round(1000 * min(spent), 2)


def measure(folder: Path, address: str, notes: int) -> dict[str, float]:
    """Build a store of notes of one passage each, and ask it."""
    words = Words(SEED)
    home = Home(folder, "given")
    home.memories.mkdir(parents=True)
    for number in range(notes):
        (home.memories / f"n{number:05d}.md").write_text(words.text(60), "utf-8")
    given: dict[str, str | int | float] = {
        "embedding_url": address,
        "embedding_model": "random",
        "embedding_batch": 500,
    }
    settings = replace(Settings(), values={**Settings().values, **given})
    question = " ".join(words.text(7).split())
    finder = Finder(home)
    now = datetime.now(UTC)

    def ask(meaning: bool) -> object:
        return finder.find(Ask(question, meaning=meaning), settings, now)

    ask(False)
    began = time.process_time()
    built = finder.meaning.build(finder.sidecar.files(), settings)
    figures = {"passages": float(built.passages), "build CPU s": round(time.process_time() - began, 2)}
    ask(True)
    figures["search by words ms"] = best_ms(lambda: ask(False))
    figures["search by words and meaning ms"] = best_ms(lambda: ask(True))
    figures["vectors.db MB"] = round((home.data / "vectors.db").stat().st_size / 1e6, 1)
    finder.close()
    return figures


def compare(notes: int, size: int) -> dict[str, float]:
    """The cosines alone, with numpy and in plain Python."""
    source = random.Random(SEED)
    rows = maths.unit([source.gauss() for _ in range(notes * size)])
    query = rows[:size]
    figures = {"cosines in plain Python ms": best_ms(lambda: list(maths._plain(rows, query)))}
    try:
        figures["cosines with numpy ms"] = best_ms(lambda: maths._by_numpy(rows, query))
    except ImportError:
        return figures
    return figures


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--notes", type=int, default=5000)
    parser.add_argument("--size", type=int, default=1024)
    wanted = parser.parse_args()
    Endpoint.size = wanted.size
    with ThreadingHTTPServer(("127.0.0.1", 0), Endpoint) as server, tempfile.TemporaryDirectory() as folder:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        results = measure(Path(folder), f"http://127.0.0.1:{server.server_address[1]}", wanted.notes)
        server.shutdown()
    results |= compare(wanted.notes, wanted.size)
    if wanted.json:
        print(json.dumps({"python": sys.version.split()[0], "seed": SEED, "size": wanted.size, **results}, indent=1))
    else:
        print(*(f"{name}: {value}" for name, value in results.items()), sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
