"""What the shelf of notes is given of a note: its units as terms, its date and what its front matter says."""

from __future__ import annotations

import json

from .analyser import analyse
from .cut import has_han
from .folder import Found
from .jieba_words import JiebaWords
from .notes import Front, Note, own_date, read_note
from .shelf import Text

# What people call the notes of a type when they ask for them.
_CALLED = {"profile": "profile preferences 偏好"}


def shelved(found: Found, text: str, words: JiebaWords) -> Text:
    """Cut the text of a file, Chinese words included where jieba can be had."""
    note = read_note(text)
    units = [
        analyse(_header(found.name, note), words),
        *(analyse(text[start:end], words) for start, end in note.units),
    ]
    first = note.units[0][0] if note.units else len(text)
    day = own_date(found.name, note.front)
    return Text(
        name=found.name,
        kind=found.kind,
        day=day.toordinal() if day else None,
        units=units,
        places=[first, *(start for start, _ in note.units), note.units[-1][1] if note.units else len(text)],
        facts=_facts(note.front),
        segmented=words.available is not False or not has_han(text),
    )


def _facts(front: Front) -> str:
    """Return what search filters by, as a JSON object that leaves out what is empty."""
    every: dict[str, str | tuple[str, ...]]
    every = {"title": front.title, "tags": front.tags, "type": front.kind, "agent": front.agent}
    every |= {"invalid_at": front.invalid_at, "valid_until": front.valid_until}
    every |= {"project": front.project, "supersedes": front.supersedes}
    return json.dumps({key: value for key, value in every.items() if value}, ensure_ascii=False)


def _header(name: str, note: Note) -> str:
    """Return what a note is called, as a unit of its own before its text."""
    stem = name.rpartition("/")[2].removesuffix(".md")
    kind = _CALLED.get(note.front.kind.casefold(), "")
    return " \n".join((stem, note.front.title, kind, *note.front.tags))
