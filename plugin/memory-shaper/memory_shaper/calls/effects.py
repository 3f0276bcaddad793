"""What a reader of calls reports, and the little it may ask about the machine. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Act(StrEnum):
    """What happens to a path; everything but READ changes the file or its folder entry."""

    READ = "read"
    WRITE = "write"
    DELETE = "delete"
    METADATA = "metadata"


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing a call would do to one path.

    `path` is absolute and lexically normalised, links not followed; `tree` means the path and all below it;
    `via` is the word that does it (`>`, `rm`, `open`, `write_file`), for messages.
    """

    act: Act
    path: str
    via: str
    tree: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """All that could be read off one call.

    `runs` holds every command that would start, as its words after expansion; `cwd` is the folder the shell would be
    left in, None where that is unknown; `opaque` says that a part of the call could not be known, for example
    `eval "$CMD"`: it is never a reason to refuse, only a reason to look at the files afterwards.
    """

    effects: tuple[Effect, ...] = ()
    runs: tuple[tuple[str, ...], ...] = ()
    cwd: str | None = None
    opaque: bool = False


class World(Protocol):
    """The machine as a reader may see it; the real one reads the disk, tests hand in a plain object."""

    @property
    def cwd(self) -> str | None:
        """The folder the call starts in, absolute, or None where it is unknown."""

    @property
    def env(self) -> Mapping[str, str]:
        """The environment the call would see (HOME and HERMES_HOME among it)."""

    def names(self, folder: str) -> Sequence[str]:
        """The names in a folder, sorted; empty where it is missing or unreadable."""

    def is_folder(self, path: str) -> bool:
        """Whether the path is a folder, links followed."""

    def text(self, path: str) -> str | None:
        """The text of a script that would be run, None where it is missing, binary or larger than 256 kB."""
