"""A note cut into the passages that are sent, without what the user's rules and the detectors keep out. Pure.

A passage is what its note is called, and units of it up to about 800 characters. Nothing else of the front matter is
sent.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from ...privacy.rules import NO_RULES, Rules
from ...privacy.screening import blanked, cleaned
from ..notes import Note, read_note

LONG = 800
# A longer note is known by its first fifty pages; words find the rest of it.
MOST = 128


@dataclass(frozen=True, slots=True)
class Passage:
    """What is sent of a note, the place in the note that it begins at, and the digest that it is known by."""

    place: int
    text: str
    digest: bytes


def passages(name: str, text: str, rules: Rules = NO_RULES) -> list[Passage]:
    """The passages of a note, at most 128, in order."""
    hidden = blanked(text, rules)
    note = read_note(hidden)
    head = cleaned(_head(name, note), rules)[0]
    return [_passage(head, hidden, start, end) for start, end in _cuts(hidden, note)][:MOST]


def sendable(text: str, rules: Rules = NO_RULES) -> str:
    """A text as it may be sent: nothing that is kept out, no characters that JSON or a model would stumble over.

    >>> sendable("why does ghp_0123456789abcdefghij0123456789abcdef fail?\\0")
    'why does [a GitHub token] fail?'
    """
    return _clean(cleaned(text, rules)[0]).strip()


def digest_of(text: str) -> bytes:
    """What a sent text is known by."""
    return hashlib.sha256(text.encode()).digest()


def _passage(head: str, hidden: str, start: int, end: int) -> Passage:
    text = _clean(f"{head}\n{hidden[start:end]}").strip()
    return Passage(start, text, digest_of(text))


def _cuts(text: str, note: Note) -> Iterator[tuple[int, int]]:
    """Yield start and end of each passage: whole units as long as they fit."""
    first = last = None
    for start, end in note.units:
        if first is not None and last is not None and end - first > LONG:
            yield first, last
            first = None
        first, last = (start if first is None else first), end
    if first is not None and last is not None and text[first:last].strip():
        yield first, last


def _head(name: str, note: Note) -> str:
    stem = name.rpartition("/")[2].removesuffix(".md")
    return " ".join(filter(None, (stem, note.front.title, *note.front.tags)))


def _clean(text: str) -> str:
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
