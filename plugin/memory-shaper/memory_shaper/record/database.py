"""One open connection to the record: rows out, statements in, transactions that hold whole or not at all.

Everything else in this package talks to SQLite through `Database`, so that an error of SQLite reaches no caller raw.
A connection belongs to the thread that opened it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from .errors import damaged, explain

Value = str | bytes | int | float | None
Row = tuple[Any, ...]
T = TypeVar("T")


def storable(value: Value) -> Value:
    """The value as SQLite can hold it: a lone surrogate has no UTF-8 form and is kept as its escape."""
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    return value


class Database:
    """A connection in autocommit mode and the file it belongs to. All methods raise `RecordError`."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self.path = path

    def rows(self, sql: str, *values: Value) -> list[Row]:
        """All rows of a query."""
        return self._told(lambda: self._execute(sql, values).fetchall())

    def row(self, sql: str, *values: Value) -> Row | None:
        """The first row of a query, None where there is none."""
        found = self.rows(sql, *values)
        return found[0] if found else None

    def number(self, sql: str, *values: Value) -> int:
        """The whole number that a query of one row and one column gives."""
        return int(self.rows(sql, *values)[0][0])

    def run(self, sql: str, *values: Value) -> int:
        """Carry out one statement; the number of rows it changed."""
        return self._told(lambda: self._execute(sql, values).rowcount)

    def add(self, sql: str, *values: Value) -> int:
        """Carry out one INSERT; the id of the new row."""
        return self._told(lambda: self._execute(sql, values).lastrowid or 0)

    def read(self, make: Callable[[Row], T], row: Row) -> T:
        """A row as a value; a row that makes no sense means that the record is damaged."""
        try:
            return make(row)
        except (TypeError, ValueError, OverflowError) as error:
            raise damaged(self.path, "a row of the record makes no sense") from error

    @contextmanager
    def transaction(self, durable: bool = False) -> Iterator[None]:
        """All statements inside hold together or not at all; inside another transaction, they join that one.

        The write lock is taken at the start, so what is read inside is still true when it is written. Keep it short:
        other processes wait meanwhile. A killed process never loses what it committed; a `durable` transaction is on
        the disk before the next step, so that a power cut does not lose it either.
        """
        if self._connection.in_transaction:
            yield
            return
        self.run(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        self.run("BEGIN IMMEDIATE")
        try:
            yield
            self.run("COMMIT")
        except BaseException:
            self._connection.rollback()
            raise

    def size(self) -> int:
        """The size of the file in bytes, free pages included."""
        return self.number("PRAGMA page_count") * self.number("PRAGMA page_size")

    def close(self) -> None:
        """Give the connection back; what was not committed is undone."""
        self._connection.close()

    def _execute(self, sql: str, values: Sequence[Value]) -> sqlite3.Cursor:
        return self._connection.execute(sql, [storable(value) for value in values])

    def _told(self, action: Callable[[], T]) -> T:
        try:
            return action()
        except (sqlite3.ProgrammingError, sqlite3.IntegrityError):
            raise  # A fault of the calling code, not of the file.
        except sqlite3.Error as error:
            raise explain(self.path, error) from error
