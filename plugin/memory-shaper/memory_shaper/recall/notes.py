"""A markdown note as search reads it: front matter, sections, units. Pure; nothing is ever rewritten here."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date

from .dates import day_of, find_dates
from .units import units

_FRONT = re.compile(r"\A\ufeff?---[ \t]*\r?\n(?P<rows>.*?)^(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_ROW = re.compile(
    r"^(?P<key>[A-Za-z_-]+)[ \t]*:[ \t]*(?P<value>[^\r\n]*)$|^[ \t]*-[ \t]+(?P<item>[^\r\n]*)$", re.MULTILINE
)
_NAME_DATE = re.compile(r"(?<!\d)((?:19|20)\d\d)[-_.]?(\d\d)[-_.]?(\d\d)(?!\d)")
_HEADING = re.compile(r"(?P<level>#{1,6})[ \t]+(?P<title>[^\r\n]*)")
_FENCE = re.compile(r"[ ]{0,3}(?:`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a note from its heading to the next one; `title` is "" before the first heading."""

    title: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Front:
    """What the front matter says; every field is empty where it says nothing.

    `created` is the note's own date, `invalid_at` the raw text of the day from which the note no longer holds,
    `valid_until` of the last day on which it does, `supersedes` the notes it replaces.
    """

    title: str = ""
    tags: tuple[str, ...] = ()
    kind: str = ""
    created: date | None = None
    invalid_at: str = ""
    agent: str = ""
    project: str = ""
    valid_until: str = ""
    supersedes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """A note cut for search: `units` are (start, end) in the text, from the end of the front matter on."""

    front: Front = field(default_factory=Front)
    units: tuple[tuple[int, int], ...] = ()


def read_note(text: str) -> Note:
    """Cut a note; every text is one, whatever it holds."""
    found = _FRONT.match(text)
    start = found.end() if found else 0
    front = _front(found["rows"]) if found else Front()
    cuts = tuple((start + first, start + last) for first, last in units(text[start:]))
    return Note(front, cuts)


def read_front(text: str) -> Front:
    """Read the front matter alone; `text` may be the head of a note."""
    found = _FRONT.match(text)
    return _front(found["rows"]) if found else Front()


def section_at(text: str, place: int) -> Section:
    """Return the section of a note that holds a place of its text."""
    found = _FRONT.match(text)
    sections = _sections(text, found.end() if found else 0)
    return next((section for section in sections if section.start <= place < section.end), Section("", 0, len(text)))


def own_date(name: str, front: Front) -> date | None:
    """Return the date of a note: its front matter's, else one written in full in its file name.

    >>> own_date("log-2026-01-02.md", Front())
    datetime.date(2026, 1, 2)
    """
    if front.created:
        return front.created
    found = (day_of(*map(int, match.groups())) for match in _NAME_DATE.finditer(name))
    return next((day for day in found if day), None)


def _front(rows: str) -> Front:
    values: dict[str, list[str]] = {}
    key = ""
    for row in _ROW.finditer(rows):
        if row["key"]:
            key = row["key"].casefold()
            values[key] = _items(row["value"])
        elif key:
            values[key] += _items(row["item"])
    first = {name: items[0] for name, items in values.items() if items}
    created = first.get("created") or first.get("date") or ""
    return Front(
        title=first.get("title", ""),
        tags=tuple(tag for tag in values.get("tags", []) if tag),
        kind=first.get("type", ""),
        created=_day(created),
        invalid_at=first.get("invalid_at", ""),
        agent=first.get("agent", ""),
        project=first.get("project", ""),
        valid_until=first.get("valid_until", ""),
        supersedes=tuple(values.get("supersedes", ())),
    )


def _items(value: str) -> list[str]:
    """Read a plain value, or a list in brackets, quotes taken off."""
    value = value.strip()
    inside = value[1:-1].split(",") if value.startswith("[") and value.endswith("]") else [value]
    return [item for part in inside if (item := part.strip().strip("\"'"))]


def _day(text: str) -> date | None:
    return next((day_of(span.year, *span.first) for span in find_dates(text) if span.year), None)


def _sections(text: str, start: int) -> list[Section]:
    """Return the sections behind the front matter; a `#` inside a fence is no heading."""
    marks = [(start, "")]
    fenced = False
    place = start
    for line in text[start:].splitlines(keepends=True):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and (heading := _HEADING.match(line)):
            marks.append((place, heading["title"].strip().rstrip("#").rstrip()))
        place += len(line)
    ends = [first for first, _ in marks[1:]] + [len(text)]
    return [Section(title, first, end) for (first, title), end in zip(marks, ends, strict=True) if first < end]
