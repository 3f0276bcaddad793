"""Reading the sources of a migration from disk. Shell: nothing here writes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from .. import grammar, names, store
from ..errors import Missing, Unreadable, Usage
from ..settings import Home
from .cutting import cut
from .exports import read_lines
from .folder import Markdown, read_files
from .memory import is_index
from .parts import Taken

NATIVE, REFERENCE, FOLDER = "native", "hermes-dynamic-memory", "markdown-folder"
EXPORTS = ("keepsake", "fragmented-memory", "memo")
_PROSE = (
    "",
    ".md",
    ".markdown",
    ".txt",
    ".text",
    ".bak",
    ".old",
)  # endings of a file that is taken for a memory unasked
KINDS = (NATIVE, REFERENCE, *EXPORTS, FOLDER)


def kind_of(home: Home, source: Path | None) -> str:
    """The kind of a source that the user did not name, by what it is; of the home itself where there is none.

    Raises Usage for a file whose ending says that it is no memory.
    """
    if source is None:
        return _kind_of_home(home)
    if source.is_dir():
        return FOLDER
    if source.suffix.lower() in (".jsonl", ".ndjson", ".json"):
        return "memo" if source.name.lower() == "notes.jsonl" else "keepsake"
    if source.suffix.lower() not in _PROSE:
        raise Usage(
            f"{source}: this does not look like a memory; if it is one: memory-shaper migrate --from native FILE"
        )
    return NATIVE


def _kind_of_home(home: Home) -> str:
    document = store.read_if_there(home.index)
    if document is None or not is_index(document.text, store.list_folder(home.memories)):
        return NATIVE
    from .memory import prose_of

    return NATIVE if prose_of(document.text).pieces else REFERENCE


def take(kind: str, source: Path, home: Home) -> Taken:
    """The pieces of a source outside of MEMORY.md. Raises Missing or Unreadable."""
    if kind == FOLDER:
        return read_files(list(_markdown(source, home)))
    if kind in EXPORTS:
        return read_lines(store.read(source).text)
    return cut(store.read(source).text.removeprefix(grammar.BOM))


def _markdown(source: Path, home: Home) -> Iterator[Markdown]:
    """The markdown files of a folder; those of the memories folder itself are the topic files without a line."""
    if os.path.realpath(source) == os.path.realpath(home.memories):
        yield from _orphans(home)
        return
    for path in _walk(source):
        data = store.read_bytes(path)
        if data is not None:
            yield Markdown(path.relative_to(source).as_posix(), data)


def _walk(folder: Path) -> Iterator[Path]:
    """All markdown files below a folder in order, no hidden ones, and no links to folders: a loop would not end."""
    if not folder.is_dir():
        raise Missing(f"{folder}: there is no such folder")
    for place, folders, files in os.walk(folder, onerror=_cannot_read):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.lower().endswith(".md") and not name.startswith(".") and name != names.INDEX:
                yield Path(place, name)


def _cannot_read(error: OSError) -> None:
    raise Unreadable(f"{error.filename}: cannot be read ({error.strerror}); nothing was changed") from error


def _orphans(home: Home) -> Iterator[Markdown]:
    document = store.read_if_there(home.index)
    entries = grammar.parse(document.text).entries() if document else ()
    named = {names.same(entry.target) for _, entry in entries}
    files = store.list_folder(home.memories).files
    for name in sorted(files):
        if names.is_topic(name, files) and not names.fault(name) and names.same(name) not in named:
            data = store.read_bytes(home.memories / name)
            if data is not None:
                yield Markdown(name, data, here=True)


def known_lines(home: Home) -> frozenset[str]:
    """All lines of all topic files, live and archived, without the white space around them."""
    return frozenset(line.strip() for data in contents(home).values() for line in _decoded(data).split("\n"))


def contents(home: Home) -> Mapping[Path, bytes]:
    """The bytes of all topic files, live and archived, by path."""
    found: dict[Path, bytes] = {}
    for folder in (home.memories, home.archive):
        if folder.is_dir():
            files = store.list_folder(folder).files
            for name in sorted(name for name in files if names.is_topic(name, files)):
                found[folder / name] = store.read_bytes(folder / name) or b""
    return found


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")
