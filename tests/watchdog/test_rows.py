"""Reading the host's database: its faults, its changes, and that we leave no trace in it."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace

import pytest
from memory_shaper.watchdog import rows
from memory_shaper.watchdog.rows import DatabaseBusy, DatabaseMissing, DatabaseUnreadable, open_state
from memory_shaper.watchdog.stamps import moment, seconds
from statedb import GOOD, NOW, StateDb, names


@pytest.fixture(params=["wal", "delete"])
def db(tmp_path, request):
    db = StateDb(tmp_path, request.param)
    db.add("user", "question")
    return db


def test_next_pass__reads_new_rows_only(db):
    """A second pass finds what came since, and the same watermark when nothing came."""
    db.read("deploy.md")
    first = db.scan()
    db.read("x.md")
    second = db.scan(first.watermark)
    assert (names(second), second.rows) == (["x.md"], 2)
    assert ((), 0, second.watermark) == ((third := db.scan(second.watermark)).uses, third.rows, third.watermark)


def test_turn_open_at_the_watermark__is_whole(db):
    """A file read before and after a pass in one turn is one use, and a call then without result is still seen."""
    db.read("deploy.md")
    db.read("x.md", None, call_id="late")
    first = db.scan()
    db.add("tool", GOOD, call_id="late")
    db.read("deploy.md")
    assert names(db.scan(first.watermark)) == ["x.md"]


def test_span__says_since_when(db):
    """The watermark knows the first and the last time of all rows seen."""
    db.read("deploy.md")
    mark = db.scan().watermark
    assert (moment(NOW + 1), moment(NOW + 3)) == (mark.earliest, mark.latest)


def test_no_file__is_missing(tmp_path):
    """A home without a database has had no session; nothing is made there."""
    with pytest.raises(DatabaseMissing), open_state(tmp_path / "state.db"):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("sql", "says"),
    [("DROP TABLE messages", "no table"), ("ALTER TABLE messages DROP COLUMN tool_calls", "lacks tool_calls")],
)
def test_unknown_schema__is_unreadable(db, sql, says):
    """A missing table or column is named."""
    db.do(sql)
    with pytest.raises(DatabaseUnreadable, match=says):
        db.scan()


@pytest.mark.parametrize("bytes_kept", [0, 40, 5000])
def test_corrupt_file__is_unreadable(tmp_path, bytes_kept):
    """An empty file, another format and a file that is cut off are told as unreadable."""
    db = StateDb(tmp_path, "delete")
    for number in range(200):
        db.add("user", f"{number}" * 100)
    whole = db.path.read_bytes()
    db.path.write_bytes(whole[:bytes_kept] + b"rubbish" * bool(bytes_kept))
    with pytest.raises(DatabaseUnreadable):
        db.scan()


def test_locked__is_busy(db, monkeypatch):
    """A lock that stays is told as busy."""
    monkeypatch.setattr(rows, "BUSY_SECONDS", 0.01)
    with closing(sqlite3.connect(db.path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode=EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        other.execute("INSERT INTO messages (role) VALUES ('user')")
        with pytest.raises(DatabaseBusy, match="locked"):
            db.scan()


@pytest.mark.parametrize("name", ["a?b#c%41 d", "数据 é", "x;y&mode=rwc", "quote'\""])
def test_path__of_any_signs_is_opened(tmp_path, name):
    """Signs that mean something in a URI, blanks and other scripts are parts of a path."""
    folder = tmp_path / name
    folder.mkdir()
    db = StateDb(folder)
    db.add("user", "q")
    assert db.scan().rows == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows has no names that are not Unicode")
def test_path__that_is_no_utf8_is_opened(tmp_path):
    """A folder name in another encoding works."""
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    assert StateDb(folder).scan().rows == 0


def test_connection__cannot_write(db):
    """What we open refuses every change."""
    with open_state(db.path) as state, pytest.raises(DatabaseUnreadable, match="READONLY"):
        state._all("DELETE FROM messages")


def test_recreated_database__is_read_anew(db, tmp_path):
    """A database whose ids have begun again is counted from its beginning, and says so."""
    for _ in range(5):
        db.read("deploy.md")
    mark = db.scan().watermark
    folder = tmp_path / "new"
    folder.mkdir()
    new = StateDb(folder)
    new.read("x.md")
    found = new.scan(mark)
    assert (["x.md"], True, 2, mark.earliest) == (
        names(found), found.begun_anew, found.watermark.last_id, found.watermark.earliest)  # fmt: skip
    assert "ends before" in found.notes[0]


def test_other_database__of_the_same_length_is_noticed(db, tmp_path):
    """A database that has grown past the watermark again is told from the old one by the row there."""
    db.read("deploy.md")
    mark = db.scan().watermark
    folder = tmp_path / "new"
    folder.mkdir()
    new = StateDb(folder)
    new.clock += 50
    for _ in range(4):
        new.read("x.md")
    assert new.scan(mark).begun_anew
    new.do("DELETE FROM messages WHERE id = ?", mark.last_id)
    assert new.scan(mark).begun_anew


def test_pruned_database__goes_on(db):
    """Rows that the host prunes or undoes around the watermark change nothing."""
    db.read("deploy.md")
    mark = db.scan().watermark
    db.do("DELETE FROM messages WHERE id >= 2")
    db.read("x.md")
    found = db.scan(mark)
    assert (names(found), found.begun_anew) == (["x.md"], False)


def test_host_changes_to_a_row__are_no_new_database(db):
    """Archiving or rewording a row that was seen is what hosts do."""
    db.add("user", "q")
    mark = db.scan().watermark
    db.do("UPDATE messages SET content = 'reworded', active = 0")
    assert not db.scan(mark).begun_anew


def test_watermark_past_the_end__does_not_count_twice(db):
    """After a restore from a backup all rows are read again, and their uses are the same ones."""
    db.read("deploy.md")
    first = db.scan()
    found = db.scan(replace(first.watermark, last_id=9000))
    assert (found.uses, found.begun_anew) == (first.uses, True)


@pytest.mark.parametrize(("call_id", "later"), [("call_ab6bea482e05", 500), ("functions.read_file:0", 2)])
def test_copied_rows__are_the_same_use(db, call_id, later):
    """A row that the host wrote again has the key of the first: its call's id or, where that may repeat, its time."""
    row = db.read("deploy.md", call_id=call_id)
    first = db.scan()
    columns = "session_id, role, content, tool_call_id, tool_calls"
    db.do(f"INSERT INTO messages ({columns}, timestamp) SELECT 'branch', role, content, tool_call_id, tool_calls, "
          f"timestamp FROM messages WHERE id >= {row}")  # fmt: skip
    db.do(
        f"INSERT INTO messages ({columns}, timestamp) SELECT {columns}, {NOW + later} FROM messages WHERE id >= {row}"
    )
    assert names(db.scan()) == ["deploy.md"]
    keys = {(use.name, use.key) for use in (*first.uses, *db.scan(first.watermark).uses)}
    assert len(keys) == 1


def test_broken_rows__are_skipped_and_named_once(db):
    """Rows whose calls are no JSON are named in the pass that meets them, and the rest is counted."""
    broken = [db.add("assistant", "", text) for text in ('[{".md', '"x.md"', '[1, ".md"]', "[" * 50_000 + ".md")]
    db.read("deploy.md")
    found = db.scan()
    assert (["deploy.md"], (f"unreadable tool calls skipped in row {', '.join(map(str, broken))}",)) == (
        names(found), found.notes)  # fmt: skip
    db.add("user", "q")
    assert db.scan(found.watermark).notes == ()


def test_rows__of_wrong_types_do_no_harm(db):
    """Rows without session or role, and text that is no UTF-8, are read over."""
    db.do("INSERT INTO messages (session_id, role, timestamp) VALUES (NULL, NULL, NULL)")
    db.do("INSERT INTO messages (session_id, role, content, timestamp) VALUES (7, 'user', CAST(x'ff00' AS TEXT), 'x')")
    db.read("deploy.md", session=None)
    assert names(db.scan()) == ["deploy.md"]


@pytest.mark.parametrize("stamp", [NOW, NOW * 1000, NOW * 1e6, int(NOW), str(NOW), "2026-11-30T12:00:00Z",
                                   "2026-11-30 12:00:00", "2026-11-30T13:00:00+01:00"])  # fmt: skip
def test_stamps__in_any_unit_or_as_text(db, stamp):
    """Seconds, milliseconds, microseconds, digits and ISO text are one time."""
    db.read("deploy.md", at=stamp)
    assert [moment(NOW)] == [use.at for use in db.scan().uses]


@pytest.mark.parametrize("stamp", ["soon", "", 0, -5, 12, 1e300, float("inf"), "nan", b"\xff"])
def test_stamp__that_tells_no_time_takes_the_turns(db, stamp):
    """A read at an unreadable time counts at the time of the last row before it in its turn."""
    db.read("deploy.md", at=stamp)
    found = db.scan()
    assert ([moment(NOW + 1)], moment(NOW + 1)) == ([use.at for use in found.uses], found.watermark.earliest)
    assert seconds(stamp) is None


@pytest.mark.parametrize("query", [rows._WINDOW, rows._MESSAGES, rows._BEHIND])
def test_queries__use_the_primary_key(db, query):
    """Every query walks a range of ids, whatever other indexes the host keeps."""
    db.do("CREATE INDEX by_session ON messages (session_id, timestamp)")
    db.do("CREATE INDEX by_role ON messages (role)")
    with open_state(db.path) as state:
        plan = [str(row[3]) for row in state._all("EXPLAIN QUERY PLAN " + query, *[1] * query.count("?"))]
    assert "SEARCH messages USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)" in plan
    assert not any("SCAN messages" in step or "INDEX by_" in step for step in plan)


WRITER = """
import select, sqlite3, sys
database = sqlite3.connect(sys.argv[1], timeout=30)
while not select.select([sys.stdin], [], [], 0)[0]:
    with database:
        database.execute("INSERT INTO messages (session_id, role, tool_calls) VALUES ('t', 'assistant', '[]')")
    print("committed", flush=True)
database.close()
"""


@pytest.mark.skipif(os.name == "nt", reason="the writer waits on its standard input")
def test_live_writer__keeps_its_side_files(tmp_path):
    """Passes beside a running host leave its -wal and -shm in place, and fail none of its commits."""
    db = StateDb(tmp_path)
    sides = [db.path.with_name(f"state.db{end}") for end in ("-wal", "-shm")]
    command = [sys.executable, "-c", WRITER, db.path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as host:
        assert host.stdout.readline() == b"committed\n"
        before = [side.stat().st_ino for side in sides]
        for _ in range(20):
            assert db.scan().rows >= 1
            assert host.stdout.readline() == b"committed\n"
        assert [side.stat().st_ino for side in sides] == before
        host.communicate(b"stop")
    assert host.returncode == 0


def test_last_to_close__leaves_the_log_to_the_host(tmp_path):
    """A log that a stopped host left behind is read, and is still there, byte for byte, when we close last."""
    db = StateDb(tmp_path)
    with closing(sqlite3.connect(db.path)) as database:
        with database:
            database.execute("INSERT INTO messages (session_id, role, timestamp) VALUES ('s', 'user', 1796040000)")
        copy = tmp_path / "copy"
        copy.mkdir()
        for name in ("state.db", "state.db-wal"):
            (copy / name).write_bytes((tmp_path / name).read_bytes())
    log = (copy / "state.db-wal").read_bytes()
    with open_state(copy / "state.db") as state:
        assert [window.rows for window in state.windows(0)] == [1]
    assert log == (copy / "state.db-wal").read_bytes()
