"""What the tests of recall share: a home in a temporary folder, and short ways to ask."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memory_shaper.recall.jieba_words import JiebaWords
from memory_shaper.recall.search import Answer, Wish, search
from memory_shaper.recall.sidecar import Sidecar

# One dictionary for all tests of a process, since loading it takes longer than any of them.
JIEBA = Path(tempfile.mkdtemp(prefix="memory-shaper-jieba-"))
atexit.register(shutil.rmtree, JIEBA, ignore_errors=True)


def write(memories: Path, name: str, text: str) -> Path:
    """Write a note and make it look an hour old, as notes mostly are."""
    path = memories / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    age(path)
    return path


def age(path: Path, seconds: int = 3600) -> None:
    """Set the time of change of a file into the past."""
    then = path.stat().st_mtime_ns - seconds * 10**9
    os.utime(path, ns=(then, then))


@contextmanager
def sidecar_of(folder: Path, **notes: str) -> Iterator[Sidecar]:
    """Open the sidecar of a folder with notes `NAME="text"`, each in NAME.md."""
    memories = folder / "memories"
    memories.mkdir(exist_ok=True)
    for name, text in notes.items():
        write(memories, f"{name}.md", text)
    with Sidecar(folder / "plugin-data" / "sidecar.db", memories) as sidecar:
        sidecar.words = JiebaWords(JIEBA)
        yield sidecar


def ask(sidecar: Sidecar, text: str, **wish: object) -> list[str]:
    """Return the names of what is found."""
    return names(search(sidecar, text, Wish(**wish)))  # type: ignore[arg-type]


def names(answer: Answer) -> list[str]:
    """Return the names of the hits, best first."""
    return [hit.name for hit in answer.hits]
