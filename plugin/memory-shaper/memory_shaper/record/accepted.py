"""The last accepted state of each watched file: what its bytes were, and how the file looked from outside."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from ..model import Identity
from .database import Database, Row
from .journal import Event, Journal
from .texts import Texts
from .times import moment, stamp


@dataclass(frozen=True, slots=True)
class Accepted:
    """The accepted state of a file; `digest` None means accepted as absent. `event` is the one that made it so."""

    file: str
    digest: str | None
    identity: Identity | None
    at: datetime
    event: int


_SELECT = "SELECT file, digest, mtime_ns, size, inode, at, event FROM accepted"


def _accepted(row: Row) -> Accepted:
    file, digest, mtime_ns, size, inode, at, event = row
    identity = None if inode is None else Identity(mtime_ns, size, int(inode))
    return Accepted(file, digest, identity, moment(at), event)


class AcceptedStates:
    """The accepted states in a record."""

    def __init__(self, database: Database, texts: Texts, journal: Journal) -> None:
        self._database = database
        self._texts = texts
        self._journal = journal

    def accept(self, file: str, content: bytes | None, identity: Identity | None, event: Event) -> int:
        """Accept the content of a file (None: that it is absent): text, event and state, all or none.

        The event's `file` and `after` are filled in, and its `before` from the state accepted until now where it is
        None. Returns the id of the event.
        """
        with self._database.transaction(durable=True):
            last = self.of(file)
            before = event.before or (last.digest if last else None)
            after = None if content is None else self._texts.put(content, event.at, like=before)
            return self.settle(replace(event, file=file, before=before, after=after), identity)

    def settle(self, event: Event, identity: Identity | None) -> int:
        """Write an event whose `after`, a stored text or None, is from now on the accepted state of its file."""
        with self._database.transaction(durable=True):
            number = self._journal.note(replace(event, accepts=True))
            self._write(Accepted(event.file, event.after, identity, event.at, number))
        return number

    def touch(self, file: str, identity: Identity) -> None:
        """Note how an accepted file looks from outside now, its bytes being the same."""
        sql = "UPDATE accepted SET mtime_ns = ?, size = ?, inode = ? WHERE file = ?"
        with self._database.transaction():
            self._database.run(sql, identity.mtime_ns, identity.size, str(identity.inode), file)

    def unwatch(self, file: str) -> None:
        """Forget the accepted state of a file that is no longer watched; its events stay."""
        with self._database.transaction():
            self._database.run("DELETE FROM accepted WHERE file = ?", file)

    def of(self, file: str) -> Accepted | None:
        """The accepted state of one file, None where it was never accepted."""
        row = self._database.row(f"{_SELECT} WHERE file = ?", file)
        return self._database.read(_accepted, row) if row else None

    def all(self) -> list[Accepted]:
        """The accepted states of all files, by name."""
        return [self._database.read(_accepted, row) for row in self._database.rows(f"{_SELECT} ORDER BY file")]

    def _write(self, state: Accepted) -> None:
        seen = state.identity
        # An inode may take 64 or even 128 bits without a sign: as a number it would not fit.
        identity = (seen.mtime_ns, seen.size, str(seen.inode)) if seen else (None, None, None)
        sql = "REPLACE INTO accepted (file, digest, mtime_ns, size, inode, at, event) VALUES (?, ?, ?, ?, ?, ?, ?)"
        self._database.run(sql, state.file, state.digest, *identity, stamp(state.at), state.event)
