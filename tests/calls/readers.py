"""What the tests of the readers share: a home on a real disk, and a shell reader for the simplest of commands."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from memory_shaper.calls.disk import DiskWorld
from memory_shaper.calls.effects import Act, Effect, Reading, World
from memory_shaper.calls.paths import absolute
from memory_shaper.calls.python import read_python
from memory_shaper.calls.tools import read_tool


class Home:
    """A Hermes home below a folder, with an index and two topics, and a work folder beside it."""

    def __init__(self, base: Path) -> None:
        """Make the folders and files."""
        self.home = base / "home" / ".hermes"
        self.memories = self.home / "memories"
        self.index = self.memories / "MEMORY.md"
        self.work = base / "work"
        self.memories.mkdir(parents=True)
        self.work.mkdir()
        for name in ("MEMORY.md", "deploy.md", "postgres.md"):
            (self.memories / name).write_text("a\n", encoding="utf-8")

    @property
    def env(self) -> dict[str, str]:
        """The environment of a process in this home."""
        return {"HOME": str(self.home.parent), "HERMES_HOME": str(self.home)}

    def world(self) -> DiskWorld:
        """The disk as a call in the work folder sees it."""
        return DiskWorld(str(self.work), self.env)

    def fill(self, value: object) -> object:
        """Arguments with INDEX and MEMDIR replaced by this home's paths."""
        text = json.dumps(value).replace("INDEX", str(self.index)).replace("MEMDIR", str(self.memories))
        return json.loads(text)

    def python(self, code: str) -> Reading:
        """The reading of a Python program in the work folder."""
        return read_python(code, self.world(), words_shell, self._tool)

    def call(self, tool: str, args: object) -> Reading:
        """The reading of a tool call in the work folder."""
        return read_tool(tool, args, self.world(), words_shell)

    def _tool(self, tool: str, args: object, world: World) -> Reading:
        return read_tool(tool, args, world, words_shell)


def words_shell(command: str | Sequence[str], world: World) -> Reading:
    """Reads `rm PATH…` and `… > PATH`, enough to see that a command arrived with its folder."""
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError:
        return Reading(opaque=True)
    return Reading(tuple(_effects(words, world)), (tuple(words),), world.cwd)


def _effects(words: Sequence[str], world: World) -> Iterator[Effect]:
    for before, word in zip(["", *words], words, strict=False):
        place = absolute(word, world.cwd)
        if place and words[0] == "rm" and word != "rm":
            yield Effect(Act.DELETE, place, "rm")
        elif place and before == ">":
            yield Effect(Act.WRITE, place, ">")


def changed(reading: Reading) -> set[str]:
    """The paths that a reading says would change."""
    return {effect.path for effect in reading.effects if effect.act is not Act.READ}
