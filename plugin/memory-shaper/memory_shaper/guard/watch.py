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
from ..record import Record, RecordBusy, RecordError, Source
from ..settings import Home, Settings
from . import refusals
from .damage import critical
from .flights import Flights
from .harm import restore_indexes
from .known import Known
from .said import Said
from .settle import Settling
from .sight import Sight

INDEXES = (names.INDEX, edit.ARCHIVE_INDEX)


@dataclass(slots=True)
class Watch:
    """The guarded files of a home; one a home and process. Every method may be called by any thread.

    `known` holds the last accepted state of each file, `notes` what the model is told with the next result it reads,
    `granted` the files that a call in flight may change by the human's word, `left` the damaged files that another
    process is left to put back, `held` what is never kept of topics that the journal does not have, as digests;
    `said` what the agent said and is never kept; `holding` says that this look holds the host's lock.
    """

    home: Home
    flights: Flights
    edit_action: str = "replace"  # by which this host's memory tool changes an entry
    known: dict[str, Known] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    granted: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    left: dict[str, Sight] = field(default_factory=dict)
    held: dict[str, frozenset[str]] = field(default_factory=dict)
    said: Said = field(default_factory=Said)
    folder: Folder = field(default_factory=Folder)
    lock: threading.RLock = field(default_factory=threading.RLock)
    base: str = ""
    _close: tuple[str, ...] = INDEXES
    _indexed: tuple[str, ...] = ()
    _folder_at: int = 0
    holding: bool = False
    _record: Record | None = None
    _record_inode: int = 0

    def __post_init__(self) -> None:
        self.base = str(self.home.memories) + os.sep

    def quiet(self) -> bool:
        """Whether the folder and its index and `!!` topics look as they did at the last look; a few system calls."""
        if not self.known or _changed_at(self.base) != self._folder_at:
            return False
        return all(file in self.known and stat(self.base + file) == self.known[file].identity for file in self._close)

    def look(self, settings: Settings, source: Source, topics: bool = False) -> None:
        """Settle every guarded file that changed: accept it, put it back, or report it.

        The topics without a mark are looked at, too, with `topics`, or where a file has come to the folder or left it.
        Raises nothing of ours: what cannot be settled now (the record is busy or unreadable) is told, and tried again
        at the next look. Without a record, an index that a call damaged is put back all the same.
        """
        if not topics and self.quiet():
            return
        with self.lock:
            try:
                self._look(settings, source, topics or _changed_at(self.base) != self._folder_at)
            except MemoryShaperError as error:
                if isinstance(error, RecordError) and not isinstance(error, RecordBusy):
                    self._put_back_alone(settings)
                self.tell(f"memory-shaper: {error}")

    def _put_back_alone(self, settings: Settings) -> None:
        try:
            restored = restore_indexes(self, settings)
        except MemoryShaperError as error:
            self.tell(f"memory-shaper: {error}")
            return
        if restored:
            self.tell(refusals.restored(restored))

    def _look(self, settings: Settings, source: Source, topics: bool) -> None:
        first = not self.known
        if first and not self.home.memories.is_dir():
            return
        folder_at = _changed_at(self.base)
        if first or self._changed(topics):
            with self._locked(), self.record(settings) as record:
                self._settle(Settling(self, record, settings, source), first, topics)
            if topics or first:
                self.flights.sweep()
            folder_at = _changed_at(self.base)
        self._folder_at = folder_at

    def _settle(self, settling: Settling, first: bool, topics: bool) -> None:
        edit.repair(self.home, settling.record)
        if first:
            settling.load()
        try:
            settling.settle(self._changed_of(INDEXES))
            self._refresh()
            settling.settle(self._changed(topics or first))
        finally:
            settling.tell()
            self._refresh()

    @contextlib.contextmanager
    def record(self, settings: Settings | None = None) -> Iterator[Record]:
        """The record, kept open between calls: opening it takes longer than anything else that a call costs.

        One thread at a time. Where the file is another one by now, or gone, it is opened anew.
        """
        with self.lock:
            file = stat(str(self.home.data / "record.db"))
            if self._record is None or file is None or file.inode != self._record_inode:
                self._close_record()
                self._record = edit.open_record(self.home, settings)
                file = stat(str(self.home.data / "record.db"))
                self._record_inode = file.inode if file else 0
            yield self._record

    def _close_record(self) -> None:
        if self._record is not None:
            self._record.close()
            self._record = None

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """The host's lock, where there is a folder to hold it in and anybody could write there."""
        with contextlib.ExitStack() as stack:
            if self.home.memories.is_dir():
                with contextlib.suppress(ReadOnly):
                    stack.enter_context(store.locked(self.home.index))
                    self.holding = True
            try:
                yield
            finally:
                self.holding = False

    @contextlib.contextmanager
    def held_for(self, folder: Path) -> Iterator[None]:
        """Hold the host's lock while a file in a folder is put back; both folders may be gone."""
        edit.make_folder(self.home, self.home.memories)
        with contextlib.nullcontext() if self.holding else store.locked(self.home.index):
            edit.make_folder(self.home, folder)
            yield

    def _changed(self, topics: bool) -> list[str]:
        return self._changed_of((*INDEXES, *self._indexed) if topics else self._close)

    def _changed_of(self, files: Sequence[str]) -> list[str]:
        return [file for file in files if file not in self.known or stat(self.base + file) != self.known[file].identity]

    def _refresh(self) -> None:
        entries = [entry for _, entry in grammar.parse(self.index_text()).entries()]
        self._indexed = tuple(entry.target for entry in entries if not names.fault(entry.target))
        wanted = {*INDEXES, *self._indexed}
        for file in [file for file in self.known if file not in wanted]:
            del self.known[file]
        self._close = (*INDEXES, *self.critical_topics())
        self.folder = store.list_folder(self.home.memories) if self.home.memories.is_dir() else Folder()

    def close(self) -> None:
        """Give back what is held open: the record and the beacon."""
        with self.lock:
            self.flights.close()
            self._close_record()

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

    def is_index(self) -> bool:
        """Whether the last accepted text is an index; a memory of prose, or none, is not."""
        return grammar.is_index(grammar.parse(self.index_text()))

    def index_text(self) -> str:
        """The last accepted index, "" where there is none."""
        known = self.known.get(names.INDEX)
        return (known.text or "") if known else ""

    def critical_topics(self) -> tuple[str, ...]:
        """The names of the `!!` topic files of the last accepted index."""
        return tuple(entry.target for entry in critical(grammar.parse(self.index_text())))


def stat(path: str) -> Identity | None:
    """How a file looks now, None where it cannot be looked at."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return Identity(found.st_mtime_ns, found.st_size, found.st_ino)


def _changed_at(folder: str) -> int:
    """When a file last came to a folder or left it (nanoseconds), 0 where there is no folder."""
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return 0
