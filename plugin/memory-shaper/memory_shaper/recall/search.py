"""Search: a question in, the notes and past sessions that answer it out, with the reasons. Shell: disk and SQLite.

Whatever the question holds is looked for as it stands: there is no query language and so nothing to escape.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from pathlib import Path

from ..errors import Busy, MemoryShaperError
from .analyser import Query, analyse_query
from .candidates import find_candidates
from .database import DAMAGED, explain, is_damage
from .dates import find_dates
from .folder import ARCHIVE
from .gathered import project_words
from .hit import Hit
from .notes import section_at
from .score import Scored, score
from .sessions import SESSION, message_texts, refresh_sessions, session_of
from .shelf import Card, Shelf
from .sidecar import Sidecar
from .standing import View, Viewer
from .timefit import fit

LONGEST_QUERY = 2000
LONGEST_SNIPPET = 300
# Of two notes that answer equally well the live one is meant.
ARCHIVE_FACTOR = 0.8


class Scope(StrEnum):
    """Where to look: notes (the archive behind), the archive alone, past sessions, or notes and then sessions."""

    NOTES = "notes"
    ARCHIVE = "archive"
    SESSIONS = "sessions"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Wish:
    """What a search is asked for besides the question.

    `since` leaves out texts of an earlier date; `tags` keeps texts with one of them; `agent` keeps its own texts and
    those of no agent, "" sees all; `today` resolves "yesterday" and hides texts that no longer hold; `as_of` shows them
    as they stood on a day; `project` and `folder` hide those of another project; `state` is the host's state.db,
    without which no new sessions are seen and none is quoted; `session` keeps what was said in one; `marked` are the
    keys of the topics with a mark.
    """

    limit: int = 10
    scope: Scope = Scope.NOTES
    since: date | None = None
    tags: tuple[str, ...] = ()
    agent: str = ""
    today: date | None = None
    state: Path | None = None
    as_of: date | None = None
    project: str = ""
    folder: str = ""
    session: str = ""
    marked: frozenset[str] = frozenset()

    @property
    def viewer(self) -> Viewer:
        """Who asks, for which day."""
        day, past = self.as_of or self.today, self.as_of is not None
        return Viewer(self.agent, self.project, self.folder, day, past, self.marked)


@dataclass(frozen=True, slots=True)
class Answer:
    """The hits, best first, and what has to be said about them: `stale` where the sidecar could not be refreshed,
    `degraded` what is missing, `error` why there is no search at all; each is "" where all is well."""

    hits: tuple[Hit, ...] = ()
    stale: str = ""
    degraded: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """What a hit shows: the title of the section or the number of the message, the words, where they begin."""

    section: str
    text: str
    start: int = 0


@dataclass(frozen=True, slots=True)
class Spot:
    """What is to be quoted: a text, what its units are (offsets or row numbers), the number of the unit."""

    card: Card
    places: Sequence[int]
    unit: int


Quotes = Callable[[Sequence[Spot]], Sequence[Quote]]


def search(sidecar: Sidecar, text: str, wish: Wish | None = None, refresh: bool = True) -> Answer:
    """Answer a question from the sidecar, brought in step with the files first unless `refresh` is off."""
    wish = wish or Wish()
    with sidecar.guard:
        stale = _refresh(sidecar, wish) if refresh else ""
        try:
            with sidecar.reading():
                return replace(_answer(sidecar, text[:LONGEST_QUERY], wish), stale=stale)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                return Answer(stale=stale, error=str(explain(sidecar.path, error)))
            sidecar.rebuild_file(DAMAGED)
        stale = _refresh(sidecar, wish)
        return replace(_answer(sidecar, text[:LONGEST_QUERY], wish), stale=stale)


def _refresh(sidecar: Sidecar, wish: Wish) -> str:
    """Bring the sidecar in step; return why it may be behind, "" where it is not."""
    try:
        if wish.scope is not Scope.SESSIONS:
            sidecar.refresh(wait=0.0)
        if wish.state and wish.scope in (Scope.SESSIONS, Scope.ALL):
            refresh_sessions(sidecar, wish.state, wait=0.0)
    except Busy:
        return "another program is building the sidecar"
    except MemoryShaperError as error:
        return str(error)
    except OSError as error:
        return f"the memories folder cannot be read ({error.strerror})"
    return ""


def _answer(sidecar: Sidecar, text: str, wish: Wish) -> Answer:
    sidecar.words.learn(project_words(sidecar.connection))
    query = analyse_query(text, sidecar.words)
    hits: list[Hit] = []
    if wish.scope is not Scope.SESSIONS:
        hits += _hits(sidecar.notes, text, query, wish, lambda spots: [_cut_note(sidecar, spot) for spot in spots])
    if wish.scope in (Scope.SESSIONS, Scope.ALL):
        hits += _hits(sidecar.sessions, text, query, wish, lambda spots: _cut_sessions(wish.state, spots))
    return Answer(tuple(hits[: max(wish.limit, 0)]), degraded=_degraded(sidecar))


def _degraded(sidecar: Sidecar) -> str:
    missing = "jieba is missing: Chinese is found by pairs of characters" if sidecar.words.available is False else ""
    return "; ".join(note for note in (sidecar.note, missing) if note)


def _hits(shelf: Shelf, text: str, query: Query, wish: Wish, quotes: Quotes) -> list[Hit]:
    if not query.words or wish.limit <= 0:
        return []
    shelf.load()
    dates = fit(find_dates(text, wish.today), shelf.days, shelf.means.texts)
    view = View(wish.viewer, shelf.telling) if shelf.has_facts else None
    filtered = wish.tags or wish.since or wish.as_of or wish.session or wish.scope is Scope.ARCHIVE or view
    allowed = (lambda text: _is_wanted(shelf, text, wish, view)) if filtered else None
    found = find_candidates(shelf, query, dates, allowed)
    if found.near:
        query = replace(query, words=(*query.words, *found.near))
    scored = score(query, found.sights, found.weight, shelf.means, dates, shelf.closer)
    ranked = _ranked(shelf, scored)[: wish.limit]
    places = shelf.places(text for text, _ in ranked)
    spots = [Spot(shelf.cards[text], places[text], scored[text].unit) for text, _ in ranked]
    return [
        _hit(spot.card, scored[text], total, bool(found.near), quote)
        for spot, quote, (text, total) in zip(spots, quotes(spots), ranked, strict=True)
    ]


def _ranked(shelf: Shelf, scored: Mapping[int, Scored]) -> list[tuple[int, float]]:
    """Return the texts with their totals, best first; of equals the later date, then the later text."""
    totals = {
        text: one.total * (ARCHIVE_FACTOR if shelf.cards[text].kind == ARCHIVE else 1.0)
        for text, one in scored.items()
        if one.total > 0
    }
    return sorted(totals.items(), key=lambda row: (-row[1], -(shelf.cards[row[0]].day or 0), -row[0]))


def _is_wanted(shelf: Shelf, text: int, wish: Wish, view: View | None) -> bool:
    card = shelf.cards[text]
    if wish.scope is Scope.ARCHIVE and card.kind != ARCHIVE:
        return False
    if wish.session and (card.kind != SESSION or session_of(card.name) != wish.session):
        return False
    if wish.tags and not set(wish.tags) & set(json.loads(card.facts).get("tags", ())):
        return False
    day = card.day or 0
    if (wish.since and day < wish.since.toordinal()) or (wish.as_of and day > wish.as_of.toordinal()):
        return False
    return view is None or view.shows(shelf.claim(text))


def _hit(card: Card, scored: Scored, total: float, alike: bool, quote: Quote) -> Hit:
    mode = "alike" if alike else "phrase" if scored.parts.get("pairs", 0) == 1 and len(scored.found) > 1 else "terms"
    return Hit(
        name=card.name,
        kind=card.kind,
        score=round(total, 4),
        section=quote.section,
        snippet=quote.text,
        evidence=scored.found,
        mode=mode,
        day=date.fromordinal(card.day) if card.day else None,
        parts=scored.parts,
        start=quote.start,
    )


def _cut_note(sidecar: Sidecar, spot: Spot) -> Quote:
    """Quote one unit of a note, as the file has it now."""
    unit = min(max(spot.unit, 1), max(len(spot.places) - 2, 0))
    text = _read(sidecar, spot.card.name)
    start, end = spot.places[unit], spot.places[unit + 1]
    return Quote(section_at(text, start).title, text[start : min(end, start + LONGEST_SNIPPET)].strip(), start)


def _cut_sessions(state: Path | None, spots: Sequence[Spot]) -> list[Quote]:
    """Quote one message of each session."""
    numbers = [spot.places[min(spot.unit, len(spot.places) - 1)] for spot in spots]
    texts = message_texts(state, numbers) if state else {}
    return [Quote(str(number), texts.get(number, "")[:LONGEST_SNIPPET].strip(), number) for number in numbers]


def verbatim(sidecar: Sidecar, hit: Hit, most: int = 20_000) -> str:
    """Return the note of a hit byte for byte, or of one longer than `most` characters the section of the snippet."""
    text = _read(sidecar, hit.name)
    if len(text) <= most:
        return text
    section = section_at(text, hit.start)
    return text[section.start : section.end]


def _read(sidecar: Sidecar, name: str) -> str:
    """Return the text of a note, "" where it vanished since the refresh; the next search no longer names it."""
    try:
        with open(f"{sidecar.memories}/{name}", "rb") as file:
            return file.read().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
