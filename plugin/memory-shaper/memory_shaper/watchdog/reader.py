"""The reader of calls that the tally uses, put together from the readers of tools, shell and Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..calls.effects import Reading, World
from .uses import ReadCall


def bound() -> ReadCall:
    """One function that reads any call; the readers are imported here, since a run without new rows needs none."""
    from ..calls.other import read_other
    from ..calls.python import read_python
    from ..calls.shell.hands import Programs
    from ..calls.shell.run import read_command
    from ..calls.tools import read_call

    def shell(command: str | Sequence[str], world: World) -> Reading:
        return read_command(command, world, programs)

    def tool(name: str, args: Mapping[str, object], world: World) -> Reading:
        return read_call(name, args, world, shell)

    programs = Programs(lambda source, world: read_python(source, world, shell, tool), read_other)
    return tool
