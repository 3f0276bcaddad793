"""What many tests share: small checks that read as examples, and the index that the case files are about."""

from __future__ import annotations

import importlib
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest
from memory_shaper import grammar, host, rules
from memory_shaper.model import Finding, Folder, Severity
from memory_shaper.settings import Home

REPOSITORY = Path(__file__).resolve().parents[1]
PACKAGE = REPOSITORY / "plugin" / "memory-shaper"
CASES = Path(os.environ.get("MEMORY_SHAPER_CASES") or REPOSITORY.parent / "shared" / "cases")

HEADING = (
    "# Memory index, a routing table: a line touched = read its file in full",
    "# Routing: keyword,keyword,… → file.md in this folder",
)
ENTRIES = (
    "!!how,write,memory,format,keyword,entry,template → how-to-write-memories.md",
    "!project,deploy,release,pipeline,staging,rollback → deploy-pipeline.md",
    "java,springframework,jvm,garbagecollection,heap,profiling,jmx → java-performance.md",
    "python,venv,packaging,poetry,ruff,pytest,typing → python-env.md",
)
TOPICS = tuple(line.rpartition(" → ")[2] for line in ENTRIES)
CANONICAL = host.join(["\n".join(HEADING), *ENTRIES])
NEWLINES = "\n".join([*HEADING, *ENTRIES]) + "\n"
FOLDER = Folder(frozenset({"MEMORY.md", "new-topic.md", *TOPICS}))


@dataclass(frozen=True, slots=True)
class Place:
    """A throw-away Hermes home: the user's own home is its parent."""

    home: Home

    @property
    def memories(self) -> Path:
        return self.home.memories

    def text(self) -> str:
        return self.home.index.read_text(encoding="utf-8")


def make_place(folder: Path, text: str = CANONICAL) -> Place:
    """A home below `folder` with that index and every topic file."""
    place = Place(Home(folder / ".hermes", "given"))
    place.memories.mkdir(parents=True)
    for name in (*TOPICS, "new-topic.md"):
        (place.memories / name).write_text(f"# {name}\n", encoding="utf-8")
    place.home.index.write_bytes(text.encode())
    return place


def findings(text: str, folder: Folder | None = None, cap: int | None = host.DEFAULT_CAP) -> list[Finding]:
    """All findings in a text."""
    return rules.check(rules.Scope(text, folder, cap))


def check_clean(text: str, folder: Folder | None = None, cap: int | None = host.DEFAULT_CAP) -> None:
    """No rule has anything to say about a text."""
    assert [(found.rule, found.line, found.message) for found in findings(text, folder, cap)] == []


def check_finds(text: str, *expected: tuple[str, int], folder: Folder | None = None) -> None:
    """The rules find exactly these (rule, line) pairs in a text, in this order."""
    assert [(found.rule, found.line) for found in findings(text, folder)] == list(expected)


def check_round_trip(text: str) -> None:
    """Reading and rendering a text gives the same text."""
    assert grammar.render(grammar.parse(text)) == text


def errors(text: str, folder: Folder | None = None) -> list[str]:
    """The names of the rules that find an error in a text."""
    return [found.rule for found in findings(text, folder) if found.severity is Severity.ERROR]


def benchmark(name: str) -> ModuleType:
    """A module of benchmarks/; its folder stands last on the path, since some of its names are those of packages."""
    folder = str(REPOSITORY / "benchmarks")
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module(name)


def cases(tool: str) -> list[dict[str, object]]:
    """The rows of the case file for one tool; the test is skipped where the file is not there."""
    path = CASES / "guard.jsonl"
    if not path.is_file():
        pytest.skip(f"no case file at {path}; MEMORY_SHAPER_CASES names its folder")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["tool"] == tool]
