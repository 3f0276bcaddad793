"""The messages in the host's state.db, read so that the host never notices.

Strictly read-only: `mode=ro`, no pragma that writes, no checkpoint; such a connection cannot remove the host's `-wal`
file when it closes last. Rows come in windows sized by the clock, and a read transaction ends after some hundredths of
a second, because in a database with a rollback journal an open read holds up the host's commits.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .stamps import seconds
from .uses import Answer, Message

BUSY_SECONDS = 2.0
TARGET_SECONDS = 0.03
"""What one read transaction should take; the promise is to stay below a tenth of a second."""

MOST_ROWS = 2000
SHORT = 20_000
"""Characters of tool calls that come with their row; longer ones are fetched one by one, to bound the memory."""

FAR = 500
"""Rows behind a call among which its result is looked for."""

_COLUMNS = ("id", "session_id", "role", "content", "tool_call_id", "tool_calls", "timestamp")
_MARKS = (".md", "memories", "cd ")  # without one of these in them, calls neither read a topic nor change the folder
_MARKED = "tool_calls IS NOT NULL AND (" + " OR ".join(f"instr(tool_calls, '{mark}')" for mark in _MARKS) + ")"
_TIME = "CASE WHEN typeof(timestamp) IN ('real', 'integer') AND timestamp BETWEEN 1e9 AND 1e11 THEN timestamp END"
_WINDOW = f"""SELECT max(id), count(*), min(time), max(time)
    FROM (SELECT id, {_TIME} AS time FROM messages NOT INDEXED WHERE id > ? AND id <= ? ORDER BY id LIMIT ?)"""
_MESSAGES = f"""SELECT id, session_id, role, timestamp, CASE WHEN length(tool_calls) < {SHORT} THEN tool_calls END
    FROM messages NOT INDEXED WHERE id > ? AND id <= ? AND (role = 'user' OR {_MARKED}) ORDER BY id"""
_BEHIND = """SELECT id, role, content FROM messages NOT INDEXED
    WHERE id > ? AND id <= ? AND coalesce(session_id, '') = ?
    AND (role = 'user' OR role = 'tool' AND (? = '' OR tool_call_id = ?)) ORDER BY id LIMIT ?"""
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_MID_WRITE = {sqlite3.SQLITE_READONLY_ROLLBACK, sqlite3.SQLITE_READONLY_RECOVERY}


class StateError(Exception):
    """The host's database cannot be tallied; the text says why, in one sentence."""


class DatabaseMissing(StateError):
    """There is no file: this home has had no session yet."""


class DatabaseUnreadable(StateError):
    """Not a database, a damaged one, or one without the table or columns that we know."""


class DatabaseBusy(StateError):
    """Locked for longer than we wait, or left by the host amid a write; try again later."""


@dataclass(frozen=True, slots=True)
class Window:
    """Some rows in one piece: the highest id, how many, the span of their times, and those that a tally looks at."""

    last: int
    rows: int
    first_at: float | None
    last_at: float | None
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One row by what no host ever changes in it; the digest tells a database from another one with the same ids."""

    id: int
    at: float | None
    fingerprint: str


class State:
    """An open state.db. Every method raises DatabaseBusy or DatabaseUnreadable where SQLite does."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._begun = 0.0

    def rest(self) -> None:
        """End the read transaction if it has lasted long enough; to be called now and then by who works in between."""
        if self._database.in_transaction and time.monotonic() - self._begun > TARGET_SECONDS:
            self._database.execute("COMMIT")

    def check(self) -> None:
        """Raise DatabaseUnreadable unless the table `messages` has the columns that a tally needs."""
        found = {row[0] for row in self._all("SELECT name FROM pragma_table_info('messages')")}
        if not found:
            raise DatabaseUnreadable("state.db has no table of messages")
        if missing := [name for name in _COLUMNS if name not in found]:
            raise DatabaseUnreadable(f"the table of messages lacks {', '.join(missing)}")

    def windows(self, after: int, up_to: int = 2**63 - 1) -> Iterator[Window]:
        """All rows with an id above `after` and not above `up_to`, in the order of their ids, in many short reads."""
        size = 500
        while True:
            begun = time.monotonic()
            last, count, first_at, last_at = self._all(_WINDOW, after, up_to, size)[0]
            if not isinstance(last, int) or not isinstance(count, int):
                return
            messages = tuple(map(_message, self._all(_MESSAGES, after, last)))
            size = _next_size(size, time.monotonic() - begun)
            yield Window(last, count, seconds(first_at), seconds(last_at), messages)
            after = last

    def calls(self, row: int) -> str:
        """The stored tool calls of one row, empty where it is gone."""
        found = self._all("SELECT tool_calls FROM messages WHERE id = ?", row)
        return _word(found[0][0]) if found else ""

    def answer(self, message: Message, call_id: str, place: int) -> Answer | None:
        """The result of a call in a message: by the call's id, else the one at its place behind the message."""
        end, count = message.id + FAR, 1 if call_id else place + 1
        behind = self._all(_BEHIND, message.id, end, message.session, call_id, call_id, count)
        if len(behind) < count or any(role != "tool" for _, role, _ in behind):
            return None
        row, _, content = behind[-1]
        return Answer(row, _word(content)) if isinstance(row, int) else None

    def last(self, up_to: int = 2**63 - 1) -> Row | None:
        """The row with the highest id that is not above `up_to`."""
        query = (
            "SELECT id, session_id, role, timestamp, tool_call_id FROM messages WHERE id <= ? ORDER BY id DESC LIMIT 1"
        )
        for row, *parts in self._all(query, up_to):
            if isinstance(row, int):
                return Row(row, seconds(parts[2]), _fingerprint(row, *parts))
        return None

    def _all(self, query: str, *values: int | str) -> list[tuple[object, ...]]:
        self.rest()
        with _told():
            if not self._database.in_transaction:
                self._database.execute("BEGIN")
                self._begun = time.monotonic()
            try:
                return self._database.execute(query, values).fetchall()
            except sqlite3.OperationalError as error:
                if not str(error).startswith("Could not decode"):  # the module gives this fault no code of its own
                    raise
            self._database.text_factory = _lenient
            return self._database.execute(query, values).fetchall()


@contextmanager
def open_state(path: Path) -> Iterator[State]:
    """Open a host's state.db for reading only, and close it at the end.

    Raises DatabaseMissing, DatabaseUnreadable or DatabaseBusy.
    """
    if not path.exists():
        raise DatabaseMissing("there is no state.db yet")
    with _told():
        database = sqlite3.connect(_address(path), uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        state = State(database)
        state.check()
        yield state
    finally:
        database.close()


def _fingerprint(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _address(path: Path) -> str:
    """A URI that SQLite reads back as this very path, whatever signs are in it (a share's host is part of the path)."""
    uri = path.absolute().as_uri()
    return (uri if uri.startswith("file:///") else uri.replace("file://", "file:////", 1)) + "?mode=ro"


def _message(row: tuple[object, ...]) -> Message:
    identity, session, role, stamp, calls = row
    if not isinstance(identity, int):
        raise DatabaseUnreadable("the ids of the messages are no numbers")
    at, short = seconds(stamp), None if calls is None else _word(calls)
    return Message(identity, _word(session), _word(role), at, short)


def _lenient(stored: bytes) -> str:
    return stored.decode("utf-8", "replace")


def _word(value: object) -> str:
    if isinstance(value, str):
        return value
    return _lenient(value) if isinstance(value, bytes) else "" if value is None else str(value)


def _next_size(size: int, took: float) -> int:
    """Rows for the next batch: half as many after a slow one, twice as many after a quick one."""
    if took > TARGET_SECONDS:
        return max(20, size // 2)
    return min(MOST_ROWS, size * 2) if took < TARGET_SECONDS / 3 else size


@contextmanager
def _told() -> Iterator[None]:
    """Say in our words what SQLite says in its own."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0)
        if code & 0xFF in _BUSY:
            raise DatabaseBusy("state.db is locked by another process") from error
        if code in _MID_WRITE:
            raise DatabaseBusy("the host stopped amid a write, which it will finish at its next start") from error
        raise DatabaseUnreadable(
            f"state.db cannot be read ({getattr(error, 'sqlite_errorname', 'unknown')})"
        ) from error
