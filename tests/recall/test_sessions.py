"""Past sessions: read from the host's database without touching it."""

from __future__ import annotations

import importlib.util
import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest
from memory_shaper.recall.search import Answer, Scope, Wish, search
from memory_shaper.recall.sessions import refresh_sessions
from memory_shaper.recall.sidecar import Sidecar
from recall_tools import names, sidecar_of

Message = tuple[str, str, str]


def state_of(folder: Path, messages: Iterable[Message], start: float = 1.75e9) -> Path:
    """Write messages (session, role, text) to a state.db as the host lays it out."""
    path = folder / "state.db"
    with closing(sqlite3.connect(path)) as host:
        host.execute("CREATE TABLE IF NOT EXISTS sessions(id TEXT PRIMARY KEY, source TEXT)")
        host.execute(
            "CREATE TABLE IF NOT EXISTS messages(id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, "
            "content TEXT, tool_name TEXT, timestamp REAL)"
        )
        for number, (session, role, text) in enumerate(messages):
            host.execute("INSERT OR IGNORE INTO sessions VALUES (?, 'cli')", (session,))
            row = (session, role, text, start + number)
            host.execute("INSERT INTO messages(session_id, role, content, timestamp) VALUES (?, ?, ?, ?)", row)
        host.commit()
    return path


def look(sidecar: Sidecar, text: str, state: Path, scope: Scope = Scope.SESSIONS) -> Answer:
    return search(sidecar, text, Wish(scope=scope, state=state))


def test_what_was_said_is_found(tmp_path: Path) -> None:
    """A word of a message finds its session and the message as it was said."""
    state = state_of(
        tmp_path, [("s1", "user", "the kiwi is ripe"), ("s1", "assistant", "eat it"), ("s2", "user", "plum")]
    )
    with sidecar_of(tmp_path) as sidecar:
        hit = look(sidecar, "kiwi", state).hits[0]
        assert (hit.name, hit.section, hit.snippet) == ("s1/000000000001", "1", "the kiwi is ripe")


def test_what_tools_returned_is_not_kept(tmp_path: Path) -> None:
    """Results of tools are no memory."""
    state = state_of(tmp_path, [("s1", "tool", "kiwi"), ("s1", "system", "kiwi"), ("s1", "user", "plum")])
    with sidecar_of(tmp_path) as sidecar:
        assert look(sidecar, "kiwi", state).hits == ()


def test_notes_come_first(tmp_path: Path) -> None:
    """Sessions are found when asked for, behind the notes, and never among them."""
    state = state_of(tmp_path, [("s1", "user", "kiwi kiwi kiwi")])
    with sidecar_of(tmp_path, note="a long line about kiwi and other fruit") as sidecar:
        assert names(look(sidecar, "kiwi", state, Scope.ALL)) == ["note.md", "s1/000000000001"]
        assert names(look(sidecar, "kiwi", state, Scope.NOTES)) == ["note.md"]


def test_only_new_rows_are_read(tmp_path: Path) -> None:
    """A second refresh takes over nothing, a third what was said since, in one block with what was said before."""
    state = state_of(tmp_path, [("s1", "user", "kiwi")])
    with sidecar_of(tmp_path) as sidecar:
        assert [refresh_sessions(sidecar, state), refresh_sessions(sidecar, state)] == [1, 0]
        state_of(tmp_path, [("s1", "user", "plum")])
        assert refresh_sessions(sidecar, state) == 1
        assert names(look(sidecar, "plum", state)) == names(look(sidecar, "kiwi", state))


def test_a_long_session_is_cut_into_blocks(tmp_path: Path) -> None:
    """A session of a hundred messages is several texts, and every message is found once."""
    state = state_of(tmp_path, [("s1", "user", f"word{i}") for i in range(100)])
    with sidecar_of(tmp_path) as sidecar:
        refresh_sessions(sidecar, state)
        assert len(sidecar.sessions.names()) == 3
        assert look(sidecar, "word77", state).hits[0].section == "78"


def test_a_deleted_session_is_gone(tmp_path: Path) -> None:
    """What the host deletes is not found any more."""
    state = state_of(tmp_path, [("s1", "user", "kiwi"), ("s2", "user", "plum")])
    with sidecar_of(tmp_path) as sidecar:
        look(sidecar, "kiwi", state)
        with closing(sqlite3.connect(state)) as host:
            host.execute("DELETE FROM messages WHERE session_id = 's1'")
            host.execute("DELETE FROM sessions WHERE id = 's1'")
            host.commit()
        assert look(sidecar, "kiwi", state).hits == ()
        assert look(sidecar, "plum", state).hits


def test_another_database_is_read_from_the_start(tmp_path: Path) -> None:
    """A database that was replaced or reset is noticed, whatever its row numbers are."""
    state = state_of(tmp_path, [("s1", "user", "kiwi")] * 5)
    with sidecar_of(tmp_path) as sidecar:
        refresh_sessions(sidecar, state)
        state.unlink()
        state_of(tmp_path, [("s1", "user", "plum")] * 5, start=1.76e9)
        assert look(sidecar, "plum", state).hits
        assert look(sidecar, "kiwi", state).hits == ()


def test_messages_in_parts_give_their_text(tmp_path: Path) -> None:
    """Of a message in parts the text is kept; broken parts are nothing."""
    parts = "\0json:" + json.dumps([{"type": "text", "text": "kiwi"}, {"type": "image_url", "image_url": "plum"}])
    state = state_of(tmp_path, [("s1", "user", parts), ("s1", "user", "\0json:[[[")])
    with sidecar_of(tmp_path) as sidecar:
        assert look(sidecar, "kiwi", state).hits[0].snippet == "kiwi"
        assert look(sidecar, "plum", state).hits == ()


def test_the_hosts_files_stay_as_they_are(tmp_path: Path) -> None:
    """Reading leaves database and write-ahead log untouched while the host has them open."""
    state = state_of(tmp_path, [("s1", "user", "kiwi")])
    with closing(sqlite3.connect(state)) as host, sidecar_of(tmp_path) as sidecar:
        host.execute("PRAGMA journal_mode = WAL")
        host.execute("INSERT INTO messages(session_id, role, content, timestamp) VALUES ('s1', 'user', 'plum', 1.75e9)")
        host.commit()
        log = Path(f"{state}-wal")
        before = (state.read_bytes(), log.read_bytes(), log.stat().st_ino)
        assert look(sidecar, "plum", state).hits
        assert (state.read_bytes(), log.read_bytes(), log.stat().st_ino) == before


@pytest.mark.parametrize("data", [b"nonsense" * 200, b""])
def test_an_unreadable_database_is_said(tmp_path: Path, data: bytes) -> None:
    """A state.db that is none leaves the notes searchable and is named."""
    state = tmp_path / "state.db"
    state.write_bytes(data)
    with sidecar_of(tmp_path, note="kiwi") as sidecar:
        answer = look(sidecar, "kiwi", state, Scope.ALL)
        assert names(answer) == ["note.md"]
        assert "state.db" in answer.stale


def test_no_database_is_no_error(tmp_path: Path) -> None:
    """A home without sessions has none."""
    with sidecar_of(tmp_path) as sidecar:
        assert look(sidecar, "kiwi", tmp_path / "state.db") == Answer()


def test_one_session_can_be_asked_alone(tmp_path: Path) -> None:
    """Better answers of other sessions do not push out those of the one that is asked, and no note is among them."""
    said = [(f"s{i}", "user", "kiwi") for i in range(80)] + [("quiet", "user", "kiwi in a long line of other words")]
    state = state_of(tmp_path, said)
    with sidecar_of(tmp_path, note="kiwi") as sidecar:
        wish = Wish(limit=1, scope=Scope.ALL, state=state, session="quiet")
        assert [name.partition("/")[0] for name in names(search(sidecar, "kiwi", wish))] == ["quiet"]


@pytest.mark.skipif(importlib.util.find_spec("jieba") is None, reason="jieba is not installed")
def test_sessions_cut_without_jieba_are_cut_anew_once_it_is_there(tmp_path: Path) -> None:
    """Once jieba can be had, Chinese messages get its words; what the host pruned meanwhile is left out."""
    state = state_of(tmp_path, [("s1", "user", "上海"), ("s1", "user", "部署服务器"), ("s2", "user", "kiwi")])
    with sidecar_of(tmp_path) as sidecar:
        sidecar.words.available = False
        refresh_sessions(sidecar, state)
        assert sidecar.sessions.unsegmented(9) == ["s1/000000000001"]
        with closing(sqlite3.connect(state)) as host:
            host.execute("DELETE FROM messages WHERE id = 1")
            host.commit()
        sidecar.words.available = None
        refresh_sessions(sidecar, state)
        assert sidecar.sessions.unsegmented(9) == []
        assert names(look(sidecar, "服务器", state)) == ["s1/000000000002"]
        assert look(sidecar, "上海", state).hits == ()
