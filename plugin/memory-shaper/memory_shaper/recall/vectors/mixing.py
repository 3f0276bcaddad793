"""Likeness put into the hits, and hits made of notes that share no word with the question. Shell: reads notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import islice
from pathlib import Path

from ... import names
from ...settings import Settings
from ..folder import ARCHIVE, kind_of
from ..hit import Hit
from ..notes import Front, own_date, read_note, section_at
from ..search import ARCHIVE_FACTOR, LONGEST_SNIPPET, Scope, Wish
from ..standing import View, claim_of
from .fusion import by_rank, convex, outstanding, spread
from .keeping import read_note_text

# The most alike passage of each note: its cosine and its place in the note.
Best = Mapping[str, tuple[float, int]]

MODE = "meaning"
# Notes that share no word with the question are few, however large the store; of so many are the heads read for them.
_MOST_NEW = 10
_MOST_READ = 100
_SESSION = "session"


def mixed(memories: Path, best: Best, wish: Wish, view: View, hits: Sequence[Hit], settings: Settings) -> list[Hit]:
    """The hits with likeness in their scores, and behind them those of notes that stand out by likeness alone."""
    likeness = {name: value for name, (value, _) in best.items()}
    notes = [hit for hit in hits if hit.kind != _SESSION]
    there = {names.same(hit.name) for hit in notes}
    waiting = [
        name for name in outstanding(likeness, settings.number("embedding_margin")) if names.same(name) not in there
    ]
    new = islice(_new_hits(memories, best, wish, view, waiting[:_MOST_READ]), min(_MOST_NEW, wish.limit))
    return [*_scored([*notes, *new], likeness, settings), *(hit for hit in hits if hit.kind == _SESSION)]


def _scored(hits: Sequence[Hit], likeness: Mapping[str, float], settings: Settings) -> Iterator[Hit]:
    """Yield the hits with both signals in their scores; without a vector of its note it keeps its score."""
    stretched = spread(likeness)
    meaning = {
        hit.name: stretched[hit.name] * (ARCHIVE_FACTOR if hit.kind == ARCHIVE else 1.0)
        for hit in hits
        if hit.name in stretched
    }
    words = {hit.name: hit.score for hit in hits if hit.mode != MODE}
    if settings["embedding_fusion"] == "ranks":
        scores = by_rank(words, meaning)
    else:
        scores = convex(words, meaning, settings.number("embedding_weight"))
    for hit in hits:
        parts = {**hit.parts, MODE: round(meaning[hit.name], 4)} if hit.name in meaning else hit.parts
        yield replace(hit, score=round(scores[hit.name], 4), parts=parts)


def _new_hits(memories: Path, best: Best, wish: Wish, view: View, waiting: Sequence[str]) -> Iterator[Hit]:
    """Yield a hit for every note that wish and view do not leave out."""
    for name in waiting:
        kind = kind_of(name)
        if wish.scope is Scope.ARCHIVE and kind != ARCHIVE:
            continue
        text = read_note_text(memories, name)
        front = read_note(text).front
        day = own_date(name, front)
        if text and _is_wanted(front, day, wish) and view.shows(claim_of(name, front, day)):
            yield _hit(name, kind, text, best[name][1], day)


def _is_wanted(front: Front, day: date | None, wish: Wish) -> bool:
    if wish.tags and not set(wish.tags) & set(front.tags):
        return False
    early = day or date.min
    return not (wish.since and early < wish.since) and not (wish.as_of and early > wish.as_of)


def _hit(name: str, kind: str, text: str, place: int, day: date | None) -> Hit:
    snippet = text[place : place + LONGEST_SNIPPET].strip()
    return Hit(name, kind, 0.0, section_at(text, place).title, snippet, (), MODE, day, {}, place)
