"""Which line of an index takes the questions of which other one. Pure.

Every keyword of a line is asked as a question of its own. The line that is led to first takes it; the others that the
question touches only share it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ..model import Entry
from .matching import Near
from .route import Router

MOST_LINES = 150
"""So many lines are looked at; of more the first ones: a word may touch every line, and so the work is bounded."""
_MOST_TOUCHED = 20  # lines of one question


@dataclass(frozen=True, slots=True)
class Collision:
    """What two lines have in common, by their places in the index from 0.

    `taken` are the keywords of `owner` that lead to `taker` first, `shared` those that touch it as well.
    """

    owner: int
    taker: int
    taken: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()


def collisions(entries: Sequence[Entry], near: Near | None = None) -> list[Collision]:
    """Return the pairs of lines that get in each other's way, by owner and taker.

    >>> lines = [Entry("", ("deploy", "release"), "a.md"), Entry("", ("release-notes", "deploys"), "b.md")]
    >>> [(one.owner, one.taker, one.taken, one.shared) for one in collisions(lines)]
    [(0, 1, (), ('deploy', 'release')), (1, 0, (), ('release-notes', 'deploys'))]
    """
    lines = entries[:MOST_LINES]
    places = {entry: place for place, entry in reversed(list(enumerate(lines)))}
    router = Router(lines, near)
    led = {word: _led(router, word, places) for word in {word for entry in lines for word in entry.keywords}}
    taken: dict[tuple[int, int], list[str]] = defaultdict(list)
    shared: dict[tuple[int, int], list[str]] = defaultdict(list)
    for owner, entry in enumerate(lines):
        for word in dict.fromkeys(entry.keywords):
            for rank, taker in enumerate(led[word]):
                if taker != owner:
                    (taken if rank == 0 else shared)[owner, taker].append(word)
    pairs = sorted(taken.keys() | shared.keys())
    return [Collision(*pair, tuple(taken.get(pair, ())), tuple(shared.get(pair, ()))) for pair in pairs]


def _led(router: Router, word: str, places: dict[Entry, int]) -> list[int]:
    return [places[found.entry] for found in router.route(word)[:_MOST_TOUCHED]]
