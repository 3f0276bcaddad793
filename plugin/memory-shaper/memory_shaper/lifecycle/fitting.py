"""Whether a backup can be brought back into a home, all of it looked at before the first change. Shell."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

from ..errors import Refused, Unreadable
from ..record import Record
from ..record.errors import RecordError
from .packing import RECORD


def prove_record(data: bytes) -> None:
    """Open a copy of the record out of a backup and let SQLite look through it.

    Raises Unreadable where it is damaged, newer than this program or no record.
    """
    with tempfile.TemporaryDirectory(prefix="memory-shaper-") as folder:
        copy = Path(folder) / RECORD
        copy.write_bytes(data)
        try:
            with Record.open(copy) as record:
                record.journal.count()
            with closing(sqlite3.connect(copy)) as database:
                found = [row for (row,) in database.execute("PRAGMA integrity_check(1)")]
        except (RecordError, sqlite3.Error) as error:
            raise Unreadable(f"the {RECORD} in the backup is no whole record; nothing was restored") from error
        if found != ["ok"]:
            raise Unreadable(f"the {RECORD} in the backup is damaged; nothing was restored")


def refuse_clash(memories: Path, wanted: Collection[str]) -> None:
    """Stop where a file of the backup needs a folder and there is a file, or the other way round.

    One edit cannot turn one into the other and back again. Raises Refused.
    """
    folders = {str(parent) for name in wanted for parent in Path(name).parents} - {"."}
    for name in sorted(folders):
        path = memories / name
        if os.path.lexists(path) and not path.is_dir():
            raise Refused(f"{path}: this is a file, and the backup has a folder of that name; move it away first")
    for name in sorted(wanted):
        path = memories / name
        if os.path.lexists(path) and not path.is_file():
            raise Refused(f"{path}: this is no file, and the backup has a file of that name; move it away first")
