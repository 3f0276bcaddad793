"""Promises: which content is explained, for how long, and to whom."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from memory_shaper.record import Promise, Record
from record_tools import NOW, later, opened, place


def make(record: Record, *afters: str | None, expires_at: datetime | None = None, call: str = "c1") -> int:
    """Promise that the index will hold one of these contents."""
    return record.promises.make(Promise("MEMORY.md", "old", afters, "s1", call, NOW, expires_at))


def test_each_draft_of_a_promise_is_explained(tmp_path: Path) -> None:
    """Any of the alternatives is explained, absence too, another content or file is not."""
    with opened(tmp_path) as record:
        make(record, "a", "b", None)
        promised = [record.promises.promised("MEMORY.md", digest, NOW) for digest in ("a", "b", None, "old")]
        assert promised == [True, True, True, False]
        assert not record.promises.promised("other.md", "a", NOW)


def test_a_promise_is_seen_by_others(tmp_path: Path) -> None:
    """What one connection promised explains a content to another."""
    with opened(tmp_path) as first, opened(tmp_path) as second:
        number = make(first, "a")
        assert [Promise("MEMORY.md", "old", ("a",), "s1", "c1", NOW, id=number)] == second.promises.open(NOW)


def test_a_promise_runs_out(tmp_path: Path) -> None:
    """A promise with an end explains nothing after it; a staged one stays open."""
    with opened(tmp_path) as record:
        make(record, "a", expires_at=later(seconds=30))
        make(record, "b")
        explained = [record.promises.promised("MEMORY.md", name, later(seconds=31)) for name in ("a", "b")]
        assert explained == [False, True]


def test_a_kept_promise_explains_nothing_more(tmp_path: Path) -> None:
    """Once one draft is true the others are off as well."""
    with opened(tmp_path) as record:
        record.promises.keep(make(record, "a", "b"), NOW)
        assert record.promises.open(NOW) == []


def test_a_call_takes_its_promises_back(tmp_path: Path) -> None:
    """Only the open promises of that very call are dropped."""
    with opened(tmp_path) as record:
        record.promises.keep(make(record, "done"), NOW)
        make(record, "a")
        make(record, "b", call="c2")
        assert record.promises.drop("s1", "c1") == 1
        assert [each.afters for each in record.promises.open(NOW)] == [("b",)]


def test_old_promises_are_swept(tmp_path: Path) -> None:
    """A promise that is over leaves no row behind when new ones are made."""
    with opened(tmp_path) as record:
        for hour in range(5):
            moment = later(hours=hour)
            record.promises.make(Promise("MEMORY.md", None, ("a",), "s1", "c1", moment, later(hours=hour, seconds=9)))
    with closing(sqlite3.connect(place(tmp_path))) as database:
        tables = ("promises", "drafts")
        assert [database.execute(f"SELECT count(*) FROM {table}").fetchall() for table in tables] == [[(1,)], [(1,)]]
