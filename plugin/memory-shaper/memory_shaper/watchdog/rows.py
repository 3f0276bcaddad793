"""The messages in the host's state.db, read so that the host never notices.

Strictly read-only: `mode=ro`, no pragma that writes, no checkpoint; such a connection cannot remove the host's `-wal`
file when it closes last. Every statement is read to its end at once and the batches are sized by the clock, because in
a database with a rollback journal an open read holds up the host's commits.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .stamps import seconds
from .uses import Message

BUSY_SECONDS = 2.0
TARGET_SECONDS = 0.03
"""What one read transaction should take; the hard promise is a tenth of a second."""

MOST_ROWS = 1000
SHORT = 20_000
"""Characters of tool calls that come with their row; longer ones are fetched one by one, to bound the memory."""

_COLUMNS = ("id", "session_id", "role", "content", "tool_call_id", "tool_calls", "timestamp")
_MARKS = (".md", "memories", "cd ")
_MARKED = " OR ".join(f"instr(tool_calls, '{mark}')" for mark in _MARKS)
_BATCH = f"""SELECT id, session_id, role, timestamp, tool_call_id, marked,
        CASE WHEN marked AND length(tool_calls) < {SHORT} THEN tool_calls END
    FROM (SELECT *, tool_calls IS NOT NULL AND ({_MARKED}) AS marked FROM messages WHERE id > ? ORDER BY id LIMIT ?)"""
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


class State:
    """An open state.db. Every method raises DatabaseBusy or DatabaseUnreadable where SQLite does."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def check(self) -> None:
        """Raise DatabaseUnreadable unless the table `messages` has the columns that a tally needs."""
        found = {row[0] for row in self._all("SELECT name FROM pragma_table_info('messages')")}
        if not found:
            raise DatabaseUnreadable("state.db has no table of messages")
        if missing := [name for name in _COLUMNS if name not in found]:
            raise DatabaseUnreadable(f"the table of messages lacks {', '.join(missing)}")

    def messages(self, after: int) -> Iterator[Message]:
        """All messages with a higher id, in the order of their ids, in many short reads."""
        size = 500
        while True:
            begun = time.monotonic()
            batch = self._all(_BATCH, after, size)
            size = _next_size(size, time.monotonic() - begun)
            if not batch:
                return
            for row in batch:
                message = _message(row)
                yield message
            after = message.id

    def calls(self, row: int) -> str | None:
        """The stored tool calls of one row."""
        return self._text("SELECT tool_calls FROM messages WHERE id = ?", row)

    def result(self, row: int) -> str | None:
        """The content of one row, for a tool row the result of its call."""
        return self._text("SELECT content FROM messages WHERE id = ?", row)

    def last(self, up_to: int | None = None) -> Message | None:
        """The message with the highest id, or the highest one not above `up_to`."""
        query = _BATCH.replace("id > ? ORDER BY id", "id <= ? ORDER BY id DESC")
        found = self._all(query, 2**63 - 1 if up_to is None else up_to, 1)
        return _message(found[0]) if found else None

    def _text(self, query: str, row: int) -> str | None:
        found = self._all(query, row)
        value = found[0][0] if found else None
        return None if value is None else _word(value)

    def _all(self, query: str, *values: int) -> list[tuple[object, ...]]:
        with _told():
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


def fingerprint(message: Message) -> str:
    """A digest of what no host ever changes in a row: tells a database from another one with the same ids."""
    parts = (message.id, message.session, message.role, message.at, message.call_id)
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _address(path: Path) -> str:
    """A URI that SQLite reads back as this very path, whatever signs are in it (a share's host is part of the path)."""
    uri = path.absolute().as_uri()
    return (uri if uri.startswith("file:///") else uri.replace("file://", "file:////", 1)) + "?mode=ro"


def _message(row: tuple[object, ...]) -> Message:
    identity, session, role, stamp, call_id, marked, calls = row
    if not isinstance(identity, int):
        raise DatabaseUnreadable("the ids of the messages are no numbers")
    at, short = seconds(stamp), None if calls is None else _word(calls)
    return Message(identity, _word(session), _word(role), at, _word(call_id), bool(marked), short)


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
