"""The Python reader: which files could a piece of Python touch, which commands would it start? Pure.

The program is not run: it is walked through once with what its names may hold, both ways where a condition is open,
loops over known sequences element by element. Whatever stays unknown makes the reading opaque.
"""

from __future__ import annotations

import ast
import re

from ..effects import Reading, World
from ..elsewhere import too_deep
from ..other import read_other
from .machine import Machine, Shell, Tool
from .statements import Program
from .values import Frame

__all__ = ["Shell", "Tool", "read_python"]

MAX_SOURCE = 1_000_000
"""Characters of a program that is read with the parser."""

MAX_NESTING = 100
"""Brackets inside one another; more are not given to the parser."""

_BRACKET = re.compile(r"[\[\](){}]")
_PREFIXES = re.compile(
    r"(?:[-+~][ \t]*){99}|(?:not[ \t]+){99}|(?:lambda[ \t]*:[ \t]*){99}|(?:\*\*[ \t]*-?[ \t]*\w{1,9}[ \t]*){99}"
)


def read_python(source: str, world: World, shell: Shell, tool: Tool) -> Reading:
    """All that can be read off a program; `shell` reads the commands it starts, `tool` the host's tools it calls.

    Linear in the source. Never raises: a program that does not parse, or is nested too deeply, is opaque, and only the
    paths that stand next to a writing word are reported.
    """
    if too_deep(world):
        return Reading(opaque=True)
    if len(source) > MAX_SOURCE or _nested(source):
        return read_other("python", source, world)
    machine = Machine(world, shell, tool)
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return read_other("python", source, world)
    try:
        Program(machine, Frame()).run_body(tree.body)
    except RecursionError:  # what was found up to here still counts
        machine.opaque = True
    return machine.reading()


def _nested(source: str) -> bool:
    depth = deepest = 0
    for bracket in _BRACKET.findall(source):
        depth += 1 if bracket in "[({" else -1
        deepest = max(deepest, depth)
    return deepest > MAX_NESTING or _PREFIXES.search(source) is not None
