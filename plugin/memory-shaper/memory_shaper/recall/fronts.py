"""The front matter of the topics that an index names, read again only where a file has changed. Shell: reads heads."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from ..model import Entry
from .notes import own_date, read_front
from .standing import Claim, View, Viewer, claim_of, marked_keys

_HEAD = 8_192  # bytes of a file that are read: front matter is short
_BEGIN = (b"---", b"\xef\xbb\xbf---")


class Fronts:
    """What the topics of a folder say of themselves."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, tuple[tuple[int, int], Claim]] = {}

    def shown(self, entries: Iterable[Entry], viewer: Viewer) -> list[Entry]:
        """The entries whose topics stand for a viewer; one whose file cannot be read says nothing, and stands."""
        every = list(entries)
        claims = dict(zip((entry.target for entry in every), self._claims(every), strict=True))
        view = View(replace(viewer, marked=marked_keys(every)), claims.values())
        return [entry for entry in every if view.shows(claims[entry.target])]

    def _claims(self, entries: Iterable[Entry]) -> Iterator[Claim]:
        known: dict[str, tuple[tuple[int, int], Claim]] = {}
        for entry in entries:
            name = entry.target
            try:
                seen = os.stat(self._folder / name)
            except (OSError, ValueError):
                yield Claim(name)
                continue
            stamp = (seen.st_mtime_ns, seen.st_size)
            before = self._known.get(name)
            known[name] = before if before and before[0] == stamp else (stamp, self._read(name))
            yield known[name][1]
        self._known = known

    def _read(self, name: str) -> Claim:
        try:
            with open(self._folder / name, "rb") as file:
                head = file.read(_HEAD)
        except OSError:
            return Claim(name)
        if not head.startswith(_BEGIN):
            return Claim(name)
        front = read_front(head.decode("utf-8", "replace"))
        return claim_of(name, front, own_date(name, front))
