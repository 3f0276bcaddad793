"""Sub-agents, the background review, write approval and the commands of a person."""

import json
from pathlib import Path

from hosts.endpoint import Script, ask, say
from hosts.harness import LINGER, PROBE, Host, hermes, make_home, plugin_call, session

INDEX = {"MEMORY.md": "a,b → topic-x.md\n§\nc,d → topic-y.md"}
REMOVE = ("memory", {"action": "remove", "target": "memory", "old_text": "c,d"})


def test_sub_agent(host: Host, tmp_path: Path) -> None:
    """A sub-agent has a session of its own, the file tools, and no tool of toolset `memory`."""
    home = make_home(tmp_path, INDEX, plugins=[PROBE])
    write = ("write_file", {"path": "made.txt", "content": "by a child"})
    script = Script(
        main=[ask(("delegate_task", {"goal": "Do it."})), say("done", after="child")], child=[ask(write), say("did")]
    )
    done = session(host, home, script)
    assert done.endpoint.results("child")[0].data["bytes_written"] == 10
    assert "memory" not in done.lane("child")[0].tools
    sources = {row["source"]: row["parent_session_id"] for row in home.rows("SELECT * FROM sessions")}
    assert sources == {
        "oneshot" if host.defers else "cli": None,
        "subagent": home.hooks("pre_tool_call")[0]["session_id"],
    }
    assert home.hooks("subagent_start")[0]["child_goal"] == "Do it."


def test_background_review(host: Host, tmp_path: Path) -> None:
    """The review works in the parent's session with memory tools; 0.22 only stages its removals.

    0.22 keeps its list of allowed tools per thread and runs each call in another one, so its review reaches every tool.
    """
    home = make_home(tmp_path, INDEX, plugins=[PROBE, LINGER], config={"memory": {"nudge_interval": 1}})
    add = ("memory", {"action": "add", "target": "memory", "content": "Prose of the review."})
    tools = [
        ask(add),
        ask(REMOVE),
        ask(("write_file", {"path": "made.txt", "content": "x"})),
        ask(plugin_call(host, "probe_note", {"text": "t"})),
    ]
    done = session(host, home, Script(main=[say("done")], review=[*tools, say("Nothing more.")]))
    added, removed, written, noted = done.endpoint.results("review")
    assert (added.data["success"], removed.data["success"], noted.data) == (True, True, {"heard": "t"})
    assert removed.data.get("proposal_staged", False) is host.defers
    assert ("c,d" in home.index.read_text()) is host.defers
    assert ("denied" in written.text) is not host.defers
    assert len({call["session_id"] for call in home.hooks()}) == 1


def test_write_approval(host: Host, tmp_path: Path) -> None:
    """With write approval on, 0.19 asks the human and is denied, 0.22 stages with the entry that it found."""
    home = make_home(tmp_path, INDEX, plugins=(), config={"memory": {"write_approval": True}})
    answer = session(host, home, [ask(REMOVE), say("done")]).results[0].data
    assert (answer["success"], home.index.read_text()) == (host.defers, INDEX["MEMORY.md"])
    pending = [json.loads(file.read_text()) for file in home.path.glob("pending/memory/*.json")]
    assert [one["payload"]["matched_entry"] for one in pending] == ["c,d → topic-y.md"] * host.defers
    assert [one["id"] for one in pending] == [answer[key] for key in ("pending_id",) if host.defers]


def test_commands(host: Host, tmp_path: Path) -> None:
    """Commands need no model: a copied plugin is listed as enabled, and a reset unlinks the index."""
    home = make_home(tmp_path, INDEX, plugins=[PROBE])
    listed = json.loads(hermes(host, home, "plugins", "list", "--json").out)
    assert [plugin["status"] for plugin in listed if plugin["name"] == "probe"] == ["enabled"]
    assert hermes(host, home, "memory", "reset", "--yes").code == 0
    assert not home.index.exists()
