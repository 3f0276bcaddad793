"""Opening the record file: made whole or not at all, private, of our kind and of a version that we know.

A new record is built under another name and then linked into place. So whatever stands at the path was once a complete
record: a file of no bytes is damage, not a beginning.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .database import Database
from .errors import RecordError, damaged, explain, read_only
from .processes import Process, alive
from .schema import APPLICATION_ID, MIGRATIONS, Migration

_OTHERS = 0o077


def open_database(path: Path, busy: float, migrations: Sequence[Migration] = MIGRATIONS) -> Database:
    """A connection to the record at `path`, which is made where there is none and upgraded where it is older.

    `busy` is how many seconds a statement waits for other processes. Raises `RecordError` and its kinds.
    """
    path = path.absolute()
    try:
        if not path.exists():
            _create(path, migrations)
        _keep_private(path)
    except PermissionError as error:
        raise read_only(path) from error
    except OSError as error:
        raise RecordError(path, f"the record cannot be opened ({error.strerror})", "check its folder") from error
    return _open(path, busy, migrations)


def address_to_copy(path: Path) -> str:
    """The SQLite address from which a record is copied, also where it and its folder may only be read."""
    # The last connection to close removes the write-ahead files, and only one that may write can do so.
    mode = "mode=rw" if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK) else "immutable=1"
    return f"{path.absolute().as_uri()}?{mode}"


def _open(path: Path, busy: float, migrations: Sequence[Migration]) -> Database:
    database = _connect(path, busy)
    try:
        version = _version(database)
        if version > len(migrations):
            raise RecordError(
                path, f"the record has version {version}, this program knows {len(migrations)}", "upgrade memory-shaper"
            )
        if version < len(migrations):
            _migrate(database, migrations)
        database.run("PRAGMA journal_mode = WAL")  # A backup that was put back may have lost it.
    except BaseException:
        database.close()
        raise
    return database


def _connect(path: Path, busy: float) -> Database:
    # mode=rw: SQLite itself never makes the file, so a record that vanishes now is an error and not an empty one.
    # Any thread may close a connection: hosts run hooks in threads of their own, and exit in the main one.
    address = f"{path.as_uri()}?mode=rw"
    try:
        connection = sqlite3.connect(address, timeout=busy, isolation_level=None, check_same_thread=False, uri=True)
    except sqlite3.Error as error:
        raise explain(path, error) from error
    return Database(connection, path)


def _version(database: Database) -> int:
    if database.number("PRAGMA application_id") != APPLICATION_ID:
        raise damaged(database.path, "this is not a record of memory-shaper, or nothing of one is left")
    return database.number("PRAGMA user_version")


def _migrate(database: Database, migrations: Sequence[Migration]) -> None:
    with database.transaction():
        done = database.number("PRAGMA user_version")  # Another process may have been first.
        for statement in (statement for migration in migrations[done:] for statement in migration):
            database.run(statement)
        database.run(f"PRAGMA user_version = {max(done, len(migrations))}")


def _create(path: Path, migrations: Sequence[Migration]) -> None:
    """Build a record beside its place and link it in; another process that was faster wins."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if Path(f"{path}-wal").exists():
        if path.exists():  # Made and opened by another process since we looked.
            return
        raise damaged(path, "the record is gone, but its write-ahead file is still there")
    _sweep(path)
    handle, name = tempfile.mkstemp(prefix=f"{path.name}.new-{os.getpid()}-", dir=path.parent)
    os.close(handle)
    try:
        _build(Path(name), migrations)
        _link(Path(name), path)
    finally:
        Path(name).unlink(missing_ok=True)


def _build(path: Path, migrations: Sequence[Migration]) -> None:
    database = _connect(path, busy=0)
    try:
        database.run("PRAGMA journal_mode = WAL")
        database.run(f"PRAGMA application_id = {APPLICATION_ID}")
        _migrate(database, migrations)
    finally:
        database.close()


def _link(built: Path, path: Path) -> None:
    try:
        os.link(built, path)
    except FileExistsError:
        return
    except OSError:
        # A file system without hard links: the look and the move are two steps there, it cannot be had in one.
        if not path.exists():
            os.rename(built, path)


def _sweep(path: Path) -> None:
    """Remove what a process that was killed while it built a record has left."""
    for left in path.parent.glob(f"{path.name}.new-*"):
        pid = left.name.removeprefix(f"{path.name}.new-").split("-")[0]
        if pid.isdecimal() and not alive(Process(int(pid))):
            left.unlink(missing_ok=True)


def _keep_private(path: Path) -> None:
    """Take from others what rights they have on the record and its folder, where both are ours."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise RecordError(path, "this is not a file", "move it away and keep it")
    if os.name == "posix" and _narrow(path):
        for side in (Path(f"{path}-wal"), Path(f"{path}-shm")):
            if side.exists():
                _narrow(side)
    if os.name == "posix":
        _narrow(path.parent)


def _narrow(path: Path) -> bool:
    """Whether the rights of others had to be taken away."""
    seen = path.stat()
    if not seen.st_mode & _OTHERS or seen.st_uid != os.geteuid():
        return False
    path.chmod(stat.S_IMODE(seen.st_mode) & ~_OTHERS)
    return True
