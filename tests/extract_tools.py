"""What the tests of extraction share: a home with a host's database, and a model that answers what it is told to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cli_tools import Demo, demo
from memory_shaper import edit
from memory_shaper.extract.running import Result, at_session_end
from memory_shaper.outgoing.endpoint import NoAnswer
from memory_shaper.record import Proposal, State
from memory_shaper.settings import Home, load
from statedb import StateDb

ON = "plugins:\n  entries:\n    memory-shaper:\n      settings:\n        extract: {}\n"
LIKES = {
    "text": "Ann drinks oolong tea in the morning and never coffee.",
    "type": "profile",
    "topic": "ann-tea",
    "keywords": ["tea", "oolong", "morning", "coffee", "drinks"],
}


def facts(*rows: object) -> str:
    """A model's answer with these facts."""
    return json.dumps({"facts": list(rows)})


def decisions(*rows: object) -> str:
    """A model's answer with these decisions."""
    return json.dumps({"decisions": list(rows)})


@dataclass(slots=True)
class Model:
    """A model that gives its answers one by one, and fails when it has none left; `asked` is what it was asked."""

    answers: Sequence[str]
    asked: list[str] = field(default_factory=list)

    def __call__(self, told: str, asked: str, seconds: float, /) -> str:
        self.asked.append(asked)
        if len(self.asked) > len(self.answers):
            raise NoAnswer("the model is away")
        return self.answers[len(self.asked) - 1]


@dataclass(slots=True)
class Talks:
    """A home in which sessions are held."""

    demo: Demo
    state: StateDb

    @property
    def home(self) -> Home:
        return Home(self.demo.path, "given")

    def config(self, mode: str = "propose", more: str = "") -> None:
        (self.demo.path / "config.yaml").write_text(ON.format(mode) + more, encoding="utf-8")

    def say(self, *texts: str, session: str = "s1") -> None:
        """What the user said, each with an answer."""
        for text in texts:
            self.state.add("user", text, session=session)
            self.state.add("assistant", "I see.", session=session)

    def end(self, *answers: str, session: str = "s1", model: Model | None = None) -> Result:
        """The session ends."""
        return at_session_end(self.home, load(self.home, {}), session, model or Model(answers))

    def proposals(self, state: State | None = State.OPEN) -> list[Proposal]:
        with edit.open_record(self.home) as record:
            return record.proposals.list(state)


def talks(folder: Path, mode: str = "propose") -> Talks:
    """A home with an index, an empty database of a host, and extraction switched on."""
    home = demo(folder)
    made = Talks(home, StateDb(home.path))
    made.config(mode)
    return made
