"""`memory-shaper hook`: the guard for hosts that run commands as hooks, each call a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tools import CANONICAL, PACKAGE, Place


def hook(event: dict[str, Any] | str, *args: str, home: Path) -> subprocess.CompletedProcess[str]:
    text = event if isinstance(event, str) else json.dumps(event)
    env = {**os.environ, "PYTHONPATH": str(PACKAGE), "HOME": str(home), "XDG_STATE_HOME": str(home / "state")}
    command = [sys.executable, "-m", "memory_shaper", "hook", *args]
    return subprocess.run(command, input=text, capture_output=True, text=True, env=env, check=False)


def bash(name: str, command: str, **more: Any) -> dict[str, Any]:
    fields = {"hook_event_name": name, "tool_name": "Bash", "tool_input": {"command": command}}
    return fields | {"session_id": "s", "cwd": "/", **more}


def test_a_write_is_denied_in_the_shape_of_claude_code(home: Place) -> None:
    """A PreToolUse event that would write the index is answered with a denial and its reason."""
    done = hook(bash("PreToolUse", f"echo x > {home.home.index}"), home=home.home.path.parent)
    told = json.loads(done.stdout)["hookSpecificOutput"]
    assert (done.returncode, told["permissionDecision"]) == (0, "deny")
    assert "every entry kept" in told["permissionDecisionReason"]


def test_a_write_is_blocked_in_the_shape_of_hermes(home: Place) -> None:
    """A pre_tool_call event gets both forms of a block that Hermes reads."""
    told = json.loads(hook(bash("pre_tool_call", f"rm {home.home.index}"), home=home.home.path.parent).stdout)
    assert (told["action"], told["decision"]) == ("block", "block") and told["message"] == told["reason"]


def test_what_needs_a_word_is_asked(home: Place) -> None:
    """A write to a critical topic asks the human where the host can ask."""
    event = {
        "hook_event_name": "PreToolUse",
        "tool_name": "Write",
        "tool_input": {"file_path": str(home.memories / "how-to-write-memories.md"), "content": "x"},
    }
    told = json.loads(hook(event, home=home.home.path.parent).stdout)["hookSpecificOutput"]
    assert told["permissionDecision"] == "ask"


@pytest.mark.parametrize("command", ["cat {index}", "ls -la", "echo 'a > MEMORY.md'"])
def test_a_harmless_call_is_answered_with_silence(home: Place, command: str) -> None:
    """Nothing is printed where there is nothing to say."""
    event = bash("PreToolUse", command.format(index=home.home.index))
    done = hook(event, home=home.home.path.parent)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_damage_is_put_back_after_the_call(home: Place) -> None:
    """A PostToolUse event restores what the call has broken and tells the model."""
    user = home.home.path.parent
    hook(bash("PreToolUse", "make all"), home=user)
    home.home.index.write_text("oops", "utf-8")
    told = json.loads(hook(bash("PostToolUse", "make all", tool_response={}), home=user).stdout)
    assert "put back" in told["hookSpecificOutput"]["additionalContext"] and home.text() == CANONICAL


def test_any_folder_can_be_guarded(home: Place) -> None:
    """`--memdir` guards a folder outside of any Hermes home; nothing but the lock is left in it."""
    user = home.home.path.parent
    before = sorted(home.memories.iterdir())
    lock = home.home.index.with_name("MEMORY.md.lock")
    event = bash("PreToolUse", f"truncate -s0 {home.home.index}")
    assert "deny" in hook(event, "--memdir", str(home.memories), home=user).stdout
    assert sorted({*home.memories.iterdir()} - {lock}) == before and list((user / "state").rglob("record.db"))


@pytest.mark.parametrize("text", ["", "[", "[1]", "null", '{"tool_name": 3, "tool_input": null}'])
def test_input_that_is_no_event_is_no_traceback(home: Place, text: str) -> None:
    """Nonsense is refused in one line, and an event without a name is left alone."""
    done = hook(text, home=home.home.path.parent)
    assert done.returncode in (0, 2) and "Traceback" not in done.stderr and not done.stdout
