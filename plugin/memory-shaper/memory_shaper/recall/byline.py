"""Notes that a line of an index leads to though their own text does not. Shell: reads the heads of notes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date, datetime
from pathlib import Path

from .. import names
from ..settings import Home
from .folder import ARCHIVE, TOPIC
from .fuzzy import near_words
from .matching import Routed
from .notes import Front, own_date, read_note
from .remembered import Memory
from .route import LEAST, Router
from .search import LONGEST_SNIPPET, Hit
from .synonyms import NONE, Synonyms

_HEAD = 20_000  # characters of a note that are read for its front matter and snippet


def by_lines(
    home: Home,
    memory: Memory,
    question: str,
    known: Collection[str],
    agent: str,
    today: date | None,
    synonyms: Synonyms = NONE,
) -> Iterator[Hit]:
    """Yield a hit for each note whose line the question surely touches and that is not among the `known` names.

    `agent` ("" sees all) and `today` (None shows all) leave out what is another agent's and what no longer holds.
    """
    there = {names.same(name) for name in known}
    for routed in Router(tuple(memory.entries.values()), near_words(), synonyms).route(question):
        name = memory.name_of(routed.entry)
        if routed.confidence < LEAST or names.same(name) in there:
            continue
        text = _text(home.memories / name)
        front = read_note(text).front
        if text and _holds(front, agent, today):
            yield _line_hit(name, routed, text, own_date(name, front))


def _text(path: Path) -> str:
    """A note as far as a hit needs it, "" where it cannot be read."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(_HEAD)
    except OSError:
        return ""


def _holds(front: Front, agent: str, today: date | None) -> bool:
    """Tell whether a note is for this agent ("" sees all) and still holds today."""
    if agent and front.agent not in ("", agent):
        return False
    try:
        return not (today and front.invalid_at and datetime.fromisoformat(front.invalid_at).date() <= today)
    except ValueError:
        return True


def _line_hit(name: str, routed: Routed, text: str, day: date | None) -> Hit:
    note = read_note(text)
    start = note.units[0][0] if note.units else len(text)
    snippet = text[start : start + LONGEST_SNIPPET].strip()
    kind = ARCHIVE if name.startswith(names.ARCHIVE_FOLDER + "/") else TOPIC
    words = tuple(match.keyword for match in routed.matches)
    return Hit(name, kind, routed.confidence, "", snippet, words, "line", day)
