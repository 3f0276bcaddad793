"""The same machine seen from another folder or under another environment. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .effects import World


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A world like `base`, but for the folder a call starts in and the environment it sees."""

    base: World
    cwd: str | None
    env: Mapping[str, str]

    def names(self, folder: str) -> Sequence[str]:
        """The names in a folder, as the base sees them."""
        return self.base.names(folder)

    def is_folder(self, path: str) -> bool:
        """Whether the path is a folder, as the base sees it."""
        return self.base.is_folder(path)

    def text(self, path: str) -> str | None:
        """The text of a script, as the base sees it."""
        return self.base.text(path)
