"""What routing speaks in: an utterance with its places, a match, a routed line. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from ..model import Entry
from .atoms import Atom, is_stop_char

# From a word and known words to those it may be a misspelling of, the nearest first.
Near = Callable[[str, Iterable[str]], list[str]]

# Letters of the shortest word that can be told from another one though it is misspelt.
SHORTEST = 5


class How(StrEnum):
    """How a keyword was found; a synonym is one of the table that is kept by hand."""

    EXACT = "exact"
    STEM = "stem"
    JOINED = "joined"
    INSIDE = "inside"
    PARTS = "parts"
    FUZZY = "fuzzy"
    SYNONYM = "synonym"


@dataclass(frozen=True, slots=True)
class Match:
    """One keyword that the utterance touches: by which words, how, what it is worth (0 to 1), and where."""

    keyword: str
    words: str
    how: How
    worth: float
    places: frozenset[int]


@dataclass(frozen=True, slots=True)
class Routed:
    """One line that the utterance touches.

    `score` adds up what its matches are worth; `confidence` (0 to 1) also weighs how much of the utterance they are and
    how far behind the next line is.
    """

    entry: Entry
    score: float
    confidence: float
    matches: tuple[Match, ...]

    @property
    def why(self) -> str:
        """The matches in words, for a reader."""
        return ", ".join(
            match.keyword if match.how is How.EXACT else f'{match.keyword} ("{match.words}", {match.how})'
            for match in self.matches
        )


@dataclass(slots=True)
class Said:
    """An utterance: its atoms, the first place of each, and how much each place says."""

    atoms: list[Atom]
    firsts: list[int] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        for atom in self.atoms:
            self.firsts.append(len(self.weights))
            if atom.dense:  # Two characters are about a word.
                self.weights.extend(0.0 if atom.stop or is_stop_char(char) else 0.5 for char in atom.form)
            else:
                self.weights.append(0.0 if atom.stop or atom.asking else 1.0)

    def places(self, first: int, last: int) -> frozenset[int]:
        """Return the places of the atoms from `first` up to `last`."""
        return frozenset(range(self.firsts[first], self.firsts[last - 1] + self.atoms[last - 1].width))
