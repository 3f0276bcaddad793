"""One reader of calls out of the readers of tools, shell, Python and other languages, bounded as a whole. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .effects import Reading, World
from .other import read_other
from .python import read_python
from .shell.hands import Programs
from .shell.run import read_command
from .tools import read_tool

MAX_DEPTH = 6
"""Commands and programs inside one another; a deeper one is not read."""

MAX_PROGRAMS = 200
"""Commands and programs that are read for one call; the others are opaque."""

_OPAQUE = Reading(opaque=True)


def read_call(tool: str, args: object, world: World) -> Reading:
    """All that can be read off one call of any tool: effects, commands, whether a part stays unknown. Never raises."""
    return read_tool(tool, args, world, _Nested().shell)


@dataclass(slots=True)
class _Budget:
    left: int = MAX_PROGRAMS


@dataclass(frozen=True, slots=True)
class _Nested:
    """The readers at one depth; each hands what it finds inside on to those one deeper, all out of one budget."""

    depth: int = 0
    budget: _Budget = field(default_factory=_Budget)

    def shell(self, command: str | Sequence[str], world: World) -> Reading:
        inner = self._inner()
        return _OPAQUE if inner is None else read_command(command, world, Programs(inner.python, inner.other))

    def python(self, source: str, world: World) -> Reading:
        inner = self._inner()
        return _OPAQUE if inner is None else read_python(source, world, inner.shell, inner.tool)

    def other(self, language: str, source: str, world: World) -> Reading:
        inner = self._inner()
        return _OPAQUE if inner is None else read_other(language, source, world, inner.shell)

    def tool(self, tool: str, args: Mapping[str, object], world: World) -> Reading:
        inner = self._inner()
        return _OPAQUE if inner is None else read_tool(tool, args, world, inner.shell)

    def _inner(self) -> _Nested | None:
        """The readers one deeper, None where the call is too deep or too large."""
        self.budget.left -= 1
        return _Nested(self.depth + 1, self.budget) if self.depth < MAX_DEPTH and self.budget.left >= 0 else None
