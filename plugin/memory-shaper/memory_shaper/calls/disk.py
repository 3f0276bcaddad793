"""The machine as the readers of calls see it: folders and small scripts, each looked at once. Shell."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

MAX_NAMES = 20_000
"""Folder entries that are listed; a glob over a larger folder sees the first of them only."""

MAX_SCRIPT = 256 * 1024
"""Bytes of a script that are read."""


@dataclass(frozen=True, slots=True)
class DiskWorld:
    """The real disk, seen from `cwd` (absolute, or None where it is unknown) under `env`; keep one for one call.

    What was looked at once is remembered, so that a command of many globs lists a folder once.
    """

    cwd: str | None
    env: Mapping[str, str]
    _names: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _texts: dict[str, str | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    def names(self, folder: str) -> Sequence[str]:
        """The first MAX_NAMES names in a folder, sorted; empty where it is missing or unreadable."""
        if folder not in self._names:
            self._names[folder] = _list(folder)
        return self._names[folder]

    def is_folder(self, path: str) -> bool:
        """Whether the path is a folder, links followed."""
        try:
            return os.path.isdir(path)
        except ValueError:  # a NUL or a lone surrogate in the path
            return False

    def text(self, path: str) -> str | None:
        """The text of a script, None where it is missing, no plain file, binary or larger than MAX_SCRIPT."""
        if path not in self._texts:
            self._texts[path] = _script(path)
        return self._texts[path]


def _list(folder: str) -> tuple[str, ...]:
    try:
        with os.scandir(folder) as entries:
            return tuple(sorted(entry.name for entry in islice(entries, MAX_NAMES)))
    except (OSError, ValueError):
        return ()


def _script(path: str) -> str | None:
    try:
        if not os.path.isfile(path):  # a pipe or a device would wait for ever
            return None
        with open(path, "rb") as file:
            raw = file.read(MAX_SCRIPT + 1)
        return None if len(raw) > MAX_SCRIPT or b"\0" in raw else raw.decode("utf-8")
    except (OSError, ValueError):
        return None
