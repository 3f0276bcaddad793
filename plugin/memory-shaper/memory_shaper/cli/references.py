"""`verify --references`: instructions outside the index that name a memory file which exists nowhere.

What tells an agent to read `memories/identity.md` fails in silence when that file is gone. Looked through are the texts
of the home itself, its skills and its topics. Shell: reads folders.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .. import names, store
from ..errors import MemoryShaperError, Missing
from ..settings import Home
from .request import Json
from .screen import Screen, visible

_CITED = re.compile(r"(?:^|[^\w])memories[/\\](?:archived memories[/\\])?([\w-][\w.+-]*\.md)\b", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"(?:[A-Z][A-Z_-]*|x|xxx|name|file|topic|example|foo|bar)\.md")
_TEXTS = (".md", ".markdown", ".txt", ".yaml", ".yml")
_LARGEST = 1_000_000  # bytes
_NOT_MEANT = frozenset({"test", "tests", "testdata", "fixtures", "__fixtures__", "examples", "node_modules"})


@dataclass(frozen=True, slots=True)
class Reference:
    """A name that leads nowhere: the file that cites it, the line (from 1) and the name."""

    file: str
    line: int
    name: str

    @property
    def data(self) -> Json:
        """For JSON."""
        return {"file": self.file, "line": self.line, "name": self.name}


def dead(home: Home, given: Path | None) -> list[Reference]:
    """The references that lead nowhere, in the home or in the file or folder `given`. Raises Missing, Unreadable."""
    if given is not None and not given.exists():
        raise Missing(f"{given}: there is no such file or folder")
    live = store.list_folder(home.memories).files
    archived = store.list_folder(home.archive).files if home.archive.is_dir() else frozenset()
    known = {names.same(name) for name in (*live, *archived)}
    return [
        Reference(str(path), number, name)
        for path in (_below(given) if given else _of_home(home))
        for number, name in cited(_text(path))
        if names.same(name) not in known
    ]


def cited(text: str) -> Iterator[tuple[int, str]]:
    """The memory files that a text names, each with its line; sample names like `memories/NAME.md` are none.

    >>> list(cited("First read memories/identity.md.\\nThen memories/NAME.md"))
    [(1, 'identity.md')]
    """
    if "memories" not in text.casefold():
        return
    for number, line in enumerate(text.splitlines(), 1):
        for match in _CITED.finditer(line):
            name = match.group(1)
            if names.is_system(name) or not _PLACEHOLDER.fullmatch(name):
                yield number, name


def _of_home(home: Home) -> Iterator[Path]:
    yield from (home.path / name for name in sorted(os.listdir(home.path)) if name.endswith(_TEXTS))
    for folder in (home.path / "skills", home.memories):
        yield from _below(folder)


def _below(place: Path) -> Iterator[Path]:
    """The texts in a folder, fixtures of tests left out; a file that is named is always looked at."""
    if place.is_file():
        yield place
    for folder, inside, files in os.walk(place):
        inside[:] = sorted(name for name in inside if name not in _NOT_MEANT and not name.startswith("."))
        yield from (Path(folder) / name for name in sorted(files) if name.casefold().endswith(_TEXTS))


def _text(path: Path) -> str:
    """The text of a file, "" for one that is no text or too long to be an instruction."""
    try:
        seen = store.identify(path)
        return store.read(path).text if seen and seen.size <= _LARGEST else ""
    except MemoryShaperError:
        return ""


def lines_of(found: list[Reference], screen: Screen) -> list[str]:
    """One line a reference, as the findings are shown."""
    return [f"{screen.path(one.file)}:{one.line}: memories/{visible(one.name)} exists nowhere" for one in found]
