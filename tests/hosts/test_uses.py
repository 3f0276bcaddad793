"""What a real session leaves in state.db, tallied."""

from pathlib import Path

from memory_shaper.calls.reader import read_call
from memory_shaper.watchdog.scan import Watermark, scan
from memory_shaper.watchdog.topics import Topics

from hosts.endpoint import ask, say
from hosts.harness import Host, make_home, session

NAMES = ("deploy.md", "部署.md", "x.md", "postgres.md", "java.md")


def test_session__two_reads_a_write_and_a_search(host: Host, tmp_path: Path) -> None:
    """Reads that succeed are uses; a write, a search, a read of a missing file and a failed command are none."""
    home = make_home(tmp_path, {name: f"# {name}\nbody\n" for name in NAMES}, plugins=())
    topic = {name: str(home.memories / name) for name in (*NAMES, "gone.md")}
    turns = [
        ask(("read_file", {"path": topic["部署.md"]}), ("read_file", {"path": topic["gone.md"]})),
        ask(("terminal", {"command": f"cat {topic['deploy.md']}"}), ("read_file", {"path": topic["deploy.md"]})),
        ask(("patch", {"mode": "replace", "path": topic["x.md"], "old_string": "body", "new_string": "new"})),
        ask(("search_files", {"pattern": "body", "path": topic["postgres.md"]})),
        ask(("terminal", {"command": f"cat {topic['java.md']} && exit 3"})),
        say("done"),
    ]
    session(host, home, turns)
    topics = Topics((str(home.memories),), frozenset(topic))
    state = home.path / "state.db"
    found = scan(state, Watermark(), topics, read_call)
    assert [use.name for use in found.uses] == ["部署.md", "deploy.md"]
    session(host, home, [ask(("read_file", {"path": topic["x.md"]})), say("done")])
    assert [use.name for use in scan(state, found.watermark, topics, read_call).uses] == ["x.md"]
