"""Homes that are no index: a memory of prose, an empty one, and none at all."""

from pathlib import Path

from memory_shaper.record import EventKind

from hosts.harness import Host, make_home
from hosts.scenes import DOCKER, Step, assert_quiet_logs, calls_in, events, memory, play, terminal

FACTS = ("Prefers short answers.", "Works in the Berlin office.", "The cat is called Miez.")


def facts(step: Step) -> tuple[bool, str]:
    return step.data.get("success") is True, step.refused


def test_prose_home__works_as_before(host: Host, tmp_path: Path) -> None:
    """In a memory of prose the tool adds, changes and removes as ever; only wiping it out is undone or refused."""
    home = make_home(tmp_path, {"MEMORY.md": "\n§\n".join(FACTS)})
    moves = [
        memory("add", "Owns a bicycle."),
        memory(host.edit, "Hamburg" if host.defers else "Works in the Hamburg office.", "Berlin"),
        memory("remove", old_text="Miez"),
        terminal(f"cd {home.memories} && F=$(echo TUVNT1JZLm1k | base64 -d); : > $F"),
        terminal("echo later"),
        memory("add", "Speaks French."),
    ]
    steps, _ = play(host, home, moves)
    assert [facts(step) for step in (*steps[:3], steps[5])] == [(True, "")] * 4
    left = ["Prefers short answers.", "Works in the Hamburg office.", "Owns a bicycle.", "Speaks French."]
    assert home.index.read_text().split("\n§\n") == left
    assert "put back" in steps[3].data["memory_shaper"]
    home.index.write_text("\n".join(FACTS), encoding="utf-8")
    steps, _ = play(host, home, [memory("remove", old_text="Miez"), memory("add", "Owns a bicycle.")])
    assert [bool(step.refused) for step in steps] == [True, False]
    assert home.index.read_text() == "\n".join(FACTS) + "\n§\nOwns a bicycle."
    assert len(events(home, EventKind.RESTORED)) == 1
    assert_quiet_logs(home, "Berlin", "Miez", "bicycle")


def test_empty_home__becomes_an_index(host: Host, tmp_path: Path) -> None:
    """Where there is no memories folder the first thing remembered makes the folder, the index with its rule and a file."""
    home = make_home(tmp_path)
    home.memories.rmdir()
    note = {"text": "The nightly warehouse import locks the orders table for ten minutes.", "topic": "warehouse-import"}
    moves = [
        terminal("echo first"),
        memory("remove", old_text="nothing"),
        ("memory_remember", note),
        ("write_file", {"path": str(home.memories / "new-topic.md"), "content": "about containers\n"}),
        memory("add", DOCKER),
        ("read_file", {"path": "warehouse-import.md"}),
    ]
    steps, done = play(host, home, moves)
    assert (steps[0].data["output"], steps[2].data["success"], steps[4].data["success"]) == ("first", True, True)
    assert (home.memories / "warehouse-import.md").read_text() == note["text"] + "\n"
    assert home.index.read_text().split("\n§\n")[1:] == [steps[2].data["line"], DOCKER]
    assert home.index.read_text().startswith("# Memory index: a routing table")
    assert "ten minutes" in steps[5].text
    assert not calls_in(done.system)
    assert_quiet_logs(home, "warehouse", "compose")
