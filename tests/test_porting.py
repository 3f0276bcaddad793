"""docs/porting.md says what is so: its snippets parse, its commands exist, its sample events get its answers."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from memory_shaper.cli import VERBS
from memory_shaper.cli.parsing import parse
from tools import CANONICAL, PACKAGE, REPOSITORY, TOPICS

PAGE = (REPOSITORY / "docs" / "porting.md").read_text("utf-8")
PLUGIN = REPOSITORY / "examples" / "openclaw" / "memory-shaper.mjs"
CONFIGS, EVENTS, SAID = (
    [json.loads(found) for found in re.findall(rf"```json{kind}\n(.*?)```", PAGE, re.DOTALL)]
    for kind in ("", " event", " answer")
)


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """A user's folder with the memory of the page, and the command on the path."""
    folder = tmp_path / "notes" / "memory"
    folder.mkdir(parents=True)
    for name in TOPICS:
        (folder / name).write_text(f"# {name}\n", "utf-8")
    (folder / "MEMORY.md").write_text(CANONICAL, "utf-8")
    program = tmp_path / "bin" / "memory-shaper"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m memory_shaper "$@"\n', "utf-8")
    program.chmod(0o755)
    return tmp_path


def environment(user: Path) -> dict[str, str]:
    path = os.pathsep.join([str(user / "bin"), os.environ["PATH"]])
    return {"HOME": str(user), "XDG_STATE_HOME": str(user / "state"), "PYTHONPATH": str(PACKAGE), "PATH": path}


def commands(value: object) -> Iterator[list[str]]:
    """Every command of a configuration, as words."""
    if isinstance(value, dict):
        if "command" in value:
            yield [*shlex.split(value["command"]), *value.get("args", ())]
        for inner in value.values():
            yield from commands(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from commands(inner)


def run(command: str, event: dict[str, Any], user: Path) -> dict[str, Any]:
    """Put an event to a command as a host does, by a shell."""
    done = subprocess.run(
        command, shell=True, input=json.dumps(event), capture_output=True, text=True, env=environment(user), check=True
    )
    return json.loads(done.stdout) if done.stdout else {}


def matches(documented: Any, said: Any) -> bool:
    """Whether an answer is the documented one, whose texts may end in an ellipsis."""
    if isinstance(documented, dict):
        return documented.keys() == said.keys() and all(matches(value, said[key]) for key, value in documented.items())
    if isinstance(documented, str) and documented.endswith("…"):
        return bool(said.startswith(documented[:-1]))
    return bool(documented == said)


def test_the_page_has_all_its_parts() -> None:
    """There are two configurations each for two hosts, one for the third, and two sample events with answers."""
    assert (len(CONFIGS), len(EVENTS), len(SAID)) == (5, 2, 2)


@pytest.mark.parametrize("words", [words for config in CONFIGS for words in commands(config)], ids=" ".join)
def test_the_commands_exist(words: list[str]) -> None:
    """Every command of the page is a verb of ours with options that it knows."""
    program, verb, *rest = words
    assert program == "memory-shaper"
    assert parse(VERBS[verb], rest)["memdir"] == "~/notes/memory"


@pytest.mark.parametrize(("event", "answer"), [*zip(EVENTS, SAID, strict=True)], ids=["Claude Code", "OpenHands"])
def test_sample_events_get_their_answers(event: dict[str, Any], answer: dict[str, Any], user: Path) -> None:
    """The documented event, put to the documented command by a shell, gets the documented answer."""
    assert matches(answer, run("memory-shaper hook --memdir ~/notes/memory", event, user))


def test_openhands_is_told_what_was_put_back(user: Path) -> None:
    """After a call that broke the index OpenHands' model reads what was done, and a harmless call is silent."""
    index = user / "notes" / "memory" / "MEMORY.md"
    event = {"tool_name": "terminal", "tool_input": {"command": "make"}, "session_id": "s", "working_dir": "/"}
    command = "memory-shaper hook --memdir ~/notes/memory"
    assert run(command, {"event_type": "PreToolUse", **event}, user) == {}
    index.write_text("oops", "utf-8")
    said = run(command, {"event_type": "PostToolUse", "tool_response": {}, **event}, user)
    assert "put back" in said["additionalContext"]
    assert index.read_text("utf-8") == CANONICAL


def test_openhands_cannot_ask(user: Path) -> None:
    """What needs the user's word is refused where the host cannot ask."""
    path = "~/notes/memory/how-to-write-memories.md"
    event = {"event_type": "PreToolUse", "tool_name": "file_editor", "session_id": "s", "working_dir": "/"}
    event["tool_input"] = {"command": "create", "path": path, "file_text": "x"}  # type: ignore[assignment]
    assert run("memory-shaper hook --memdir ~/notes/memory", event, user)["decision"] == "deny"


_REMEMBER = """
import sys
from pathlib import Path
from memory_shaper import serving
from memory_shaper.guard.guard import Guard
from memory_shaper.settings import home_of_folder
guard = Guard.of(home_of_folder(Path(sys.argv[1])))
words = ["boiler", "heating", "service", "jansen", "march"]
reply = serving.call(guard, "memory_remember", {"text": "Serviced in March.", "topic": "boiler", "keywords": words})
sys.exit(reply.text if reply.failed else 0)
"""


def test_the_guard_lets_the_tools_work(user: Path) -> None:
    """A line that memory_remember adds, in the server's own process, is silently accepted by the guard's hooks."""
    memory = user / "notes" / "memory"
    call = {
        "tool_name": "mcp__memory__memory_remember",
        "tool_input": {"text": "x", "topic": "boiler"},
        "session_id": "s",
    }
    command = "memory-shaper hook --memdir ~/notes/memory"
    assert run(command, {"hook_event_name": "PreToolUse", "cwd": "/", **call}, user) == {}
    subprocess.run([sys.executable, "-c", _REMEMBER, str(memory)], env=environment(user), check=True)
    assert run(command, {"hook_event_name": "PostToolUse", "cwd": "/", "tool_response": {}, **call}, user) == {}
    assert "→ boiler.md" in (memory / "MEMORY.md").read_text("utf-8")


_DRIVER = """
import entry from "./plugin.mjs";
const hooks = {};
entry.register({ on: (name, hook) => { hooks[name] = hook; } });
const calls = JSON.parse(process.argv[2]);
const said = [];
for (const params of calls) {
  said.push((await hooks.before_tool_call({ toolName: "write", params, toolCallId: "c" }, { sessionId: "s" })) ?? null);
}
await hooks.after_tool_call({ toolName: "write", params: calls[0] }, { sessionId: "s" });
console.log(JSON.stringify(said));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_the_plugin_for_openclaw(user: Path) -> None:
    """The plugin blocks a write of the index, asks for a critical topic, and lets any other call pass."""
    helper = user / "node_modules" / "openclaw"
    helper.mkdir(parents=True)
    (helper / "package.json").write_text(
        json.dumps({"name": "openclaw", "type": "module", "exports": {"./plugin-sdk/plugin-entry": "./entry.js"}})
    )
    (helper / "entry.js").write_text("export const definePluginEntry = (entry) => entry;\n")
    shutil.copy(PLUGIN, user / "plugin.mjs")
    (user / "driver.mjs").write_text(_DRIVER)
    memory = user / "notes" / "memory"
    calls = [{"path": str(memory / name), "content": "x"} for name in ("MEMORY.md", TOPICS[0], "other.md")]
    command = ["node", "driver.mjs", json.dumps(calls)]
    done = subprocess.run(command, cwd=user, capture_output=True, text=True, env=environment(user), check=True)
    blocked, asked, passed = json.loads(done.stdout)
    assert blocked["block"] is True and blocked["blockReason"].startswith("memory-shaper")
    assert asked["requireApproval"]["severity"] == "warning"
    assert passed is None
