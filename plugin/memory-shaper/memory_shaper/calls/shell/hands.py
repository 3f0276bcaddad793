"""What a row of the command table is given: the call, and the hands to say what it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from ..effects import Reading, World
from .expand import UNKNOWN
from .state import State

__all__ = ["DONE", "FAILED", "SILENT", "UNHEARD", "UNKNOWN", "Call", "Handler", "Hands", "Input", "Outcome", "Programs"]


class Outcome(NamedTuple):
    """What is known of a finished command: success (None: unknown) and the text it printed (None: unknown)."""

    success: bool | None = None
    out: str | None = None


UNHEARD = Outcome(None, None)
SILENT = Outcome(None, "")
DONE = Outcome(True, "")
FAILED = Outcome(False, "")


class Input(NamedTuple):
    """Standard input: its text, or the absolute path of the file that it comes from, or neither."""

    text: str | None = None
    path: str | None = None


class Hands(Protocol):
    """The running shell as a command may use it; paths are as written, seen from the shell's folder."""

    @property
    def state(self) -> State:
        """Variables and folder of the shell."""

    def read(self, path: str, via: str) -> None:
        """A file is read."""

    def write(self, path: str, via: str, tree: bool = False) -> None:
        """A file is written, made or replaced; with `tree` a folder and what is in it."""

    def delete(self, path: str, via: str, tree: bool = False) -> None:
        """A file, or with `tree` a folder and all in it, goes away."""

    def metadata(self, path: str, via: str, tree: bool = False) -> None:
        """Mode, owner, times or attributes change."""

    def keep(self, path: str, text: str | None, append: bool = False) -> None:
        """Remember the text that a file gets, so that it can be run later in the same call."""

    def link(self, target: str, name: str) -> None:
        """`name` now leads to `target`."""

    def made_folder(self, path: str) -> None:
        """The folder exists from now on."""

    def opaque(self) -> None:
        """A part of the call cannot be known."""

    def absolute(self, path: str) -> str | None:
        """The absolute path, None where it cannot be known."""

    def names(self, folder: str) -> Sequence[str]:
        """The names in a folder."""

    def is_folder(self, path: str) -> bool:
        """Whether it is a folder, or was made one by this call."""

    def exists(self, path: str) -> bool:
        """Whether its folder has such a name."""

    def text(self, path: str) -> str | None:
        """The text of a small file, as this call left it; None where it is not known."""

    def may_be_made(self, path: str) -> bool:
        """Whether a folder that is missing may have been made by this call."""

    def feed(self, text: str) -> None:
        """Put back what was not taken from standard input."""

    def inside(self, folder: str) -> Hands:
        """The same shell in another folder; what is done there is noted here."""

    def clean(self, cleared: bool) -> Hands:
        """A child of this shell to set variables in, with `cleared` without any others."""

    def command(self, words: Sequence[str], source: Input) -> Outcome:
        """Run one command, its words already expanded."""

    def script(self, text: str, arguments: Sequence[str], source: Input) -> Outcome:
        """Run a text in a child shell; `arguments` become `$1` and so on."""

    def evaluate(self, text: str, arguments: Sequence[str] | None) -> Outcome:
        """Run a text in this very shell."""

    def program(self, language: str, source: str, arguments: Sequence[str]) -> None:
        """Run a program text of another language."""


@dataclass(frozen=True, slots=True)
class Call:
    """One command: its name without folder, its arguments, its standard input."""

    name: str
    args: tuple[str, ...]
    source: Input
    hands: Hands

    def input(self) -> str | None:
        """The text on standard input, None where it is not known."""
        if self.source.path is not None:
            return self.hands.text(self.source.path)
        return self.source.text


Handler = Callable[[Call], Outcome]


def _nobody(*_: object) -> Reading:
    return Reading(opaque=True)


@dataclass(frozen=True, slots=True)
class Programs:
    """The readers of other languages; `other` gets the language's name first (node, ruby, perl, php)."""

    python: Callable[[str, World], Reading] = _nobody
    other: Callable[[str, str, World], Reading] = _nobody
