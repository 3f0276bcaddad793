"""The journal and the accepted states."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.record import Accepted, Event, EventKind, Identity, digest_of
from memory_shaper.record.times import moment, stamp
from record_tools import NOW, event, later, opened

LOOK = Identity(mtime_ns=1_772_452_800_123_456_789, size=9, inode=2**64 - 1)


def test_an_event_comes_back_as_it_was(tmp_path: Path) -> None:
    """All that was noted of an event can be read again."""
    noted = event(EventKind.BLOCKED, file="MEMORY.md", before="a", after="b", rule="entry-lost", detail="2 entries")
    with opened(tmp_path) as record:
        found = record.journal.event(record.journal.note(noted))
    assert (noted.kind, NOW, "MEMORY.md", "a", "b", "entry-lost", "2 entries", noted.source) == (
        found.kind,
        found.at,
        found.file,
        found.before,
        found.after,
        found.rule,
        found.detail,
        found.source,
    )


def test_events_are_listed_both_ways(tmp_path: Path) -> None:
    """History goes back from the newest, a report goes on from the last one it has seen."""
    with opened(tmp_path) as record:
        for file, kind in (("a.md", EventKind.ACCEPTED), ("b.md", EventKind.BLOCKED), ("a.md", EventKind.BLOCKED)):
            record.journal.note(event(kind, file=file))
        listed = [
            record.journal.newest(2),
            record.journal.since(1, 5),
            record.journal.newest(5, file="a.md"),
            record.journal.since(0, 5, kind=EventKind.BLOCKED),
            record.journal.newest(0),
        ]
    assert [[each.id for each in events] for events in listed] == [[3, 2], [2, 3], [3, 1], [2, 3], []]


def test_an_undone_event_names_what_took_it_back(tmp_path: Path) -> None:
    """An undo and what it undid point at each other."""
    with opened(tmp_path) as record:
        first = record.journal.note(event())
        second = record.journal.note(event(EventKind.UNDONE, undo_of=first))
        assert (second, first) == (record.journal.event(first).reverted_by, record.journal.event(second).undo_of)


def test_accepting_stores_text_event_and_state(tmp_path: Path) -> None:
    """After accept the text, the event and the state belong together, an inode of 64 bits included."""
    with opened(tmp_path) as record:
        record.accepted.accept("MEMORY.md", b"one", LOOK, event())
        number = record.accepted.accept("MEMORY.md", b"two", LOOK, event(at=later(seconds=1)))
        noted = record.journal.event(number)
        assert Accepted("MEMORY.md", digest_of(b"two"), LOOK, later(seconds=1), number) == record.accepted.of(
            "MEMORY.md"
        )
        assert (digest_of(b"one"), digest_of(b"two"), True) == (noted.before, noted.after, noted.accepts)
        assert record.texts.text(noted.after) == b"two"


def test_absence_can_be_accepted(tmp_path: Path) -> None:
    """A file that is accepted as absent is not the same as one that was never accepted."""
    with opened(tmp_path) as record:
        record.accepted.accept("MEMORY.md", None, None, event())
        assert (record.accepted.of("MEMORY.md").digest, record.accepted.of("never.md")) == (None, None)
        assert [each.file for each in record.accepted.all()] == ["MEMORY.md"]


def test_a_file_can_be_touched_and_unwatched(tmp_path: Path) -> None:
    """A new look changes no content, and an unwatched file has no state any more."""
    with opened(tmp_path) as record:
        record.accepted.accept("a.md", b"one", None, event())
        record.accepted.touch("a.md", LOOK)
        assert (LOOK, digest_of(b"one")) == (record.accepted.of("a.md").identity, record.accepted.of("a.md").digest)
        record.accepted.unwatch("a.md")
        assert record.accepted.all() == []


def test_a_transaction_holds_whole_or_not_at_all(tmp_path: Path) -> None:
    """An error in the middle of several operations takes all of them back."""
    with opened(tmp_path) as record:
        with pytest.raises(KeyError), record.transaction():
            record.accepted.accept("a.md", b"one", None, event())
            raise KeyError
        assert (
            record.accepted.all(),
            record.journal.newest(5),
            record.texts.text(digest_of(b"one")),
        ) == ([], [], None)


@pytest.mark.parametrize("name", ["x\udc80.md", "nul\0.md", "部署.md", "'; DROP TABLE events; --.md"])
def test_any_name_can_be_recorded(tmp_path: Path, name: str) -> None:
    """A name with a lone surrogate, a NUL or quotes is found again under that name."""
    with opened(tmp_path) as record:
        record.accepted.accept(name, b"one", None, event())
        assert digest_of(b"one") == record.accepted.of(name).digest


@given(st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30)), st.integers(-14 * 60, 14 * 60))
def test_a_moment_comes_back(naive: datetime, minutes: int) -> None:
    """A moment of any zone is stored to the microsecond, and in an order that is that of time."""
    there = naive.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    assert there == moment(stamp(there))
    assert stamp(there) < stamp(there + timedelta(microseconds=1))


def test_a_moment_without_a_zone_is_refused() -> None:
    """A time that could mean anything is never recorded."""
    with pytest.raises(ValueError, match="time zone"):
        stamp(datetime(2026, 1, 1))


def test_days_and_kinds_are_counted(tmp_path: Path) -> None:
    """One row for each day (local time) and kind since a moment, with the last event of it."""
    first, second = NOW - timedelta(days=1), NOW
    with opened(tmp_path) as record:
        for kind, at in ((EventKind.BLOCKED, first), (EventKind.BLOCKED, second), (EventKind.BLOCKED, second)):
            record.journal.note(Event(kind, at))
        record.journal.note(Event(EventKind.NOTED, NOW - timedelta(days=40)))
        rows = record.journal.daily(NOW - timedelta(days=30))
    assert [(row.day, row.kind, row.count, row.last) for row in rows] == [
        (f"{at.astimezone():%Y-%m-%d}", EventKind.BLOCKED, count, at) for at, count in ((first, 1), (second, 2))
    ]
