"""The calls of the guard corpus, the files that they speak of, and what each of them leaves behind."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from common import FIXTURES
from hosts.scenes import ENTRIES, JAVA, JAVA_NEW, NAMES, joined

CRITICAL = "how-to-write-memories.md"
INDEX = joined(ENTRIES)
LATER = ("sleep 0.4",)  # what writes after its call has returned
_OLDER = "# an older index\n"
_WHO = ("-c", "user.name=n", "-c", "user.email=e@example.org")


@dataclass(frozen=True, slots=True)
class Row:
    """One call: damaging or harmless, of a family."""

    id: str
    family: str
    kind: str
    tool: str
    args: Mapping[str, object]

    @property
    def damaging(self) -> bool:
        return self.kind == "damaging"

    @property
    def late(self) -> bool:
        """Whether the call does its work after it has returned."""
        return any(sign in str(self.args) for sign in LATER)


@cache
def rows() -> tuple[Row, ...]:
    """The rows of fixtures/guard_calls.jsonl."""
    lines = (FIXTURES / "guard_calls.jsonl").read_text("utf-8").splitlines()
    return tuple(Row(**json.loads(line)) for line in lines)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a row is played: the memories folder, the Hermes home, a folder to work in; `edit` is the host's verb."""

    home: Path
    work: Path
    edit: str = "replace"

    @property
    def memories(self) -> Path:
        return self.home / "memories"

    @property
    def index(self) -> Path:
        return self.memories / "MEMORY.md"

    def filled(self, row: Row) -> dict[str, object]:
        """The arguments of a row with its places filled in."""
        signs = {
            "{INDEX}": str(self.index), "{MEM}": str(self.memories), "{HOME}": str(self.home), "{WORK}": str(self.work),
            "{EDIT}": self.edit, "{JAVA}": JAVA, "{JAVA_NEW}": JAVA_NEW,
        }  # fmt: skip
        text = json.dumps(row.args, ensure_ascii=False)
        for sign, value in signs.items():
            text = text.replace(sign, value)
        found: dict[str, object] = json.loads(text)
        return found

    def lay(self, git: bool) -> None:
        """Everything as it is before a row: the index of four entries, the topics, what lies in the working folder."""
        if (moved := self.home / "memories-old").exists():
            shutil.rmtree(moved)
        self.memories.mkdir(exist_ok=True)
        self._write(self.index, INDEX)
        self.index.chmod(0o600)
        for name in NAMES:
            self._write(self.memories / name, f"about {name}\n")
        self._lay_work()
        if git and not (self.memories / ".git").exists():
            self._lay_git()

    def _write(self, path: Path, text: str) -> None:
        if path.is_symlink():
            path.unlink()
        if not path.exists() or path.read_text("utf-8", "replace") != text:
            path.write_text(text, "utf-8")

    def _lay_work(self) -> None:
        shutil.rmtree(self.work / "saved", ignore_errors=True)
        (self.work / "saved").mkdir(parents=True)
        write = f"from pathlib import Path\nfolder = Path({str(self.memories)!r})\n"
        write += "(folder / ('MEM' + 'ORY.md')).write_text('x')\n"
        files = {"notes.txt": "a text\n", "saved/MEMORY.md": "saved\n", "writer.py": write}
        files["writer.sh"] = f"cd {self.memories}\necho x > MEMORY.md\n"
        for name, text in files.items():
            self._write(self.work / name, text)
        for name in ("soft", "link-to-index", "twin.md"):
            (self.work / name).unlink(missing_ok=True)
        (self.work / "soft").symlink_to(self.index)
        command = ["tar", "-cf", "bundle.tar", "-C", "saved", "MEMORY.md"]
        subprocess.run(command, cwd=self.work, check=True, capture_output=True)

    def _lay_git(self) -> None:
        self.index.write_text(_OLDER, "utf-8")
        for words in (("init", "-q"), ("add", "MEMORY.md"), (*_WHO, "commit", "-qm", "older")):
            subprocess.run(["git", *words], cwd=self.memories, check=True, capture_output=True)
        for name, value in (("user.name", "n"), ("user.email", "e@example.org")):
            subprocess.run(["git", "config", name, value], cwd=self.memories, check=True, capture_output=True)
        self.index.write_text(INDEX, "utf-8")

    def state(self) -> State:
        """What is there of the index and of the critical topic."""
        return State(self._seen(self.index), self._seen(self.memories / CRITICAL))

    def _seen(self, path: Path) -> tuple[str, int] | None:
        """Text and mode of a regular file, None where there is none."""
        if path.is_symlink() or not path.is_file():
            return None
        return path.read_bytes().decode("utf-8", "replace"), path.stat().st_mode & 0o777


@dataclass(frozen=True, slots=True)
class State:
    """The index and the critical topic, each as text and mode."""

    index: tuple[str, int] | None
    critical: tuple[str, int] | None

    @property
    def lines_left(self) -> int:
        """How many of the four entries still stand in the index, whole."""
        lines = self.index[0].splitlines() if self.index else []
        return sum(entry in lines for entry in ENTRIES)


@dataclass(slots=True)
class Tally:
    """Outcomes of rows by family, and the rows behind those that matter."""

    families: dict[str, dict[str, int]] = field(default_factory=dict)
    listed: dict[str, list[str]] = field(default_factory=dict)

    def note(self, row: Row, outcome: str) -> None:
        """Count one row; rows that were not as wished are listed."""
        family = self.families.setdefault(f"{row.kind}: {row.family}", {})
        family[outcome] = family.get(outcome, 0) + 1
        if outcome not in ("stopped before", "undone after", "allowed"):
            self.listed.setdefault(outcome, []).append(row.id)

    def totals(self) -> dict[str, dict[str, int]]:
        """Outcomes by kind of row."""
        totals: dict[str, dict[str, int]] = {}
        for name, outcomes in self.families.items():
            total = totals.setdefault(name.partition(":")[0], {})
            for outcome, count in outcomes.items():
                total[outcome] = total.get(outcome, 0) + count
        return totals
