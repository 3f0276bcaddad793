"""What the tests of the report share: a home with a past, its page, and a reader of pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from unittest.mock import patch

import sample
from cli_tools import Demo
from memory_shaper import settings
from memory_shaper.cli import report as verb
from memory_shaper.report.facts import Report
from memory_shaper.report.gather import gather
from memory_shaper.report.page import render

STYLE = Path(verb.__file__).parents[1].joinpath("report", "style.css").read_text("utf-8")
NOW = datetime.fromisoformat("2026-11-30T04:00:00+00:00")
VOID = {"meta", "rect", "line", "circle", "path", "br"}


def lived_in(folder: Path, now: datetime = NOW) -> Demo:
    """The sample home with its journal, and one line that takes questions of another one."""
    home = sample.make(folder / ".hermes", now)
    sample.remember(home, now)
    sample.rival(home)
    return Demo(home.path)


def facts(home: Demo, with_content: bool = False, now: datetime = NOW) -> Report:
    """What is gathered from a home."""
    place = settings.Home(home.path, "given")
    return gather(place, settings.load(place), now, with_content)


def page(home: Demo, with_content: bool = False, now: datetime = NOW) -> str:
    """The page about a home."""
    return render(facts(home, with_content, now), STYLE)


@contextmanager
def user_at(folder: Path) -> Iterator[None]:
    """The user's own folder lies there."""
    with patch.dict("os.environ", {"HOME": str(folder)}):
        yield


@dataclass
class Node:
    """An element: its name, attributes, text and children."""

    name: str
    attrs: dict[str, str | None] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)
    text: str = ""

    def all(self, *names: str) -> list[Node]:
        """The elements below with one of these names, in the order of the page."""
        found = [self] if self.name in names else []
        return found + [one for child in self.children for one in child.all(*names)]

    def words(self) -> str:
        """All text below."""
        return self.text + "".join(child.words() for child in self.children)


class Reader(HTMLParser):
    """Reads a page into nodes; an element that is not closed in order is an error."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("page")
        self._open = [self.root]
        self.feed(text)
        self.close()
        assert self._open == [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, dict(attrs))
        self._open[-1].children.append(node)
        if tag not in VOID:
            self._open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].children.append(Node(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().name == tag

    def handle_data(self, data: str) -> None:
        self._open[-1].text += data


def read(text: str) -> Node:
    """The root of a page."""
    return Reader(text).root
