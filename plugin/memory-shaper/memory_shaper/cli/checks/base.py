"""What a check of `doctor` gives back, and what all of them look at."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from ...record import Record
from ...settings import Home, Settings


class State(StrEnum):
    """ok; note: worth knowing, nothing is broken; problem: something does not work as it should."""

    OK = "ok"
    NOTE = "note"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One finding of `doctor`: the name of the check, how it is, one sentence, and the one command that mends it."""

    check: str
    state: State
    message: str
    command: str = ""


@dataclass(frozen=True, slots=True)
class Patient:
    """What is examined. `record` is a copy of the record, empty where there is none (`recorded` false) or where it
    cannot be read (`trouble`)."""

    home: Home
    settings: Settings
    record: Record
    recorded: bool = False
    trouble: str = ""

    def ours(self, *words: str) -> str:
        """A command of ours for this very home, ready to be pasted."""
        return ours(self.home, *words)

    def hosts(self, *words: str) -> str:
        """A command of the host for this very home, ready to be pasted."""
        return hosts(self.home, *words)


Check = Callable[[Patient], Iterator[Diagnosis]]


def ours(home: Home, *words: str) -> str:
    """A command of ours, with `--home` where the home is another than the one that is found without it."""
    given = ["--home", str(home.path)] if home.source == "given" else []
    return shlex.join(["memory-shaper", *words, *given])


def hosts(home: Home, *words: str) -> str:
    """A command of the host; `HERMES_HOME` is set for it where the home is another than the one found without it."""
    given = f"HERMES_HOME={shlex.quote(str(home.path))} " if home.source == "given" else ""
    return given + shlex.join(["hermes", *words])


def ok(check: str, message: str) -> Diagnosis:
    """All is well."""
    return Diagnosis(check, State.OK, message)


def note(check: str, message: str, command: str = "") -> Diagnosis:
    """Worth knowing."""
    return Diagnosis(check, State.NOTE, message, command)


def problem(check: str, message: str, command: str) -> Diagnosis:
    """Something is broken, and this mends it."""
    return Diagnosis(check, State.PROBLEM, message, command)
