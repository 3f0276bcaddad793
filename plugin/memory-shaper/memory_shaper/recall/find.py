"""Finding: the sidecar's hits, weighed by age, emotion, feedback and topics, each with its reasons. Shell.

bring the sidecar in step, as long as there is time for it
search it; filters come before the cut
multiply each hit's score by its factors, sort, cut
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import MemoryShaperError
from ..model import Entry
from ..settings import Home, Settings, load
from .byline import by_lines
from .emotion import intensity
from .factors import Strengths, factors
from .folder import ARCHIVE
from .hit import Hit
from .placing import Ranked, is_literal, placed, room
from .remembered import Memory, remembered
from .search import Answer, Scope, Wish, search
from .sessions import session_of
from .sidecar import Sidecar
from .standing import View, marked_keys
from .widen import Asked, Widener, Wider

if TYPE_CHECKING:
    from .vectors.meaning import Meaning

MOST = 50
_CANDIDATES = 50
# Under rules that nobody knows neither is a sidecar built that stays, nor is anything asked of an endpoint.
_UNKNOWN = "your rules about what is kept cannot be read, so the notes were searched without them and nothing was kept"


@dataclass(frozen=True, slots=True)
class Found:
    """What was found, best first; `stale`, `degraded` and `error` are "" where all is well."""

    hits: tuple[Ranked, ...] = ()
    stale: str = ""
    degraded: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question with its limits; `expired` shows notes that no longer hold, `session` keeps hits of one session,
    `meaning` also asks the endpoint for embeddings, where the settings name one.

    `as_of` shows the notes as they stood on a day, `project` hides those of others ("": of others than the one that
    `folder` lies in, "all": none).
    """

    question: str
    limit: int = 10
    scope: Scope = Scope.NOTES
    since: date | None = None
    tags: tuple[str, ...] = ()
    session: str = ""
    expired: bool = False
    meaning: bool = False
    as_of: date | None = None
    project: str = ""
    folder: str = ""


class Finder:
    """Finds in the notes of one home; keeps the sidecar open between questions. Close it when done."""

    def __init__(self, home: Home, settings: Settings | None = None) -> None:
        """Settings that are faulty may be handed in for a verb that only reads; else those of the home are loaded."""
        self.home = home
        self._settings = settings
        self._sidecar: Sidecar | None = None
        self._opened = 0
        self._opening = threading.Lock()
        self._meaning: Meaning | None = None

    @property
    def sidecar(self) -> Sidecar:
        """The open sidecar. Raises SidecarError, ReadOnly or Busy where it cannot be opened."""
        with self._opening:
            if self._sidecar is not None and not self._sidecar.in_memory and self._place() != self._opened:
                self._sidecar.close()  # Its file was deleted or replaced.
                self._sidecar = None
            if self._sidecar is None:
                known = self._settings or load(self.home)
                apart = "" if known.rules_known else _UNKNOWN
                self._sidecar = Sidecar(self._path, self.home.memories, rules=known.rules, apart=apart)
                self._opened = self._place()
            return self._sidecar

    @property
    def _path(self) -> Path:
        return self.home.data / "sidecar.db"

    def _place(self) -> int:
        """What tells the sidecar's file from another one in its place, 0 where there is none."""
        try:
            return self._path.stat().st_ino
        except OSError:
            return 0

    def close(self) -> None:
        """Close the sidecar; the next question opens it again."""
        with self._opening:
            if self._sidecar is not None:
                self._sidecar.close()
            self._sidecar = None

    def find(self, ask: Ask, settings: Settings, now: datetime, seconds: float | None = None) -> Found:
        """Answer a question; with `seconds` the sidecar is only waited for so long, and then asked as it is."""
        try:
            if self._sidecar is not None and self._sidecar.rules != settings.rules:
                self.close()  # The user has changed what may be kept.
            memory = remembered(self.home, now)
            wish = replace(self._wish(ask, settings, now), marked=marked_keys(memory.entries.values()))
            at_once = seconds is None or self.sidecar.in_memory
            waited = "" if at_once or seconds is None else self._refreshed(wish, seconds)
            answer = self._answer(ask, wish, at_once)
        except MemoryShaperError as error:
            return Found(error=str(error))
        how = strengths(settings)
        view = self._view(wish, bool(answer.error))
        hits = [*answer.hits, *self._by_lines(ask, answer.hits, memory, view)]
        hits, amiss = self._by_meaning(ask, wish, view, hits, settings)
        ranked = [Ranked(hit, _factors(hit, memory, how, now)) for hit in hits]
        best = _cut(ranked, ask)
        widener = Widener(self.home, settings, memory, view)
        wider = [
            Ranked(one.hit, _factors(one.hit, memory, how, now), one.via)
            for one in self._wider(widener, ask, wish, best)
        ]
        degraded = "; ".join(filter(None, (answer.degraded, memory.trouble, amiss, widener.trouble)))
        return Found(placed(best, wider, ask.limit), answer.stale or waited, degraded, answer.error)

    def _wish(self, ask: Ask, settings: Settings, now: datetime) -> Wish:
        return Wish(
            limit=max(ask.limit, _CANDIDATES) if ask.limit > 0 else 0,
            scope=ask.scope,
            since=ask.since,
            tags=ask.tags,
            agent=str(settings["agent"]),
            today=None if ask.expired else now.date(),
            state=self.home.path / "state.db" if not self.home.folder else None,
            as_of=ask.as_of,
            project=ask.project or str(settings["project"]),
            folder=ask.folder,
            session=ask.session,
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

    def _wider(self, widener: Widener, ask: Ask, wish: Wish, best: Sequence[Ranked]) -> list[Wider]:
        """The notes that only further words lead to; where they cannot be had the answer stands without them."""
        if ask.scope is Scope.SESSIONS or ask.session or ask.limit <= 0:
            return []
        found = [one.hit.name for one in best if is_literal(one)]
        wish = replace(wish, scope=Scope.NOTES) if ask.scope is Scope.ALL else wish
        try:
            return widener.widen(self.sidecar, Asked(ask.question, wish, found, len(found) >= room(best, ask.limit)))
        except MemoryShaperError as error:
            widener.broken = str(error)
            return []

    def _by_lines(self, ask: Ask, known: Sequence[Hit], memory: Memory, view: View) -> Iterator[Hit]:
        if ask.scope is Scope.SESSIONS or ask.tags or ask.since or ask.limit <= 0:
            return
        there = [hit.name for hit in known]
        for hit in by_lines(self.home, memory, ask.question, there, view):
            if ask.scope is not Scope.ARCHIVE or hit.kind == ARCHIVE:
                yield hit

    def _view(self, wish: Wish, broken: bool) -> View:
        if broken:
            return View(wish.viewer, ())
        with self.sidecar.guard:
            return View(wish.viewer, self.sidecar.notes.telling)

    def _by_meaning(
        self, ask: Ask, wish: Wish, view: View, hits: list[Hit], settings: Settings
    ) -> tuple[list[Hit], str]:
        """The hits with likeness of meaning in their scores, where that is wished for, and what was amiss."""
        if (
            not (ask.meaning and settings["embedding_url"] and settings.rules_known)
            or ask.scope is Scope.SESSIONS
            or ask.limit <= 0
        ):
            return hits, ""
        return self.meaning.fused(ask.question, wish, view, hits, self.sidecar.files(), settings)

    @property
    def meaning(self) -> Meaning:
        """What finds by meaning in this home."""
        with self._opening:
            if self._meaning is None:
                from .vectors.meaning import Meaning

                self._meaning = Meaning(self.home)
            return self._meaning

    def _refreshed(self, wish: Wish, seconds: float) -> str:
        """Bring the sidecar in step on the side; return why it may be behind, "" where it is not."""
        told: list[str] = []

        def work() -> None:
            try:
                with Sidecar(self._path, self.home.memories, rules=load(self.home).rules) as mine:
                    told.append(search(mine, "", wish).stale)
            except MemoryShaperError as error:
                told.append(str(error))

        thread = threading.Thread(target=work, name="memory-shaper-refresh", daemon=True)
        thread.start()
        thread.join(seconds)
        return told[0] if told else "the sidecar is still being built; ask again in a moment"


@contextmanager
def finder(home: Home, settings: Settings | None = None) -> Iterator[Finder]:
    """A finder for one question; see Finder for the settings."""
    found = Finder(home, settings)
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


def _factors(hit: Hit, memory: Memory, how: Strengths, now: datetime) -> dict[str, float]:
    bare = hit.name.rpartition("/")[2]
    entry = memory.entry(hit.name)
    text = " \n".join((bare.removesuffix(".md"), hit.section, hit.snippet, *(entry.keywords if entry else ())))
    found = factors(bare, text, _age(hit, entry, memory, now), intensity(hit.snippet), memory.known, how)
    return {name: round(value, 4) for name, value in found.items()}


def _age(hit: Hit, entry: Entry | None, memory: Memory, now: datetime) -> float | None:
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
    return (*notes[: room(best, ask.limit)], *said)[: ask.limit]
