"""The texts: kept whole, kept small, and dropped only where nothing needs them."""

from __future__ import annotations

import random
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory_shaper.record import EventKind, Limits, Promise, Record, RecordError, Write, digest_of
from record_tools import NOW, event, later, opened, place


@given(st.lists(st.binary(max_size=400), max_size=12))
@settings(max_examples=25, deadline=None)
def test_every_text_comes_back(contents: list[bytes]) -> None:
    """Whatever bytes are stored, each leaning on the one before, come back the same."""
    with tempfile.TemporaryDirectory() as name, opened(Path(name)) as record:
        digest = None
        for content in contents:
            digest = record.texts.put(content, NOW, like=digest)
        assert contents == [record.texts.text(digest_of(content)) for content in contents]


def test_a_text_that_is_not_there_is_none(tmp_path: Path) -> None:
    """An unknown digest gives no text and is no error."""
    with opened(tmp_path) as record:
        assert record.texts.text("0" * 64) is None


@pytest.mark.parametrize("spoilt", ["zeroblob(20)", "substr(packed, 1, length(packed) - 6)"])
def test_a_damaged_text_is_an_error(tmp_path: Path, spoilt: str) -> None:
    """A text whose bytes are not those of its digest is never handed out."""
    with opened(tmp_path) as record:
        digest = record.texts.put(b"docker,compose" * 9, NOW)
    with closing(sqlite3.connect(place(tmp_path))) as database:
        database.execute(f"UPDATE texts SET packed = {spoilt}")
        database.commit()
    with opened(tmp_path) as record, pytest.raises(RecordError, match="text in the record is damaged"):
        record.texts.text(digest)


def index_text(rng: random.Random, lines: int = 22) -> list[str]:
    """An index of about two kilobytes with keywords that no compressor has seen before."""
    words = [["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(11)] for _ in range(lines)]
    return [f"{','.join(line)} → {line[0]}.md" for line in words]


def test_a_thousand_edits_stay_small(tmp_path: Path) -> None:
    """A thousand edits of an index of two kilobytes take under two megabytes, events and all."""
    rng = random.Random(1)
    lines = index_text(rng)
    with opened(tmp_path) as record:
        with record.transaction():
            for number in range(1000):
                lines[number % len(lines)] = index_text(rng, 1)[0]
                content = "\n§\n".join(lines).encode()
                record.accepted.accept("MEMORY.md", content, None, event(at=later(seconds=number)))
        assert record.used_bytes() < 2_000_000
        assert content == record.texts.text(record.accepted.of("MEMORY.md").digest)


edits = st.lists(st.tuples(st.sampled_from(["MEMORY.md", "a.md", "b.md"]), st.integers(0, 15)), max_size=60)


def content_of(number: int) -> bytes:
    """A text of three kilobytes that does not compress, one of sixteen that are half alike."""
    return random.Random(0).randbytes(1500) + random.Random(number).randbytes(1500)


@given(edits, st.integers(1, 4), st.integers(0, 20), st.sampled_from([0, 180_000, 10**9]))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_pruning_never_drops_what_is_needed(
    changes: list[tuple[str, int]], newest: int, events: int, total: int
) -> None:
    """Accepted and newest texts, kept ones, those of open intents and promises survive any limits, whole."""
    limits = Limits(total, events, newest)
    with tempfile.TemporaryDirectory() as name, Record.open(place(Path(name)), limits) as record:
        needed = {record.texts.put(content_of(number), NOW) for number in (100, 101, 102)}
        record.texts.keep(digest_of(content_of(100)), "damaged", NOW)
        record.intents.begin([Write("x.md", None, digest_of(content_of(101)))], [], event())
        record.promises.make(Promise("y.md", None, (digest_of(content_of(102)),), "s1", "c1", NOW))
        history: dict[str, list[bytes]] = {}
        with record.transaction():
            for second, (file, number) in enumerate(changes):
                history.setdefault(file, []).append(content_of(number))
                record.accepted.accept(file, content_of(number), None, event(at=later(seconds=second)))
        record.prune()
        needed |= {digest_of(content) for contents in history.values() for content in contents[-newest:]}
        assert all(record.texts.text(digest) is not None for digest in needed)
        noted = [each.id for each in record.journal.newest(1000) if each.accepts]
        assert len(noted) <= max(events, sum(min(newest, len(each)) for each in history.values())) + events


@given(st.lists(st.integers(0, 400), min_size=40, max_size=150))
@settings(max_examples=15, deadline=None)
def test_pruning_reaches_its_limits(numbers: list[int]) -> None:
    """Where nothing is needed, the record ends up within its size and its number of events."""
    limits = Limits(total_bytes=250_000, events=30, newest=1)
    with tempfile.TemporaryDirectory() as name, Record.open(place(Path(name)), limits) as record:
        with record.transaction():
            for second, number in enumerate(numbers):
                record.accepted.accept("MEMORY.md", content_of(number), None, event(at=later(seconds=second)))
        record.prune()
        assert record.used_bytes() <= 250_000
        assert len(record.journal.newest(1000)) <= 31


def test_the_oldest_texts_go_first(tmp_path: Path) -> None:
    """What is left of many versions is an unbroken run of the latest."""
    with opened(tmp_path, total_bytes=300_000, newest=1) as record:
        contents = [random.Random(number).randbytes(3000) for number in range(120)]
        for second, content in enumerate(contents):
            record.accepted.accept("MEMORY.md", content, None, event(at=later(seconds=second)))
        assert record.prune().texts
        there = [record.texts.has(digest_of(content)) for content in contents]
        assert there == sorted(there)
        assert any(there)


def test_the_record_prunes_itself(tmp_path: Path) -> None:
    """Without anybody asking for it, the number of events stays near its limit."""
    with opened(tmp_path, events=100) as record:
        with record.transaction():
            for _ in range(1000):
                record.journal.note(event(EventKind.BLOCKED))
        assert 100 <= len(record.journal.newest(2000)) <= 100 + 256


def test_a_flood_of_refusals_drops_no_accepted_event(tmp_path: Path) -> None:
    """The newest accepted events of each file outlive any number of other events."""
    with opened(tmp_path, events=50, newest=2) as record:
        accepted = [record.accepted.accept("MEMORY.md", b"%d" % number, None, event()) for number in range(4)]
        for _ in range(60):
            record.journal.note(event(EventKind.BLOCKED))
        record.prune()
        assert accepted[-2:] == [each.id for each in record.journal.since(0, 500, kind=EventKind.ACCEPTED)]
