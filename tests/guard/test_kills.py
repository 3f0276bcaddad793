"""A host killed at any instant of an edit: the next call finds index, archive and record consistent.

MEMORY_SHAPER_KILLS is the number of kills, 15 by default.
"""

from __future__ import annotations

import os
import random

from guard_tools import DELIMITER, Sandbox, elsewhere, forget_guards, line
from memory_shaper import edit, grammar, rules
from memory_shaper.model import Severity
from memory_shaper.record import EventKind
from memory_shaper.store import list_folder
from tools import CANONICAL

KILLS = int(os.environ.get("MEMORY_SHAPER_KILLS", "15"))

EDITS = """
from memory_shaper.tools import remember_tool
print("ready", flush=True)
for number in range(1000):
    name = f"k{args[0]}x{number}"
    print("+", name, flush=True)
    words = [f"{name}w{i}" for i in range(5)]
    remember_tool(plugin.guard(), {"text": name, "topic": name, "keywords": words}, "s")
    print("-", name, flush=True)
    s.memory(action="remove", old_text=f"{name}w0")
"""


def test_kill_anywhere(sandbox: Sandbox) -> None:
    """Every line is live, archived or was never begun; no line without its file; no error; no restore."""
    sandbox.home.config.write_text("memory:\n  memory_char_limit: 1000000\n", encoding="utf-8")
    chance = random.Random(7)
    begun: set[str] = set()
    removed: set[str] = set()
    for kill in range(KILLS):
        said = kill_one(sandbox, kill, chance)
        begun |= {name for sign, name in said if sign == "+"}
        removed |= {name for sign, name in said if sign == "-"}
        forget_guards()
        sandbox.terminal("true")
        check_consistent(sandbox, removed, begun)
    assert begun


def kill_one(sandbox: Sandbox, kill: int, chance: random.Random) -> list[tuple[str, str]]:
    """Kill a host somewhere in its edits; what it said before."""
    process = elsewhere(sandbox, EDITS, str(kill))
    assert line(process) == "ready"
    said = [line(process) for _ in range(chance.randint(1, 4))]
    for _ in range(chance.randint(0, 20_000)):
        pass  # a moment of any length, in which the host goes on
    process.kill()
    out, _ = process.communicate()
    words = [one.split() for one in (*said, *out.splitlines())]
    return [(found[0], found[1]) for found in words if len(found) == 2]


def check_consistent(sandbox: Sandbox, removed: set[str], begun: set[str]) -> None:
    text = sandbox.text()
    assert text.startswith(CANONICAL)
    findings = rules.check(rules.Scope(text, list_folder(sandbox.memories), 1_000_000))
    assert [found.message for found in findings if found.severity is Severity.ERROR] == []
    live = {entry.target for _, entry in grammar.parse(text).entries()}
    shelved = sandbox.home.archive_index
    archived = (
        {entry.target for _, entry in grammar.parse(shelved.read_text("utf-8")).entries()}
        if shelved.exists()
        else set()
    )
    files = set(os.listdir(sandbox.home.archive)) if sandbox.home.archive.is_dir() else set()
    assert archived <= files
    for name in removed:  # its add was finished before its removal began
        assert (f"{name}.md" in live) != (f"{name}.md" in archived)
    assert {path.name for path in sandbox.memories.glob("k*.md")} <= live
    assert sandbox.restored() == [] and sandbox.events(EventKind.DAMAGED) == []
    assert not list(sandbox.memories.rglob("*.tmp")) or begun
    with edit.open_record(sandbox.home) as record:
        assert record.intents.unfinished() == []
        accepted = record.accepted.of("MEMORY.md")
        assert accepted is not None and record.texts.text(accepted.digest or "") == text.encode()
    assert DELIMITER in text
