"""Which messages of people were questions to the memory, and which of them no line of the index matched. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .atoms import atoms
from .cases import surely
from .matching import Said
from .route import LONGEST, Router

_TELLING = 2.0  # words; a message without a question mark needs so many


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: when (Unix seconds), its text, and whether no line surely matched it."""

    at: float
    text: str
    missed: bool


def is_question(text: str) -> bool:
    """Tell whether a message asks or tells something about a subject; pastes and small talk do not.

    >>> [is_question(text) for text in ("ok, thanks", "which port?", "roll back the release", "?")]
    [False, True, True, False]
    """
    if len(text) > LONGEST:
        return False
    telling = sum(Said(atoms(text)).weights)
    return telling >= _TELLING or (telling > 0 and ("?" in text or "？" in text))


def judged(router: Router, said: Iterable[tuple[float, str]]) -> Iterator[Asked]:
    """Yield the questions among messages (time, text), in their order."""
    for at, text in said:
        if is_question(text):
            yield Asked(at, text, surely(router.route(text)) is None)
