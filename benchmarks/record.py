"""What does the record cost: opening, noting, accepting, and the size of ten thousand edits?

    python benchmarks/record.py [--json] [--edits N]

Each figure is taken on a real file in the temp folder, with a real commit to disk for each operation.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import common  # noqa: F401  (puts the package on the path)
from memory_shaper.record import Event, EventKind, Flight, Identity, Promise, Record, Source, this_process

SEED = 1
START = datetime(2026, 1, 1, tzinfo=UTC)
SOURCE = Source("memory", "20260101_120000_abcdef", "call_0123456789abcdef", "gateway", 4242)


def line(rng: random.Random) -> str:
    """An index line of twelve keywords that no compressor has seen before, about 90 characters."""
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(3, 9))) for _ in range(12)]
    return f"{','.join(words)} → {words[0]}.md"


def spent(action: Callable[[], object]) -> float:
    """The milliseconds that an action takes."""
    begin = time.perf_counter()
    action()
    return (time.perf_counter() - begin) * 1000


def summary(samples: list[float]) -> dict[str, float]:
    """Median and 95th percentile in milliseconds."""
    return {"p50_ms": round(statistics.median(samples), 3), "p95_ms": round(statistics.quantiles(samples, n=20)[18], 3)}


def edits(path: Path, number: int) -> dict[str, object]:
    """Accept so many edits of an index of two kilobytes, each of one line, and look at time and size."""
    rng = random.Random(SEED)
    lines = [line(rng) for _ in range(24)]
    samples = []
    with Record.open(path) as record:
        for count in range(number):
            lines[rng.randrange(len(lines))] = line(rng)
            content = "\n§\n".join(lines).encode()
            event = Event(EventKind.ACCEPTED, START + timedelta(seconds=count), rule="memory-replace", source=SOURCE)
            look = Identity(count, len(content), count)
            samples.append(spent(lambda: record.accepted.accept("MEMORY.md", content, look, event)))  # noqa: B023
        used = record.used_bytes()
    sizes = {
        "index_bytes": len(content),
        "used_mb": round(used / 1e6, 2),
        "file_mb": round(path.stat().st_size / 1e6, 2),
    }
    return {"edits": number, **sizes, "accept": summary(samples), "accept_max_ms": round(max(samples), 1)}


def opening(path: Path) -> dict[str, object]:
    """Open and close a full record; and open, take a call off, promise, land and close, as a hook pair does."""

    def hook() -> None:
        with Record.open(path) as record:
            now, host = datetime.now(UTC), this_process()
            record.flights.take_off(Flight("s", "c", "terminal", host, now))
            record.promises.make(Promise("MEMORY.md", None, ("0" * 64,), "s", "c", now, now))
            record.flights.land("s", "c", host)

    def look() -> None:
        with Record.open(path) as record:
            record.accepted.all()

    bare = [spent(lambda: Record.open(path).close()) for _ in range(200)]
    alone = {"open_close": bare, "open_look_close": [spent(look) for _ in range(200)]}
    alone["open_hook_close"] = [spent(hook) for _ in range(200)]
    with Record.open(path):  # As long as another connection is open, the one that closes writes nothing back.
        held = {"held_look": [spent(look) for _ in range(200)], "held_hook": [spent(hook) for _ in range(200)]}
    return {name: summary(samples) for name, samples in (alone | held).items()}


def noting(path: Path, number: int = 2000) -> dict[str, object]:
    """Write so many refusals, one commit each."""
    with Record.open(path) as record:
        event = Event(EventKind.BLOCKED, START, "MEMORY.md", rule="entry-lost", source=SOURCE)
        total = sum(spent(lambda: record.journal.note(event)) for _ in range(number))
    return {"notes": number, "notes_per_second": round(number / total * 1000)}


def run(number: int) -> dict[str, object]:
    """All figures, with what they were taken on."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "record.db"
        first = round(spent(lambda: Record.open(path).close()), 2)
        size = edits(path, number)
        versions = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version, "seed": SEED}
        return {**versions, "create_ms": first, **size, **opening(path), **noting(path)}


def main() -> int:
    """Print the figures as lines or as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--edits", type=int, default=10_000, metavar="N", help="how many edits (10000)")
    options = parser.parse_args()
    figures = run(max(2, options.edits))
    print(json.dumps(figures) if options.json else "\n".join(f"{name:18} {value}" for name, value in figures.items()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
