"""Host writes and guarded edits of several processes at once: every line survives, and nothing is put back wrongly.

MEMORY_SHAPER_ROUNDS is the number of rounds, 15 by default.
"""

from __future__ import annotations

import os

from guard_tools import DELIMITER, Sandbox, elsewhere, line, say
from memory_shaper.record import EventKind
from tools import CANONICAL

ROUNDS = int(os.environ.get("MEMORY_SHAPER_ROUNDS", "15"))

GUARDED = """
print("ready", flush=True); sys.stdin.readline()
name, rounds = args[0], int(args[1])
s.newer = name == "b"
refused = []
for number in range(rounds):
    file = f"{name}{number}.md"
    (s.memories / file).write_text("x")
    words = ",".join(f"{name}{number}w{i}" for i in range(5))
    for _ in range(100):
        done = s.memory(session=name, action="add", content=f"{words} → {file}")
        if done.action == "allow" and json.loads(done.result).get("success"):
            break
        refused.append(done.result)
        assert "busy" in done.result, done.result
    else:
        raise AssertionError("always busy")
    s.terminal("true", session=name)
print(len(refused), flush=True)
"""
NATIVE = """
print("ready", flush=True); sys.stdin.readline()
for number in range(int(args[1])):
    file = f"{args[0]}{number}.md"
    (s.memories / file).write_text("x")
    words = ",".join(f"{args[0]}{number}w{i}" for i in range(5))
    store_edit(s.index, {"action": "add", "content": f"{words} → {file}"})
"""


def test_adds_of_three_processes(sandbox: Sandbox) -> None:
    """Two guarded sessions and the host's store add lines all at once: each line is there, nothing was undone."""
    sandbox.home.config.write_text("memory:\n  memory_char_limit: 1000000\n", encoding="utf-8")
    codes = {"a": GUARDED, "b": GUARDED, "n": NATIVE}
    running = [elsewhere(sandbox, code, name, str(ROUNDS)) for name, code in codes.items()]
    for process in running:
        assert line(process) == "ready"
    for process in running:
        say(process)
    for process in running:
        out, err = process.communicate(timeout=1200)
        assert process.returncode == 0, out + err
    sandbox.terminal("true")
    targets = {part.rpartition(" → ")[2] for part in sandbox.text().split(DELIMITER)}
    assert {f"{name}{number}.md" for name in codes for number in range(ROUNDS)} <= targets
    assert sandbox.text().startswith(CANONICAL)
    assert (sandbox.restored(), sandbox.events(EventKind.DAMAGED)) == ([], [])


TAKES_OUT = """
print("ready", flush=True); sys.stdin.readline()
for number in range(int(args[1])):
    old = f"{args[0]}{number}w0"
    for _ in range(100):
        done = s.memory(session=args[0], action="remove", old_text=old)
        if done.action == "allow" and json.loads(done.result).get("success"):
            break
        assert "busy" in done.result, done.result
    s.terminal("true", session=args[0])
"""


def test_removals_of_two_processes(sandbox: Sandbox) -> None:
    """Two sessions take out lines while the host's store adds some: what was taken out is in the archive, all of it."""
    sandbox.home.config.write_text("memory:\n  memory_char_limit: 1000000\n", encoding="utf-8")
    lines = [CANONICAL]
    for name in "ab":
        for number in range(ROUNDS):
            (sandbox.memories / f"{name}{number}.md").write_text("x", encoding="utf-8")
            words = ",".join(f"{name}{number}w{i}" for i in range(5))
            lines.append(f"{words} → {name}{number}.md")
    sandbox.index.write_text(DELIMITER.join(lines), encoding="utf-8")
    codes = {"a": TAKES_OUT, "b": TAKES_OUT, "n": NATIVE}
    running = [elsewhere(sandbox, code, name, str(ROUNDS)) for name, code in codes.items()]
    for process in running:
        assert line(process) == "ready"
    for process in running:
        say(process)
    for process in running:
        out, err = process.communicate(timeout=1200)
        assert process.returncode == 0, out + err
    sandbox.terminal("true")
    targets = {part.rpartition(" → ")[2] for part in sandbox.text().split(DELIMITER)}
    gone = {f"{name}{number}.md" for name in "ab" for number in range(ROUNDS)}
    assert not targets & gone
    assert {f"n{number}.md" for number in range(ROUNDS)} <= targets
    assert gone <= set(os.listdir(sandbox.home.archive))
    assert all(name in sandbox.home.archive_index.read_text(encoding="utf-8") for name in gone)
    assert (sandbox.restored(), sandbox.events(EventKind.DAMAGED)) == ([], [])
