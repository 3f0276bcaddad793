"""What leaves the guard for logs holds no text of a call, and no file is more open than the index."""

from __future__ import annotations

import json
import logging
import os
import stat
from typing import Any

import pytest
from guard_tools import Sandbox
from tools import ENTRIES

KEY = "sk-SECRETxyz1234567890SECRETxyz"
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("memory", {"target": "memory", "action": "add", "content": f"my key is {KEY}"}),
    ("memory", {"target": "memory", "action": "add", "content": f"{KEY},b,c,d,e → gone.md"}),
    ("memory", {"target": "memory", "action": "add", "content": f"a,b,c,d,e → {KEY}.md"}),
    ("memory", {"target": "memory", "action": "replace", "old_text": KEY, "content": KEY}),
    ("memory", {"target": "memory", "action": "remove", "old_text": KEY}),
    ("memory", {"target": KEY, "action": "add", "content": "x"}),
    ("memory", {"target": "memory", "operations": [{"action": "add", "content": f"{KEY} {KEY}"}]}),
    (
        "memory",
        {
            "target": "memory",
            "action": "replace",
            "old_text": ENTRIES[0],
            "content": f"!!{KEY},a,b,c,d → how-to-write-memories.md",
        },
    ),
    ("write_file", {"path": "{INDEX}", "content": KEY}),
    ("terminal", {"command": f"echo {KEY} > {{INDEX}}"}),
    ("execute_code", {"code": f"open('{{INDEX}}', 'w').write('{KEY}')"}),
    ("terminal", {"command": f"hermes config set api_key {KEY}"}),
]


@pytest.mark.parametrize(("tool", "args"), CALLS)
def test_no_text_of_a_call_reaches_a_log(
    sandbox: Sandbox, caplog: pytest.LogCaptureFixture, tool: str, args: dict[str, Any]
) -> None:
    """Neither our log records nor the first 200 characters of a refusal, which hosts log, hold what a call says (J8)."""
    caplog.set_level(logging.DEBUG)
    filled = json.loads(json.dumps(args).replace("{INDEX}", str(sandbox.index)))
    for _ in range(3):
        done = sandbox.call(tool, filled)
        assert done.action in ("block", "approve")
        head = json.dumps({"error": done.answer["message"]}, ensure_ascii=False)[:200]
        assert "SECRET" not in head
        assert str(sandbox.root) not in head
    assert caplog.records
    assert "SECRET" not in caplog.text
    assert str(sandbox.root) not in "".join(record.getMessage() for record in caplog.records)


@pytest.mark.parametrize("mode", [0o660, 0o600])
def test_mode_of_the_index_is_kept(sandbox: Sandbox, mode: int) -> None:
    """An edit of ours keeps the mode of the index; files of ours are for their owner alone (J5)."""
    sandbox.index.chmod(mode)
    sandbox.memories.chmod(0o700)
    sandbox.index.write_text(sandbox.text().replace("\n§\n", "\n"), encoding="utf-8")
    from memory_shaper import plugin

    args = {"target": "memory", "action": "remove", "old_text": ENTRIES[2]}
    assert plugin.on_pre_tool_call(tool_name="memory", args=args, session_id="s", tool_call_id="c") is None
    assert "\n§\n" in sandbox.text()  # brought into the form that the host does not erase
    assert stat.S_IMODE(sandbox.index.stat().st_mode) == mode
    assert stat.S_IMODE(sandbox.memories.stat().st_mode) == 0o700
    for folder, _, names in os.walk(sandbox.home.data):
        assert all(stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode) & 0o077 == 0 for name in names)
        assert stat.S_IMODE(os.stat(folder).st_mode) & 0o077 == 0


CONFIG = "model: {default: m}\nplugins:\n  enabled: [memory-shaper]\napprovals:\n  mode: manual\n"
CHANGES = {
    "model: {default: m}": ("model: {default: n}", "allow"),
    "  enabled: [memory-shaper]": ("  enabled: []", "approve"),
    "  mode: manual": ("  mode: off", "approve"),
    "approvals:\n": ("approvals:\n  single_query_mode: off\n", "approve"),
    "plugins:\n": ("command_allowlist: ['plugin_rule:x']\nplugins:\n", "approve"),
    "  mode: manual\n": ("  mode: 'manual'  # as before\n", "allow"),
    "model: ": ("model: [", "approve"),
    "not in it": ("anything", "approve"),
}


@pytest.mark.parametrize(("old", "change"), CHANGES.items())
def test_writes_to_the_settings_of_the_host(sandbox: Sandbox, old: str, change: tuple[str, str]) -> None:
    """A file tool may change config.yaml as long as plugins, approvals and the allow list stay as they are."""
    new, wanted = change
    path = sandbox.home.config
    path.write_text(CONFIG, encoding="utf-8")
    patch = {"mode": "replace", "path": str(path), "old_string": old, "new_string": new}
    assert sandbox.call("patch", patch).action == wanted
    whole = {"path": str(path), "content": CONFIG.replace(old, new) if old in CONFIG else "x"}
    assert sandbox.call("write_file", whole).action == wanted
    assert sandbox.terminal(f"echo x >> {path}").action == "approve"
    path.write_text(CONFIG.replace("manual", "off"), encoding="utf-8")
    assert sandbox.call("patch", {**patch, "old_string": "enabled", "new_string": "disabled"}).action == "block"


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf {USER}",
        "rm -rf {USER}/",
        "rm -r {ROOT}/./user",
        "mv {USER} {ROOT}/away",
        "echo x > soft",
        "echo x > 'my soft'",
        "echo x > sub/soft",
        "cp a {ROOT}/link/mem'ories'/MEM'ORY'.m'd'",
        'truncate -s 0 {USER}/.her\'mes\'/mem"ories"/MEM"ORY".m"d"',
        "ev'al' rm {INDEX}",
        "chmod -R 000 {ROOT}/link/",
    ],
)
def test_no_glance_lets_damage_through(sandbox: Sandbox, command: str) -> None:
    """Whatever spelling hides our names from a first glance at a command, it is read and refused."""
    (sandbox.work / "soft").symlink_to(sandbox.index)
    (sandbox.work / "my soft").symlink_to(sandbox.index)
    (sandbox.work / "sub").mkdir()
    (sandbox.work / "sub" / "soft").symlink_to(sandbox.index)
    (sandbox.root / "link").symlink_to(sandbox.home.path)
    places = {"{USER}": sandbox.user, "{ROOT}": sandbox.root, "{INDEX}": sandbox.index}
    for sign, path in places.items():
        command = command.replace(sign, str(path))
    assert sandbox.terminal(command).action == "block"
