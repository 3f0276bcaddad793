"""The human's word: what is not done without it, with nobody there, with approvals off, and after an "always"."""

from pathlib import Path

import pytest
from memory_shaper.guard.memory import change_key
from memory_shaper.record import EventKind

from hosts.endpoint import Call
from hosts.harness import Home, Host
from hosts.scenes import (
    CRITICAL,
    ENTRIES,
    JAVA,
    PINNED,
    PYTHON,
    assert_quiet_logs,
    entries,
    events,
    indexed_home,
    memory,
    play,
    terminal,
)

WIDER = CRITICAL.replace("template", "sample")


def wanting(host: Host, home: Home) -> list[Call]:
    """Calls that want the human's word."""
    topic, plugin = home.memories / "how-to-write-memories.md", home.path / "plugins" / "memory-shaper"
    return [
        memory(host.edit, WIDER, CRITICAL),
        memory("remove", old_text=CRITICAL),
        ("write_file", {"path": str(topic), "content": "x"}),
        terminal(f"echo x >> {topic}"),
        terminal(f"rm -rf {plugin}"),
        ("write_file", {"path": str(plugin / "plugin.yaml"), "content": "name: x\n"}),
        terminal(f"rm {home.path}/plugin-data/memory-shaper/record.db"),
        terminal("hermes plugins disable memory-shaper"),
        terminal("memory-shaper mark critical java-performance.md"),
        terminal(f"sed -i s/timeout/mode/ {home.config}"),
        ("execute_code", {"code": f"open({str(home.config)!r}, 'a').write('approvals: off')"}),
    ]


def kept(home: Home) -> tuple[object, ...]:
    """All that those calls would change."""
    plugin = home.path / "plugins" / "memory-shaper"
    topic = home.memories / "how-to-write-memories.md"
    config = home.config.read_text(encoding="utf-8")
    return (
        entries(home), topic.read_text(), (plugin / "plugin.yaml").read_text(), '"memory-shaper"' in config or
        "- memory-shaper" in config, "approvals: off" in config, "timeout" in config,
        (home.path / "plugin-data" / "memory-shaper" / "record.db").stat().st_ino,
    )  # fmt: skip


@pytest.mark.parametrize("way", ["nobody there", "approvals off", "approved unasked", "critical: block"])
def test_human_word__nothing_without_it(host: Host, tmp_path: Path, way: str) -> None:
    """Without a human's answer nothing critical and nothing of the guard's own changes, and a free call passes."""
    unasked = {"single_query_mode": "approve"} if way == "approved unasked" else {}
    config = {"approvals": {"timeout": 1, **unasked}}
    if way == "critical: block":
        config["plugins"] = {"entries": {"memory-shaper": {"settings": {"critical": "block"}}}}
    home = indexed_home(tmp_path, config=config)
    calls = wanting(host, home)
    if way not in ("nobody there", "approvals off"):
        calls = calls[:4]
    before: list[tuple[object, ...]] = []

    def first(_: list[str]) -> Call:
        before.append(kept(home))
        return calls[0]

    free = [memory("remove", old_text=PYTHON), ("read_file", {"path": "how-to-write-memories.md"})]
    yolo = way == "approvals off"
    steps, _ = play(host, home, [terminal("echo start"), first, *calls[1:], *free], yolo=yolo, timeout=150)
    for step in steps[1 : len(calls) + 1]:
        data = step.data
        assert "error" in data and ("memory-shaper" in data["error"] or "BLOCKED" in data["error"]), step
    after = kept(home)
    assert after[1:] == before[0][1:]
    assert entries(home) == (CRITICAL, PINNED, JAVA)
    assert "about how-to-write-memories.md" in steps[-1].text
    assert not events(home, EventKind.RESTORED, EventKind.DAMAGED)
    # Only 0.22 has a setting by which single queries are approved with nobody there.
    asks = way == "nobody there" or (way == "approved unasked" and not host.defers)
    assert bool(events(home, EventKind.ASKED)) is asks
    assert_quiet_logs(home, "springframework")


def test_always__grants_one_change_only(host: Host, tmp_path: Path) -> None:
    """An "always" that the host has stored grants exactly the change that was asked about, and no other."""
    granted = f"plugin_rule:{change_key([CRITICAL, WIDER])}"
    home = indexed_home(tmp_path, config={"approvals": {"timeout": 1}, "command_allowlist": [granted]})
    other = WIDER.replace("format", "shape")
    moves = [memory(host.edit, other, CRITICAL), memory(host.edit, WIDER, CRITICAL), memory("remove", old_text=WIDER)]
    steps, _ = play(host, home, moves, yolo=False)
    assert [step.data.get("success", False) for step in steps] == [False, True, False]
    assert entries(home) == (WIDER, *ENTRIES[1:])
    assert not events(home, EventKind.RESTORED, EventKind.DAMAGED)
