"""A real home on the disk and the questions that the shell tests ask about it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memory_shaper.calls.effects import Act, Reading
from memory_shaper.calls.shell.run import read_command


@dataclass(frozen=True, slots=True)
class Disk:
    """The disk as it is, seen from `cwd`."""

    cwd: str | None
    env: Mapping[str, str]

    def names(self, folder: str) -> Sequence[str]:
        try:
            return sorted(os.listdir(folder))
        except (OSError, ValueError):
            return ()

    def is_folder(self, path: str) -> bool:
        try:
            return os.path.isdir(path)
        except ValueError:
            return False

    def text(self, path: str) -> str | None:
        try:
            return Path(path).read_text(encoding="utf-8") if os.path.isfile(path) else None
        except (OSError, ValueError):
            return None


@dataclass(frozen=True, slots=True)
class Home:
    """A throw-away HERMES_HOME with an index, topics and a folder for work."""

    root: Path

    @property
    def hermes(self) -> Path:
        return self.root / ".hermes"

    @property
    def memories(self) -> Path:
        return self.hermes / "memories"

    @property
    def index(self) -> Path:
        return self.memories / "MEMORY.md"

    @property
    def work(self) -> Path:
        return self.root / "work"

    def disk(self, cwd: Path | None = None) -> Disk:
        env = {"HOME": str(self.root), "HERMES_HOME": str(self.hermes), "PATH": "/usr/bin:/bin"}
        return Disk(str(cwd or self.work), env)

    def fill(self, text: str) -> str:
        """A command of the cases with the places filled in."""
        places = {"{INDEX}": self.index, "{MEMDIR}": self.memories, "{HOME}": self.hermes, "{WORK}": self.work}
        for sign, path in places.items():
            text = text.replace(sign, str(path))
        return text

    def read(self, command: str | Sequence[str], cwd: Path | None = None) -> Reading:
        """The reading of a command with places."""
        filled = self.fill(command) if isinstance(command, str) else [self.fill(word) for word in command]
        return read_command(filled, self.disk(cwd))


def make_home(root: Path) -> Home:
    """Fill a folder with a home."""
    home = Home(root)
    (home.memories / "archived memories").mkdir(parents=True)
    home.work.mkdir()
    home.index.write_text("# Index\n§\na,b,c,d,e → java.md\n", encoding="utf-8")
    (home.memories / "java.md").write_text("java\n", encoding="utf-8")
    (home.memories / "rime.md").write_text("rime\n", encoding="utf-8")
    (home.work / "a.txt").write_text("a\n", encoding="utf-8")
    (home.work / "x").write_text("x\n", encoding="utf-8")
    return home


def changes(reading: Reading, path: Path) -> bool:
    """Whether an effect changes the path, or the tree it is in; a case twin and links count."""
    wanted = os.path.realpath(path).casefold()
    return any(_hits(effect.path, wanted, effect.tree) for effect in reading.effects if effect.act is not Act.READ)


def _hits(path: str, wanted: str, tree: bool) -> bool:
    real = os.path.realpath(path).casefold()
    return real == wanted or (tree and wanted.startswith(real.rstrip("/") + "/"))


def reads(reading: Reading, path: Path) -> bool:
    """Whether the path is read."""
    return any(effect.path == str(path) and effect.act is Act.READ for effect in reading.effects)
