"""`doctor --live` against programs that play a host: what it says, and how the host's interpreter is found."""

from __future__ import annotations

import os
import sys
import textwrap
from pathlib import Path

import pytest
from cli_tools import Demo, demo
from memory_shaper.cli import hosting
from memory_shaper.cli.live.verdict import Proof, Seen, Signs, judged

REFUSAL = '{"error": "memory-shaper: refused (index-write), nothing was written."}'
# A host without plugins: it asks its model, makes the calls, and writes what it is told to write.
HOST = """
import json, os, sys, urllib.request
home = os.environ["HERMES_HOME"]
url = json.load(open(os.path.join(home, "config.yaml")))["model"]["base_url"] + "/chat/completions"
tools = [{"type": "function", "function": {"name": name}} for name in ("write_file", "memory")]
messages = [{"role": "user", "content": sys.argv[3]}]
def ask(**more):
    body = json.dumps({"messages": messages, **more}).encode()
    return urllib.request.urlopen(urllib.request.Request(url, body)).read().decode()
ask(stream=True)  # a title
while calls := json.loads(ask(tools=tools))["choices"][0]["message"].get("tool_calls"):
    for call in calls:
        arguments = json.loads(call["function"]["arguments"])
        RESULT
        messages += [{"role": "assistant", "tool_calls": [call]}]
        messages += [{"role": "tool", "tool_call_id": call["id"], "content": result}]
"""
WRITES = (
    """open(os.path.join(home, "memories", "MEMORY.md"), "w").write(arguments["content"]); result = '{"ok": true}'"""
)
REFUSES = f"result = {REFUSAL!r}"


def playing(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> Path:
    """A `hermes` command on the path, beside no other."""
    program = folder / "bin" / "hermes"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\n{textwrap.dedent(body)}", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(folder / "elsewhere" / "python"))
    monkeypatch.setenv("PATH", str(program.parent))
    return program


def live(home: Demo) -> tuple[object, dict[str, str]]:
    """What doctor has proved, and the finding."""
    data = home.say("doctor", "--live", "--json").json
    return data["enforced"], next(row for row in data["checks"] if row["check"] == "live")


@pytest.mark.parametrize(
    ("result", "enforced", "message"),
    [(WRITES, False, "the host did not load the plugin"), (REFUSES, True, "refused write_file and memory")],
)
def test_a_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, result: str, enforced: bool, message: str) -> None:
    """Only what the model was told and what the index is afterwards count; the home itself stays as it is."""
    home = demo(tmp_path)
    program = playing(tmp_path, monkeypatch, HOST.replace("RESULT", result))
    before = home.files()
    data = home.say("doctor", "--live", "--json").json
    proved, row = data["enforced"], next(row for row in data["checks"] if row["check"] == "live")
    assert "guard-enforced" not in {one["check"] for one in data["checks"]}  # the trial has answered that
    assert proved is enforced and message in row["message"], row
    assert str(program) in row["message"] or sys.executable in row["message"] or "unknown version" in row["message"]
    assert home.files() == before


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("import sys; sys.exit('no such command: chat')", "ended with 1: no such command: chat"),
        ("pass", "made no call"),
    ],
)
def test_a_host_that_runs_no_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, message: str) -> None:
    """Nothing was shown, and the reason is what the host said last."""
    playing(tmp_path, monkeypatch, body)
    proved, row = live(demo(tmp_path))
    assert (proved, row["state"]) == (None, "problem")
    assert message in row["message"]


def test_no_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a host on the path that is said, and how to name the one that is there."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    proved, row = live(demo(tmp_path))
    assert proved is None and str(row["command"]).startswith('PATH="$PATH:/FOLDER/OF/HERMES" memory-shaper doctor')
    assert "put your `hermes` on the PATH" in row["message"]


def test_a_config_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A trial with other settings than those of the home would show nothing."""
    playing(tmp_path, monkeypatch, "raise SystemExit('started')")
    home = demo(tmp_path)
    (home.path / "config.yaml").write_text("plugins: [\n", encoding="utf-8")
    proved, row = live(home)
    assert proved is None and "config unreadable" in row["message"]


@pytest.mark.parametrize(
    ("signs", "whole", "why"),
    [
        (Signs(), False, "the host did not load the plugin"),
        (Signs(loaded=True), False, "the host loaded the plugin and called none of its hooks before a tool"),
        (Signs(True, True), False, "the guard let the call pass"),
        (Signs(True, True, frozenset({"memory"})), False, "the guard refused, and the host made the call all the same"),
        (Signs(True, True, frozenset({"memory"})), True, "all the same; the damage was put back afterwards"),
    ],
)
def test_why_not(signs: Signs, whole: bool, why: str) -> None:
    """The reason is read off what the plugin noted; a repair afterwards is told, and is no protection."""
    proof = judged([Seen("write_file", REFUSAL, True), Seen("memory", "{}", whole)], signs, "")
    assert (proof.enforced, proof.reason.endswith(why)) == (False, True), proof


def test_a_refusal_beside_a_changed_file_is_none() -> None:
    """Words alone do not count."""
    assert judged([Seen("memory", REFUSAL, False)], Signs(True, True), "").enforced is False
    assert judged([], Signs(), "it broke") == Proof(None, "it broke")


@pytest.mark.parametrize(
    "first",
    ["#!{python}", "#!/usr/bin/env {name}", "#!/bin/sh\n'''exec' \"{python}\" \"$0\" \"$@\"\n' '''", "#!/bin/bash\n"],
)
def test_the_hosts_interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str) -> None:
    """In the first line of the command, behind env, in the second line of a long path, or beside it in its environment."""
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    (tmp_path / "pyvenv.cfg").touch()
    program = python.parent / "hermes"
    for path in (python, program):
        path.write_text(first.format(python=python, name=python.name) + "\n", encoding="utf-8")
        path.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "elsewhere" / "python"))
    monkeypatch.setenv("PATH", str(python.parent) + os.pathsep + "/bin")
    assert hosting.executable() == str(program)
    found = hosting.interpreter()
    assert found == python and hosting.is_other(found)
