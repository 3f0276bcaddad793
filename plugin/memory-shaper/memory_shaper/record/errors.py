"""What can be wrong with the record file, said so that a reader knows which file and what to do."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from ..errors import MemoryShaperError


class RecordError(MemoryShaperError):
    """The record cannot be used: damaged, newer than this program, or not a record. It is never treated as empty.

    `path` is the file; the text names it, says what is wrong and what to do.
    """

    def __init__(self, path: Path, trouble: str, remedy: str) -> None:
        super().__init__(f"{path}: {trouble}; {remedy}")
        self.path = path


class RecordBusy(RecordError):
    """Another process held the record for longer than the busy time; a later try may succeed."""

    code = 3


class RecordReadOnly(RecordError):
    """The record or its folder may not be written by this user."""

    code = 4


def busy(path: Path) -> RecordBusy:
    """The error of a record that is locked."""
    return RecordBusy(path, "another process is writing the record", "try again in a moment")


def read_only(path: Path) -> RecordReadOnly:
    """The error of a record that may not be written."""
    return RecordReadOnly(path, "the record cannot be written", "let this user write the file and its folder")


def damaged(path: Path, trouble: str = "the record is damaged") -> RecordError:
    """The error of a record whose content cannot be trusted."""
    return RecordError(path, trouble, "put back a backup of it, or keep it under another name and begin a new one")


def unreachable(path: Path) -> RecordError:
    """The error of a record that could not be opened, by what this user may do with the file."""
    if path.exists() and os.access(path, os.R_OK) and not os.access(path.parent, os.W_OK):
        return read_only(path)
    return RecordError(path, "the record cannot be opened", "check that it is a file which this user may read")


def explain(path: Path, error: sqlite3.Error) -> RecordError:
    """The error to raise in place of one from SQLite, by SQLite's primary result code."""
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED | sqlite3.SQLITE_PROTOCOL:
            return busy(path)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return read_only(path)
        case sqlite3.SQLITE_CANTOPEN:
            return unreachable(path)
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return damaged(path)
        case sqlite3.SQLITE_FULL:
            return RecordError(path, "the disk is full", "free some space")
        case _:
            return RecordError(path, f"the record failed ({error})", "run `memory-shaper doctor`")
