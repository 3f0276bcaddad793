"""A copy of the record to try things on: a dry run is the same code as the real run, and changes nothing. Shell."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ..record import Record
from ..record.errors import explain
from ..record.opening import address_to_copy
from ..settings import Home


@contextmanager
def copied(home: Home) -> Iterator[Record]:
    """The record of a home, copied into a folder that vanishes at the end; empty where there is no record yet.

    Raises RecordError where the record cannot be read.
    """
    source = home.data / "record.db"
    with tempfile.TemporaryDirectory(prefix="memory-shaper-") as folder:
        target = Path(folder) / source.name
        if source.exists():
            _copy(source, target)
        with Record.open(target) as record:
            yield record


def _copy(source: Path, target: Path) -> None:
    try:
        with (
            closing(sqlite3.connect(address_to_copy(source), uri=True)) as old,
            closing(sqlite3.connect(target)) as new,
        ):
            old.backup(new)
    except sqlite3.Error as error:
        raise explain(source, error) from error
