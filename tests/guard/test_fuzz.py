"""Anything at all as arguments: no hook ever raises, and large calls are judged in time that grows with their size."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from guard_tools import Sandbox
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper import plugin

HOOKS = (
    plugin.on_pre_tool_call,
    plugin.on_tool_request,
    plugin.on_post_tool_call,
    plugin.on_transform_tool_result,
    plugin.on_pre_llm_call,
    plugin.on_session,
)
TOOLS = (
    "memory terminal execute_code write_file patch process read_file tool_call delete_file mcp_fs_move unknown "
    "memory_remember cronjob delegate_task"
).split()
NAMES = (
    "path file_path command code content old_text new_text action target operations mode patch old_string new_string "
    "workdir data session_id name arguments calls text topic keywords language uri destination"
).split()
WORDS = (
    "MEMORY.md",
    "add",
    "remove",
    "replace",
    "memory",
    "user",
    "\ud800",
    "\x00",
    "~",
    "$HERMES_HOME/memories",
    "§",
    "",
)

texts = st.text() | st.sampled_from(WORDS) | st.characters(categories=["Cs"])
scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts | st.binary()
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts | st.integers(), inner, max_size=4)
)
arguments = values | st.dictionaries(st.sampled_from(NAMES), values, max_size=6)


class Faults(logging.Handler):
    """What our loggers say is wrong."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.seen: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.seen.append(record.getMessage())


@pytest.fixture
def faults() -> Iterator[list[str]]:
    """The faults that our loggers tell of while a test runs."""
    handler = Faults()
    logger = logging.getLogger("memory_shaper")
    logger.addHandler(handler)
    yield handler.seen
    logger.removeHandler(handler)


def check_hooks(tool: Any, args: Any, result: Any, session: Any = "s", call: Any = "c") -> None:
    """Every hook takes it, and the first one gives an answer of the right shape."""
    fields = {"tool_name": tool, "args": args, "result": result, "session_id": session, "tool_call_id": call}
    answers = [hook(**fields, unknown=1) for hook in HOOKS]
    assert answers[0] is None or answers[0]["action"] in ("block", "approve")


@given(st.sampled_from(TOOLS), arguments, values)
def test_any_arguments(sandbox: Sandbox, tool: str, args: Any, result: Any) -> None:
    """Arguments and results of any JSON-like kind go through every hook; what is refused leaves the index alone."""
    before = sandbox.text()
    check_hooks(tool, args, result)
    assert sandbox.text() == before


@given(values, values, values, values)
def test_any_fields(sandbox: Sandbox, tool: Any, session: Any, call: Any, args: Any) -> None:
    """Even the names that the host gives may be anything."""
    check_hooks(tool, args, "{}", session, call)


def nested(depth: int, inner: Any = "x") -> Any:
    """A list in a table in a list …"""
    for number in range(depth):
        inner = {"path": inner} if number % 2 else [inner]
    return inner


BIG = "x" * 10_000_000
LARGE: dict[str, Any] = {
    "deep": nested(10_000),
    "deep operations": {"target": "memory", "operations": nested(10_000)},
    "deep JSON": {"target": "memory", "operations": "[" * 10_000},
    "deep code": {"code": "(" * 10_000 + ")" * 10_000, "command": "(" * 10_000},
    "big content": {"path": "/tmp/x", "content": BIG, "action": "add", "target": "memory"},
    "big command": {"command": BIG, "code": BIG},
    "big path": {"path": BIG, "file_path": [BIG]},
    "big list": {"path": ["a"] * 100_000, "operations": [{"action": "add", "content": "x"}] * 20_000},
    "wide": {str(number): number for number in range(100_000)},
}


@pytest.mark.parametrize("args", LARGE.values(), ids=LARGE)
def test_large_arguments(sandbox: Sandbox, args: Any, faults: list[str]) -> None:
    """Deep and large arguments go through every hook for every kind of tool, without a fault of ours."""
    for tool in TOOLS:
        check_hooks(tool, args, "{}")
    assert faults == []


@pytest.mark.parametrize("result", [BIG, nested(10_000), "[" * 100_000, {"pid": -1, "cwd": 5}, {"pid": 10**30}])
def test_large_results(sandbox: Sandbox, result: Any) -> None:
    """A result of any size or kind is looked at without a fault; a note in it leaves the rest as it was."""
    check_hooks("terminal", {"command": "true"}, result)
    plugin.guard().watch.tell("note")
    told = plugin.on_transform_tool_result(
        tool_name="terminal", args={}, result="[1]", session_id="s", tool_call_id="c"
    )
    assert told == "[1]\nnote"


def test_the_end_of_a_large_command_counts(sandbox: Sandbox) -> None:
    """A write of the index at the end of 200 kB of shell, or of 2 MB of content, is refused (C10)."""
    command = "echo some words here; " * 9_000 + f"echo x > {sandbox.index}"
    assert sandbox.terminal(command).action == "block"
    big = {"path": str(sandbox.index), "content": "x" * 2_000_000}
    assert sandbox.call("write_file", big).action == "block"
    assert json.loads(sandbox.call("write_file", big).result)["error"].startswith("memory-shaper:")
