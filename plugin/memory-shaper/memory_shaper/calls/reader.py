"""One reader of calls out of the readers of tools, shell, Python and other languages, bounded as a whole. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from .effects import Reading, World
from .other import read_other
from .python import read_python
from .tools import read_call

MAX_DEPTH = 6
"""Commands and programs inside one another; a deeper one is not read."""

MAX_PROGRAMS = 200
"""Commands and programs that are read for one call; the others are opaque."""

PythonReader: TypeAlias = Callable[[str, World], Reading]
OtherReader: TypeAlias = Callable[[str, str, World], Reading]
ShellReader: TypeAlias = Callable[[str | Sequence[str], World, PythonReader, OtherReader], Reading]
"""Reads a command line or the words of a command, and hands programs on to the two readers."""


@dataclass(slots=True)
class _Budget:
    left: int = MAX_PROGRAMS


@dataclass(frozen=True, slots=True)
class CallReader:
    """Reads one tool call and all that it starts; make a new one for each call."""

    shell_reader: ShellReader
    depth: int = 0
    budget: _Budget = field(default_factory=_Budget)

    def read(self, tool: str, args: object, world: World) -> Reading:
        """All that can be read off a call: effects, commands, whether a part stays unknown. Never raises."""
        return read_call(tool, args, world, self.shell)

    def shell(self, command: str | Sequence[str], world: World) -> Reading:
        """The reading of a command that the call, or a program in it, starts."""
        inner = self._inner()
        if inner is None:
            return Reading(opaque=True)
        return self.shell_reader(command, world, inner.python, inner.other)

    def python(self, source: str, world: World) -> Reading:
        """The reading of a Python program that a command starts."""
        inner = self._inner()
        return Reading(opaque=True) if inner is None else read_python(source, world, inner.shell, inner.tool)

    def other(self, language: str, source: str, world: World) -> Reading:
        """The reading of a program in another language that a command starts."""
        inner = self._inner()
        return Reading(opaque=True) if inner is None else read_other(language, source, world, inner.shell)

    def tool(self, tool: str, args: Mapping[str, object], world: World) -> Reading:
        """The reading of a tool call that a program makes."""
        inner = self._inner()
        return Reading(opaque=True) if inner is None else inner.read(tool, args, world)

    def _inner(self) -> CallReader | None:
        self.budget.left -= 1
        if self.depth >= MAX_DEPTH or self.budget.left < 0:
            return None
        return CallReader(self.shell_reader, self.depth + 1, self.budget)
