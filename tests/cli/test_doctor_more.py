"""What `doctor` and `status` tell beyond the basics: recall, leftovers, zones, profiles, commands, refusals, bad values."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cli_tools import DEPLOY, HEADING, Demo, demo
from memory_shaper.record import Beat, EventKind, Heartbeat
from memory_shaper.registered import TAKEN, taken

NOW = datetime.now(UTC)
OLD = NOW.timestamp() - 2 * 86_400


def checks(home: Demo, *words: str) -> dict[str, dict[str, str]]:
    """The findings by their names."""
    return {row["check"]: row for row in home.say("doctor", "--json", *words).json["checks"]}


def commands(home: Demo, name: str) -> str:
    """The state of a finding and its command, without the home."""
    row = checks(home)[name]
    return (
        f"{row['state']}: {row['command'].replace(f' --home {home.path}', '').replace(f'HERMES_HOME={home.path} ', '')}"
    )


def test_every_finding_is_in_the_page() -> None:
    """docs/troubleshooting.md has a row for each finding, and none for another."""
    root = Path(__file__).resolve().parents[2]
    folder = root / "plugin" / "memory-shaper" / "memory_shaper" / "cli" / "checks"
    code = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    named = {
        *re.findall(r"\b(?:ok|note|problem)\(\s*\"([\w-]+)\"", code),
        *re.findall(r"_errors\(\s*patient, \"([\w-]+)\"", code),
    }
    page = (root / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    assert named == {*re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE)}


def test_the_sidecar(tmp_path: Path) -> None:
    """None yet, in step, behind by so many notes, and one that is no sidecar; looking at it leaves no file behind."""
    home = demo(tmp_path)
    assert commands(home, "sidecar") == "note: memory-shaper index"
    assert home.say("index").code == 0
    assert checks(home)["sidecar"]["state"] == "ok"
    (home.memories / "rime.md").write_text("# rime\nmore\n", encoding="utf-8")
    (home.memories / "postgres.md").unlink()
    before = {path.name for path in (home.path / "plugin-data" / "memory-shaper").iterdir()}
    assert "2 notes behind" in checks(home)["sidecar"]["message"]
    assert {path.name for path in (home.path / "plugin-data" / "memory-shaper").iterdir()} == before
    (home.path / "plugin-data" / "memory-shaper" / "sidecar.db").write_bytes(b"rubbish" * 500)
    assert commands(home, "sidecar") == "note: memory-shaper index --rebuild"


def test_keywords_that_left_their_file(tmp_path: Path) -> None:
    """A topic in which none of its keywords occurs is told; one of them, in any spelling, is enough."""
    home = demo(tmp_path, "\n§\n".join([HEADING, DEPLOY, "teapots,kettle,oolong,brewing,tea-time → rime.md"]))
    (home.memories / "deploy.md").write_text("How the RELEASE is made.\n", encoding="utf-8")
    (home.memories / "rime.md").write_text("About the teapot.\n", encoding="utf-8")
    assert checks(home)["keywords"]["state"] == "ok"
    (home.memories / "rime.md").write_text("Nothing of the kind.\n", encoding="utf-8")
    assert "1 topic" in checks(home)["keywords"]["message"]
    assert commands(home, "keywords") == "note: memory-shaper history rime.md"


def test_leftovers_of_killed_writers(tmp_path: Path) -> None:
    """Old temporary files are told and removed on request; young or open ones stay, and undo brings a removed one back."""
    home = demo(tmp_path)
    home.archive.mkdir()
    old, young, busy, archived = (
        folder / f".mem_{name}.tmp"
        for folder, name in ((home.memories, "a"), (home.memories, "b"), (home.memories, "c"), (home.archive, "d"))
    )
    for path in (old, young, busy, archived):
        path.write_text("half a te", encoding="utf-8")
    for path in (old, busy, archived):
        os.utime(path, (OLD, OLD))
    with busy.open():
        assert commands(home, "leftovers") == "note: memory-shaper fix --leftovers"
        assert "2 temporary files" in checks(home)["leftovers"]["message"]
        assert "would remove 2 temporary files" in home.say("fix", "--leftovers", "--dry-run").err
        assert old.exists()
        assert home.say("fix", "--leftovers").code == 0
        assert [path.exists() for path in (old, young, busy, archived)] == [False, True, True, False]
    assert home.say("undo").code == 0
    assert old.read_text(encoding="utf-8") == archived.read_text(encoding="utf-8") == "half a te"


def test_a_writer_that_is_killed_leaves_one(tmp_path: Path) -> None:
    """The file that a killed process of ours leaves behind is found when it is a day old."""
    home = demo(tmp_path)
    code = "import os, sys; from pathlib import Path; from memory_shaper import store\n"
    code += "os.replace = lambda *names: os.kill(os.getpid(), 9); path = Path(sys.argv[1])\n"
    code += "store.write(path, b'new', path.read_bytes())"
    path = Path(__file__).resolve().parents[2] / "plugin" / "memory-shaper"
    command = [sys.executable, "-c", code, str(home.index)]
    assert subprocess.run(command, env=os.environ | {"PYTHONPATH": str(path)}, check=False).returncode == -9
    (left,) = home.memories.glob(".mem_*.tmp")
    assert "leftovers" not in checks(home)
    os.utime(left, (OLD, OLD))
    assert "leftovers" in checks(home)


def test_the_zone_and_the_next_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The job's next run is told in the scheduler's zone and in ours, with the name of the zone (users G3)."""
    monkeypatch.delenv("HERMES_TIMEZONE", raising=False)
    home = demo(tmp_path)
    (home.path / "config.yaml").write_text("timezone: Europe/Warsaw\n", encoding="utf-8")
    jobs = home.path / "cron" / "jobs.json"
    jobs.parent.mkdir()
    row = {"id": "j1", "script": "dynmem-watchdog.py", "enabled": True, "next_run_at": "2026-12-02T04:17:00+01:00"}
    jobs.write_text(json.dumps({"jobs": [row]}), encoding="utf-8")
    told = checks(home)["watchdog-job"]["message"]
    here = datetime.fromisoformat("2026-12-02T04:17:00+01:00").astimezone().isoformat(" ", "minutes")
    assert "next at 2026-12-02 04:17+01:00 (time zone: Europe/Warsaw)" in told
    assert here == "2026-12-02 04:17+01:00" or f"which is {here} here" in told
    for odd in (None, 3, "soon", "9999-99-99"):
        jobs.write_text(json.dumps({"jobs": [row | {"next_run_at": odd}]}), encoding="utf-8")
        assert checks(home)["watchdog-job"]["message"] == "the scheduler runs the watchdog (time zone: Europe/Warsaw)"


def test_a_profile_with_settings_of_its_own(tmp_path: Path) -> None:
    """What a profile sets otherwise than its base is listed with both values; where nothing differs nothing is said."""
    base = tmp_path / "home"
    work = Demo(base / "profiles" / "work")
    work.memories.mkdir(parents=True)
    (base / "config.yaml").write_text("memory: {memory_char_limit: 2200}\n", encoding="utf-8")
    assert "base-settings" not in checks(work)
    own = "memory: {memory_char_limit: 3200}\nplugins: {entries: {memory-shaper: {settings: {grace_days: 30, agent: Bo}}}}\n"
    (work.path / "config.yaml").write_text(own, encoding="utf-8")
    told = checks(work)["base-settings"]["message"]
    assert "memory_char_limit 3,200 (2,200)" in told and "grace_days 30 (14)" in told
    assert "agent" in told and "Bo" not in told
    (base / "config.yaml").write_bytes(b"\xff")
    assert checks(work)["base-settings"]["state"] == "note"


def test_refusals(tmp_path: Path) -> None:
    """None yet is a note, a kept one is ok, a dropped one is a problem until a later one was kept; status says so, too."""
    home = demo(tmp_path)
    assert commands(home, "guard-enforced") == "note: memory-shaper doctor --live"
    for minutes, beat, state in ((3, Beat.ENFORCED, "ok"), (2, Beat.IGNORED, "problem"), (1, Beat.ENFORCED, "ok")):
        with home.record() as record:
            record.counters.beat(Heartbeat("cli", beat, minutes, NOW - timedelta(minutes=minutes)))
        assert checks(home)["guard-enforced"]["state"] == state
    assert "NOT enforced, a refused call ran" in home.say("status").out


class Manager:
    """What a host keeps of commands, by the names that its two versions share."""

    def __init__(self, slash: str | None, cli: str | None) -> None:
        for attribute, owner in (("_plugin_commands", slash), ("_cli_commands", cli)):
            setattr(self, attribute, {"memory-shaper": {"plugin": owner}} if owner else {})


class Context:
    """What a host hands to a plugin."""

    def __init__(self, manager: object) -> None:
        self._manager = manager


@pytest.mark.parametrize(
    ("context", "told"),
    [
        (None, None),
        (Context(None), None),
        (Context(Manager("memory-shaper", "memory-shaper")), ""),
        (Context(Manager("other", "memory-shaper")), "/memory-shaper\tother"),
        (Context(Manager(None, "a\nb")), "/memory-shaper\t\nhermes memory-shaper\ta b"),
    ],
)
def test_what_a_registry_shows(context: object, told: str | None) -> None:
    """Commands of other owners, and nothing where there is no registry to be seen."""
    assert taken(context) == told


def test_commands_that_are_taken(tmp_path: Path) -> None:
    """Each is a problem that names the owner and how to switch it off (users K7)."""
    home = demo(tmp_path)
    assert "commands" not in checks(home)
    with home.record() as record:
        record.counters.set_meta(TAKEN, "/memory-shaper\tother")
    assert commands(home, "command-taken") == "problem: hermes plugins disable other"
    with home.record() as record:
        record.counters.set_meta(TAKEN, "")
    assert checks(home)["commands"]["state"] == "ok"


BAD = "memory: {memory_char_limit: 3000}\nplugins: {entries: {memory-shaper: {settings: {on_full: maybe, top_k: x}}}}\n"


def test_bad_values_stop_changes_only(tmp_path: Path) -> None:
    """Reports name every bad value and go on with what is good; a verb that changes files refuses."""
    home = demo(tmp_path)
    (home.path / "config.yaml").write_text(BAD, encoding="utf-8")
    told = [row["message"] for row in home.say("doctor", "--json").json["checks"] if row["check"] == "config"]
    assert len(told) == 2 and "on_full" in told[0] and "top_k" in told[1]
    said = home.say("status", "--json")
    assert (said.code, said.json["cap"], len(said.json["notes"])) == (2, 3000, 2)
    assert "config: " in home.say("status").out
    refused = home.say("mark", "rime", "pinned")
    assert (refused.code, home.say("list").code) == (2, 0)
    assert "on_full" in refused.err
    (home.path / "config.yaml").write_bytes(b"\xff")
    said = home.say("status", "--json")
    assert (said.code, said.json["cap_source"]) == (2, "the default, since config.yaml cannot be read")


def test_a_missing_index_names_the_way(tmp_path: Path) -> None:
    """`verify` says how an index begins."""
    assert "memory-shaper fix --heading full" in demo(tmp_path, None).say("verify").err


def test_undo_right_after_damage_says_how_long(tmp_path: Path) -> None:
    """For a minute damage is left to the guard: the seconds are told, with the reason."""
    home = demo(tmp_path)
    assert home.say("mark", "rime", "pinned").code == 0
    home.index.write_text("gone", encoding="utf-8")
    said = home.say("undo")
    assert said.code == 3
    assert "left to the guard" in said.err and " s\n" in said.err
    os.utime(home.index, (OLD, OLD))
    assert home.say("undo").code == 0
    assert home.events(EventKind.DAMAGED)


def test_a_long_line_is_warned(tmp_path: Path) -> None:
    """One line of 900 characters and 40 keywords: characters, keywords and its share of the cap (users F29)."""
    words = ",".join(f"keyword{number:015d}" for number in range(40))
    home = demo(tmp_path, "\n§\n".join([HEADING, f"{words} → deploy.md"]))
    rows = {row["rule"]: row["message"] for row in home.say("verify", "--json").json["findings"]}
    assert rows["line-long"] == "931 characters and 40 keywords in one line, 42 % of the cap"


def test_a_package_that_is_gone(tmp_path: Path) -> None:
    """After an update without an optional package status says so once, and everything else works (users K4)."""
    home = demo(tmp_path)
    package = Path(__file__).resolve().parents[2] / "plugin" / "memory-shaper"
    code = "import sys, importlib.util as u; find = u.find_spec\n"
    code += "u.find_spec = lambda name, *rest: None if name == 'jieba' else find(name, *rest)\n"
    code += "sys.modules['jieba'] = None\nfrom memory_shaper.cli import main\nsys.exit(main(sys.argv[1:]))"
    for words in (["status"], ["search", "部署"]):
        command = [sys.executable, "-c", code, *words, "--home", str(home.path)]
        env = os.environ | {"PYTHONPATH": str(package), "PYTHONIOENCODING": "utf-8"}
        done = subprocess.run(command, env=env, capture_output=True, text=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stderr
        assert words[0] != "status" or done.stdout.count("absent: jieba") == 1
        assert words[0] == "status" or "rime.md" in done.stdout
