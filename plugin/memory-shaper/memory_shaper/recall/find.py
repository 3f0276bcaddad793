"""Finding: the sidecar's hits, weighed by age, emotion, feedback and topics, each with its reasons. Shell.

bring the sidecar in step, as long as there is time for it
search it; filters come before the cut
multiply each hit's score by its factors, sort, cut
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from math import prod
from pathlib import Path

from .. import grammar, names, store
from ..errors import MemoryShaperError
from ..model import Entry
from ..record import Record, RecordError
from ..settings import Home, Settings
from .emotion import intensity
from .factors import Known, Strengths, factors
from .folder import ARCHIVE, TOPIC
from .fuzzy import near_words
from .mentions import known as known_of
from .notes import Front, own_date, read_note
from .route import LEAST, Routed, Router
from .search import LONGEST_SNIPPET, Answer, Hit, Scope, Wish, search
from .sessions import session_of
from .sidecar import Sidecar

MOST = 50
_CANDIDATES = 50
_LEAST_SESSIONS = 3
_HEAD = 20_000  # characters of a note that are read for its front matter and snippet
_RECORD_SECONDS = 0.2  # a search never waits long for the record


@dataclass(frozen=True, slots=True)
class Ranked:
    """A hit with its factors; `total` is the text score times all of them, `score` the same but at most 1."""

    hit: Hit
    factors: Mapping[str, float]

    @property
    def total(self) -> float:
        return self.hit.score * prod(self.factors.values())

    @property
    def score(self) -> float:
        return min(1.0, self.total)


@dataclass(frozen=True, slots=True)
class Found:
    """What was found, best first; `stale`, `degraded` and `error` are "" where all is well."""

    hits: tuple[Ranked, ...] = ()
    stale: str = ""
    degraded: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question with its limits; `expired` shows notes that no longer hold, `session` keeps hits of one session."""

    question: str
    limit: int = 10
    scope: Scope = Scope.NOTES
    since: date | None = None
    tags: tuple[str, ...] = ()
    session: str = ""
    expired: bool = False


@dataclass(frozen=True, slots=True)
class _Memory:
    """What the record and the index say about the notes: counters, last uses, entries by target."""

    known: Known = field(default_factory=Known)
    used: Mapping[str, datetime] = field(default_factory=dict)
    entries: Mapping[str, Entry] = field(default_factory=dict)
    trouble: str = ""

    def entry(self, name: str) -> Entry | None:
        """The entry of a note, live or archived."""
        return self.entries.get(names.same(name))


class Finder:
    """Finds in the notes of one home; keeps the sidecar open between questions. Close it when done."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._sidecar: Sidecar | None = None
        self._opening = threading.Lock()

    @property
    def sidecar(self) -> Sidecar:
        """The open sidecar. Raises SidecarError, ReadOnly or Busy where it cannot be opened."""
        with self._opening:
            if self._sidecar is None:
                self._sidecar = Sidecar(self.home.data / "sidecar.db", self.home.memories)
            return self._sidecar

    def close(self) -> None:
        """Close the sidecar; the next question opens it again."""
        with self._opening:
            if self._sidecar is not None:
                self._sidecar.close()
            self._sidecar = None

    def find(self, ask: Ask, settings: Settings, now: datetime, seconds: float | None = None) -> Found:
        """Answer a question; with `seconds` the sidecar is only waited for so long, and then asked as it is."""
        try:
            waited = "" if seconds is None else self._refreshed(self._wish(ask, settings, now), seconds)
            answer = self._answer(ask, self._wish(ask, settings, now), seconds is None)
        except MemoryShaperError as error:
            return Found(error=str(error))
        memory = _remembered(self.home, now)
        how = strengths(settings)
        hits = [*answer.hits, *self._by_lines(ask, answer.hits, memory, settings, now)]
        ranked = [Ranked(hit, _factors(hit, memory, how, now)) for hit in hits]
        degraded = "; ".join(filter(None, (answer.degraded, memory.trouble)))
        return Found(_cut(ranked, ask), answer.stale or waited, degraded, answer.error)

    def _wish(self, ask: Ask, settings: Settings, now: datetime) -> Wish:
        return Wish(
            limit=max(ask.limit, _CANDIDATES) if ask.limit > 0 else 0,
            scope=ask.scope,
            since=ask.since,
            tags=ask.tags,
            agent=str(settings["agent"]),
            today=None if ask.expired else now.date(),
            state=self.home.path / "state.db" if not self.home.folder else None,
        )

    def _answer(self, ask: Ask, wish: Wish, refresh: bool) -> Answer:
        """Ask the sidecar; of both kinds each gets its own list, so that neither pushes the other out."""
        if ask.scope is not Scope.ALL:
            return search(self.sidecar, ask.question, wish, refresh)
        notes = search(self.sidecar, ask.question, replace(wish, scope=Scope.NOTES), refresh)
        said = search(self.sidecar, ask.question, replace(wish, scope=Scope.SESSIONS), refresh)
        return replace(
            notes, hits=(*notes.hits, *said.hits), stale=notes.stale or said.stale, error=notes.error or said.error
        )

    def _by_lines(
        self, ask: Ask, known: Sequence[Hit], memory: _Memory, settings: Settings, now: datetime
    ) -> Iterator[Hit]:
        """Notes whose line in an index is touched though their text is not; filters hold for them as well."""
        if ask.scope is Scope.SESSIONS or ask.tags or ask.since or ask.limit <= 0:
            return
        there = {names.same(hit.name) for hit in known}
        today = None if ask.expired else now.date()
        for routed in Router(tuple(memory.entries.values()), near_words()).route(ask.question):
            name = _name_in(memory, routed.entry)
            archived = name.startswith(names.ARCHIVE_FOLDER + "/")
            if routed.confidence < LEAST or names.same(name) in there or (ask.scope is Scope.ARCHIVE and not archived):
                continue
            text = _text(self.home.memories / name)
            front = read_note(text).front
            if text and holds(front, str(settings["agent"]), today):
                yield _line_hit(name, archived, routed, text, own_date(name, front))

    def _refreshed(self, wish: Wish, seconds: float) -> str:
        """Bring the sidecar in step on the side; return why it may be behind, "" where it is not."""
        told: list[str] = []

        def work() -> None:
            try:
                with Sidecar(self.home.data / "sidecar.db", self.home.memories) as mine:
                    told.append(search(mine, "", wish).stale)
            except MemoryShaperError as error:
                told.append(str(error))

        thread = threading.Thread(target=work, name="memory-shaper-refresh", daemon=True)
        thread.start()
        thread.join(seconds)
        return told[0] if told else "the sidecar is still being built; ask again in a moment"


@contextmanager
def finder(home: Home) -> Iterator[Finder]:
    """A finder for one question."""
    found = Finder(home)
    try:
        yield found
    finally:
        found.close()


def strengths(settings: Settings) -> Strengths:
    """The strengths of the factors as the settings have them."""
    return Strengths(
        half_life=settings.number("decay_half_life_days"),
        floor=settings.number("decay_floor"),
        emotion=settings.number("emotion_factor"),
        liked=settings.number("feedback_boost"),
        disliked=settings.number("feedback_penalty"),
        hot=settings.number("hot_topic_boost"),
        hot_half_life=settings.number("hot_topic_half_life_days"),
        attention=settings.number("attention_boost"),
        attention_half_life=settings.number("attention_half_life_days"),
    )


def _remembered(home: Home, now: datetime) -> _Memory:
    """What the record and the index know; a record that is busy or broken costs its factors, never the answer."""
    entries = _entries(home)
    path = home.data / "record.db"
    if not path.exists():
        return _Memory(entries=entries)
    try:
        with Record.open(path, busy=_RECORD_SECONDS) as record:
            used = {topic.name: topic.last_used or topic.first_seen for topic in record.uses.topics()}
            return _Memory(known_of(record, now), used, entries)
    except RecordError as error:
        return _Memory(entries=entries, trouble=f"feedback and attention are left out ({error})")


def _entries(home: Home) -> dict[str, Entry]:
    """The entries of both indexes by the name of their note below the memories folder."""
    found = {}
    for path, below in ((home.index, ""), (home.archive_index, names.ARCHIVE_FOLDER + "/")):
        try:
            document = store.read_if_there(path)
        except MemoryShaperError:
            continue  # The verbs that change it say so; a search does not need it.
        for _, entry in grammar.parse(document.text if document else "").entries():
            if not names.fault(entry.target):
                found[names.same(below + entry.target)] = entry
    return found


def _name_in(memory: _Memory, entry: Entry) -> str:
    live = memory.entries.get(names.same(entry.target)) is entry
    return entry.target if live else f"{names.ARCHIVE_FOLDER}/{entry.target}"


def _text(path: Path) -> str:
    """A note as far as a hit needs it, "" where it cannot be read."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(_HEAD)
    except OSError:
        return ""


def holds(front: Front, agent: str, today: date | None) -> bool:
    """Tell whether a note is for this agent ("" sees all) and still holds today."""
    if agent and front.agent not in ("", agent):
        return False
    try:
        return not (today and front.invalid_at and datetime.fromisoformat(front.invalid_at).date() <= today)
    except ValueError:
        return True


def _line_hit(name: str, archived: bool, routed: Routed, text: str, day: date | None) -> Hit:
    note = read_note(text)
    start = note.units[0][0] if note.units else len(text)
    snippet = text[start : start + LONGEST_SNIPPET].strip()
    words = tuple(match.keyword for match in routed.matches)
    return Hit(name, ARCHIVE if archived else TOPIC, routed.confidence, "", snippet, words, "line", day)


def _factors(hit: Hit, memory: _Memory, how: Strengths, now: datetime) -> dict[str, float]:
    bare = hit.name.rpartition("/")[2]
    entry = memory.entry(hit.name)
    text = " \n".join((bare.removesuffix(".md"), hit.section, hit.snippet, *(entry.keywords if entry else ())))
    found = factors(bare, text, _age(hit, entry, memory, now), intensity(hit.snippet), memory.known, how)
    return {name: round(value, 4) for name, value in found.items()}


def _age(hit: Hit, entry: Entry | None, memory: _Memory, now: datetime) -> float | None:
    """The age in days by which a hit fades: by its own date, else by its last use; a marked entry does not age."""
    if entry is not None and entry.mark:
        return None
    if hit.day is not None:
        then = datetime(hit.day.year, hit.day.month, hit.day.day, tzinfo=UTC)
        return (now - then).total_seconds() / 86400
    used = memory.used.get(hit.name.rpartition("/")[2])
    return None if used is None else (now - used).total_seconds() / 86400


def _cut(ranked: Sequence[Ranked], ask: Ask) -> tuple[Ranked, ...]:
    """The best hits; of notes and sessions together the notes come first, and some room is kept for the sessions."""
    best = sorted(ranked, key=lambda one: -one.total)
    if ask.session:
        best = [one for one in best if session_of(one.hit.name) == ask.session]
    if ask.scope is not Scope.ALL:
        return tuple(best[: ask.limit])
    said = [one for one in best if one.hit.kind == "session"]
    notes = [one for one in best if one.hit.kind != "session"]
    room = max(ask.limit - min(len(said), _LEAST_SESSIONS), 0)
    return (*notes[:room], *said)[: ask.limit]
