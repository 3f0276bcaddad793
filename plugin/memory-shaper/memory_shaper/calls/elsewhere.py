"""The same machine seen from another folder or under another environment. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .effects import World

MAX_READS = 60
"""Scripts that are read for one call, the same one at most MAX_SAME times: a script may start itself."""

MAX_SAME = 3


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A world like `base`, but for the folder a call starts in and the environment it sees.

    `reads`, shared by all worlds made of one another, counts the scripts read so far.
    """

    base: World
    cwd: str | None
    env: Mapping[str, str]
    reads: Counter[str] = field(default_factory=Counter, repr=False, compare=False)

    def names(self, folder: str) -> Sequence[str]:
        """The names in a folder, as the base sees them."""
        return self.base.names(folder)

    def is_folder(self, path: str) -> bool:
        """Whether the path is a folder, as the base sees it."""
        return self.base.is_folder(path)

    def text(self, path: str) -> str | None:
        """The text of a script, as the base sees it; None where too many were read for this call."""
        self.reads[path] += 1
        if self.reads[path] > MAX_SAME or self.reads.total() > MAX_READS:
            return None
        return self.base.text(path)


def elsewhere(world: World, cwd: str | None, env: Mapping[str, str]) -> Elsewhere:
    """The world from another folder; worlds made of one another share what was read."""
    if not isinstance(world, Elsewhere):
        return Elsewhere(world, cwd, env)
    return Elsewhere(world.base, cwd, env, world.reads)
