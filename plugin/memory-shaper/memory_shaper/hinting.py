"""What a user's message is given along: the routing rule where the index lacks it, and hints. Shell.

Imported when a message comes, never when the plugin is loaded.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

from . import edit, grammar, headings, names, store
from .errors import MemoryShaperError
from .model import Entry, Index
from .recall.announcing import announce
from .recall.emotion import intensity, mood
from .recall.find import Ask, Finder, strengths
from .recall.fronts import Fronts
from .recall.fuzzy import near_words
from .recall.hints import SURE, full_hint, is_skipped, names_hint
from .recall.hints import Entry as Shown
from .recall.matching import Routed
from .recall.mentions import mention
from .recall.quiet import quiet
from .recall.route import Router
from .recall.search import Scope
from .recall.standing import Viewer
from .recall.synonyms import NONE, Synonyms
from .recall.word_lists import word_lists
from .record import Record, RecordError
from .rules.whole import ROUTING_WORDS
from .settings import Home, Settings, load

_SECONDS = 1.5  # a message is never held up longer for whole entries
_SESSIONS = 1000
_ROUTERS = 4  # of so many sets of entries a router is kept: one a project that is worked on
_FULL_SCORE = 0.35
_LARGEST = 100_000  # bytes of a note that is shown whole
_RECORD_SECONDS = 0.05


@dataclass(slots=True)
class Hints:
    """The hints of one home: the router of the index as it was last read, and what each session was told last."""

    finder: Finder
    text: str | None = None
    index: Index = field(default_factory=lambda: grammar.parse(""))
    synonyms: Synonyms = NONE
    routers: OrderedDict[tuple[Entry, ...], Router] = field(default_factory=OrderedDict)
    fronts: Fronts | None = None
    told: OrderedDict[str, str] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    @property
    def home(self) -> Home:
        return self.finder.home

    def give(self, session: str, message: str, first: bool, folder: str = "") -> str:
        """Return what this message is given along, "" for nothing; `folder` is where the session works, "" unknown.

        Raises Unreadable for settings that are none.
        """
        settings = load(self.home)
        if settings["hints"] == "off" or quiet(self.home, datetime.now(UTC)).asked or not self._read():
            return ""
        announce(self.home, settings)
        rule = self._rule() if first else ""
        hint = self._hint(settings, session, message, folder)
        return "\n".join(part for part in (rule, hint) if part)

    def _read(self) -> bool:
        """Read the index where it changed; False where there is none to speak of."""
        try:
            document = store.read_if_there(self.home.index)
        except MemoryShaperError:
            return False  # The guard tells the model that the index cannot be read.
        text = document.text if document else ""
        synonyms = word_lists(self.home).synonyms
        with self.lock:
            if text != self.text or synonyms is not self.synonyms:
                self.index = grammar.parse(text)
                self.routers.clear()
                self.text, self.synonyms = text, synonyms
        return grammar.is_index(self.index)

    def _rule(self) -> str:
        """The routing rule, where the heading does not carry it."""
        has_rule = any(word in grammar.heading(self.index).casefold() for word in ROUTING_WORDS)
        if has_rule or not any(True for _ in self.index.entries()):
            return ""
        return headings.heading("full", headings.shown(self.home))

    def _router(self, settings: Settings, folder: str) -> Router:
        """The router of the entries whose topics stand today, in this folder's project."""
        viewer = Viewer(str(settings["agent"]), str(settings["project"]), folder, edit.now().date())
        with self.lock:
            self.fronts = self.fronts or Fronts(self.home.memories)
            shown = tuple(self.fronts.shown((entry for _, entry in self.index.entries()), viewer))
            if shown not in self.routers:
                self.routers[shown] = Router(shown, near_words(), self.synonyms)
                while len(self.routers) > _ROUTERS:
                    self.routers.popitem(last=False)
            return self.routers[shown]

    def _hint(self, settings: Settings, session: str, message: str, folder: str) -> str:
        skip = str(settings["skip"]).replace("，", ",").split(",")
        if is_skipped(message, skip, int(settings.number("skip_min_length"))):
            return ""
        routes = self._router(settings, folder).route(message)
        self._count(settings, message, routes)
        hint = names_hint(routes)
        if settings["hints"] == "full":
            hint = self._full(settings, Ask(message, scope=Scope.NOTES, folder=folder), routes) or hint
        return self._unless_told(session, hint)

    def _unless_told(self, session: str, hint: str) -> str:
        with self.lock:
            if self.told.get(session) == hint:
                return ""
            self.told[session] = hint
            self.told.move_to_end(session)
            while len(self.told) > _SESSIONS:
                self.told.popitem(last=False)
        return hint

    def _full(self, settings: Settings, ask: Ask, routes: Sequence[Routed]) -> str:
        most = int(settings.number("top_k"))
        named = [one.entry.target for one in routes if one.confidence >= SURE and not names.fault(one.entry.target)]
        found = self.finder.find(replace(ask, limit=most), settings, datetime.now(UTC), _SECONDS)
        named += [one.hit.name for one in found.hits if one.score >= _FULL_SCORE]
        wanted = list(dict.fromkeys(named))[:most]
        return full_hint(list(_entries(self.home, wanted)), int(settings.number("hint_budget")))

    def _count(self, settings: Settings, message: str, routes: Sequence[Routed]) -> None:
        """Count the keywords that the message touches as talked about; a record that is busy is not waited for."""
        words = [match.keyword for one in routes if one.confidence >= SURE for match in one.matches]
        path = self.home.data / "record.db"
        if not words or not path.exists():
            return
        try:
            with Record.open(path, busy=_RECORD_SECONDS) as record:
                mention(record, words, intensity(message), mood(message), edit.now(), strengths(settings))
        except RecordError:
            return  # One mention more or less changes no order that matters.


def _entries(home: Home, wanted: Sequence[str]) -> Iterator[Shown]:
    for name in wanted:
        text = _whole(home.memories / name)
        if text:
            yield Shown(name, text)


def _whole(path: Path) -> str:
    try:
        if path.stat().st_size > _LARGEST:
            return ""
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
