"""Throw-away homes for the tests of the watchdog: an index, topic files of a given age, sessions that read them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memory_shaper.settings import Home, Settings, load
from memory_shaper.watchdog.run import Outcome, run
from statedb import StateDb

NOW = datetime(2026, 11, 30, 4, 0, tzinfo=UTC)
HEADING = "# Memory: a routing table, read the file of a touched line in full"
SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "dynmem-watchdog.py"


def line(name: str, words: int = 12, mark: str = "") -> str:
    """An index line of so many keywords for NAME.md."""
    return f"{mark}{','.join(f'{name}{number}' for number in range(words))} → {name}.md"


def index(*lines: str, heading: str = HEADING) -> str:
    """An index in canonical form."""
    return "\n§\n".join([heading, *lines])


def ago(days: float, now: datetime = NOW) -> datetime:
    return now - timedelta(days=days)


class House:
    """A home in a folder; topic files are 100 days old unless said otherwise, sessions go back 60 days."""

    def __init__(self, folder: Path, *lines: str, text: str | None = None, now: datetime = NOW, span: float = 60):
        self.home = Home(folder, "given")
        self.now = now
        self.memories.mkdir(parents=True, exist_ok=True)
        self.state = StateDb(folder)
        if span:
            self.state.add("user", "hi", at=ago(span, now).timestamp())
            self.state.add("user", "bye", at=ago(0.01, now).timestamp())
        self.write("MEMORY.md", index(*lines) if text is None else text)
        for target in {one.rpartition(" → ")[2] for one in lines}:
            self.topic(target)

    @property
    def memories(self) -> Path:
        return self.home.memories

    def topic(self, name: str, text: str | None = None, days: float = 100) -> Path:
        """A topic file, so many days old."""
        path = self.write(name, text or f"# {name}\nbody of {name}\n")
        stamp = ago(days, self.now).timestamp()
        os.utime(path, (stamp, stamp))
        return path

    def write(self, name: str, text: str) -> Path:
        path = self.memories / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def read(self, name: str, days: float, times: int = 1) -> None:
        """Turns of sessions, so many days ago, in which a topic file was read."""
        for number in range(times):
            at = ago(days, self.now).timestamp() + number
            self.state.add("user", "q", session=f"s{days}", at=at)
            path = str(self.memories / name)
            self.state.call(
                "read_file", {"path": path}, session=f"s{days}", call_id=f"call_{days}_{number}a1b2c3d4", at=at
            )

    @property
    def settings(self) -> Settings:
        return load(self.home)

    def config(self, text: str) -> None:
        (self.home.path / "config.yaml").write_text(text)

    def run(self, days: float = 0) -> Outcome | None:
        """A run, so many days later."""
        return run(self.home, self.settings, lambda: self.now + timedelta(days=days))

    @property
    def index(self) -> str:
        return self.home.index.read_text(encoding="utf-8")

    @property
    def archive_index(self) -> str:
        return self.home.archive_index.read_text(encoding="utf-8")

    @property
    def targets(self) -> list[str]:
        return targets(self.index)

    @property
    def archived(self) -> list[str]:
        return targets(self.archive_index) if self.home.archive_index.exists() else []


def targets(text: str) -> list[str]:
    """The targets of an index, in its order."""
    return [one.rpartition("→")[2].strip() for one in text.splitlines() if "→" in one]


def tree(folder: Path, *without: str) -> Mapping[str, bytes]:
    """Every file below a folder with its bytes; `without` names files to leave out."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in without
    }


def script(home: Home, *args: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """The watchdog's script as a process of its own."""
    command = [sys.executable, str(SCRIPT), "--home", str(home.path), *args]
    clean = {name: value for name, value in os.environ.items() if name != "HERMES_HOME"}
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", env=clean | dict(env or {}), check=False
    )


def many(count: int, words: int = 12, prefix: str = "topic") -> Sequence[str]:
    """So many index lines."""
    return [line(f"{prefix}{number}", words) for number in range(count)]
