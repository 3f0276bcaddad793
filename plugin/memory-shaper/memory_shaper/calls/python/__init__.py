"""The Python reader: which files could a piece of Python touch, which commands would it start? Pure.

The program is not run: it is walked through once with what its names may hold, both ways where a condition is open,
loops over known sequences element by element. Whatever stays unknown makes the reading opaque.
"""

from __future__ import annotations

import ast

from ..effects import Reading, World
from ..other import read_other
from .machine import Machine, Shell, Tool
from .statements import Program
from .values import Frame

__all__ = ["Shell", "Tool", "read_python"]

MAX_SOURCE = 1_000_000
"""Characters of a program that is read with the parser."""


def read_python(source: str, world: World, shell: Shell, tool: Tool) -> Reading:
    """All that can be read off a program; `shell` reads the commands it starts, `tool` the host's tools it calls.

    Linear in the source. Never raises: of a program that does not parse, or is nested too deeply for the parser or for
    this reader, only the paths that stand next to a writing word are reported, and it is opaque.
    """
    if len(source) > MAX_SOURCE:
        return read_other("python", source, world)
    machine = Machine(world, shell, tool)
    machine.repeats += source.count("\n") + source.count(";")  # what is gone through once is free
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return read_other("python", source, world)
    try:
        Program(machine, Frame()).run_body(tree.body)
    except RecursionError:  # what was found up to here still counts
        machine.take(read_other("python", source, world))
    return machine.reading()
