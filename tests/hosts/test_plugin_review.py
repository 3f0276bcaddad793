"""The host's background review, which can write prose only; and changes that a person approves later."""

import json
from pathlib import Path

from memory_shaper.record import EventKind

from hosts.endpoint import Script, ask, decide, say
from hosts.harness import LINGER, OUR_PLUGIN, Home, Host, host_python, session
from hosts.scenes import (
    CRITICAL,
    JAVA,
    JAVA_NEW,
    PINNED,
    PYTHON,
    assert_quiet_logs,
    calls_in,
    deferred,
    entries,
    events,
    indexed_home,
    memory,
    play,
    terminal,
)

PROSE = "Staging database restores need the warehouse snapshot of the night before, never an older one."
APPROVE = """
from hermes_cli.write_approval_commands import handle_pending_subcommand
from tools import memory_tool, write_approval
store = memory_tool.MemoryStore()
store.load_from_disk()
print(handle_pending_subcommand(write_approval.MEMORY, ["approve", "all"], memory_store=store))
"""


def approve(host: Host, home: Home) -> str:
    """What `/memory approve all` does, without a chat around it."""
    ended = host_python(host, home, APPROVE)
    assert ended.code == 0, ended.err
    return ended.out


def test_background_review__prose_becomes_a_topic(host: Host, tmp_path: Path) -> None:
    """The review's prose is refused with the call that keeps it; what 0.22 stages can be approved and stays."""
    config = {"memory": {"nudge_interval": 1}}
    home = indexed_home(tmp_path, config=config, plugins=[OUR_PLUGIN, LINGER])
    review = [
        ask(memory("add", PROSE)),
        decide(lambda results: [deferred(host, calls_in(results[-1].data["error"])[0])]),
        ask(memory("remove", old_text=PYTHON)),
        ask(memory(host.edit, JAVA_NEW, JAVA)),
        say("Nothing more."),
    ]
    done = session(host, home, Script(main=[say("done")], review=review))
    prose, kept, removed, edited = done.endpoint.results("review")
    assert "memory-shaper: refused (not-an-entry)" in prose.text
    assert kept.data["success"] is True
    topic = kept.data["topic"]
    assert (home.memories / topic).read_text() == PROSE + "\n"
    assert entries(home)[-1] == kept.data["line"]
    assert [result.data.get("staged", False) for result in (removed, edited)] == [host.defers] * 2
    if host.defers:
        assert entries(home)[:4] == (CRITICAL, PINNED, JAVA, PYTHON)
        assert "Approved 2" in approve(host, home)
    assert entries(home) == (CRITICAL, PINNED, JAVA_NEW, kept.data["line"])
    session(host, home, [ask(terminal("echo later")), say("done")])
    assert entries(home) == (CRITICAL, PINNED, JAVA_NEW, kept.data["line"])
    assert (home.memories / "archived memories" / "python-env.md").exists()
    assert not events(home, EventKind.RESTORED, EventKind.DAMAGED)
    assert_quiet_logs(home, "warehouse", "Staging")


def test_write_approval__a_person_decides(host: Host, tmp_path: Path) -> None:
    """With write approval on nothing is written without a person, and what a person approves between calls stays."""
    home = indexed_home(tmp_path, config={"memory": {"write_approval": True}})
    answers: list[str] = []

    def person(_: list[str]) -> tuple[str, dict[str, str]]:
        answers.append(approve(host, home))
        return terminal("echo approved")

    moves = [memory("remove", old_text=PYTHON), memory(host.edit, JAVA_NEW, JAVA), person, terminal("echo later")]
    steps, _ = play(host, home, moves)
    assert [step.data.get("staged", False) for step in steps[:2]] == [host.defers] * 2
    assert steps[1].after == (CRITICAL, PINNED, JAVA, PYTHON)
    approved = (CRITICAL, PINNED, JAVA_NEW) if host.defers else (CRITICAL, PINNED, JAVA, PYTHON)
    assert entries(home) == approved
    assert (home.memories / "archived memories" / "python-env.md").exists() is host.defers
    assert not events(home, EventKind.RESTORED, EventKind.DAMAGED)
    assert "memory_shaper" not in json.dumps([step.data for step in steps])
