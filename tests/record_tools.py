"""What the tests of the record share: a clock, ready-made events, and processes that run a piece of code."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memory_shaper.record import Event, EventKind, Limits, Record, Source

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
PACKAGE = Path(__file__).resolve().parents[1] / "plugin" / "memory-shaper"


def later(**parts: float) -> datetime:
    """A moment after NOW."""
    return NOW + timedelta(**parts)


def event(kind: EventKind = EventKind.ACCEPTED, at: datetime = NOW, **fields: object) -> Event:
    """An event of a call in a session."""
    return Event(kind, at, source=Source("memory", "s1", "c1", "cli", 7), **fields)


def place(folder: Path) -> Path:
    """Where the record of a home is."""
    return folder / "plugin-data" / "memory-shaper" / "record.db"


def opened(folder: Path, **limits: int) -> Record:
    """The record of a home."""
    return Record.open(place(folder), Limits(**limits))


def start(code: str, *args: str) -> subprocess.Popen[str]:
    """A Python process that runs `code` with the package on its path."""
    env = os.environ | {"PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "-c", code, *args], env=env, text=True, **pipes)


def go(*processes: subprocess.Popen[str]) -> None:
    """Let processes that have said `ready` go on, all at once."""
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()


def output(process: subprocess.Popen[str]) -> str:
    """What a process printed; it must have ended well."""
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out
