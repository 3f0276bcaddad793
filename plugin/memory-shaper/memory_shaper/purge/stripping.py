"""What a purge takes out of texts that stay: the lines of the topic in every index, and its sentences. Pure.

What is to go is known by names and by digests, never by the text itself, so that a purge which was killed half-way can
be finished from a note that gives nothing away.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from .. import grammar, names
from ..model import Index, Kind

_LEAST = 16  # a line narrower than this is too common to stand for its topic; a Chinese character counts two


@dataclass(frozen=True, slots=True)
class Doomed:
    """A topic that goes: its files below the memories folder, the keywords that no other line has, and the digests of
    its lines."""

    files: frozenset[str]
    words: frozenset[str] = frozenset()
    lines: frozenset[str] = frozenset()

    @property
    def names(self) -> frozenset[str]:
        """The bare names of the files, in the form in which spellings are equal."""
        return frozenset(names.same(file.rpartition("/")[2]) for file in self.files)

    def as_note(self) -> str:
        """The note from which a killed purge is finished."""
        return json.dumps([sorted(self.files), sorted(self.words), sorted(self.lines)])


def from_note(note: str) -> Doomed:
    """What a note says. Raises ValueError where it is none."""
    files, words, lines = (frozenset(map(str, part)) for part in json.loads(note))
    return Doomed(files, words, lines)


def line_digests(texts: Iterable[bytes]) -> frozenset[str]:
    """The digests of the telling lines of some texts."""
    lines = {line.strip() for text in texts for line in _decoded(text).splitlines()}
    return frozenset(digest(line) for line in lines if _is_telling(line))


def digest(line: str) -> str:
    """What stands for a line."""
    return hashlib.sha256(line.encode("utf-8", "surrogateescape")).hexdigest()


def _is_telling(line: str) -> bool:
    width = sum(1 + (char > "\u2e7f") for char in line if char.isalnum())
    return width >= _LEAST


def without_lines(text: str, gone: frozenset[str]) -> str:
    """An index without the entries of some files; every other line keeps its bytes."""
    index = grammar.parse(text)
    numbers = [number for number, entry in index.entries() if names.same(entry.target) in gone]
    for number in reversed(numbers):
        index = grammar.remove_line(index, number)
    return grammar.render(index)


def stripped(data: bytes, doomed: Doomed) -> bytes:
    """An old text of an index without the topic: its entries, and the sentences that it was made of."""
    text = without_lines(_decoded(data), doomed.names)
    index = grammar.parse(text)
    kept = tuple(line for line in index.lines if not (line.kind is Kind.STRAY and is_of(line.text, doomed)))
    return grammar.render(Index(kept, index.bom)).encode("utf-8", "surrogateescape")


def is_of(line: str, doomed: Doomed) -> bool:
    """Whether a line is one of the topic's."""
    bare = line.strip()
    return _is_telling(bare) and digest(bare) in doomed.lines


def speaks_of(text: str, doomed: Doomed) -> bool:
    """Whether a text names the topic's file or holds one of its lines."""
    low = names.same(text)
    named = any(name in low and _named(name, low) for name in doomed.names)
    return named or any(is_of(line, doomed) for line in text.splitlines())


def _named(name: str, text: str) -> bool:
    """Whether a file name stands in a text as a word of its own: `a.md` is not meant by `data.md`."""
    return re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", text) is not None


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
