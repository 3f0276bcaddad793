"""The end of a session: its new messages become proposals, or topics where the user wants that. Shell.

A session is done with up to a message; what failed is tried again at the end of the next one, three times in all, so
nothing between two runs is lost and nothing is proposed twice.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from .. import edit, names, store
from ..errors import MemoryShaperError, Refused
from ..lifecycle import applying
from ..outgoing.endpoint import NoAnswer
from ..privacy.screening import cleaned
from ..recall.find import Ask as Question
from ..recall.find import finder
from ..recall.search import Scope
from ..record import Proposal, Record, Source
from ..settings import Home, Settings
from . import LAST, deciding, prompts, sessions
from .asking import Ask
from .custom import Custom
from .deciding import Decided, Near
from .facts import Fact, facts_in, kept
from .gate import Gate
from .talk import Portion, portions

log = logging.getLogger("memory_shaper")
_MARKS, _DUE = "extract:marks", "extract:due"
_TRIES, _SESSIONS, _NEAREST, _SURE = 3, 200, 3, 0.15
NO_MODEL = "no model: this host gives plugins none, and the setting model_url is empty"


@dataclass(frozen=True, slots=True)
class Result:
    """What a run came to: how many proposals are new, how many of them were carried out, why it stopped ("": it did
    not)."""

    proposed: int = 0
    applied: int = 0
    why: str = ""

    def __add__(self, other: Result) -> Result:
        return Result(self.proposed + other.proposed, self.applied + other.applied, self.why or other.why)


class Extraction:
    """One run for one home; `ask` is the model, None where there is none."""

    def __init__(self, home: Home, settings: Settings, record: Record, ask: Ask | None) -> None:
        self.home = home
        self.settings = settings
        self.record = record
        self.ask = ask
        self.custom = Custom(home.data, settings.number("extract_seconds") / 2)
        self._end = time.monotonic() + settings.number("extract_seconds")

    def run(self, session: str) -> Result:
        """Work through a session that has ended, then through one whose run failed before."""
        if self.ask is None and not self.custom.finds_facts:
            return self._told(Result(why=NO_MODEL))
        due = self._table(_DUE)
        waiting = [one for one in due if one != session][:1]
        done = Result()
        for one in (session, *waiting):
            try:
                done += self._session(one)
                due.pop(one, None)
            except MemoryShaperError as error:
                due[one] = due.get(one, 0) + 1
                done += Result(why=str(error))
                if due[one] >= _TRIES:
                    del due[one]
                    log.warning("memory-shaper: facts of a session were given up after %d tries", _TRIES)
        self._keep(_DUE, due)
        log.info("memory-shaper: %d facts proposed, %d kept", done.proposed, done.applied)
        return self._told(done)

    def _told(self, done: Result) -> Result:
        """Leave what a run came to for `status`."""
        last = {"at": datetime.now(UTC).isoformat(timespec="seconds"), "why": done.why}
        self.record.counters.set_meta(LAST, json.dumps(last | {"proposed": done.proposed, "applied": done.applied}))
        return done

    def _session(self, session: str) -> Result:
        marks = self._table(_MARKS)
        with closing(sessions.messages(self.home, session, marks.get(session, 0))) as messages:
            cut = list(portions(list(messages), self.settings.rules, Gate(), self.custom.should_remember))
        done = Result()
        for portion in cut:
            if portion.messages:
                done += self._portion(portion, session)
            marks = self._table(_MARKS)
            marks.pop(session, None)
            self._keep(_MARKS, marks | {session: portion.last})
        return done

    def _portion(self, portion: Portion, session: str) -> Result:
        facts = self._facts(portion)
        if not facts:
            return Result()
        near = [self._near(fact) for fact in facts]
        done = Result()
        for one in self._decided(facts, near):
            done += self._propose(one, session)
        return done

    def _facts(self, portion: Portion) -> list[Fact]:
        found = self.custom.extract_facts(portion.messages)
        if found is None:
            found = facts_in(self._asked(prompts.FACTS, portion.text))
        if found is None:
            raise NoAnswer("the model's answer was no list of facts")
        wanted = [fact for fact in found if self.custom.should_remember(fact.text) is not False]
        return kept(wanted, portion.wanted, self.settings.rules)

    def _asked(self, told: str, asked: str) -> str:
        if self.ask is None:
            raise NoAnswer(NO_MODEL)
        seconds = self._end - time.monotonic()
        if seconds <= 0:
            raise NoAnswer("there was no time left; see the setting extract_seconds")
        return self.ask(told, asked, seconds)

    def _near(self, fact: Fact) -> list[Near]:
        """The topics that a search for the fact finds first, and the one that it names."""
        with finder(self.home) as search:
            question = Question(fact.text, _NEAREST, Scope.NOTES)
            found = search.find(question, self.settings, datetime.now(UTC), self.settings.number("search_seconds"))
        hits = [one.hit.name for one in found.hits if one.hit.kind == "topic" and one.hit.score >= _SURE]
        named = fact.topic if fact.topic.endswith(".md") else f"{fact.topic}.md"
        near = []
        for name in dict.fromkeys((*hits, named)):
            data = None if names.fault(name) else store.read_bytes(self.home.memories / name)
            if data is not None:
                near.append(Near(name, cleaned(data.decode("utf-8", "replace"), self.settings.rules)[0]))
        return near

    def _decided(self, facts: Sequence[Fact], near: Sequence[Sequence[Near]]) -> list[Decided]:
        answer = None
        if self.ask is not None and any(near):
            answer = self._asked(prompts.DECISIONS, deciding.question(facts, near))
        found = deciding.decided(facts, near, answer)
        if found is None:
            raise NoAnswer("the model's answer was no list of decisions")
        return found

    def _propose(self, one: Decided, session: str) -> Result:
        kind = deciding.kind_of(one)
        if not kind:
            return Result()
        target = one.target or one.fact.topic
        title = f"{one.fact.type}: {target or 'a new topic'}"
        proposal = Proposal(kind, edit.now(), target, title, deciding.payload_of(one), "extract")
        number = self.record.proposals.add(proposal)
        if number is None:
            return Result()
        if self.settings["extract"] != "apply":
            return Result(1)
        source = Source("extract", session, "", "", os.getpid())
        try:
            applying.apply(self.home, self.record, self.settings, replace(proposal, id=number), source)
        except Refused:  # it stays a proposal, and the user sees why
            return Result(1)
        return Result(1, 1)

    def _table(self, key: str) -> dict[str, int]:
        found = json.loads(self.record.counters.meta(key) or "{}")
        return {str(name): int(value) for name, value in found.items()}

    def _keep(self, key: str, table: dict[str, int]) -> None:
        self.record.counters.set_meta(key, json.dumps(dict(list(table.items())[-_SESSIONS:])))


def at_session_end(home: Home, settings: Settings, session: str, ask: Ask | None) -> Result:
    """Look for facts in a session that has ended, where the user has switched that on."""
    if settings["extract"] == "off" or not session:
        return Result()
    with edit.open_record(home, settings) as record:
        return Extraction(home, settings, record, ask).run(session)
