"""`doctor`: each thing that can be wrong is found, named once, with a command that exists; and nothing is changed."""

from __future__ import annotations

import json
import os
import re
import shlex
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cli_tools import CRITICAL, DEPLOY, HEADING, INDEX, POSTGRES, Demo, Said, demo
from memory_shaper import headings
from memory_shaper.cli import VERBS, call
from memory_shaper.record import Beat, Event, EventKind, Heartbeat, Write, digest_of
from memory_shaper.settings import Home, Settings

NOW = datetime.now(UTC)
HOST_COMMANDS = {"setup", "plugins", "config", "cron", "profile", "chat", "--version", "memory-shaper"}
SHELL = {"chmod", "mv"}


def healthy(folder: Path) -> Demo:
    """A home with an installed plugin, a valid index, and a guard that was seen at work."""
    home = demo(folder, None)
    rule = headings.new_index(Home(home.path, "given"), Settings())
    home.index.write_text(INDEX.replace(HEADING, rule.strip()), encoding="utf-8")
    assert home.say("install").code == 0
    with home.record() as record:
        record.counters.beat(Heartbeat("cli", Beat.LOADED, 7, NOW))
        record.counters.beat(Heartbeat("cli", Beat.FIRED, 7, NOW))
    return home


def checks(home: Demo) -> dict[str, dict[str, str]]:
    """The findings by their names."""
    return {row["check"]: row for row in home.say("doctor", "--json").json["checks"]}


def wrong(home: Demo) -> dict[str, str]:
    """The problems and their commands, without the home."""
    found = {name: row["command"] for name, row in checks(home).items() if row["state"] == "problem"}
    place = str(home.path)
    return {
        name: command.replace(f" --home {place}", "").replace(f"HERMES_HOME={place} ", "").replace(place, "HOME")
        for name, command in found.items()
    }


def test_a_healthy_home(tmp_path: Path) -> None:
    """No problem, exit code 0, and the fields that the table names."""
    home = healthy(tmp_path)
    said: Said = home.say("doctor", "--json")
    assert (said.code, said.json["problems"]) == (0, 0)
    assert list(said.json) == [name for name, _ in VERBS["doctor"].fields]
    text = home.say("doctor").out
    assert text.startswith(f"ok       home             the home is {home.path} (given)\n")
    assert re.search(r"^0 problems, \d notes?, \d+ ok$", text, re.MULTILINE)


def test_it_changes_nothing(tmp_path: Path) -> None:
    """Neither a byte nor a mode of the home, nor does it make a file."""
    for home in (healthy(tmp_path), Demo(tmp_path / "none"), demo(tmp_path / "fresh", None)):
        before = {path: (path.stat().st_mode, path.is_file() and path.read_bytes()) for path in home.path.rglob("*")}
        home.say("doctor")
        after = {path: (path.stat().st_mode, path.is_file() and path.read_bytes()) for path in home.path.rglob("*")}
        assert before == after


def test_an_empty_home(tmp_path: Path) -> None:
    """Plugin, switch and index are missing."""
    home = demo(tmp_path, None)
    assert home.say("doctor").code == 1
    assert wrong(home) == {
        "plugin-folder": "memory-shaper install",
        "plugin-enabled": "hermes plugins enable memory-shaper",
        "index": "memory-shaper install",
    }


def test_no_home(tmp_path: Path) -> None:
    """A home that is not there is the only problem."""
    assert wrong(Demo(tmp_path / "none")) == {"home": "hermes setup"}


@pytest.mark.parametrize("config", [b"a: [\n", b"\xff", b"memory: {memory_char_limit: x}\n"])
def test_a_config_that_cannot_be_read(tmp_path: Path, config: bytes) -> None:
    """It is a finding, and everything else is looked at all the same."""
    home = healthy(tmp_path)
    (home.path / "config.yaml").write_bytes(config)
    assert wrong(home)["config"] == "hermes config edit"
    assert checks(home)["index"]["state"] == "ok"


def test_an_unknown_setting_is_a_note(tmp_path: Path) -> None:
    """With the nearest known one."""
    home = healthy(tmp_path)
    config = home.path / "config.yaml"
    config.write_text(
        "plugins:\n  enabled: [memory-shaper]\n  entries: {memory-shaper: {settings: {on_ful: refuse}}}\n"
    )
    assert 'did you mean "on_full"' in checks(home)["settings"]["message"]


@pytest.mark.parametrize("data", [b"", b"rubbish" * 1000])
def test_a_record_that_cannot_be_read(tmp_path: Path, data: bytes) -> None:
    """It is a finding that names the file; it is neither replaced nor taken for empty."""
    home = healthy(tmp_path)
    record = home.path / "plugin-data" / "memory-shaper" / "record.db"
    record.write_bytes(data)
    assert wrong(home) == {"record": f"mv {record} {record}.damaged".replace(str(home.path), "HOME")}
    assert str(record) in checks(home)["record"]["message"] and record.read_bytes() == data


def test_the_guard_is_never_claimed(tmp_path: Path) -> None:
    """Switched on is not at work: only signs of life count, each with its surface; a surface that never fired is told."""
    home = demo(tmp_path)
    home.say("install")
    assert checks(home)["plugin-enabled"]["state"] == "ok"
    assert "never seen at work" in checks(home)["guard"]["message"]
    with home.record() as record:
        record.counters.beat(Heartbeat("cli", Beat.FIRED, 7, NOW))
        record.counters.beat(Heartbeat("cron", Beat.LOADED, 8, NOW))
    found = checks(home)
    assert "cli 20" in found["guard-fired"]["message"] and "cron 20" in found["guard-loaded"]["message"]


def test_another_version_of_the_plugin(tmp_path: Path) -> None:
    """By its manifest or by its code."""
    home = healthy(tmp_path)
    plugin = home.path / "plugins" / "memory-shaper"
    (plugin / "memory_shaper" / "plugin.py").write_text("# changed\n")
    assert wrong(home) == {"plugin-version": "memory-shaper install"}
    (plugin / "plugin.yaml").write_text("name: memory-shaper\nversion: 0.0.1\n")
    assert "version 0.0.1" in checks(home)["plugin-version"]["message"]


def test_a_name_that_is_taken(tmp_path: Path) -> None:
    """Another plugin with our name, or with our command."""
    home = healthy(tmp_path)
    other = home.path / "plugins" / "other"
    other.mkdir()
    (other / "plugin.yaml").write_text("name: other\n")
    (other / "__init__.py").write_text("def register(ctx):\n    ctx.register_command('memory-shaper', print)\n")
    assert wrong(home) == {"name-taken": "hermes plugins disable other"}


@pytest.mark.parametrize(
    "index, problems",
    [
        ("", {"index": "memory-shaper install"}),
        ("\n".join([HEADING, CRITICAL, DEPLOY]) + "\n", {"index-form": "memory-shaper fix"}),
        ("\n§\n".join([HEADING, DEPLOY.replace("→", "->")]), {"index-errors": "memory-shaper fix"}),
        ("\n§\n".join([HEADING, "a stray line", DEPLOY]), {"index-errors": "memory-shaper verify"}),
        ("\n§\n".join([HEADING, DEPLOY.replace("deploy.md", "gone.md")]), {"index-errors": "memory-shaper verify"}),
        ("I like tea.", {}),
    ],
)
def test_an_index_with_a_fault(tmp_path: Path, index: str, problems: dict[str, str]) -> None:
    """What `fix` can mend is sent there, the rest to `verify`."""
    home = healthy(tmp_path)
    home.index.write_text(index, encoding="utf-8")
    assert wrong(home) == problems


def test_a_full_index(tmp_path: Path) -> None:
    """Over the cap: the command archives as much as the watchdog would, and it works."""
    home = healthy(tmp_path)
    size = len(home.text())
    (home.path / "config.yaml").write_text(
        f"plugins: {{enabled: [memory-shaper]}}\nmemory: {{memory_char_limit: {size - 1}}}\n"
    )
    command = wrong(home)["index-size"]
    assert command.startswith("memory-shaper archive ") and f"of {size - 1} characters" in str(
        checks(home)["index-size"]
    )
    assert home.say(*shlex.split(command)[1:]).code == 0
    assert "index-size" not in wrong(home)


def test_the_routing_rule(tmp_path: Path) -> None:
    """A heading without it is a note, with the command that writes it."""
    home = healthy(tmp_path)
    home.index.write_text(INDEX.replace(HEADING, "# Notes"), encoding="utf-8")
    found = checks(home)["routing-rule"]
    assert (found["state"], found["command"]) == ("note", f"memory-shaper fix --heading full --home {home.path}")


def test_the_archive_index(tmp_path: Path) -> None:
    """Its errors are told under its own name."""
    home = healthy(tmp_path)
    home.archive.mkdir()
    (home.archive / "archived-memories.md").write_text(POSTGRES, encoding="utf-8")
    assert wrong(home) == {"archive": "memory-shaper verify"}


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_rights_that_are_too_wide(tmp_path: Path) -> None:
    """A sidecar that others may read beside an index that they may not."""
    home = healthy(tmp_path)
    home.index.chmod(0o600)
    sidecar = home.path / "plugin-data" / "memory-shaper" / "sidecar.db"
    sidecar.write_bytes(b"")
    sidecar.chmod(0o644)
    assert wrong(home) == {"permissions": "chmod go-rwx HOME/plugin-data/memory-shaper/sidecar.db"}


def test_conflict_copies(tmp_path: Path) -> None:
    """They are counted, and `merge` deals with them."""
    home = healthy(tmp_path)
    (home.memories / "deploy.sync-conflict-20260101-120000-ABCDEF7.md").write_text("x")
    assert wrong(home) == {"conflict-copies": "memory-shaper merge"}


def test_a_change_that_was_not_finished(tmp_path: Path) -> None:
    """A killed process left it; `fix` repairs it."""
    home = healthy(tmp_path)
    with home.record() as record:
        data = home.index.read_bytes()
        digests = [digest_of(text) for text in (data, b"new")]
        record.intents.begin([Write("MEMORY.md", *digests)], [data, b"new"], Event(EventKind.CHANGED, NOW))
    assert wrong(home) == {"unfinished": "memory-shaper fix"}
    assert home.say("fix").code == 0
    assert wrong(home) == {}


def test_the_watchdog(tmp_path: Path) -> None:
    """No job and no run are notes; a job that is paused or does not run is a problem; a list that is none is a note."""
    home = healthy(tmp_path)
    found = checks(home)
    assert (found["watchdog-job"]["state"], found["watchdog-run"]["state"]) == ("note", "note")
    jobs = home.path / "cron" / "jobs.json"
    jobs.parent.mkdir()
    row = {"id": "j1", "script": "dynmem-watchdog.py", "enabled": True}
    jobs.write_text(json.dumps({"jobs": [{"id": "x"}, 3, row]}))
    with home.record() as record:
        record.counters.set_meta("watchdog.ran", (NOW - timedelta(hours=20)).isoformat())
    assert checks(home)["watchdog-job"]["state"] == checks(home)["watchdog-run"]["state"] == "ok"
    with home.record() as record:
        record.counters.set_meta("watchdog.ran", (NOW - timedelta(days=9)).isoformat())
    assert wrong(home) == {"watchdog-run": "hermes cron status"}
    jobs.write_text(json.dumps({"jobs": [row | {"enabled": False}]}))
    assert wrong(home) == {"watchdog-job": "hermes cron resume j1"}
    for text in ("{", '{"jobs": 3}', "[" * 5000):
        jobs.write_text(text)
        assert checks(home)["watchdog-job"]["state"] == "note"


def test_another_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """HERMES_HOME and the active profile name two homes: both are told."""
    home = healthy(tmp_path)
    profile = tmp_path / ".hermes" / "profiles" / "work"
    profile.mkdir(parents=True)
    (tmp_path / ".hermes" / "active_profile").write_text("work\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("HERMES_HOME", str(home.path))
    text = call(["doctor"]).text
    assert "without HERMES_HOME a host works on ~/.hermes/profiles/work (profile work)" in text
    assert f"→ memory-shaper doctor --home {profile}\n" in text


def test_every_command_exists(tmp_path: Path) -> None:
    """Whatever is found, the command is a verb of ours, one of the host's, or one of the shell's."""
    broken = healthy(tmp_path)
    broken.index.write_text("\n".join([HEADING, DEPLOY, "stray"]), encoding="utf-8")
    (broken.path / "config.yaml").write_bytes(b"\xff")
    for home in (broken, demo(tmp_path / "fresh", None), Demo(tmp_path / "none")):
        for row in checks(home).values():
            words = shlex.split(row["command"].removeprefix(f"HERMES_HOME={home.path} ")) or ["mv"]
            known = {"memory-shaper": set(VERBS), "hermes": HOST_COMMANDS}.get(words[0])
            assert words[1] in known if known else words[0] in SHELL or words[2] == "pip", row
