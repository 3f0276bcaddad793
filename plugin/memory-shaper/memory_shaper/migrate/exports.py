"""Exports of other memories, one JSON object a line: Keepsake, fragmented-memory, Memo. Pure and tolerant.

docs/migrate.md lists the fields. A line that cannot be read, or holds no text, is reported and left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from ..frontmatter import clean_tags
from .parts import Piece, Taken

_TEXT = ("content", "text", "note", "body", "memory", "value")
_WRAPPED = ("hash", "fields", "value", "data", "note")
_CREATED = ("created", "created_at", "timestamp", "ts", "time", "date", "at")
_TAGS = ("tags", "labels", "keywords")
_KIND = ("type", "category")
_OVER = ("invalid_at", "valid_until", "superseded_by")
_FLAGS = ("is_archived", "archived", "deleted", "consumed")
_NO = ("", "0", "false", "no", "none", "null", "0.0")
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_MILLISECONDS = 1e11  # a stamp above this counts milliseconds
_LATEST = 253402300799.0  # the end of the year 9999

Fields = Mapping[str, object]


def read_lines(text: str) -> Taken:
    """The pieces of an export; one JSON array of objects is read as well, its items counted as lines."""
    found: dict[str, Piece] = {}
    faults: list[str] = []
    repeats = 0
    for number, row in _rows(text.removeprefix("\ufeff")):
        fields = _fields(row)
        content = _first(fields, _TEXT).strip() if fields is not None else ""
        if fault := _fault(fields, content):
            faults.append(f"line {number}: {fault}")
            continue
        repeats += content in found
        found.setdefault(content, _piece(fields or {}, content, len(found) + 1, number))
    return Taken(tuple(found.values()), repeats, tuple(faults))


def _rows(text: str) -> Iterator[tuple[int, object]]:
    whole = _parsed(text) if text.lstrip().startswith("[") else None
    if isinstance(whole, list):
        yield from enumerate(whole, 1)
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, _parsed(line)


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _fields(found: object) -> Fields | None:
    """The fields of a row: the object itself, or the object that it wraps under `fields`, `hash` or `value`."""
    if not isinstance(found, dict):
        return None
    wrapped = [value for name in _WRAPPED if isinstance(value := found.get(name), dict)]
    return {**found, **wrapped[0]} if wrapped else found


def _fault(fields: Fields | None, content: str) -> str:
    if fields is None:
        return "not a JSON object"
    if not content:
        return "no text in it"
    if any("\ud800" <= char <= "\udfff" for char in content):
        return "its text holds half a character"
    return ""


def _first(fields: Fields, keys: tuple[str, ...]) -> str:
    return next((value for key in keys if isinstance(value := fields.get(key), str) and value.strip()), "")


def _piece(fields: Fields, content: str, number: int, line: int) -> Piece:
    title = " ".join(_whole(_first(fields, ("title", "subject"))).split())
    created = next((day for key in _CREATED if (day := _day(fields.get(key)))), "")
    return Piece(content, number, line, title, tuple(_tags(fields)), created, _is_over(fields))


def _whole(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _tags(fields: Fields) -> Iterator[str]:
    raw = (fields.get(key) for key in (*_TAGS, *_KIND))
    given = [part for value in raw for part in (value if isinstance(value, list) else [value])]
    yield from clean_tags(_whole(tag) for tag in given if isinstance(tag, str))


def _is_over(fields: Fields) -> bool:
    """Whether a text was taken out of use; Keepsake hides one with any `invalid_at`, whatever its date."""
    return any(str(fields.get(key) or "").strip().lower() not in _NO for key in (*_OVER, *_FLAGS))


def _day(value: object) -> str:
    """A day from an ISO date, or from seconds or milliseconds since 1970 as number or text; "" for anything else."""
    if isinstance(value, str) and (found := _DAY.match(value.strip())):
        return _real_day(*map(int, found.groups()))
    try:
        seconds = float(value) if isinstance(value, (int, float, str)) and not isinstance(value, bool) else 0.0
    except (ValueError, OverflowError):
        return ""
    seconds = seconds / 1000 if seconds > _MILLISECONDS else seconds
    return datetime.fromtimestamp(seconds, UTC).date().isoformat() if 0 < seconds < _LATEST else ""


def _real_day(year: int, month: int, day: int) -> str:
    try:
        return datetime(year, month, day, tzinfo=UTC).date().isoformat()
    except ValueError:
        return ""
