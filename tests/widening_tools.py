"""A home whose notes and lists the tests of widening write, and short ways to ask it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from memory_shaper.recall.find import Ask, Finder, Found
from memory_shaper.recall.jieba_words import JiebaWords
from memory_shaper.settings import Home, load
from recall_tools import JIEBA, write

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


class House:
    """A home in a folder with a finder of its own."""

    def __init__(self, folder: Path, notes: dict[str, str]) -> None:
        self.home = Home(folder, "given")
        self.home.data.mkdir(parents=True)
        self.finder = Finder(self.home)
        for name, text in notes.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> Path:
        return write(self.home.memories, f"{name}.md", text)

    def keep(self, name: str, text: str) -> None:
        """Write one of the lists kept by hand."""
        (self.home.data / name).write_text(text, "utf-8")

    def set(self, **values: object) -> None:
        rows = "".join(f"        {name}: {value}\n" for name, value in values.items())
        self.home.config.write_text(f"plugins:\n  entries:\n    memory-shaper:\n      settings:\n{rows}", "utf-8")

    def find(self, question: str, limit: int = 10) -> Found:
        self.finder.sidecar.words = JiebaWords(JIEBA)
        return self.finder.find(Ask(question, limit), load(self.home), NOW)

    def names(self, question: str, limit: int = 10) -> list[str]:
        """The names of what is found without their ending."""
        return [one.hit.name.removesuffix(".md") for one in self.find(question, limit).hits]


@contextmanager
def house(folder: Path, **notes: str) -> Iterator[House]:
    """A home with notes `NAME="text"`."""
    made = House(folder, notes)
    try:
        yield made
    finally:
        made.finder.close()
