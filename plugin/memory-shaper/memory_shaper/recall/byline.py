"""Notes that a line of an index leads to though their own text does not. Shell: reads the heads of notes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date
from pathlib import Path

from .. import names
from ..settings import Home
from .folder import ARCHIVE, TOPIC
from .fuzzy import near_words
from .hit import Hit
from .matching import Routed
from .notes import own_date, read_front, read_note
from .remembered import Memory
from .route import LEAST, Router
from .search import LONGEST_SNIPPET
from .standing import View, claim_of
from .synonyms import NONE, Synonyms

_HEAD = 20_000  # characters of a note that are read for its front matter and snippet


def by_lines(
    home: Home, memory: Memory, question: str, known: Collection[str], view: View, synonyms: Synonyms = NONE
) -> Iterator[Hit]:
    """Yield a hit for each note whose line the question surely touches and that is not among the `known` names.

    What the view does not show is left out.
    """
    there = {names.same(name) for name in known}
    for routed in Router(tuple(memory.entries.values()), near_words(), synonyms).route(question):
        name = memory.name_of(routed.entry)
        if routed.confidence < LEAST or names.same(name) in there:
            continue
        text = _text(home.memories / name)
        front = read_front(text)
        day = own_date(name, front)
        if text and view.shows(claim_of(name, front, day)):
            yield _line_hit(name, routed, text, day)


def _text(path: Path) -> str:
    """A note as far as a hit needs it, "" where it cannot be read."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(_HEAD)
    except OSError:
        return ""


def _line_hit(name: str, routed: Routed, text: str, day: date | None) -> Hit:
    note = read_note(text)
    start = note.units[0][0] if note.units else len(text)
    snippet = text[start : start + LONGEST_SNIPPET].strip()
    kind = ARCHIVE if name.startswith(names.ARCHIVE_FOLDER + "/") else TOPIC
    words = tuple(match.keyword for match in routed.matches)
    return Hit(name, kind, routed.confidence, "", snippet, words, "line", day)
