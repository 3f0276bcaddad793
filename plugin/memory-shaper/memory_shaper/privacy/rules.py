"""The user's rules about what may be kept, as values. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from re import Pattern


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules, compiled: what is never kept, what passes the gate of extraction, and what is replaced by what."""

    exclude: tuple[Pattern[str], ...] = ()
    always: tuple[Pattern[str], ...] = ()
    redact: tuple[tuple[Pattern[str], str], ...] = ()


NO_RULES = Rules()
