"""How long does the tally take on a host's database of a million messages, and how much memory?

    python benchmarks/state_db.py [--rows 1000000] [--json]

Builds a state.db of sessions with questions, reads, writes, shell commands, long results and answers, then tallies it
in a fresh process: the first pass, and one with 50 new rows. Prints seconds on the clock and of processor time, the
longest read transaction, and the peak of memory above that of a process that has only imported the code.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import resource
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import common  # noqa: F401  (puts the package on the path)
from memory_shaper.calls.effects import Act, Effect, Reading, World
from memory_shaper.watchdog.scan import Scan, Watermark, scan
from memory_shaper.watchdog.topics import Topics

SEED = 20261130
MEMORIES = "/home/u/.hermes/memories"
TOPICS = Topics((MEMORIES,), frozenset(f"topic-{number}.md" for number in range(60)))
COLUMNS = "session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp"
SCHEMA = """CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL,
    content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL);
    CREATE INDEX idx_messages_session ON messages(session_id, timestamp);"""


def file_reader(tool: str, args: Mapping[str, object], _: World) -> Reading:
    """What the plugin's reader says of a file tool, without its work on shell commands."""
    act = Act.WRITE if tool == "write_file" else Act.READ
    path = args.get("path")
    return Reading((Effect(act, path, tool),)) if isinstance(path, str) else Reading()


def turn(draw: random.Random, number: int) -> Iterator[tuple[object, ...]]:
    """Twelve rows: a question, five calls with results (two name a topic file), an answer."""
    session, now = f"20260101_{number // 10:06}_abcdef", 1.7e9 + number * 60
    yield session, "user", "a question " * 10, None, None, None, now
    topic = f"{MEMORIES}/topic-{draw.randrange(60)}.md"
    calls = [
        ("read_file", {"path": topic}),
        ("terminal", {"command": "make test | tail -20"}),
        ("write_file", {"path": draw.choice((topic, "/src/main.py")), "content": "text " * 200}),
        ("search_files", {"pattern": "x", "path": "/src"}),
        ("read_file", {"path": "/src/main.py"}),
    ]
    for place, (tool, args) in enumerate(calls, 1):
        made, name = f"call_{number:x}_{place}", {"name": tool, "arguments": json.dumps(args)}
        stored = json.dumps([{"id": made, "type": "function", "function": name}])
        yield session, "assistant", "", None, stored, None, now + place
        result = json.dumps({"content": "line of text\n" * draw.randrange(5, 100), "total_lines": 9})
        yield session, "tool", result, made, None, tool, now + place + 0.5
    yield session, "assistant", "an answer " * 30, None, None, None, now + 9


def build(path: Path, rows: int) -> None:
    draw = random.Random(SEED)
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(SCHEMA)
        append(database, (row for number in range(rows // 12) for row in turn(draw, number)))


def append(database: sqlite3.Connection, rows: Iterator[tuple[object, ...]]) -> None:
    database.executemany(f"INSERT INTO messages ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


class Timed(sqlite3.Connection):
    """A connection that knows its longest transaction, from BEGIN to COMMIT."""

    longest = begun = 0.0

    def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
        cursor = super().execute(sql, parameters)
        now = time.perf_counter()
        if sql == "BEGIN":
            Timed.begun = now
        elif sql == "COMMIT":
            Timed.longest = max(Timed.longest, now - Timed.begun)
        return cursor


def measured(path: Path, watermark: Watermark) -> tuple[Scan, dict[str, float]]:
    Timed.longest = 0.0
    before, begun, busy = peak(), time.perf_counter(), time.process_time()
    found = scan(path, watermark, TOPICS, file_reader)
    took, worked = time.perf_counter() - begun, time.process_time() - busy
    cost = {"seconds": took, "cpu_seconds": worked, "longest_read_ms": Timed.longest * 1000}
    return found, {**cost, "megabytes": peak() - before}


def peak() -> float:
    """The largest size that this process has had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(path: Path) -> dict[str, object]:
    sqlite3.connect = partial(sqlite3.connect, factory=Timed)  # type: ignore[assignment]
    first, cost = measured(path, Watermark())
    with closing(sqlite3.connect(path)) as database, database:
        draw = random.Random(SEED)
        append(database, (row for number in range(10**6, 10**6 + 5) for row in list(turn(draw, number))[:10]))
    second, next_cost = measured(path, first.watermark)
    counts = {"rows": first.rows, "uses": len(first.uses), "new_rows": second.rows, "new_uses": len(second.uses)}
    return {**counts, "first": cost, "next": next_cost}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state.db"
        build(path, args.rows)
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            found = pool.apply(measure, (path,))
        size = path.stat().st_size / 2**20
    report = {
        "python": sys.version.split()[0],
        "sqlite": sqlite3.sqlite_version,
        "seed": SEED,
        "file_mb": size,
        **found,
    }
    print(json.dumps(report, indent=None if args.json else 2))


if __name__ == "__main__":
    main()
