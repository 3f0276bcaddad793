"""`completion`: the script for a shell, and the names that such scripts ask for while somebody types."""

from __future__ import annotations

from .. import grammar, store
from ..errors import MemoryShaperError, Usage
from ..settings import Home
from .request import Outcome, Request


def completion(request: Request) -> Outcome:
    """The script for SHELL, or with `--names` the names of a kind in this home."""
    shell, kind = request.text("shell"), request.text("names")
    if not shell and not kind:
        raise Usage("memory-shaper completion: name the shell: bash, zsh or fish")
    data: dict[str, object] = {"home": str(request.home.path), "shell": None, "script": None, "names": None}
    if kind:
        found = _names(request.home, kind)
        return Outcome("\n".join(found), data | {"names": found})
    from .shells import SCRIPTS
    from .table import VERBS

    script = SCRIPTS[shell](tuple(VERBS.values()))
    return Outcome(script, data | {"shell": shell, "script": script})


def _names(home: Home, kind: str) -> list[str]:
    """The names of a kind; none where they cannot be read, since nobody wants an error while typing."""
    places = {"archived": [home.archive_index], "notes": [home.index, home.archive_index]}
    found: list[str] = []
    for path in places.get(kind, [home.index]):
        try:
            document = store.read_if_there(path)
        except MemoryShaperError:
            continue
        found += [entry.target for _, entry in grammar.parse(document.text).entries()] if document else []
    words = ["pinned", "critical", "none"] if kind == "topics-and-marks" else []
    return [*(name for name in dict.fromkeys(found) if name.isprintable()), *words]
