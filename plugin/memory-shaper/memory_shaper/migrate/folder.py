"""A folder of markdown files as pieces: one file, one topic, its bytes as they are. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..frontmatter import clean_tags
from ..names import nfc
from .parts import Piece, Taken
from .wording import is_good_name

_FRONT = re.compile(r"\A\ufeff?---[ \t]*\r?\n(?P<rows>.*?)^(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TITLE = re.compile(r"^title[ \t]*:[ \t]*([^\r\n]*)", re.MULTILINE | re.IGNORECASE)
_TAGS = re.compile(
    r"^(?:tags|keywords)[ \t]*:[ \t]*([^\r\n]*)((?:\r?\n[ \t]*-[ \t]+[^\r\n]*)*)", re.MULTILINE | re.IGNORECASE
)
_ITEM = re.compile(r"^[ \t]*-[ \t]+([^\r\n]*)", re.MULTILINE)
_HEADING = re.compile(r"^#[ \t]+([^\r\n]+)", re.MULTILINE)
_EDGES = " \t\"'[]"


@dataclass(frozen=True, slots=True)
class Markdown:
    """A markdown file: its path below the folder with `/`, its bytes, whether it lies in the memories folder."""

    path: str
    data: bytes
    here: bool = False


def read_files(files: Sequence[Markdown]) -> Taken:
    """A piece for each file that is UTF-8 and holds a text; the others are named."""
    pieces: list[Piece] = []
    faults: list[str] = []
    repeats = 0
    seen: set[bytes] = set()
    for file in files:
        fault = _fault(file)
        if fault:
            faults.append(f"{file.path}: {fault}")
        elif file.data in seen and not file.here:
            repeats += 1
        else:
            seen.add(file.data)
            pieces.append(_piece(file, len(pieces) + 1))
    return Taken(tuple(pieces), repeats, tuple(faults))


def _fault(file: Markdown) -> str:
    if file.here and not is_good_name(file.path):
        return "a line cannot have this name; rename the file first"
    try:
        return "" if file.data.decode("utf-8").strip() else "no text in it"
    except UnicodeDecodeError as error:
        return f"byte {error.start} is not UTF-8"


def _piece(file: Markdown, number: int) -> Piece:
    text = file.data.decode("utf-8")
    front = _FRONT.match(text)
    rows = front["rows"] if front else ""
    title = _TITLE.search(rows) or _HEADING.search(text, front.end() if front else 0)
    name = file.path.rpartition("/")[2]
    stem = re.sub(r"[-_.]+", " ", nfc(name).removesuffix(".md"))
    named = f"{title[1].strip(_EDGES)} {stem}" if title else stem
    tags = clean_tags(_tags(rows))
    return Piece(
        text, number, 1, named, tags, file=name if file.here else _portable(file.path), data=file.data, here=file.here
    )


def _portable(path: str) -> str:
    """The name that a file gets: its own, or that of its folder for a README or index."""
    folder, _, name = nfc(path).rpartition("/")
    stem = name[: -len(".md")]
    if stem.lower() in ("readme", "index") and folder:
        stem = folder.rpartition("/")[2]
    return re.sub(r"\s+", "-", stem) + ".md"


def _tags(rows: str) -> list[str]:
    found = _TAGS.search(rows)
    if found is None:
        return []
    return [item.strip(_EDGES) for item in (*found[1].split(","), *_ITEM.findall(found[2]))]
