"""Further words for a question, and where they come from. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Why(StrEnum):
    """Where a further word comes from: a table kept by hand, one that was found, or names beside each other."""

    SYNONYM = "synonym"
    LIKELY = "likely synonym"
    RELATED = "related"


@dataclass(frozen=True, slots=True)
class Expansion:
    """A further word for a word of the question; `places` are those of the word that it stands in for."""

    term: str
    word: str
    why: Why
    places: frozenset[int] = field(default=frozenset(), compare=False)

    def __str__(self) -> str:
        return f"{self.term} ({self.why} of {self.word})"
