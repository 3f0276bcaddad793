"""A sample home with a past: the example memories, three months of sessions that read them, and a journal.

It stands in for what a host leaves behind, so that the walkthrough and the picture of the report have something to
show. Nothing in it is random: the same day gives the same home.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "plugin" / "memory-shaper"))

from memory_shaper.cli import call
from memory_shaper.record import Beat, Event, EventKind, Heartbeat, Record, Source
from memory_shaper.settings import Home, load
from memory_shaper.watchdog import run

DAYS = 84
# What is asked, the file that the agent then reads ("": none), and in which rhythm of days.
_HABITS = (
    ("How do I roll back the last release?", "deploy.md", 3),
    ("怎么回滚昨天的发布？", "deploy.md", 11),
    ("Why is the orders query slow, is a vacuum missing on postgres?", "postgres.md", 5),
    ("输入法的词库怎么同步到新电脑？", "rime.md", 9),
    ("Which tone and date format does Ann want in the report?", "ann-preferences.md", 7),
    ("Is the nightly ci runner flaky again?", "ci-runners.md", 6),
    ("How long is the proofing of the sourdough bread?", "recipes-bread.md", 17),
    ("今天练琴练什么曲子？", "piano.md", 13),
    ("Which wifi do guests use at home, and who is the router?", "home-network.md", 29),
    ("When is the flight back from Osaka?", "travel-japan.md", 41),
    ("What is the phone number of the landlord?", "", 19),
    ("Which tyre size does the bicycle have?", "", 31),
    ("阳台的植物多久浇一次水？", "", 23),
)
_INCIDENTS = (
    (EventKind.BLOCKED, 2, "arrow-shape", "memory"),
    (EventKind.BLOCKED, 9, "write-to-index", "terminal"),
    (EventKind.ACCEPTED, 4, "", "memory"),
    (EventKind.OUTSIDE, 12, "", ""),
    (EventKind.RESTORED, 15, "write-to-index", "terminal"),
)
_TABLES = """
    CREATE TABLE sessions (id TEXT PRIMARY KEY, system_prompt TEXT);
    CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL,
        content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL);
"""


def make(folder: Path, now: datetime) -> Home:
    """A home in a new folder, as it would be at `now` (with a time zone)."""
    home = Home(folder, "given")
    shutil.copytree(ROOT / "examples" / "memories", home.memories)
    _age(home, now)
    _sessions(home, now)
    return home


def remember(home: Home, now: datetime) -> None:
    """Give a sample home its journal: a run of the watchdog, the guard's signs of life, and what it met."""
    run.run(home, load(home), lambda: now)
    with Record.open(home.data / "record.db") as record:
        for event in sorted(_events(now), key=lambda one: one.at):
            record.journal.note(event)
        record.counters.beat(Heartbeat("cli", Beat.FIRED, os.getpid(), now - timedelta(hours=2)))


def rival(home: Home) -> None:
    """Add a line to a sample home that takes questions of another one."""
    (home.memories / "release-notes.md").write_text("# Release notes\n\nWritten on the eve of a release.\n", "utf-8")
    line = "release-notes,changelog,version,deploys,ship,announce,staging → release-notes.md"
    call(["add", line, "--home", str(home.path)])


def _age(home: Home, now: datetime) -> None:
    then = (now - timedelta(days=DAYS + 30)).timestamp()
    for path in home.memories.rglob("*.md"):
        os.utime(path, (then, then))


def _sessions(home: Home, now: datetime) -> None:
    with closing(sqlite3.connect(home.path / "state.db")) as database, database:
        database.executescript(_TABLES)
        for day in range(DAYS, -1, -1):
            rows = list(_day(home, day, now))
            if rows:
                database.execute("INSERT INTO sessions (id) VALUES (?)", (f"session-{DAYS - day:02}",))
            database.executemany(
                "INSERT INTO messages (session_id, role, content, tool_call_id, tool_calls, timestamp) "
                f"VALUES ('session-{DAYS - day:02}', ?, ?, ?, ?, ?)",
                rows,
            )


def _day(home: Home, day: int, now: datetime) -> Iterator[tuple[str, str, str | None, str | None, float]]:
    for number, (question, file, rhythm) in enumerate(_HABITS):
        if day % rhythm == number % rhythm:
            at = (now - timedelta(days=day, minutes=60 - 4 * number)).timestamp()
            yield "user", question, None, None, at
            if file:
                yield from _reading(home, file, f"call_{day:02}{number:02}", at)


def _reading(home: Home, file: str, call: str, at: float) -> Iterator[tuple[str, str, str | None, str | None, float]]:
    path = home.memories / file
    asked = {"name": "read_file", "arguments": json.dumps({"path": str(path)})}
    yield "assistant", "", None, json.dumps([{"id": call, "type": "function", "function": asked}]), at + 2
    answer = {"content": path.read_text(encoding="utf-8"), "total_lines": 6}
    yield "tool", json.dumps(answer, ensure_ascii=False), call, None, at + 3
    yield "assistant", f"As {file} says.", None, None, at + 5


def _events(now: datetime) -> Iterator[Event]:
    for kind, rhythm, rule, tool in _INCIDENTS:
        for day in range(rhythm, 30, rhythm):
            source = Source(tool=tool, session="sample", surface="cli" if tool else "", pid=0)
            yield Event(kind, now - timedelta(days=day, hours=rhythm), file="MEMORY.md", rule=rule, source=source)
