"""What a program has done so far: effects, commands, its folder and environment, and how much was looked at. Pure."""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ..effects import Act, Effect, Reading, World
from ..elsewhere import elsewhere
from ..paths import absolute
from .values import HOLE, Handle, PathText, Value

Shell: TypeAlias = Callable[[str | Sequence[str], World], Reading]
"""Reads a command line, or the words of a command."""

Tool: TypeAlias = Callable[[str, Mapping[str, object], World], Reading]
"""Reads a tool call by the tool's name and its arguments."""

MAX_EFFECTS = 5_000
"""Effects that are kept of one program; more make it opaque."""

MAX_COMMANDS = 300
"""Commands and tool calls of one program that are read; more make it opaque."""

MAX_REPEATS = 8_000
"""Statements that may be carried out again because a loop or a call repeats them."""

MAX_CHARACTERS = 4_000_000
"""Characters that may be put together while folding."""

_UNKNOWN_WORD = "$(date)"
"""How a part that is not known is spelled for the shell: as something that only running could tell."""


@dataclass(slots=True)
class Machine:
    """The running account of one program."""

    world: World
    shell: Shell
    tool: Tool
    cwd: str | None = None
    env: dict[str, str] = field(default_factory=dict)
    effects: dict[Effect, None] = field(default_factory=dict)
    runs: list[tuple[str, ...]] = field(default_factory=list)
    links: dict[str, str] = field(default_factory=dict)
    opaque: bool = False
    repeats: int = MAX_REPEATS
    characters: int = MAX_CHARACTERS
    commands: int = MAX_COMMANDS

    def __post_init__(self) -> None:
        self.cwd = self.world.cwd
        self.env = dict(self.world.env)

    def reading(self) -> Reading:
        """The account as a reading."""
        return Reading(tuple(self.effects), tuple(self.runs), self.cwd, self.opaque)

    def place(self, text: str) -> str | None:
        """A path of the program made absolute, None where a part of it is unknown."""
        return None if HOLE in text else absolute(text, self.cwd)

    def places(self, value: Value | None) -> Iterator[str]:
        """The absolute paths that a value may name; the program is opaque if there may be others."""
        if value is None:
            return
        self.opaque = self.opaque or not value.complete
        for text in path_texts(value):
            place = self.place(text)
            if place is None:
                self.opaque = True
            else:
                yield place

    def touch(self, act: Act, value: Value | None, via: str, *, tree: bool = False) -> None:
        """Something is done to whatever path the value names; an open file is not touched again."""
        for place in self.places(value):
            self.add(Effect(act, place, via, tree))

    def add(self, effect: Effect) -> None:
        """Note an effect, and the same on what the program itself linked the path to."""
        if len(self.effects) >= MAX_EFFECTS:
            self.opaque = True
            return
        self.effects[effect] = None
        if self.links:
            self._follow(effect)

    def _follow(self, effect: Effect) -> None:
        head = effect.path
        for _ in range(effect.path.count("/")):
            if head in self.links and effect.act is not Act.DELETE:
                target = self.links[head] + effect.path[len(head) :]
                self.effects[Effect(effect.act, target, effect.via, effect.tree)] = None
            head = posixpath.dirname(head)

    def outside(self) -> World:
        """The world as a command would see it that starts now."""
        return elsewhere(self.world, self.cwd, self.env)

    def take(self, reading: Reading) -> None:
        """Add what another reader found."""
        for effect in reading.effects:
            self.add(effect)
        self.runs.extend(reading.runs[: MAX_EFFECTS - len(self.runs)])
        self.opaque = self.opaque or reading.opaque

    def run(self, command: str | Sequence[str], world: World) -> None:
        """Let the shell reader say what a command does."""
        if self._may_start():
            self.take(self.shell(command, world))

    def use(self, name: str, arguments: Mapping[str, object]) -> None:
        """Let the reader of tool calls say what a call of a host's tool does."""
        if self._may_start():
            self.take(self.tool(name, arguments, self.outside()))

    def _may_start(self) -> bool:
        self.commands -= 1
        self.opaque = self.opaque or self.commands < 0
        return self.commands >= 0

    def spend(self, characters: int) -> bool:
        """Whether that many characters may still be put together."""
        self.characters -= characters
        return self.characters >= 0

    def repeat(self, cost: int = 1) -> bool:
        """Whether a part of the program may be gone through once more; if not, it is opaque."""
        self.repeats -= cost
        if self.repeats < 0:
            self.opaque = True
        return self.repeats >= 0


def path_texts(value: Value) -> Iterator[str]:
    """The texts among a value's options that can be paths; numbers, open files and None name none."""
    for option in value.options:
        if isinstance(option, str):
            yield option
        elif isinstance(option, PathText):
            yield option.text
        elif isinstance(option, bytes):
            yield option.decode("utf-8", "surrogateescape")
        elif isinstance(option, Handle):
            continue
        elif option is not None and not isinstance(option, int):
            yield HOLE


def shell_text(command: str) -> str:
    """A command line of the program as the shell reader understands it, unknown parts as a substitution."""
    return command.replace(HOLE, _UNKNOWN_WORD)


def shell_word(word: str) -> str:
    """One word, quoted so that the shell takes it as it is; unknown parts as a substitution."""
    return f'"{_UNKNOWN_WORD}"'.join(shlex.quote(part) if part else "" for part in word.split(HOLE)) or "''"
