"""The record: the truth that does not fit into markdown, in one SQLite file beside it.

    with Record.open(home / "plugin-data" / "memory-shaper" / "record.db") as record:
        record.accepted.accept("MEMORY.md", content, identity, Event(EventKind.ACCEPTED, now))

Open it where it is used and close it again: a record belongs to one thread, several may be open at once, in one process
and in many. Each operation is one transaction; `record.transaction()` makes one of several.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType

from ..model import Identity
from .accepted import Accepted, AcceptedStates
from .counters import Beat, Count, Counters, Feedback, Heartbeat
from .database import Database
from .erasing import Erasing
from .errors import RecordBusy, RecordError, RecordReadOnly
from .flights import Background, Flight, Flights
from .intents import Intent, Intents, Move, Progress, Step, Write, progress
from .journal import Daily, Event, EventKind, Journal, Source
from .opening import open_database
from .processes import Process, alive, process, this_process
from .promises import Promise, Promises
from .proposals import Proposal, Proposals, State, digest_of_proposal
from .pruning import Limits, Pruned, prune, used_bytes
from .texts import Texts, digest_of
from .uses import Topic, Use, Uses, Watermark, Week

__all__ = [
    "Accepted",
    "Background",
    "Beat",
    "Count",
    "Daily",
    "Event",
    "EventKind",
    "Feedback",
    "Flight",
    "Heartbeat",
    "Identity",
    "Intent",
    "Limits",
    "Move",
    "Process",
    "Progress",
    "Promise",
    "Proposal",
    "Pruned",
    "Record",
    "RecordBusy",
    "RecordError",
    "RecordReadOnly",
    "Source",
    "State",
    "Step",
    "Topic",
    "Use",
    "Watermark",
    "Week",
    "Write",
    "alive",
    "digest_of",
    "digest_of_proposal",
    "process",
    "progress",
    "this_process",
]

_BUSY_SECONDS = 5.0


class Record:
    """One open record; its parts are its attributes. All of it raises `RecordError`, `RecordBusy`, `RecordReadOnly`."""

    def __init__(self, database: Database, limits: Limits) -> None:
        self._database = database
        self._limits = limits
        self.texts = Texts(database)
        self.journal = Journal(database, limits)
        self.accepted = AcceptedStates(database, self.texts, self.journal)
        self.promises = Promises(database)
        self.flights = Flights(database)
        self.intents = Intents(database, self.texts, self.journal, self.accepted)
        self.uses = Uses(database)
        self.counters = Counters(database)
        self.erasing = Erasing(database, self.texts)
        self.proposals = Proposals(database)

    @classmethod
    def open(cls, path: Path, limits: Limits | None = None, busy: float = _BUSY_SECONDS) -> Record:
        """Open the record at `path`; it is made where there is none and upgraded where it is older.

        `busy` is how many seconds an operation waits for other processes. An unreadable, damaged or newer record is a
        `RecordError`, never an empty record.
        """
        return cls(open_database(path, busy), limits or Limits())

    def transaction(self, durable: bool = True) -> AbstractContextManager[None]:
        """All that is read and written inside is one transaction. Let an error inside end it: do not catch it there.

        What is not `durable` survives the end of the process, but perhaps no power cut; it costs no wait for the disk.
        """
        return self._database.transaction(durable)

    def prune(self) -> Pruned:
        """Bring the record within its limits now; writing events does so by itself now and then."""
        return prune(self._database, self._limits)

    def tidy(self) -> int:
        """Give free pages back to the disk, and put what is in the write-ahead file into the record; the bytes it is
        smaller by."""
        before = self._database.size()
        self._database.run("VACUUM")
        self._database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        return max(0, before - self._database.size())

    def used_bytes(self) -> int:
        """How many bytes of the file are in use."""
        return used_bytes(self._database)

    def close(self) -> None:
        """Close the record; what an open transaction has not committed is undone."""
        self._database.close()

    def __enter__(self) -> Record:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
