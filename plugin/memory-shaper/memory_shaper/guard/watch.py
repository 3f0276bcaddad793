"""Watching the guarded files of one home: what was accepted last, and whether anything changed since. Shell.

Guarded are the index, the archive index and every topic file that the index names. The first two and the `!!` topics
are looked at before and after every call, the other topics after a call that can have written.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .. import edit, grammar, names, store
from ..errors import MemoryShaperError, ReadOnly
from ..model import Folder, Identity
from ..record import Record, Source
from ..settings import Home, Settings
from .damage import critical
from .flights import Flights
from .known import Known
from .settle import Settling

INDEXES = (names.INDEX, edit.ARCHIVE_INDEX)


@dataclass(slots=True)
class Watch:
    """The guarded files of a home; one a home and process. Every method may be called by any thread.

    `known` holds the last accepted state of each file, `notes` what the model is told with the next result it reads,
    `granted` the files that a call in flight may change by the human's word.
    """

    home: Home
    flights: Flights
    known: dict[str, Known] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    granted: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    folder: Folder = field(default_factory=Folder)
    lock: threading.RLock = field(default_factory=threading.RLock)
    idle: Record | None = None  # kept open, so that no other connection is ever the last one to close
    base: str = ""
    _close: tuple[str, ...] = INDEXES
    _holding: bool = False

    def __post_init__(self) -> None:
        self.base = str(self.home.memories) + os.sep

    def quiet(self) -> bool:
        """Whether no index and no `!!` topic looks other than when it was accepted; a few system calls."""
        for file in self._close:
            state = self.known.get(file)
            if state is None or stat(self.base + file) != state.identity:
                return False
        return True

    def look(self, settings: Settings, source: Source, topics: bool = False) -> None:
        """Settle every guarded file that changed: accept it, put it back, or report it.

        Raises nothing of ours: what cannot be settled now (the record is busy or unreadable) is told, and tried again
        at the next look.
        """
        if not topics and self.quiet():
            return
        with self.lock:
            try:
                self._look(settings, source, topics)
            except MemoryShaperError as error:
                self.tell(f"memory-shaper: {error}")

    def _look(self, settings: Settings, source: Source, topics: bool) -> None:
        first = not self.known
        if first and not self.home.memories.is_dir():
            return
        if not first and not self._changed(topics):
            return
        with self._locked(), edit.open_record(self.home, settings) as record:
            if self.idle is None:
                self.idle = edit.open_record(self.home, settings)
            settling = Settling(self, record, settings, source)
            edit.repair(self.home, record)
            if first:
                settling.load()
            try:
                settling.settle(self._changed_of(INDEXES))
                settling.settle(self._changed(topics or first))
            finally:
                settling.tell()
                self._refresh()
        if topics or first:
            self.flights.sweep()

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """The host's lock, where there is a folder to hold it in and anybody could write there."""
        with contextlib.ExitStack() as stack:
            if self.home.memories.is_dir():
                with contextlib.suppress(ReadOnly):
                    stack.enter_context(store.locked(self.home.index))
                    self._holding = True
            try:
                yield
            finally:
                self._holding = False

    @contextlib.contextmanager
    def held_for(self, folder: Path) -> Iterator[None]:
        """Hold the host's lock while a file in a folder is put back; both folders may be gone."""
        edit.make_folder(self.home, self.home.memories)
        with contextlib.nullcontext() if self._holding else store.locked(self.home.index):
            edit.make_folder(self.home, folder)
            yield

    def _changed(self, topics: bool) -> list[str]:
        return self._changed_of((*INDEXES, *(self._topics() if topics else self._close[len(INDEXES) :])))

    def _changed_of(self, files: Sequence[str]) -> list[str]:
        return [file for file in files if file not in self.known or stat(self.base + file) != self.known[file].identity]

    def _refresh(self) -> None:
        wanted = {*INDEXES, *self._topics()}
        for file in [file for file in self.known if file not in wanted]:
            del self.known[file]
        self._close = (*INDEXES, *self.critical_topics())
        self.folder = store.list_folder(self.home.memories) if self.home.memories.is_dir() else Folder()

    def close(self) -> None:
        """Give back what is held open: the record and the beacon."""
        with self.lock:
            self.flights.close()
            if self.idle is not None:
                self.idle.close()
                self.idle = None

    def tell(self, note: str) -> None:
        """Queue a message for the next tool result, unless it waits there already."""
        with self.lock:
            if note not in self.notes:
                self.notes.append(note)

    def take_notes(self) -> list[str]:
        """The waiting messages; each is told once."""
        if not self.notes:
            return []
        with self.lock:
            taken, self.notes = self.notes, []
        return taken

    def index_text(self) -> str:
        """The last accepted index, "" where there is none."""
        known = self.known.get(names.INDEX)
        return (known.text or "") if known else ""

    def critical_topics(self) -> tuple[str, ...]:
        """The names of the `!!` topic files of the last accepted index."""
        return tuple(entry.target for entry in critical(grammar.parse(self.index_text())))

    def _topics(self) -> list[str]:
        entries = (entry for _, entry in grammar.parse(self.index_text()).entries())
        return [entry.target for entry in entries if not names.fault(entry.target)]


def stat(path: str) -> Identity | None:
    """How a file looks now, None where it cannot be looked at."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return Identity(found.st_mtime_ns, found.st_size, found.st_ino)
