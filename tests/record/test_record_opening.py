"""Opening: private, made whole, upgraded, and never empty where it is unreadable."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from memory_shaper.record import EventKind, Record, RecordBusy, RecordError, RecordReadOnly
from memory_shaper.record.opening import open_database
from memory_shaper.record.schema import MIGRATIONS
from record_tools import event, go, opened, output, place, start

posix = pytest.mark.skipif(os.name != "posix", reason="modes are a POSIX matter")


def mode(path: Path) -> int:
    """The permission bits of a path."""
    return stat.S_IMODE(path.stat().st_mode)


def filled(folder: Path) -> Path:
    """The path of a record that holds some events."""
    with opened(folder) as record:
        for number in range(200):
            record.accepted.accept(f"{number}.md", os.urandom(300), None, event())
    return place(folder)


def check_refused(path: Path, words: str) -> None:
    """Opening fails, names the file, and leaves it as it was."""
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(RecordError, match=words) as caught, Record.open(path) as record:
        record.journal.newest(500)
    assert str(path) in str(caught.value)
    assert before == (path.read_bytes() if path.is_file() else None)


def test_a_new_record_is_empty_and_stays(tmp_path: Path) -> None:
    """What was written is there when the record is opened again."""
    with opened(tmp_path) as record:
        number = record.journal.note(event())
    with opened(tmp_path) as record:
        assert [number] == [each.id for each in record.journal.newest(5)]


@posix
@pytest.mark.parametrize("index_mode", [0o600, 0o660, 0o644])
def test_the_record_is_private_whatever_the_umask(tmp_path: Path, index_mode: int) -> None:
    """Folder 0700 and files 0600, write-ahead files too, under umask 000 and beside any index."""
    index = tmp_path / "memories" / "MEMORY.md"
    index.parent.mkdir()
    index.touch()
    index.chmod(index_mode)
    old = os.umask(0)
    try:
        with opened(tmp_path) as record:
            record.journal.note(event())
            modes = {mode(each) for each in place(tmp_path).parent.iterdir()}
    finally:
        os.umask(old)
    assert ({0o600}, 0o700) == (modes, mode(place(tmp_path).parent))
    assert not 0o600 & ~mode(index)


@posix
def test_a_record_that_was_opened_up_is_closed_again(tmp_path: Path) -> None:
    """Rights that others got since are taken away, in a folder that the host made too."""
    path = filled(tmp_path)
    path.chmod(0o664)
    path.parent.chmod(0o755)
    with opened(tmp_path):
        assert (mode(path), mode(path.parent)) == (0o600, 0o700)


def test_a_folder_in_its_place_is_refused(tmp_path: Path) -> None:
    """A folder where the record should be is an error."""
    place(tmp_path).mkdir(parents=True)
    check_refused(place(tmp_path), "not a file")


def test_a_file_where_its_folder_should_be_is_refused(tmp_path: Path) -> None:
    """A file in the place of the folder is an error of the record, not of the caller."""
    (tmp_path / "plugin-data").touch()
    check_refused(place(tmp_path), "cannot be opened")


@pytest.mark.parametrize("content", [b"", b"\0" * 8192, b"not a database at all " * 400, b"SQLite format 3\0"])
def test_what_is_no_record_is_refused(tmp_path: Path, content: bytes) -> None:
    """No bytes, zeros and other bytes in its place are an error."""
    place(tmp_path).parent.mkdir(parents=True)
    place(tmp_path).write_bytes(content)
    check_refused(place(tmp_path), "put back a backup")


def test_another_database_is_refused(tmp_path: Path) -> None:
    """A healthy SQLite file that is not ours is an error, and no table of ours is put into it."""
    place(tmp_path).parent.mkdir(parents=True)
    with closing(sqlite3.connect(place(tmp_path))) as other:
        other.execute("CREATE TABLE events (id)")
        other.commit()
    check_refused(place(tmp_path), "not a record")


@pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
def test_a_truncated_record_is_refused(tmp_path: Path, share: float) -> None:
    """A record that was cut off is an error."""
    path = filled(tmp_path)
    with path.open("r+b") as file:
        file.truncate(int(path.stat().st_size * share))
    check_refused(path, "damaged|nothing of one is left")


def test_a_corrupt_record_is_refused(tmp_path: Path) -> None:
    """Rubbish in the pages behind the first is an error as soon as they are read."""
    path = filled(tmp_path)
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (path.stat().st_size - 4096))
    check_refused(path, "damaged")


def test_a_lost_record_with_changes_left_is_refused(tmp_path: Path) -> None:
    """A write-ahead file without its record is not replayed into a new one."""
    path = place(tmp_path)
    path.parent.mkdir(parents=True)
    Path(f"{path}-wal").write_bytes(b"x")
    check_refused(path, "record is gone")
    assert not path.exists()


def test_a_newer_record_is_refused(tmp_path: Path) -> None:
    """A record of a later version is an error that says to upgrade."""
    path = filled(tmp_path)
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 99")
    check_refused(path, "version 99.*upgrade memory-shaper")


def test_an_older_record_is_upgraded(tmp_path: Path) -> None:
    """A step that was added is carried out once, and what was there stays."""
    path = filled(tmp_path)
    steps = (*MIGRATIONS, ("CREATE TABLE extra (a)", "INSERT INTO extra VALUES (1)"))
    for _ in range(2):
        with closing(open_database(path, 1, steps)) as database:
            assert (
                database.number("SELECT count(*) FROM extra"),
                database.number("SELECT count(*) FROM events"),
            ) == (1, 200)


def test_an_upgrade_that_fails_changes_nothing(tmp_path: Path) -> None:
    """A step that breaks half-way leaves the older version, which still opens."""
    path = filled(tmp_path)
    with pytest.raises(RecordError):
        open_database(path, 1, (*MIGRATIONS, ("CREATE TABLE extra (a)", "CREATE TABLE extra (a)")))
    with opened(tmp_path) as record:
        assert len(record.journal.newest(500)) == 200


def test_many_processes_may_be_the_first(tmp_path: Path) -> None:
    """Eight processes that open a missing record at once all end up in the same one."""
    code = """
import sys
from pathlib import Path
from datetime import UTC, datetime
from memory_shaper.record import Event, EventKind, Record
print("ready", flush=True)
sys.stdin.readline()
with Record.open(Path(sys.argv[1]), busy=60) as record:
    record.journal.note(Event(EventKind.NOTED, datetime.now(UTC)))
"""
    processes = [start(code, str(place(tmp_path))) for _ in range(8)]
    go(*processes)
    for process in processes:
        output(process)
    with opened(tmp_path) as record:
        assert len(record.journal.newest(20)) == 8
    assert [each.name for each in place(tmp_path).parent.iterdir()] == ["record.db"]


def test_many_processes_may_upgrade_at_once(tmp_path: Path) -> None:
    """A step is carried out by one of eight processes, the others wait for it."""
    code = """
import sys
from pathlib import Path
from memory_shaper.record.opening import open_database
from memory_shaper.record.schema import MIGRATIONS
print("ready", flush=True)
sys.stdin.readline()
open_database(Path(sys.argv[1]), 60, (*MIGRATIONS, ("CREATE TABLE extra (a)", "INSERT INTO extra VALUES (1)"))).close()
"""
    path = filled(tmp_path)
    processes = [start(code, str(path)) for _ in range(8)]
    go(*processes)
    for process in processes:
        output(process)
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT a FROM extra").fetchall() == [(1,)]


def test_what_a_killed_builder_left_is_swept(tmp_path: Path) -> None:
    """The half-built record of a process that is gone is removed, that of a living one stays."""
    folder = place(tmp_path).parent
    folder.mkdir(parents=True)
    gone = subprocess.Popen(["true"])
    gone.wait()
    (folder / f"record.db.new-{gone.pid}-a").touch()
    (folder / f"record.db.new-{os.getpid()}-b").touch()
    with opened(tmp_path):
        pass
    assert ["record.db", f"record.db.new-{os.getpid()}-b"] == sorted(each.name for each in folder.iterdir())


def test_a_locked_record_is_busy(tmp_path: Path) -> None:
    """Who waits longer than the busy time is told to try again, and nothing is half written."""
    with opened(tmp_path) as first, Record.open(place(tmp_path), busy=0) as second, first.transaction():
        with pytest.raises(RecordBusy, match="try again"):
            second.journal.note(event())
        assert second.journal.newest(5) == []


@pytest.mark.parametrize("name", ["a ? b", "c#d", "e%20f", "ü 部署", "it's"])
def test_any_folder_name_will_do(tmp_path: Path, name: str) -> None:
    """Signs that mean something in an address are plain signs in a path."""
    with opened(tmp_path / name) as record:
        record.journal.note(event(EventKind.NOTED))
    assert place(tmp_path / name).is_file()


READ_ONLY = """
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from memory_shaper.record import Event, EventKind, Record, RecordError
if os.geteuid() == 0:  # Root may write anywhere: another user has to try.
    os.setuid(65534)
try:
    with Record.open(Path(sys.argv[1])) as record:
        record.journal.note(Event(EventKind.NOTED, datetime.now(UTC)))
except RecordError as error:
    print(type(error).__name__)
"""


@posix
@pytest.mark.parametrize("there", [True, False])
def test_a_folder_that_may_not_be_written_is_read_only(there: bool) -> None:
    """Where this user may not write, that is what the error says, whether the record is there or not."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        path = filled(home) if there else place(home)
        path.parent.mkdir(parents=True, exist_ok=True)
        for folder in (home, *path.parents[:2]):
            folder.chmod(0o555)
        if there:
            path.chmod(0o444)
        printed = output(start(READ_ONLY, str(path)))
        for folder in (home, *path.parents[:2]):
            folder.chmod(0o755)
    assert printed.strip() == RecordReadOnly.__name__
