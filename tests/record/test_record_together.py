"""Several processes and threads at once, and processes that are killed."""

from __future__ import annotations

import os
import random
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from memory_shaper.record import Record, digest_of
from record_tools import event, go, opened, output, place, start

KILLS = int(os.environ.get("MEMORY_SHAPER_KILLS", "15"))

WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from memory_shaper.record import *
path, name, rounds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
for number in range(rounds):
    now = datetime.now(UTC)
    with Record.open(path, busy=60) as record:
        text = f"{name} {number}".encode()
        record.accepted.accept(f"{name}.md", text, Identity(number, len(text), 1), Event(EventKind.ACCEPTED, now))
        use = Use("shared.md", now, name, str(number))
        record.uses.tally_batch([use], Watermark(name, "db", number + 1, now, now, now))
        record.counters.count("rounds", "all", now)
        steps = [Write(f"{name}-w", None, digest_of(text)), Move(f"{name}-a", f"{name}-b", digest_of(text))]
        intent = record.intents.begin(steps, [text], Event(EventKind.ARCHIVED, now))
        record.intents.finish(intent, now, {f"{name}-w": None})
    print(number, flush=True)
"""


def check_whole(path: Path) -> None:
    """The record opens, SQLite finds no fault, and what belongs together is there together."""
    with Record.open(path) as record:
        for state in record.accepted.all():
            noted = record.journal.event(state.event)
            assert (state.file, state.digest, True) == (noted.file, noted.after, noted.accepts)
            assert digest_of(record.texts.text(state.digest)) == state.digest
        for intent in record.intents.unfinished():
            assert len(intent.steps) == 2
            assert record.journal.group(intent.id) == []
        uses = sum(topic.count for topic in record.uses.topics())
        assert uses == sum(week.count for week in record.uses.weeks())
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert [(uses,)] == database.execute("SELECT coalesce(sum(last_id), 0) FROM watermarks").fetchall()
        assert [(uses,)] == database.execute("SELECT count(*) FROM counted").fetchall()
        groups = database.execute("SELECT DISTINCT count(*) FROM events WHERE intent NOT NULL GROUP BY intent")
        assert groups.fetchall() in ([], [(3,)])


def test_eight_writers_lose_nothing(tmp_path: Path) -> None:
    """Eight processes that open, write and close at once leave every event, text, use and count."""
    processes = [start(WRITER, str(place(tmp_path)), f"p{number}", "12") for number in range(8)]
    go(*processes)
    for process in processes:
        output(process)
    check_whole(place(tmp_path))
    with opened(tmp_path) as record:
        assert (record.counters.counts("rounds")[0].value, len(record.journal.newest(1000))) == (96, 384)
        assert record.uses.topics()[0].count == 96
        assert all(record.texts.has(digest_of(f"p{p} {n}".encode())) for p in range(8) for n in range(12))


def test_a_killed_writer_leaves_whole_transactions(tmp_path: Path) -> None:
    """Killed at any point, a writer leaves a record that opens, holds all it reported and nothing by halves."""
    rng = random.Random(os.environ.get("MEMORY_SHAPER_SEED", "1"))
    for kill in range(KILLS):
        home = tmp_path / str(kill // 3)  # Some are killed while they make the record, some later.
        process = start(WRITER, str(place(home)), f"k{kill}", "100000")
        go(process)
        reported = [process.stdout.readline() for _ in range(rng.randrange(4))]
        spin(rng.randrange(20_000))
        process.kill()
        process.communicate()
        if place(home).exists():
            check_whole(place(home))
        with opened(home) as record:
            mark = record.uses.watermark(f"k{kill}")
            assert (mark.last_id if mark else 0) >= len(reported)


def spin(rounds: int) -> None:
    """Let some time go by that is no round number of anything."""
    for number in range(rounds):
        digest_of(b"%d" % number)


def test_each_thread_opens_its_own(tmp_path: Path) -> None:
    """Threads of one process that each open the record write beside one another."""

    def work(name: str) -> None:
        for number in range(20):
            with Record.open(place(tmp_path), busy=60) as record:
                record.accepted.accept(name, b"%d" % number, None, event())

    threads = [threading.Thread(target=work, args=(f"{number}.md",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with opened(tmp_path) as record:
        assert [digest_of(b"19")] * 4 == [state.digest for state in record.accepted.all()]
        assert len(record.journal.newest(100)) == 80


def test_another_thread_may_close_a_record(tmp_path: Path) -> None:
    """A host runs hooks in threads of their own and exits in the main one: closing works from any of them."""
    record = opened(tmp_path)
    thread = threading.Thread(target=record.close)
    thread.start()
    thread.join()
    with opened(tmp_path) as again:
        assert again.journal.newest(1) == []


@pytest.mark.parametrize("moment", ["before", "within"])
def test_a_reader_never_sees_half_a_transaction(tmp_path: Path, moment: str) -> None:
    """What another connection has not committed is not there for anybody else."""
    with opened(tmp_path) as writer, opened(tmp_path) as reader:
        with writer.transaction():
            if moment == "within":
                writer.accepted.accept("a.md", b"one", None, event())
            assert reader.accepted.all() == []
        assert (moment == "within") == bool(reader.accepted.all())
