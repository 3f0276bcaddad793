"""Settling the guarded files that changed: accepted, put back, or reported as damage from outside. Shell."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .. import archive, edit, grammar, host, names
from ..model import Entry, Identity
from ..privacy.screening import Reason, cleaned, values
from ..record import Event, EventKind, Process, Promise, Record, Source, alive
from ..settings import Settings
from . import refusals
from .harm import BETWEEN_LOOKS, WHILE_ABSENT, harm
from .keepout import LARGEST, clean, is_excluded, known_values
from .known import Known, digest, is_index, known_as
from .sight import Sight, put_back, see

if TYPE_CHECKING:
    from .watch import Watch

_ROUNDS = 3


class Settling:
    """One look at the guarded files, under the host's lock: the watch it is for, the record, and who is looking."""

    def __init__(self, watch: Watch, record: Record, settings: Settings, source: Source) -> None:
        self.watch = watch
        self.home = watch.home
        self.record = record
        self.settings = settings
        self.source = source
        self._restored: list[tuple[str, str]] = []
        self._reported: list[tuple[str, str]] = []
        self._taken_out: list[tuple[str, Reason]] = []

    def load(self) -> None:
        """Take over from the record what this process does not know yet."""
        for accepted in self.record.accepted.all():
            if accepted.digest and not is_index(accepted.file) and not self.record.texts.has(accepted.digest):
                self._hold(accepted.file, see(self.home.memories / accepted.file))
            self.watch.known[accepted.file] = self._from_record(accepted.file, accepted.digest, accepted.identity)

    def _from_record(self, file: str, digest: str | None, identity: Identity | None) -> Known:
        data = self.record.texts.text(digest) if digest and is_index(file) else None
        old = self.watch.known.get(file)
        return Known(identity, digest, data, old.shape if old else see(self.home.memories / file).shape)

    def settle(self, files: Sequence[str]) -> None:
        """Bring each file and what is known of it together again."""
        files = self._without_new(files)
        for _ in range(_ROUNDS):
            damaged = {file: found for file in files if (found := self._settle(file)) is not None}
            if not damaged:
                return
            absent = any(sight.data is None for sight, _ in damaged.values())
            time.sleep(WHILE_ABSENT if absent else BETWEEN_LOOKS)
            files = [file for file, (sight, why) in damaged.items() if not self._restore(file, sight, why)]

    def _without_new(self, files: Sequence[str]) -> list[str]:
        """The files that were seen before; the others are noted, all in one transaction."""
        new = [file for file in files if self._caught_up(file) is None]
        if new:
            with self.record.transaction():
                for file in new:
                    sight = see(self.home.memories / file)
                    if sight.data is not None or is_index(file):
                        self._accept(file, sight, EventKind.NOTED, "first-seen")
        return [file for file in files if file not in new]

    def tell(self) -> None:
        """Queue what the model is to be told of this look."""
        for found, message in ((self._restored, refusals.restored), (self._reported, refusals.reported)):
            if found:
                self.watch.tell(message(found))
        if self._taken_out:
            self.watch.tell(refusals.taken_out(self._taken_out))

    def _settle(self, file: str) -> tuple[Sight, str] | None:
        """Accept or report a file as it is now; where it is to be put back, how it looks and why."""
        sight = see(self.home.memories / file)
        known = self.watch.known[file]
        if known.digest == digest(sight.data) and (known.digest is not None or not sight.odd):
            known.identity, known.shape = sight.identity, sight.shape
            if sight.identity:
                self.record.accepted.touch(file, sight.identity)
        else:
            return self._judge(file, known, sight)
        return None

    def _caught_up(self, file: str) -> Known | None:
        """What is known of a file, by the record where another process has accepted something else since."""
        known = self.watch.known.get(file)
        accepted = self.record.accepted.of(file)
        if accepted and (known is None or accepted.digest != known.digest):
            known = self.watch.known[file] = self._from_record(file, accepted.digest, accepted.identity)
        elif accepted is None and known is not None and known.data is not None:  # the record was lost
            event = Event(EventKind.NOTED, edit.now(), rule="record-lost", source=self.source)
            self.record.accepted.accept(file, known.data, known.identity, event)
        return known

    def _judge(self, file: str, known: Known, sight: Sight) -> tuple[Sight, str] | None:
        sight = self._without_secrets(file, sight)
        promises = self._kept_promises(file, known, sight.data)
        granted = not is_index(file) and any(file in files for files in self.watch.granted.values())
        why = "" if granted else self._harm(file, self._promised_text(known, promises), sight)
        if not why:
            self._archive_dropped(file, known, sight.data, promises)
            kind = EventKind.APPROVED if granted else EventKind.ACCEPTED if promises else EventKind.OUTSIDE
            with self.record.transaction():
                for promise in promises:
                    self.record.promises.keep(promise.id, edit.now())
                self._accept(file, sight, kind, "")
            return None
        if known.digest is None or not self._can_restore(known):
            self._report(file, sight, why)
        elif self._by_this_process(file, sight):
            return sight, why
        elif others := self.watch.flights.others(sight.changed):
            return None if self._left(file, sight, others) else (sight, why)
        else:
            self._report(file, sight, why)
        return None

    def _without_secrets(self, file: str, sight: Sight) -> Sight:
        """A topic file as it is once what a call of this process put into it, and is never kept, is taken out."""
        if is_index(file) or not sight.data or len(sight.data) > LARGEST or not self._by_this_process(file, sight):
            return sight
        held = known_values(self.watch, self.record, file, self.settings.rules)
        reasons = clean(self.watch, self.record, file, held, self.settings, self.source)
        self._taken_out += [(file, reason) for reason in reasons]
        return see(self.home.memories / file) if reasons else sight

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

    def _harm(self, file: str, before: str | None, sight: Sight) -> str:
        return harm(self.watch, self.settings, file, before, sight)

    def _can_restore(self, known: Known) -> bool:
        return known.data is not None or (known.digest is not None and self.record.texts.has(known.digest))

    def _by_this_process(self, file: str, sight: Sight) -> bool:
        if self.watch.left.get(file) == sight:  # it was so before any call took off that flies now
            return False
        return self.watch.flights.own() or bool(self.record.flights.background_alive(edit.now()))

    def _left(self, file: str, sight: Sight, others: Sequence[Process]) -> bool:
        """Whether a living process with a call in flight is left to settle what it did."""
        left = any(map(alive, others))
        if left:
            self.watch.left[file] = sight
        return left

    def _restore(self, file: str, sight: Sight, why: str) -> bool:
        """Put a damaged file back, unless it has changed again since it was looked at."""
        path = self.home.memories / file
        known = self.watch.known[file]
        if see(path) != sight:
            return False
        good = known.data if known.data is not None else self.record.texts.text(known.digest or "")
        if good is None:
            return True
        with self.watch.held_for(path.parent):
            now = put_back(path, good, known.shape)
        with self.record.transaction():
            if sight.data is not None and len(sight.data) <= edit.LARGEST_KEPT:
                self.record.texts.put(self._fit(sight.data), edit.now(), like=known.digest)
            left = None if sight.data is None else digest(self._fit(sight.data))
            event = Event(EventKind.RESTORED, edit.now(), file, left, rule=why, source=self.source)
            self.record.accepted.accept(file, good, now.identity, event)
        self._know(file, now)
        self._restored.append((file, why))
        return True

    def _report(self, file: str, sight: Sight, why: str) -> None:
        self._accept(file, sight, EventKind.DAMAGED, why)
        self._reported.append((file, why))

    def _fit(self, data: bytes) -> bytes:
        """What a call left in place of a file, as the journal may keep it."""
        text = data.decode("utf-8", "surrogateescape")
        return cleaned(text, self.settings.rules)[0].encode("utf-8", "surrogateescape")

    def _accept(self, file: str, sight: Sight, kind: EventKind, rule: str) -> None:
        event = Event(kind, edit.now(), file, rule=rule, source=self.source)
        if sight.data is not None and not is_index(file) and is_excluded(sight.data, self.settings):
            # The user wants no copy of it, or may want none: only that it is there is noted.
            before = self.record.accepted.of(file)
            self.record.accepted.settle(
                replace(event, before=before.digest if before else None, after=digest(sight.data)), sight.identity
            )
            self._hold(file, sight)
        elif sight.data is None or len(sight.data) <= edit.LARGEST_KEPT:
            self.record.accepted.accept(file, sight.data, sight.identity, event)
            self.watch.held.pop(file, None)
        self._know(file, sight)

    def _hold(self, file: str, sight: Sight) -> None:
        """Keep in mind what is never kept of a file whose text the journal does not have."""
        if sight.data is not None and len(sight.data) <= LARGEST:
            text = sight.data.decode("utf-8", "surrogateescape")
            self.watch.held[file] = values(text, self.settings.rules)

    def _know(self, file: str, sight: Sight) -> None:
        self.watch.known[file] = known_as(sight, keep=is_index(file))
        self.watch.left.pop(file, None)

    def _archive_dropped(self, file: str, known: Known, data: bytes | None, promises: Sequence[Promise]) -> None:
        """The files of the lines that an allowed call took out go to the archive, and the lines with them."""
        kept = {names.same(entry.target) for entry in _entries(data)}
        gone = [entry for entry in _entries(known.data) if names.same(entry.target) not in kept]
        if file != names.INDEX or not promises or not gone:
            return
        shelf, index, shelved = edit.shelf(self.home)
        plan = archive.put_away(shelf, (), gone)
        edits = edit.edits_to_archive(self.home, plan, index, shelved)
        event = Event(EventKind.ARCHIVED, edit.now(), rule="line-removed", source=self.source)
        edit.carry_out(self.home, self.record, edits, event)
        self._know(edit.ARCHIVE_INDEX, see(self.home.archive_index))


def _entries(data: bytes | None) -> list[Entry]:
    return [entry for _, entry in grammar.parse(_text(data)).entries()]


def _text(data: bytes | None) -> str:
    return "" if data is None else data.decode("utf-8", "replace")
