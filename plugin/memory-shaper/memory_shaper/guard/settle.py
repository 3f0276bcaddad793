"""Settling one guarded file that changed: accepted, put back, or reported as damage from outside. Shell."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import archive, edit, grammar, host, names, store
from ..errors import Busy
from ..model import Entry, Folder, Identity
from ..record import Event, EventKind, Promise, Record, Source, alive, digest_of
from ..settings import Settings
from .damage import damage

if TYPE_CHECKING:
    from .watch import Watch

_BETWEEN_LOOKS = 0.05  # seconds; a file that is being written is not judged half-way
_RECENT = 5.0  # seconds


@dataclass(slots=True)
class Known:
    """The last accepted state of a file: how it looked, and its content as digest (None: absent).

    The content itself is kept for the indexes only, so that a lost record loses no index.
    """

    identity: Identity | None
    digest: str | None
    data: bytes | None = None

    @property
    def text(self) -> str | None:
        return None if self.data is None else self.data.decode("utf-8", "replace")


class Settling:
    """One look at the guarded files: the watch it is for, the open record, and who is looking."""

    def __init__(self, watch: Watch, record: Record, settings: Settings, source: Source) -> None:
        self.watch = watch
        self.home = watch.home
        self.record = record
        self.settings = settings
        self.source = source

    def load(self) -> None:
        """Take over from the record what this process does not know yet."""
        if not self.watch.known:
            for accepted in self.record.accepted.all():
                known = Known(accepted.identity, accepted.digest)
                if _is_index(accepted.file) and accepted.digest:
                    known.data = self.record.texts.text(accepted.digest)
                self.watch.known[accepted.file] = known

    def settle(self, file: str) -> None:
        """Bring one file and what is known of it together again."""
        identity = store.identify(self.home.memories / file)
        data = store.read_bytes(self.home.memories / file) if identity else None
        known = self.watch.known.get(file)
        if known is None:
            if data is not None or _is_index(file):
                self._accept(file, data, identity, EventKind.NOTED, "first-seen")
        elif known.digest == _digest(data):
            known.identity = identity
            if identity:
                self.record.accepted.touch(file, identity)
        elif self._accepted_by_another(file, data):
            self._know(file, data, identity)
        else:
            self._judge(file, known, data, identity)

    def _accepted_by_another(self, file: str, data: bytes | None) -> bool:
        accepted = self.record.accepted.of(file)
        return accepted is not None and accepted.digest == _digest(data)

    def _judge(self, file: str, known: Known, data: bytes | None, identity: Identity | None) -> None:
        promises = self._kept_promises(file, known, data)
        granted = any(file in files for files in self.watch.granted.values())
        why = "" if granted else self._why(file, self._promised_text(known, promises), data)
        if not why:
            kind = EventKind.APPROVED if granted else EventKind.ACCEPTED if promises else EventKind.OUTSIDE
            with self.record.transaction():
                for promise in promises:
                    self.record.promises.keep(promise.id, edit.now())
                self._accept(file, data, identity, kind, "")
            if promises:
                self._archive_dropped(known, data)
        elif known.digest is not None and self._by_this_process():
            self._restore(file, known, data, why)
        elif not self._left_to_another(identity):
            self._by_another_or_outside(file, known, data, identity, why)

    def _kept_promises(self, file: str, known: Known, data: bytes | None) -> list[Promise]:
        """The open promises whose edit has been made: what they take out is gone, what they put in is there."""
        if file != names.INDEX:
            return []
        now = set(host.parts(_text(data)))
        return [
            promise
            for promise in self.record.promises.open(edit.now())
            if promise.file == file and (edit_ := self._edit_of(promise)) and edit_[1] <= now and not edit_[0] & now
        ]

    def _edit_of(self, promise: Promise) -> tuple[set[str], set[str]] | None:
        texts = [self.record.texts.text(digest) for digest in (promise.before, promise.afters[0]) if digest]
        if len(texts) < 2 or None in texts:
            return None
        before, after = (set(host.parts(_text(text))) for text in texts)
        return before - after, after - before

    def _promised_text(self, known: Known, promises: list[Promise]) -> str | None:
        """The known text with the promised edits made, which is what the file is held against."""
        if known.text is None or not promises:
            return known.text
        parts = host.parts(known.text)
        for promise in promises:
            out, into = self._edit_of(promise) or (set(), set())
            parts = [part for part in parts if part not in out] + [part for part in sorted(into) if part not in parts]
        return host.join(parts)

    def _by_another_or_outside(
        self, file: str, known: Known, data: bytes | None, identity: Identity | None, why: str
    ) -> None:
        if self.watch.flights.others(_moment(identity)):
            self._restore(file, known, data, why)  # of a process that is dead by now
        else:
            self._report(file, data, identity, why)

    def _why(self, file: str, before: str | None, data: bytes | None) -> str:
        if not _is_index(file):
            if data is None:
                return "topic-vanished"
            return "critical-changed: 1" if file in self.watch.critical_topics() else ""
        live = file == names.INDEX
        path = self.home.memories if live else self.home.archive
        folder = store.list_folder(path) if path.is_dir() else Folder()
        old_folder = self.watch.folder if live and self.watch.folder.files else folder
        after = None if data is None else _text(data)
        if after is not None and "\ufffd" in after and "\ufffd" not in (before or ""):
            return "not-utf-8"
        return damage(before, after, old_folder, folder, self.settings.cap if live else None)

    def _by_this_process(self) -> bool:
        return self.watch.flights.own() or bool(self.record.flights.background_alive(edit.now()))

    def _left_to_another(self, identity: Identity | None) -> bool:
        return any(alive(who) for who in self.watch.flights.others(_moment(identity)))

    def _restore(self, file: str, known: Known, data: bytes | None, why: str) -> None:
        path = self.home.memories / file
        good = known.data if known.data is not None else self._stored(known.digest)
        edit.make_folder(self.home, self.home.memories)
        with store.locked(self.home.index):
            time.sleep(_BETWEEN_LOOKS)
            if store.read_bytes(path) != data:
                return
            edit.make_folder(self.home, path.parent)
            identity = store.write(path, good, data)
        with self.record.transaction():
            if data is not None and len(data) <= edit.LARGEST_KEPT:
                self.record.texts.put(data, edit.now(), like=known.digest)
            event = Event(EventKind.RESTORED, edit.now(), file, _digest(data), rule=why, source=self.source)
            number = self.record.accepted.accept(file, good, identity, event)
        self._know(file, good, identity)
        self.watch.tell(
            f"memory-shaper: {file} was damaged by a call ({why}) and has been put back as it was. What the call left "
            f"is kept as event {number} of the journal. Change the index with the memory tool, one line at a time."
        )

    def _stored(self, digest: str | None) -> bytes:
        data = self.record.texts.text(digest) if digest else None
        if data is None:
            raise Busy("the record does not hold the version of a file that a call damaged; see: memory-shaper history")
        return data

    def _report(self, file: str, data: bytes | None, identity: Identity | None, why: str) -> None:
        self._accept(file, data, identity, EventKind.DAMAGED, why)
        self.watch.tell(
            f"memory-shaper: {file} was changed from outside and has a fault now ({why}). Nothing was undone. "
            "Tell the user: `memory-shaper fix` mends it, `memory-shaper undo` brings the last version back."
        )

    def _accept(self, file: str, data: bytes | None, identity: Identity | None, kind: EventKind, rule: str) -> None:
        if data is None or len(data) <= edit.LARGEST_KEPT:
            event = Event(kind, edit.now(), file, rule=rule, source=self.source)
            self.record.accepted.accept(file, data, identity, event)
        self._know(file, data, identity)

    def _know(self, file: str, data: bytes | None, identity: Identity | None) -> None:
        self.watch.known[file] = Known(identity, _digest(data), data if _is_index(file) else None)

    def _archive_dropped(self, known: Known, data: bytes | None) -> None:
        """The files of the lines that an allowed call took out go to the archive, and the lines with them."""
        kept = {names.same(entry.target) for entry in _entries(data)}
        gone = [entry for entry in _entries(known.data) if names.same(entry.target) not in kept]
        if not gone:
            return
        with store.locked(self.home.index):
            shelf, index, shelved = edit.shelf(self.home)
            plan = archive.put_away(shelf, (), gone)
            edits = edit.edits_to_archive(self.home, plan, index, shelved)
            event = Event(EventKind.ARCHIVED, edit.now(), rule="line-removed", source=self.source)
            edit.carry_out(self.home, self.record, edits, event)
        self.settle_again(edit.ARCHIVE_INDEX)

    def settle_again(self, file: str) -> None:
        """Take over the state of a file that this process has just changed and journaled itself."""
        identity = store.identify(self.home.memories / file)
        self._know(file, store.read_bytes(self.home.memories / file) if identity else None, identity)


def _entries(data: bytes | None) -> list[Entry]:
    return [] if data is None else [entry for _, entry in grammar.parse(data.decode("utf-8", "replace")).entries()]


def _text(data: bytes | None) -> str:
    return "" if data is None else data.decode("utf-8", "replace")


def _is_index(file: str) -> bool:
    return file in (names.INDEX, edit.ARCHIVE_INDEX)


def _digest(data: bytes | None) -> str | None:
    return None if data is None else digest_of(data)


def _moment(identity: Identity | None) -> float:
    return identity.mtime_ns / 1e9 if identity else time.time()
