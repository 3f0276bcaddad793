"""What the record and the indexes remember of notes: counters, last uses, lines. Shell: the record, two files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from .. import grammar, names, store
from ..errors import MemoryShaperError
from ..model import Entry
from ..record import Record, RecordError
from ..settings import Home
from .factors import Known
from .mentions import known as known_of

_RECORD_SECONDS = 0.2  # a search never waits long for the record


@dataclass(frozen=True, slots=True)
class Memory:
    """Counters, last uses by file name, entries by the name of their note, and what could not be read."""

    known: Known = field(default_factory=Known)
    used: Mapping[str, datetime] = field(default_factory=dict)
    entries: Mapping[str, Entry] = field(default_factory=dict)
    trouble: str = ""

    def entry(self, name: str) -> Entry | None:
        """The entry of a note, live or archived."""
        return self.entries.get(names.same(name))

    def name_of(self, entry: Entry) -> str:
        """The name of an entry's note below the memories folder."""
        live = self.entry(entry.target) is entry
        return entry.target if live else f"{names.ARCHIVE_FOLDER}/{entry.target}"


def remembered(home: Home, now: datetime) -> Memory:
    """What the record and the index know; a record that is busy or broken costs its factors, never the answer."""
    entries = _entries(home)
    path = home.data / "record.db"
    if not path.exists():
        return Memory(entries=entries)
    try:
        with Record.open(path, busy=_RECORD_SECONDS) as record:
            used = {topic.name: topic.last_used or topic.first_seen for topic in record.uses.topics()}
            return Memory(known_of(record, now), used, entries)
    except RecordError as error:
        return Memory(entries=entries, trouble=f"feedback and attention are left out ({error})")


def _entries(home: Home) -> dict[str, Entry]:
    """The entries of both indexes by the name of their note below the memories folder."""
    found = {}
    for path, below in ((home.index, ""), (home.archive_index, names.ARCHIVE_FOLDER + "/")):
        try:
            document = store.read_if_there(path)
        except MemoryShaperError:
            continue  # The verbs that change it say so; a search does not need it.
        for _, entry in grammar.parse(document.text if document else "").entries():
            if not names.fault(entry.target):
                found[names.same(below + entry.target)] = entry
    return found
