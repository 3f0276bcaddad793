"""The lock of a workflow: no hints while it holds, and never for good by mistake."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from memory_shaper.recall.quiet import LOCK, quiet
from memory_shaper.settings import Home
from widening_tools import house

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    """Where the lock of a home lies."""
    path = Home(tmp_path, "given").data / LOCK
    path.parent.mkdir(parents=True)
    return path


def asked(lock: Path, data: bytes, written: datetime = NOW) -> tuple[bool, bool]:
    """Whether quiet is asked for, and whether something has to be said."""
    lock.write_bytes(data)
    os.utime(lock, (written.timestamp(), written.timestamp()))
    found = quiet(Home(lock.parents[2], "given"), NOW)
    return found.asked, bool(found.told)


def test_no_lock_asks_for_nothing(lock: Path) -> None:
    """Where there is no file there is no quiet and nothing to say."""
    found = quiet(Home(lock.parents[2], "given"), NOW)
    assert (found.asked, found.told) == (False, "")


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("2026-11-30T13:00:00Z", True),
        ("2026-11-30T13:00:00", True),
        ("2026-11-30T13:30:00+02:00", False),
        ("2026-11-30T11:59:59+00:00", False),
        ("60", True),
        ("0", False),
        ("-5", False),
        ("", True),
    ],
)
def test_the_end_is_heeded(lock: Path, text: str, holds: bool) -> None:
    """A time, in UTC where no zone is given, or seconds from the writing; nothing in it has no end."""
    assert asked(lock, text.encode())[0] is holds


def test_seconds_count_from_the_writing(lock: Path) -> None:
    """Sixty seconds are over after sixty-one."""
    assert asked(lock, b"60", NOW - timedelta(seconds=59))[0]
    assert not asked(lock, b"60", NOW - timedelta(seconds=61))[0]


@pytest.mark.parametrize("data", [b"soon", b"\xff\xfe", b"nan", b"1e400", b"\0", b"9" * 500])
def test_what_cannot_be_read_locks_nothing(lock: Path, data: bytes) -> None:
    """It is said, and hints go on."""
    assert asked(lock, data) == (False, True)


def test_searches_go_on(tmp_path: Path) -> None:
    """The lock keeps hints away and no answer to a question."""
    with house(tmp_path, a="The canary goes first.") as place:
        place.keep(LOCK, "")
        assert place.names("canary") == ["a"]
