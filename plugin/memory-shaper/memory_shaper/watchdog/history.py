"""The sizes of the index that the journal remembers. Shell: reads the record."""

from __future__ import annotations

from .. import host, names
from ..record import Record
from .forecast import Size

_EVENTS = 100


def sizes(record: Record) -> tuple[Size, ...]:
    """The size of each accepted index that the record still holds, in the order of time."""
    found: list[Size] = []
    for event in reversed(record.journal.newest(_EVENTS, file=names.INDEX)):
        text = record.texts.text(event.after) if event.accepts and event.after else None
        if text is not None:
            found.append(Size(event.at, host.size(text.decode("utf-8", "replace"))))
    return tuple(found)
