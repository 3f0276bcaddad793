"""Lines within the cap: how many keywords each gets, and which topics the archive gets for want of room. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..host import DELIMITER
from ..keywords import FEWEST
from ..model import ARROW
from .wording import Wording

FULL = 0.9  # of the cap; the rest is room for the entries to come
_ENOUGH = 12  # keywords
_GOOD = 7  # keywords a line that a grouping should leave room for
_LONGEST_LINE = 220  # characters


@dataclass(frozen=True, slots=True)
class Fit:
    """For each wording how many of its keywords its line gets, and whether it goes to the archive."""

    counts: tuple[int, ...]
    archived: tuple[bool, ...]


def fit(wordings: Sequence[Wording], over: Sequence[bool], room: int) -> Fit:
    """Share `room` characters among the lines.

    Each line needs five keywords; the last ones are archived until the others have that; then all lines get one more
    in turn, up to twelve. `over` says which are archived anyway. An archived line has no cap.
    """
    archived = list(over)
    counts = [FEWEST] * len(wordings)
    used = sum(cost(one, FEWEST) for one, gone in zip(wordings, archived, strict=True) if not gone)
    for number in reversed(range(len(wordings))):
        if used > room and not archived[number]:
            archived[number] = True
            used -= cost(wordings[number], FEWEST)
    for wanted in range(FEWEST + 1, _ENOUGH + 1):
        for number, one in enumerate(wordings):
            more = cost(one, wanted) - cost(one, counts[number])
            fits = archived[number] or used + more <= room
            if (
                wanted <= len(one.words)
                and counts[number] == wanted - 1
                and fits
                and cost(one, wanted) <= _LONGEST_LINE
            ):
                counts[number] = wanted
                used += 0 if archived[number] else more
    return Fit(tuple(counts), tuple(archived))


def cost(one: Wording, count: int) -> int:
    """The characters that a line with its first `count` keywords takes in the index, its delimiter included."""
    return len(",".join(one.words[:count])) + len(ARROW) + len(one.name) + len(DELIMITER)


def is_roomy(wordings: Sequence[Wording], over: Sequence[bool], room: int) -> bool:
    """Whether every line that stays has room for a good number of keywords."""
    return sum(cost(one, _GOOD) for one, gone in zip(wordings, over, strict=True) if not gone) <= room
