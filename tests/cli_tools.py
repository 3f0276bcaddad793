"""What the tests of the command share: a home to work on and a way to run verbs in this process."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path

from memory_shaper.cli import run
from memory_shaper.record import Event, EventKind, Record, Use, Watermark

HEADING = "# Memory index: a routing table"
DEPLOY = "!deploy,release,pipeline,staging,rollback → deploy.md"
POSTGRES = "postgres,sql,vacuum,migration,explain → postgres.md"
RIME = "拼音,输入法,词库,雾凇,部署 → rime.md"
CRITICAL = "!!rules,format,routing,guard,watchdog → rules.md"
INDEX = "\n§\n".join([HEADING, CRITICAL, DEPLOY, POSTGRES, RIME])


@dataclass(frozen=True, slots=True)
class Said:
    """What a verb said: the exit code, stdout and stderr."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, object]:
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class Demo:
    """A home in a temporary folder."""

    path: Path

    @property
    def memories(self) -> Path:
        return self.path / "memories"

    @property
    def index(self) -> Path:
        return self.memories / "MEMORY.md"

    @property
    def archive(self) -> Path:
        return self.memories / "archived memories"

    def text(self) -> str:
        """The index."""
        return self.index.read_bytes().decode()

    def say(self, *words: str) -> Said:
        """Run a verb on this home."""
        out, err = io.StringIO(), io.StringIO()
        code = run([*words, "--home", str(self.path)], out, err, {})
        return Said(code, out.getvalue(), err.getvalue())

    def record(self) -> Record:
        """Its record."""
        return Record.open(self.path / "plugin-data" / "memory-shaper" / "record.db")

    def events(self, kind: EventKind | None = None) -> list[Event]:
        """The events of its journal, the newest first."""
        with self.record() as record:
            return record.journal.newest(100, kind=kind)

    def use(self, *uses: Use) -> None:
        """Count uses, as the watchdog does."""
        with self.record() as record:
            record.uses.tally_batch(uses, Watermark("state.db", "x", 1, uses[0].at, uses[-1].at, uses[-1].at))

    def files(self) -> dict[str, bytes]:
        """All markdown below the memories folder."""
        found = (path for path in self.memories.rglob("*") if path.is_file() and path.suffix != ".lock")
        return {str(path.relative_to(self.memories)): path.read_bytes() for path in found}


def demo(folder: Path, index: str | None = INDEX) -> Demo:
    """A home with this index and the topic files of the four entries above."""
    home = Demo(folder / "home")
    home.memories.mkdir(parents=True)
    for name in ("deploy", "postgres", "rime", "rules"):
        (home.memories / f"{name}.md").write_text(f"# {name}\n", encoding="utf-8")
    if index is not None:
        home.index.write_bytes(index.encode())
    return home
