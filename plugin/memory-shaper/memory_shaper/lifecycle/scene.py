"""Where a proposal is planned, and what planning it gives. Shell: reads the folders and both indexes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .. import edit, grammar, names
from ..archive import Shelf
from ..errors import Refused
from ..model import Entry
from ..recall.standing import key_of
from ..settings import Home, Settings


@dataclass(frozen=True, slots=True)
class Made:
    """What a proposal comes to: the edits in their safe order, none where all is as it wants, and a line for people."""

    edits: tuple[edit.Edit, ...]
    told: str


@dataclass(frozen=True, slots=True)
class Scene:
    """Where a proposal is planned: the home, the shelf, and the exact bytes of both indexes (None: no file)."""

    home: Home
    settings: Settings
    shelf: Shelf
    index: bytes | None
    shelved: bytes | None


Planner = Callable[[Scene, Mapping[str, object]], Made]


def scene(home: Home, settings: Settings) -> Scene:
    """The scene of a home as it is. Raises Missing, Unreadable."""
    return Scene(home, settings, *edit.shelf(home))


def leaving(at: Scene, wanted: tuple[str, ...]) -> list[str]:
    """The targets of the index that go to the archive. Raises Refused for one that is marked or not there."""
    found = [entry_of(at, name) for name in wanted]
    for entry in found:
        if entry.mark:
            raise Refused(f"{entry.target} is marked {entry.mark} and never archived; clear the mark first")
    return [entry.target for entry in found]


def entry_of(at: Scene, name: str) -> Entry:
    """The entry of a topic. Raises Refused where the index has none."""
    entries = {names.same(entry.target): entry for _, entry in grammar.parse(at.shelf.index).entries()}
    if entry := entries.get(key_of(name)):
        return entry
    raise Refused(f"{name} has no line in the index (any more)")


def text(payload: Mapping[str, object], name: str) -> str:
    """A text of a payload, "" where it has none."""
    value = payload.get(name)
    return value if isinstance(value, str) else ""


def words(payload: Mapping[str, object], name: str) -> tuple[str, ...]:
    """A list of texts of a payload, () where it has none."""
    value = payload.get(name)
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list | tuple) else ()
