"""A copy of the record to try things on: a dry run is the same code as the real run, and changes nothing. Shell."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ..record import Record
from ..record.errors import explain
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
    # The last connection to close removes the write-ahead files, and only one that may write can do so.
    mode = "mode=rw" if os.access(source, os.W_OK) and os.access(source.parent, os.W_OK) else "immutable=1"
    address = f"{source.absolute().as_uri()}?{mode}"
    try:
        with closing(sqlite3.connect(address, uri=True)) as old, closing(sqlite3.connect(target)) as new:
            old.backup(new)
    except sqlite3.Error as error:
        raise explain(source, error) from error
