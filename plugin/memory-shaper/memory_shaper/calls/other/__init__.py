"""Languages that are not read in full: paths that stand next to a writing word. Pure.

Nothing is evaluated but quoted texts, their concatenations, names that are given such a text, and the environment. What
stays unknown makes the reading opaque, and so does every program: only the check after the call sees the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..effects import Reading, World
from .powershell import read_powershell
from .search import Search
from .tokens import tokens

__all__ = ["read_other"]

_NAMES = {
    **dict.fromkeys(("node", "nodejs", "deno", "bun", "javascript", "js", "typescript", "ts", "tsx", "mjs"), "node"),
    **dict.fromkeys(("ruby", "irb", "rb"), "ruby"),
    **dict.fromkeys(("r", "rscript", "littler"), "r"),
    **dict.fromkeys(("lua", "luajit"), "lua"),
    **dict.fromkeys(("powershell", "pwsh", "ps1"), "powershell"),
    **dict.fromkeys(("python", "python3", "py"), "python"),
    "php": "php",
    "perl": "perl",
}


def read_other(
    language: str, source: str, world: World, shell: Callable[[str | Sequence[str], World], Reading] | None = None
) -> Reading:
    """The paths that a program in the named language seems to change; `shell` reads the commands that it starts.

    Linear in the source, never raises. The reading is always opaque; an unknown language has no effects.
    """
    name = _NAMES.get(language.lower().rstrip("0123456789."), "")
    if name == "powershell":
        return read_powershell(source, world)
    if not name:
        return Reading(opaque=True)
    search = Search(tokens(source, name), name, world, shell)
    search.run()
    return Reading(tuple(search.effects), tuple(search.runs), None, True)
