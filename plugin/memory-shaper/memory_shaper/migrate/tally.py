"""The counts of reads that hermes-dynamic-memory kept in `.access-tally.json`, as uses for the record. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

FILE = ".access-tally.json"
_MOST = 1000  # uses of one topic; more say nothing more


@dataclass(frozen=True, slots=True)
class Count:
    """How often a topic was read, and when last."""

    name: str
    reads: int
    last: datetime


def read_tally(text: str) -> list[Count] | None:
    """The counts, None for a text that is no tally; a row that makes no sense is left out.

    Both known shapes are read: `{"files": {name: {"reads", "last"}}}` and the inner map alone.
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    files = found.get("files", found)
    return list(_counts(files)) if isinstance(files, dict) else None


def _counts(files: Mapping[str, object]) -> Iterator[Count]:
    for name, row in files.items():
        reads = row.get("reads") if isinstance(row, dict) else None
        last = _moment(row.get("last")) if isinstance(row, dict) else None
        if isinstance(reads, int) and not isinstance(reads, bool) and reads > 0 and last and name.isprintable():
            yield Count(name, min(reads, _MOST), last)


def _moment(value: object) -> datetime | None:
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
        return found and (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
