"""What people and programs do while an agent works: none of it is undone, and damage is reported once."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from guard_tools import DELIMITER, Sandbox, elsewhere, line, say, store_edit, until, write_whole
from memory_shaper import archive, edit, plugin
from memory_shaper.record import EventKind
from tools import CANONICAL, ENTRIES

GOOD = "go,gopher,module,goroutine,channel → new-topic.md"
WIDER = ENTRIES[3].replace("typing", "typing,mypy")
SAVED = CANONICAL.replace(ENTRIES[3], WIDER)


def renamed(path: Path, text: str) -> None:
    """An editor that writes a new file and renames it."""
    write_whole(path, text.encode())


def unlinked(path: Path, text: str) -> None:
    """An editor that takes the old file away and makes a new one."""
    path.unlink()
    path.write_text(text, encoding="utf-8")


def in_place(path: Path, text: str) -> None:
    """An editor that writes into the file."""
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("save", [renamed, unlinked, in_place])
def test_an_editor_saves_during_a_call(sandbox: Sandbox, save: Callable[[Path, str], None]) -> None:
    """A person's save while a command of the terminal runs stands."""
    sandbox.idle()

    def run() -> dict[str, object]:
        save(sandbox.index, SAVED)
        return {"exit_code": 0}

    done = sandbox.call("terminal", {"command": "make"}, run)
    assert (sandbox.text(), sandbox.restored(), done.note) == (SAVED, [], "")


def test_an_editor_is_between_unlink_and_create(sandbox: Sandbox) -> None:
    """A hook that looks just while an editor has taken the file away waits for the new one."""
    sandbox.idle()
    code = """
kept = s.text().replace("typing", "typing,mypy")
print("ready", flush=True); sys.stdin.readline()
s.index.unlink()
print("gone", flush=True); time.sleep(0.15)
s.index.write_text(kept, encoding="utf-8")
"""
    editor = elsewhere(sandbox, code)
    assert line(editor) == "ready"

    def run() -> dict[str, object]:
        say(editor)
        assert line(editor) == "gone"
        return {"exit_code": 0}

    sandbox.call("terminal", {"command": "make"}, run)
    assert editor.wait(timeout=60) == 0
    editor.communicate()
    sandbox.idle()
    assert (sandbox.text(), sandbox.restored()) == (SAVED, [])


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)


def test_a_person_pulls(sandbox: Sandbox, tmp_path: Path) -> None:
    """What `git pull` in the memories folder brings stands, be it an edit or a removal."""
    (sandbox.memories / ".gitignore").write_text("*.lock\n", encoding="utf-8")
    git(sandbox.memories, "init", "-q", "-b", "main")
    git(sandbox.memories, "add", ".")
    git(sandbox.memories, "commit", "-qm", "one")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(sandbox.memories), str(clone))
    git(sandbox.memories, "remote", "add", "origin", str(clone))
    sandbox.idle()
    for text in (SAVED, SAVED.removesuffix(DELIMITER + WIDER)):
        (clone / "MEMORY.md").write_text(text, encoding="utf-8")
        git(clone, "commit", "-qam", "edit")
        git(sandbox.memories, "pull", "-q", "origin", "main")
        sandbox.idle()
        assert (sandbox.text(), sandbox.restored()) == (text, [])


def test_a_conflict_copy(sandbox: Sandbox) -> None:
    """A copy that a sync service drops beside the index, and a synced edit, are left alone."""
    sandbox.idle()

    def run() -> dict[str, object]:
        copy = sandbox.memories / "MEMORY.sync-conflict-20260921-101010-ABCDEFG.md"
        copy.write_text("anything", encoding="utf-8")
        renamed(sandbox.index, SAVED)
        return {"exit_code": 0}

    assert sandbox.call("terminal", {"command": "make"}, run).note == ""
    assert (sandbox.text(), sandbox.restored()) == (SAVED, [])


@pytest.mark.parametrize("action", ["add", "remove", "replace"])
def test_another_session_between_write_and_post(sandbox: Sandbox, action: str) -> None:
    """What another process was allowed to do, and has not looked after yet, is explained by its promise."""
    fields = {
        "add": {"content": GOOD},
        "remove": {"old_text": ENTRIES[2]},
        "replace": {"old_text": ENTRIES[3], "content": WIDER},
    }
    code = """
fields = json.loads(args[0])
def run():
    made = store_edit(s.index, fields)
    print("written", flush=True); sys.stdin.readline()
    return made
done = s.call("memory", {"target": "memory", **fields}, run)
print(done.result, flush=True)
"""
    sandbox.idle()
    other = elsewhere(sandbox, code, json.dumps({"action": action, **fields[action]}))
    assert line(other) == "written"
    written = sandbox.text()
    assert written != CANONICAL
    done = sandbox.terminal("true")
    assert (done.note, sandbox.text()) == ("", written)
    say(other)
    assert json.loads(line(other)) == {"success": True}
    other.communicate()
    assert (sandbox.text(), sandbox.restored()) == (written, [])
    assert (sandbox.home.archive / "java-performance.md").exists() is (action == "remove")


@pytest.mark.parametrize("later", [False, True], ids=["at once", "after other adds"])
def test_a_staged_edit_is_approved_later(sandbox: Sandbox, later: bool) -> None:
    """An edit that the host has staged may be replayed at any time: it changes the file by exactly that edit."""
    sandbox.idle()
    args = {"action": "remove", "target": "memory", "old_text": ENTRIES[2]}
    sandbox.call("memory", args, lambda: {"success": True, "staged": True, "pending_id": "p1"})
    if later:
        sandbox.memory(action="add", content=GOOD)
    store_edit(sandbox.index, args)  # `/memory approve`: no tool hook fires
    done = sandbox.terminal("true")
    assert (done.note, sandbox.restored()) == ("", [])
    assert ENTRIES[2] not in sandbox.text() and (GOOD in sandbox.text()) is later
    assert (sandbox.home.archive / "java-performance.md").exists()


def test_a_failed_edit_promises_nothing(sandbox: Sandbox) -> None:
    """Once the host has refused an allowed edit, the same change by another route is damage."""
    sandbox.idle()
    args = {"action": "remove", "target": "memory", "old_text": ENTRIES[2]}
    sandbox.call("memory", args, lambda: {"success": False, "error": "no"})

    def run() -> dict[str, object]:
        store_edit(sandbox.index, args)
        return {"exit_code": 0}

    assert "put back" in sandbox.call("terminal", {"command": "job"}, run).note
    assert sandbox.text() == CANONICAL


def test_memory_reset(sandbox: Sandbox) -> None:
    """`hermes memory reset` by a person stays, and is told once."""
    sandbox.terminal("true")
    sandbox.index.unlink()
    assert "from outside" in sandbox.idle().note
    assert sandbox.idle().note == ""
    assert sandbox.terminal("true").note == ""
    assert not sandbox.index.exists()
    assert sandbox.restored() == []
    assert sandbox.memory(action="add", content=GOOD).action == "allow"


def test_reset_right_after_a_session(sandbox: Sandbox) -> None:
    """A reset a moment after a session has ended stays, too, in the next session."""
    ended = elsewhere(sandbox, "s.terminal('true')")
    ended.communicate()
    sandbox.index.unlink()
    plugin.on_session(session_id="s2", platform="cli")
    sandbox.idle()
    assert not sandbox.index.exists()
    assert sandbox.restored() == []


def test_the_folder_is_moved_away(sandbox: Sandbox) -> None:
    """A folder that a person moves away stays away: one report, no new folder; it is welcome when it comes back."""
    sandbox.terminal("true")
    away = sandbox.user / "memories-away"
    sandbox.memories.rename(away)
    note = sandbox.idle().note
    assert note.count("from outside") == 1
    assert sandbox.terminal("true").note == ""
    assert not sandbox.memories.exists()
    away.rename(sandbox.memories)
    assert sandbox.terminal("true").note == ""
    assert (sandbox.text(), sandbox.restored()) == (CANONICAL, [])


def test_the_plugin_edits_in_another_process(sandbox: Sandbox) -> None:
    """A watchdog that archives entries while a call is in flight is known by the record."""
    code = """
with store.locked(s.index), edit.open_record(s.home) as record:
    shelf, index, shelved = edit.shelf(s.home)
    plan = archive.put_away(shelf, ["java-performance.md"])
    edits = edit.edits_to_archive(s.home, plan, index, shelved)
    edit.carry_out(s.home, record, edits, Event(EventKind.ARCHIVED, edit.now()))
"""
    head = "from memory_shaper import archive, store\nfrom memory_shaper.record import Event, EventKind\n"
    sandbox.idle()

    def run() -> dict[str, object]:
        other = elsewhere(sandbox, head + code)
        out, err = other.communicate(timeout=60)
        assert (other.returncode, out, err) == (0, "", "")
        return {"exit_code": 0}

    assert sandbox.call("terminal", {"command": "make"}, run).note == ""
    assert ENTRIES[2] not in sandbox.text()
    assert sandbox.restored() == []
    assert archive.HEADING in sandbox.home.archive_index.read_text(encoding="utf-8")


def test_fix_in_another_process(sandbox: Sandbox) -> None:
    """`memory-shaper fix` by a person while a call is in flight stands."""
    sandbox.index.write_text(CANONICAL.replace("typing", "Typing") + "\n", encoding="utf-8")
    sandbox.idle()

    def run() -> dict[str, object]:
        other = elsewhere(sandbox, "from memory_shaper.cli import call\ncall(['fix'])")
        out, err = other.communicate(timeout=60)
        assert (other.returncode, out, err) == (0, "", "")
        return {"exit_code": 0}

    assert sandbox.call("terminal", {"command": "make"}, run).note == ""
    assert (sandbox.text().rstrip(), sandbox.restored()) == (CANONICAL, [])


def test_a_backup_is_put_back_by_a_person(sandbox: Sandbox) -> None:
    """After a restore from a backup an add is allowed against the new base, and the model is told once."""
    backup = sandbox.root / "backup.md"
    older = CANONICAL.removesuffix(DELIMITER + ENTRIES[3])
    backup.write_text(older, encoding="utf-8")
    sandbox.terminal("true")
    shutil.copy(backup, sandbox.index)
    done = sandbox.memory(action="add", content=GOOD)
    assert done.action == "allow"
    assert sandbox.text() == older + DELIMITER + GOOD
    note = sandbox.idle().note
    assert "what is there now counts" in note
    assert sandbox.idle().note == ""
    assert sandbox.restored() == []


def test_an_approved_critical_topic(sandbox: Sandbox) -> None:
    """A `!!` topic that the human let a call write is not put back."""
    sandbox.idle()
    path = sandbox.memories / "how-to-write-memories.md"
    args = {"path": str(path), "content": "new"}
    done = sandbox.call("write_file", args, lambda: {"bytes": path.write_text("new")})
    assert done.action == "approve"
    assert (path.read_text(), sandbox.restored(), done.note) == ("new", [], "")
    sandbox.terminal("true")
    assert [event.file for event in sandbox.events(EventKind.APPROVED)] == [path.name]


def test_an_approved_critical_line(sandbox: Sandbox) -> None:
    """A `!!` line that the human let the memory tool change is not put back."""
    sandbox.idle()
    changed = ENTRIES[0].replace("template", "templates")
    done = sandbox.memory(action="replace", old_text=ENTRIES[0], content=changed)
    assert done.action == "approve"
    sandbox.terminal("true")
    assert (sandbox.text(), sandbox.restored()) == (CANONICAL.replace(ENTRIES[0], changed), [])


def test_an_approved_rewrite(sandbox: Sandbox) -> None:
    """An index that the human let a file tool rewrite stands; other text than the approved one is put back."""
    sandbox.idle()
    args = {"path": str(sandbox.index), "content": SAVED}
    for text, kept in (("broken", CANONICAL), (SAVED, SAVED)):
        done = sandbox.call("write_file", args, lambda text=text: {"bytes": sandbox.index.write_text(text)})
        assert done.action == "approve"
        assert sandbox.text() == kept
    assert sandbox.restored() == ["MEMORY.md"]


def test_a_denied_call_grants_nothing(sandbox: Sandbox) -> None:
    """Where the human says no, a later call may not do what was asked for."""
    sandbox.idle()
    path = sandbox.memories / "how-to-write-memories.md"
    names = {"tool_name": "write_file", "args": {"path": str(path), "content": "x"}}
    ids = {"session_id": "s", "tool_call_id": "denied"}
    assert (plugin.on_pre_tool_call(**names, **ids) or {}).get("action") == "approve"
    plugin.on_post_tool_call(**names, **ids, result='{"error": "denied"}', status="blocked")

    def run() -> dict[str, object]:
        path.write_text("x", encoding="utf-8")
        return {"exit_code": 0}

    assert "put back" in sandbox.call("terminal", {"command": "job"}, run).note


def test_parallel_calls(sandbox: Sandbox) -> None:
    """Two file calls of one turn: both are judged first, both are looked after, in any order."""
    sandbox.idle()
    paths = [sandbox.memories / name for name in ("java-performance.md", "python-env.md")]
    calls = [
        {
            "tool_name": "write_file",
            "args": {"path": str(path), "content": "new"},
            "session_id": "s",
            "tool_call_id": name,
        }
        for path, name in zip(paths, "ab", strict=True)
    ]
    for one in calls:
        assert plugin.on_pre_tool_call(**one) is None
    for path in paths:
        path.write_text("new", encoding="utf-8")
    for one in reversed(calls):
        plugin.on_post_tool_call(**one, result="{}")
        assert plugin.on_transform_tool_result(**one, result="{}") is None
    assert not plugin.guard().watch.flights.own()
    assert sandbox.restored() == []


def test_a_sub_agent(sandbox: Sandbox) -> None:
    """A sub-agent's call inside its parent's is told apart, and its parent's damage is found while it works."""
    sandbox.idle()

    def parent() -> dict[str, object]:
        plugin.on_session(session_id="child", platform="subagent")
        assert sandbox.terminal("true", session="child").note == ""
        sandbox.index.unlink()
        assert "put back" in sandbox.idle(session="child").note
        return {"ok": True}

    assert sandbox.call("delegate_task", {"goal": "x"}, parent).note == ""
    assert (sandbox.text(), sandbox.restored()) == (CANONICAL, ["MEMORY.md"])


def test_two_homes_in_one_process(sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One session in two homes: each guard knows its own files, and a person's act in one is not the other's."""
    from guard_tools import make_sandbox

    second = make_sandbox(tmp_path / "second")
    sandbox.idle()
    monkeypatch.setenv("HERMES_HOME", str(second.home.path))
    second.idle()

    def run() -> dict[str, object]:
        sandbox.index.unlink()
        return {"exit_code": 0}

    assert second.call("terminal", {"command": "job"}, run).note == ""
    assert (second.text(), second.restored()) == (CANONICAL, [])
    monkeypatch.setenv("HERMES_HOME", str(sandbox.home.path))
    assert "from outside" in sandbox.idle().note


def test_hooks_run_in_threads(sandbox: Sandbox) -> None:
    """0.22 runs every hook in a thread of its own; the record can be closed by the main one."""
    from concurrent.futures import ThreadPoolExecutor

    for _ in range(3):
        with ThreadPoolExecutor(max_workers=1) as pool:
            assert pool.submit(sandbox.memory, action="add", content=GOOD).result().action in ("allow", "block")
    with ThreadPoolExecutor(max_workers=8) as pool:
        done = list(pool.map(lambda number: sandbox.terminal("true", session=f"s{number}").note, range(16)))
    assert set(done) == {""}
    plugin.close()


def test_a_long_flight_of_a_living_host(sandbox: Sandbox) -> None:
    """A valid change during a call of another host is accepted by whoever looks first."""
    code = """
def run():
    print("ready", flush=True); sys.stdin.readline()
    return {"exit_code": 0}
s.call("terminal", {"command": "job"}, run)
"""
    other = elsewhere(sandbox, code)
    assert line(other) == "ready"
    sandbox.idle()
    renamed(sandbox.index, SAVED)
    assert sandbox.idle().note == ""
    say(other)
    until(lambda: other.poll() is not None)
    other.communicate()
    assert (sandbox.text(), sandbox.restored()) == (SAVED, [])
    assert os.listdir(sandbox.home.data / "flights") != []
    with edit.open_record(sandbox.home) as record:
        assert record.accepted.of("MEMORY.md").digest is not None
