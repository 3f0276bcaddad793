"""The notebook of one reading: effects, started commands, what this call made on the way, and the budgets."""

from __future__ import annotations

from collections.abc import Sequence

from ..effects import Act, Effect, World
from .paths import base

MAX_NAMES = 200_000
"""Folder entries that one reading looks at."""

MAX_NEST = 40
"""Scripts, functions, blocks and substitutions inside each other that are walked."""

MAX_TEXT = 500_000
"""Characters of all the texts together that one reading parses: the command, scripts, arguments of eval."""

MAX_REPEATS = 2_000
"""Commands that repetition (loops, functions, scripts) may add."""


class Notes:
    """Collects what was seen, in order, each thing once."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.effects: dict[Effect, None] = {}
        self.runs: dict[tuple[str, ...], None] = {}
        self.opaque = False
        self.nest = 0
        self.repeating = 0
        self._budget = MAX_REPEATS
        self._looked = 0
        self._parsed = 0
        self._links: dict[str, str] = {}
        self._folders: set[str] = set()
        self._texts: dict[str, str | None] = {}

    def effect(self, act: Act, path: str, via: str, tree: bool) -> None:
        """Note an effect, and its twin where the path goes through a link that this call made."""
        self.effects[Effect(act, path, via, tree)] = None
        if act is Act.WRITE:
            self._texts[path] = None
        followed = self._follow(path, whole=act is not Act.DELETE) if self._links else path
        if followed != path:
            self.effects[Effect(act, followed, via, tree)] = None

    def _follow(self, path: str, whole: bool) -> str:
        for _ in range(8):
            place = next((link for link in _prefixes(path, whole) if link in self._links), None)
            if place is None:
                return path
            path = self._links[place] + path[len(place) :]
        return path

    def link(self, target: str, name: str) -> None:
        """Note that a path leads to another one now."""
        if target != name:
            self._links[name] = target

    def keep(self, path: str, text: str | None, append: bool) -> None:
        """Remember what is in a file now."""
        before = self.text(path) if append and text is not None and self.exists(path) else ""
        self._texts[path] = None if text is None or before is None else before + text

    def text(self, path: str) -> str | None:
        """The text of a file as this call left it."""
        path = self._follow(path, whole=True) if self._links else path
        return self._texts[path] if path in self._texts else self.world.text(path)

    def made_folder(self, path: str) -> None:
        """Note a folder that this call makes."""
        self._folders.add(path)

    def is_folder(self, path: str) -> bool:
        """Whether the path is a folder or was made one."""
        return path in self._folders or self.world.is_folder(path)

    def may_be_made(self, path: str) -> bool:
        """Whether a folder that is missing may have been made by this call."""
        return self.opaque or any(made in self._folders or made in self._links for made in _prefixes(path, True))

    def names(self, folder: str) -> Sequence[str]:
        """The names in a folder, nothing once too much was looked at."""
        if self._looked > MAX_NAMES:
            self.opaque = True
            return ()
        found = self.world.names(folder)
        self._looked += len(found) + 1
        return found

    def exists(self, path: str) -> bool:
        """Whether the folder of the path has that name, or this call wrote it."""
        folder = path[: len(path) - len(base(path))].rstrip("/") or "/"
        return path == "/" or path in self._texts or base(path) in self.names(folder)

    def may_parse(self, text: str) -> bool:
        """Count a text that is to be parsed, the first one is always; False when it is too much in all."""
        first = not self._parsed
        self._parsed += len(text) + 1
        fits = first or self._parsed <= MAX_TEXT
        self.opaque = self.opaque or not fits
        return fits

    def may_repeat(self) -> bool:
        """Count a repeated command; False when there were too many."""
        self._budget -= 1
        self.opaque = self.opaque or self._budget < 0
        return self._budget >= 0


def _prefixes(path: str, whole: bool) -> list[str]:
    cuts = [number for number, sign in enumerate(path[:4096]) if sign == "/" and number]
    return [path[:cut] for cut in cuts] + ([path] if whole else [])
