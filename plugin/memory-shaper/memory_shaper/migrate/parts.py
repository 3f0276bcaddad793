"""The records of a migration: what a source holds, what becomes of it, and the whole plan. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Piece:
    """One remembered text, as it stands in its source.

    `number` counts the pieces of a source from 1, `line` is the first line in its file. `title`, `tags`, `created`
    (an ISO day or "") and `over` (it no longer holds: it goes to the archive) come from sources that know them.
    `file` is the name that a source of files gives, `here` says that this file lies in the memories folder already.
    """

    text: str
    number: int
    line: int = 0
    title: str = ""
    tags: tuple[str, ...] = ()
    created: str = ""
    over: bool = False
    file: str = ""
    data: bytes = b""
    here: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Pieces that become one topic file, in their order, and why they belong together."""

    pieces: tuple[Piece, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic file to be: its name, its bytes, its keyword set, and the pieces that it holds.

    `here` says that the file exists already and only its line is new, `archived` that both go to the archive.
    """

    name: str
    data: bytes
    keywords: tuple[str, ...]
    group: Group
    archived: bool = False
    here: bool = False


@dataclass(frozen=True, slots=True)
class Sighting:
    """A secret in a source: what it is, and the line it stands in."""

    kind: str
    line: int
    file: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """What a source gave: its pieces, how many were repeats of one, and the lines that could not be read."""

    pieces: tuple[Piece, ...]
    repeats: int = 0
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What a migration comes to: the new text of both indexes, the topic files, and the moves to the archive as
    (name it has, name it gets). `notes` are sentences for the user."""

    index: str
    archive: str
    topics: tuple[Topic, ...] = ()
    moves: tuple[tuple[str, str], ...] = ()
    secrets: tuple[Sighting, ...] = ()
    notes: tuple[str, ...] = field(default=())
