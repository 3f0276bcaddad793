"""Damage that really happens, by every route that no reader sees: put back byte for byte, and told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from guard_tools import Sandbox, elsewhere, forget_guards, line, say, until
from memory_shaper import edit
from memory_shaper.record import EventKind
from tools import CANONICAL, ENTRIES, TOPICS


def by_script(sandbox: Sandbox, command: str) -> str:
    """A command that runs another one, which stands in a file that no reader opens."""
    path = sandbox.root / "bin" / "job"
    path.write_text("#!/bin/bash\n" + command + "\n", encoding="utf-8")
    path.chmod(0o755)
    return "job"


DAMAGE = {
    "emptied": "truncate -s 0 MEMORY.md",
    "removed": "rm MEMORY.md",
    "one line lost": "sed -i /java,/d MEMORY.md",
    "heading changed": "sed -i '1s/.*/# Notes/' MEMORY.md",
    "critical line changed": "sed -i s/how,write/who,wrote/ MEMORY.md",
    "bad UTF-8": r"printf '\xff\xfe' >> MEMORY.md",
    "another mode": "cp MEMORY.md m; : > m; chmod 644 m; mv m MEMORY.md",
    "a folder": "rm MEMORY.md; mkdir MEMORY.md; touch MEMORY.md/x",
    "a pipe": "rm MEMORY.md; mkfifo MEMORY.md",
    "a dangling link": "ln -sf nowhere MEMORY.md",
    "a link to a device": "ln -sf /dev/null MEMORY.md",
    "a link to itself": "rm MEMORY.md; ln -s MEMORY.md MEMORY.md",
}


@pytest.mark.parametrize("newer", [False, True], ids=["0.19", "0.22"])
@pytest.mark.parametrize("command", DAMAGE.values(), ids=DAMAGE)
def test_damage_of_the_index(sandbox: Sandbox, command: str, newer: bool) -> None:
    """Whatever a call leaves in place of the index, the index is back at once, and the result says so."""
    sandbox.newer = newer
    sandbox.idle()
    done = sandbox.terminal(by_script(sandbox, f"cd {sandbox.memories}; {command}"))
    assert done.action == "allow"
    assert sandbox.text() == CANONICAL
    assert not sandbox.index.is_symlink()
    assert sandbox.index.stat().st_mode & 0o777 == 0o600
    assert "MEMORY.md" in done.note and "put back" in done.note
    assert Path("/dev/null").is_char_device()
    assert sandbox.idle().note == ""


def test_the_whole_folder(sandbox: Sandbox) -> None:
    """A folder that a call removes is back with the index, every indexed topic and the archive index."""
    sandbox.memory(action="remove", old_text=ENTRIES[3])
    sandbox.idle()
    before = {path: path.read_bytes() for path in sandbox.memories.rglob("*.md") if path.name != "new-topic.md"}
    done = sandbox.terminal(by_script(sandbox, f"rm -rf {sandbox.memories}"))
    after = {path: path.read_bytes() for path in sandbox.memories.rglob("*.md")}
    archived = sandbox.home.archive / "python-env.md"  # a file of the archive is in the record, and stays there
    assert after == {path: data for path, data in before.items() if path != archived}
    assert "put back" in done.note


@pytest.mark.parametrize("name", TOPICS[:3])
def test_an_indexed_topic_removed(sandbox: Sandbox, name: str) -> None:
    """A topic file that the index names is put back when a call removes it."""
    sandbox.idle()
    done = sandbox.terminal(by_script(sandbox, f"rm {sandbox.memories / name}"))
    assert (sandbox.memories / name).read_text(encoding="utf-8") == f"# {name}\n"
    assert name in done.note


def test_a_critical_topic_changed(sandbox: Sandbox) -> None:
    """The file of a `!!` line is put back when a call changes it; any other topic may change."""
    sandbox.idle()
    script = f"cd {sandbox.memories}; echo x >> how-to-write-memories.md; echo x >> java-performance.md"
    done = sandbox.terminal(by_script(sandbox, script))
    assert (sandbox.memories / TOPICS[0]).read_text(encoding="utf-8") == f"# {TOPICS[0]}\n"
    assert (sandbox.memories / TOPICS[2]).read_text(encoding="utf-8") == f"# {TOPICS[2]}\nx\n"
    assert TOPICS[0] in done.note and TOPICS[2] not in done.note


def test_the_archive_index_overwritten(sandbox: Sandbox) -> None:
    """The archive index is put back, too."""
    sandbox.memory(action="remove", old_text=ENTRIES[3])
    sandbox.idle()
    before = sandbox.home.archive_index.read_bytes()
    assert b"python-env.md" in before
    done = sandbox.terminal(by_script(sandbox, f"echo x > '{sandbox.home.archive_index}'"))
    assert sandbox.home.archive_index.read_bytes() == before
    assert "archived-memories.md" in done.note


def test_mode_and_link_are_kept(sandbox: Sandbox) -> None:
    """A shared index that is a link comes back as that link, with the mode that its file had."""
    real = sandbox.user / "vault.md"
    os.replace(sandbox.index, real)
    sandbox.index.symlink_to(real)
    real.chmod(0o660)
    sandbox.idle()
    for command in (f"echo x > {real}", f"rm {sandbox.index}", f"rm {real}", f"rm {sandbox.index} {real}"):
        sandbox.terminal(by_script(sandbox, command))
        assert os.readlink(sandbox.index) == str(real)
        assert real.read_text(encoding="utf-8") == CANONICAL
        assert real.stat().st_mode & 0o777 == 0o660


def test_what_the_call_left_is_kept(sandbox: Sandbox) -> None:
    """The journal holds both texts of a restored file: what the call left, and what was put back."""
    sandbox.idle()
    sandbox.terminal(by_script(sandbox, f"echo broken > {sandbox.index}"))
    event = sandbox.events(EventKind.RESTORED)[0]
    with edit.open_record(sandbox.home) as record:
        texts = [record.texts.text(digest or "") for digest in (event.before, event.after)]
    assert texts == [b"broken\n", CANONICAL.encode()]
    assert event.source.tool == "terminal"


def background(sandbox: Sandbox, body: str) -> subprocess.Popen[bytes]:
    """A process that the terminal starts with background=true: it waits for a file `go`, and leaves a file `done`."""
    script = f"while ! test -e {sandbox.root}/go; do sleep 0.02; done; {body}; touch {sandbox.root}/done"
    started = subprocess.Popen(["bash", "-c", script], env=sandbox.env, start_new_session=True)
    sandbox.started.append(started)
    return started


def let_go(sandbox: Sandbox) -> None:
    (sandbox.root / "go").touch()
    until((sandbox.root / "done").exists)


def test_a_background_process_with_an_id(sandbox: Sandbox) -> None:
    """What a background process damages after its call is put back by the next hook, and told in the next result."""
    sandbox.idle()
    started: list[int] = []

    def run() -> dict[str, object]:
        started.append(background(sandbox, f"rm {sandbox.index}").pid)
        return {"pid": started[0], "session_id": "proc_1", "exit_code": 0}

    sandbox.call("terminal", {"command": "job", "background": True}, run)
    let_go(sandbox)
    assert not sandbox.index.exists()
    assert "put back" in sandbox.idle().note
    assert sandbox.text() == CANONICAL


def test_a_process_that_outlives_its_session(sandbox: Sandbox) -> None:
    """A later session of another process puts back what a background process of an ended one damages."""
    pid = sandbox.root / "pid"
    code = "s.call('terminal', {'command': 'x'}, lambda: {'pid': int(sys.stdin.readline()), 'exit_code': 0})\n"
    ended = elsewhere(sandbox, code)
    left = background(sandbox, f"echo $$ > {pid}; rm {sandbox.index}")
    say(ended, str(left.pid))
    ended.wait(timeout=60)
    ended.communicate()
    let_go(sandbox)
    assert "put back" in sandbox.idle().note
    assert sandbox.text() == CANONICAL


@pytest.mark.skipif(not Path("/proc/loadavg").exists(), reason="processes are told apart by /proc")
@pytest.mark.parametrize("start", ["{} &", "nohup {} &", "setsid {} &", "( {} & )"])
def test_a_process_without_an_id(sandbox: Sandbox, start: str) -> None:
    """A process that a shell leaves behind is known by the mark of its host, and what it damages is put back."""
    sandbox.idle()
    wait = f"while ! test -e {sandbox.root}/go; do sleep 0.02; done"
    work = by_script(sandbox, f"{wait}; rm {sandbox.index}; touch {sandbox.root}/done")
    sandbox.terminal(start.format(work) + "\necho started")
    let_go(sandbox)
    assert "put back" in sandbox.idle().note
    assert sandbox.text() == CANONICAL


def test_a_living_host_restores_by_itself(sandbox: Sandbox) -> None:
    """Damage by a call of another process is left to that process while it lives, and said by it alone."""
    code = """
def run():
    print("ready", flush=True); sys.stdin.readline()
    s.index.unlink()
    print("done", flush=True); sys.stdin.readline()
    return {"exit_code": 0}
s.idle()
print("put back" in s.call("terminal", {"command": "job"}, run).note, flush=True)
"""
    other = elsewhere(sandbox, code)
    sandbox.idle()
    assert line(other) == "ready"
    say(other)
    assert line(other) == "done"
    assert sandbox.idle().note == ""
    assert not sandbox.index.exists()
    say(other)
    assert line(other) == "True"
    other.communicate()
    assert sandbox.idle().note == ""
    assert sandbox.text() == CANONICAL


def test_damage_of_a_killed_host(sandbox: Sandbox) -> None:
    """What a call damaged in a process that was killed before it could look is put back by the next one."""
    code = "s.idle()\ns.call('terminal', {'command': 'job'}, lambda: (s.index.unlink(), os.kill(os.getpid(), 9)))"
    other = elsewhere(sandbox, code)
    other.communicate()
    assert other.returncode == -signal.SIGKILL
    assert not sandbox.index.exists()
    assert "put back" in sandbox.idle().note
    assert sandbox.text() == CANONICAL


@pytest.mark.parametrize("newer", [False, True], ids=["0.19", "0.22"])
def test_from_inside_execute_code(sandbox: Sandbox, newer: bool) -> None:
    """A call inside a program puts back at once, and the model reads of it in the result of execute_code."""
    from memory_shaper import plugin

    sandbox.newer = newer
    inner = {"tool_name": "terminal", "args": {"command": "job"}, "session_id": "", "tool_call_id": ""}
    texts: list[str] = []

    def run() -> dict[str, object]:
        plugin.on_pre_tool_call(**inner)
        sandbox.index.unlink()
        assert plugin.on_transform_tool_result(**inner, result="{}") is None
        texts.append(sandbox.text())
        return {"status": "ok"}

    sandbox.idle()
    done = sandbox.call("execute_code", {"code": "from hermes_tools import terminal\nterminal(x)"}, run)
    assert texts == [CANONICAL]
    assert "put back" in done.note


def test_the_note_waits_for_a_result_that_can_carry_it(sandbox: Sandbox) -> None:
    """On 0.19 the memory tool's result cannot be changed: the note waits for the next one, and is told once."""
    sandbox.idle()
    sandbox.index.unlink()  # from outside: a report
    first = sandbox.memory(action="add", content="go,gopher,module,goroutine,channel → new-topic.md")
    assert first.note == ""
    assert "from outside" in sandbox.idle().note
    assert sandbox.idle().note == ""


def test_a_lost_record_loses_no_index(sandbox: Sandbox) -> None:
    """Where the record is gone, the process still holds the last accepted index and puts it back."""
    sandbox.idle()
    script = f"rm -rf {sandbox.home.data}; rm {sandbox.index}"
    assert "put back" in sandbox.terminal(by_script(sandbox, script)).note
    assert sandbox.text() == CANONICAL


@pytest.mark.parametrize("newer", [False, True], ids=["0.19", "0.22"])
def test_a_record_that_is_damaged_with_the_index(sandbox: Sandbox, newer: bool) -> None:
    """Where one call damages the record, too, the index is put back from memory, and both are told."""
    sandbox.newer = newer
    sandbox.idle()
    job = f"for f in {sandbox.home.data}/record.db*; do echo junk > $f; done; echo x > {sandbox.index}"
    done = sandbox.terminal(by_script(sandbox, job))
    assert sandbox.text() == CANONICAL
    assert "put back" in done.note and "record.db" in done.note
    forget_guards()


def test_a_secret_in_a_line_of_the_index(sandbox: Sandbox) -> None:
    """A valid line that holds a token is put back where a call wrote it, and reported where somebody else did."""
    token = "ghp_FAKE0123456789abcdefghij0123456789"
    (sandbox.memories / "new-topic.md").write_text("words\n", encoding="utf-8")
    sandbox.idle()
    row = rf"printf '\n§\na1,b2,c3,d4,{token} → new-topic.md' >> {sandbox.index}"
    done = sandbox.terminal(by_script(sandbox, row))
    assert sandbox.text() == CANONICAL
    assert "put back" in done.note and token not in done.note
    sandbox.bash(row)
    assert "from outside" in sandbox.idle().note
    assert token in sandbox.text()
    assert sandbox.idle().note == ""


def test_remembered_folder_of_the_terminal(sandbox: Sandbox) -> None:
    """A folder that one command went to is where the next one is read from, also where the host does not say so."""
    sandbox.idle()
    sandbox.terminal(f"cd {sandbox.memories}")
    assert sandbox.terminal("echo x > MEMORY.md").action == "block"
    assert sandbox.terminal("cd /nowhere/at/all").action == "allow"
    assert sandbox.terminal("echo x > MEMORY.md").action == "block"
    assert sandbox.terminal(f"cd {sandbox.work}").action == "allow"
    assert sandbox.terminal("echo x > MEMORY.md").action == "allow"


def test_memory_calls_of_another_session(sandbox: Sandbox) -> None:
    """A second session sees an index that another process changed as accepted, and says nothing of it."""
    sandbox.idle()
    other = elsewhere(sandbox, "print(s.memory(action='remove', old_text=ENTRIES[2]).action)")
    assert line(other) == "allow"
    other.communicate()
    assert sandbox.terminal("true").note == ""
    assert ENTRIES[2] not in sandbox.text()
    assert json.loads(sandbox.memory(action="remove", old_text=ENTRIES[3]).result) == {"success": True}
    assert sandbox.restored() == []
    assert {"java-performance.md", "python-env.md"} <= set(os.listdir(sandbox.home.archive))


def test_a_call_that_never_lands(sandbox: Sandbox) -> None:
    """A memory call without a post hook is over when the session's next one begins, or its next turn."""
    from memory_shaper import plugin

    args = {"action": "remove", "target": "memory", "old_text": ENTRIES[3]}
    plugin.on_pre_tool_call(tool_name="memory", args=args, session_id="s", tool_call_id="lost")
    assert plugin.guard().watch.flights.own()
    plugin.on_pre_llm_call(session_id="s")
    assert not plugin.guard().watch.flights.own()
    plugin.on_pre_tool_call(tool_name="memory", args=args, session_id="s", tool_call_id="lost")
    sandbox.memory(action="add", content="go,gopher,module,goroutine,channel → new-topic.md")
    assert not plugin.guard().watch.flights.own()


def test_nothing_is_left_open(sandbox: Sandbox) -> None:
    """A host that ends leaves no beacon, and Python has no connection to complain about."""
    code = "s.idle(); s.terminal('true')"
    env = {**os.environ, "PYTHONWARNINGS": "error"}
    other = elsewhere(sandbox, code)
    out, err = other.communicate()
    assert (other.returncode, out, err, env["PYTHONWARNINGS"]) == (0, "", "", "error")
    assert list((sandbox.home.data / "flights").iterdir()) == []
    forget_guards()
    assert sys.exc_info() == (None, None, None)
