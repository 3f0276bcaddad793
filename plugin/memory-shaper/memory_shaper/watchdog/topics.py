"""Which topic file does a path name? The two folders as values, and the machine as a past call saw it. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .. import names

ARCHIVE = "archived memories"


@dataclass(frozen=True, slots=True)
class Topics:
    """The topic files that can be used.

    `folders` holds every absolute spelling of the memories folder, the one to resolve bare names with first; `live`
    and `archived` are file names as the indexes or the folders spell them; `env` is the environment calls are read
    with (HOME and HERMES_HOME).
    """

    folders: tuple[str, ...]
    live: frozenset[str]
    archived: frozenset[str] = frozenset()
    env: Mapping[str, str] | None = None

    def named(self, path: str) -> str | None:
        """The topic that an absolute path names, spelled as we know it, else None."""
        folder, name = _split(path)
        if folder in {_plain(known) for known in self.folders}:
            return _spelling(name, self.live)
        if folder in {_plain(known) + "/" + ARCHIVE for known in self.folders}:
            return _spelling(name, self.archived)
        return None

    def resolved(self, name: str) -> str | None:
        """The absolute path of a topic named bare or below `memories/`, live before archived; None for any other path.

        This is what the plugin does to a bare name on its way to a reading tool; the host stores the name as the
        model wrote it.
        """
        if not self.folders or not (name := names.bare(name, _split(_split(self.folders[0])[0])[1])):
            return None
        if spelled := _spelling(name, self.live):
            return f"{self.folders[0]}/{spelled}"
        spelled = _spelling(name, self.archived)
        return spelled and f"{self.folders[0]}/{ARCHIVE}/{spelled}"


@dataclass(frozen=True, slots=True)
class Past:
    """A `World` that holds the topic files and nothing else: a call of the past is not read off today's disk."""

    topics: Topics
    cwd: str | None = None

    @property
    def env(self) -> Mapping[str, str]:
        """The environment that the topics were given with."""
        return self.topics.env or {}

    def names(self, folder: str) -> Sequence[str]:
        """The topic files in the folder, the archive's folder among the live ones."""
        folder = _plain(folder)
        if folder in {_plain(known) for known in self.topics.folders}:
            return sorted({*self.topics.live, ARCHIVE})
        archives = {_plain(known) + "/" + ARCHIVE for known in self.topics.folders}
        return sorted(self.topics.archived) if folder in archives else ()

    def is_folder(self, path: str) -> bool:
        """Whether the path is the memories folder, its archive or a folder above them."""
        path = _plain(path)
        return any(f"{_plain(known)}/{ARCHIVE}/".startswith(path.rstrip("/") + "/") for known in self.topics.folders)

    def text(self, path: str) -> str | None:
        """Always None: a script may have changed since it ran."""
        return None


def _plain(path: str) -> str:
    """One spelling a path: NFC, forward slashes, none at the end."""
    return unicodedata.normalize("NFC", path).replace("\\", "/").rstrip("/")


def _split(path: str) -> tuple[str, str]:
    folder, _, name = _plain(path).rpartition("/")
    return folder, name


def _spelling(name: str, known: frozenset[str]) -> str | None:
    """The known name that equals this one in any Unicode form; the same form wins."""
    if name in known:
        return name
    forms = (unicodedata.normalize(form, name) for form in ("NFC", "NFD", "NFKC"))
    return next((form for form in forms if form in known), None)
