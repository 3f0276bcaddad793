"""A text that answers a question, as search gives it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date


@dataclass(frozen=True, slots=True)
class Hit:
    """One text that answers.

    `name` is the file below the memories folder, or the session with its first message; `section` is the heading above
    the snippet, or the number of its message; `score` is 0 to 1; `snippet` is cut from the text as
    it stands, from `start` on; `evidence` are the search terms it holds; `mode` is phrase, terms or alike; `parts` the
    signals, 0 to 1.
    """

    name: str
    kind: str
    score: float
    section: str
    snippet: str
    evidence: tuple[str, ...]
    mode: str
    day: date | None
    parts: Mapping[str, float] = field(default_factory=dict)
    start: int = 0
