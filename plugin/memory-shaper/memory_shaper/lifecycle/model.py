"""What the rules of keeping speak in: topics with their texts, and what is known of them. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime

from ..model import Entry
from ..recall.notes import Front
from ..recall.standing import Claim, claim_of


@dataclass(frozen=True, slots=True)
class Topic:
    """A live topic file: its text, front matter and own date, its line (None: none), and why it cannot be moved.

    `at` is the file's time (UTC).
    """

    name: str
    text: str
    at: datetime
    front: Front = field(default_factory=Front)
    day: date | None = None
    entry: Entry | None = None
    stays: str = ""

    @property
    def claim(self) -> Claim:
        """What it says of itself."""
        return claim_of(self.name, self.front, self.day)


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a topic besides its text.

    `touched` is when it was written, changed or used last (UTC), as far as that is known; `seen` when it was first
    seen; `net` the words of feedback for it less twice those against; `intensity` how strongly it is felt (0 to 2),
    `attention` the factor of what is talked about (1: not at all).
    """

    touched: datetime
    seen: datetime
    net: int = 0
    intensity: float = 0.0
    attention: float = 1.0
