"""What a plugin is told by both hosts, written down by the probe plugin."""

import json
from pathlib import Path

from hosts.endpoint import ask, say
from hosts.harness import PROBE, Home, Host, make_home, plugin_call, session

INDEX = {"MEMORY.md": "a,b → topic-x.md\n§\nc,d → topic-y.md", "topic-x.md": "hello x\n", "topic-y.md": "hello y\n"}
WHO = {"task_id", "session_id", "tool_call_id", "turn_id", "api_request_id", "telemetry_schema_version"}
OUTCOME = {"result", "status", "duration_ms", "error_type", "error_message"}


def probed(folder: Path) -> Home:
    return make_home(folder, INDEX, plugins=[PROBE])


def order(home: Home, tool: str) -> list[str]:
    return [call["hook"] for call in home.hooks() if call.get("tool_name") == tool]


def terminal(command: str, **more: object) -> tuple[str, dict[str, object]]:
    return "terminal", {"command": command, **more}


def test_order_and_arguments_of_hooks(host: Host, tmp_path: Path) -> None:
    """Around one call the hooks come in an order of each host's own, with the same keyword arguments on both."""
    home = probed(tmp_path)
    add = ("memory", {"action": "add", "target": "memory", "content": "new"})
    done = session(host, home, [ask(add), ask(terminal("echo hi")), say("done")])
    pre, post, transform = "pre_tool_call", "post_tool_call", "transform_tool_result"
    asked = ["tool_request", pre]
    assert order(home, "memory") == [*asked, post, *([transform] if host.defers else [])]
    assert order(home, "terminal") == [*asked, *([transform, post] if host.defers else [post, transform])]
    facts = {call["hook"]: call.keys() - {"hook", "thread"} for call in home.hooks()}
    assert facts[pre] == WHO | {"tool_name", "args", "middleware_trace"}
    assert facts[post] == WHO | OUTCOME | {"tool_name", "args", "middleware_trace"}
    assert facts[transform] == WHO | OUTCOME | {"tool_name", "args"}
    assert facts["tool_request"] == WHO | {"tool_name", "args", "original_args", "middleware_schema_version"}
    assert done.user == "Go on.\n\ncontext from the probe"


def test_verdicts(host: Host, tmp_path: Path) -> None:
    """A block is the tool result; approve passes under --yolo; an exception blocks on 0.22 and is nothing on 0.19."""
    home = probed(tmp_path)
    words = ("BLOCK-ME", "ASK-ME", "TRANSFORM-ME", "RAISE-ME")
    done = session(host, home, [*(ask(terminal(f"echo {word}")) for word in words), say("done")])
    blocked, asked, transformed, raised = done.results
    assert blocked.data == {"error": "blocked by the probe"}
    assert (asked.data["output"], transformed.text) == ("ASK-ME", "transformed by the probe")
    assert ("error" in raised.data and "RuntimeError: raised" in str(raised.data["error"])) is host.defers
    statuses = [call["status"] for call in home.hooks("post_tool_call")]
    assert statuses == ["blocked", "ok", "ok", "blocked" if host.defers else "ok"]


def test_approval_without_a_human(host: Host, tmp_path: Path) -> None:
    """Without --yolo nobody answers, and a call that needs approval is blocked."""
    home = probed(tmp_path)
    done = session(host, home, [ask(terminal("echo ASK-ME > made")), say("done")], yolo=False)
    assert done.results[0].data["error"].startswith("BLOCKED: ")
    assert not (home.work / "made").exists()
    assert [call["status"] for call in home.hooks("post_tool_call")] == ["blocked"]


def test_parallel_reads(host: Host, tmp_path: Path) -> None:
    """Reads of one turn run side by side: every pre hook comes first; a middleware may turn bare names into paths."""
    home = probed(tmp_path)
    names = ("topic-x.md", "topic-y.md", "nowhere.md")
    done = session(host, home, [ask(*(("read_file", {"path": name}) for name in names)), say("done")])
    hooks = [call["hook"] for call in home.hooks("pre_tool_call", "post_tool_call")]
    assert hooks == ["pre_tool_call"] * 3 + ["post_tool_call"] * 3
    paths = {call["args"]["path"] for call in home.hooks("pre_tool_call")}
    assert paths == {*(str(home.memories / name) for name in names[:2]), "nowhere.md"}
    x, _, nowhere = (result.data for result in done.results)
    assert (x["content"].split("\n")[0], x["total_lines"], "error" in x) == ("1|hello x", 1, False)
    assert nowhere["error"].startswith("File not found: ")
    assert sorted(call["status"] for call in home.hooks("post_tool_call")) == ["error", "ok", "ok"]


CODE = """
from hermes_tools import write_file, terminal
write_file("made.txt", "by a script")
terminal("echo inner")
kept = 41
"""


def test_calls_from_inside_a_script(host: Host, tmp_path: Path) -> None:
    """Calls of a script reach the hooks without ids, on 0.22 without post; only 0.22 keeps state between scripts."""
    home = probed(tmp_path)
    done = session(
        host, home, [ask(("execute_code", {"code": CODE})), ask(("execute_code", {"code": "kept"})), say("")]
    )
    inner = [call for call in home.hooks() if call.get("tool_name") in ("write_file", "terminal")]
    assert {(call["session_id"], call["tool_call_id"]) for call in inner} == {("", "")}
    assert ("post_tool_call" in {call["hook"] for call in inner}) is not host.defers
    assert [result.data["status"] == "success" for result in done.results] == [True, host.defers]


def test_terminal_results(host: Host, tmp_path: Path) -> None:
    """The shell keeps its folder, which only 0.22 names; a background process gives its pid at once."""
    home = probed(tmp_path)
    calls = (terminal("mkdir sub && cd sub"), terminal("pwd; exit 3"), terminal("true", background=True))
    moved, failed, started = (r.data for r in session(host, home, [*map(ask, calls), say("done")]).results)
    assert moved.get("cwd") == (str(home.work / "sub") if host.defers else None)
    assert failed == {"output": str(home.work / "sub"), "exit_code": 3, "error": None}
    assert isinstance(started["pid"], int)
    assert started["session_id"].startswith("proc_")
    assert home.hooks("post_tool_call")[1]["status"] == ("error" if host.defers else "ok")


def test_tools_of_plugins(host: Host, tmp_path: Path) -> None:
    """A plugin's tool is called by name on 0.19 and through tool_call on 0.22, where hooks see the inner name."""
    home = probed(tmp_path)
    wrong = ("memory", {"action": "add", "target": "memory", "content": 5})
    done = session(host, home, [ask(plugin_call(host, "probe_note", {"text": "t"})), ask(wrong), say("done")])
    assert done.results[0].data == {"heard": "t"}
    assert ("probe_note" in done.lane("main")[0].tools) is not host.defers
    assert "memory" in done.lane("main")[0].tools
    assert [call["tool_name"] for call in home.hooks("post_tool_call")] == ["probe_note"]
    # A call that raises inside the memory tool gets a pre hook and no post hook.
    assert done.results[1].text.startswith("Error executing tool: ")
    assert order(home, "memory") == ["tool_request", "pre_tool_call"]


def test_rows_of_a_session(host: Host, tmp_path: Path) -> None:
    """state.db holds a row a message; on 0.22 a plugin tool is tool_call in the call and itself in the result."""
    home = probed(tmp_path)
    session(host, home, [ask(plugin_call(host, "probe_echo", {"text": "t"})), say("done")], prompt="Say t.")
    rows = home.rows("SELECT * FROM messages ORDER BY id")
    assert [row["role"] for row in rows] == ["user", "assistant", "tool", "assistant"]
    call = json.loads(rows[1]["tool_calls"])[0]
    assert call["function"]["name"] == ("tool_call" if host.defers else "probe_echo")
    assert (rows[2]["tool_name"], rows[2]["tool_call_id"]) == ("probe_echo", call["id"])
    # What a hook adds to the user's message is kept apart from what the user said.
    assert (rows[0]["content"], rows[0]["api_content"]) == ("Say t.", "Say t.\n\ncontext from the probe")
