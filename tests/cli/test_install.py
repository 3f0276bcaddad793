"""`install`: all of it, once, and back again without a trace but the memories."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_tools import INDEX, Demo, demo
from memory_shaper.cli import VERBS
from memory_shaper.store import digest
from tools import PACKAGE, REPOSITORY

CONFIG = "# mine\nmodel:\n  default: x # keep\nplugins:\n  enabled: [other] # as I like it\n"
PLUGIN, SKILL = "plugins/memory-shaper", "skills/system-administration/dynamic-memory"


def bare(folder: Path, config: str | None = CONFIG) -> Demo:
    """A home that Hermes has just made."""
    home = Demo(folder / "home")
    home.path.mkdir()
    if config is not None:
        (home.path / "config.yaml").write_bytes(config.encode())
    return home


def everything(home: Demo) -> dict[str, bytes | None]:
    """All files and folders of a home but the memories and our data."""
    found = (path for path in sorted(home.path.rglob("*")))
    named = {path.relative_to(home.path).as_posix(): path.read_bytes() if path.is_file() else None for path in found}
    return {name: data for name, data in named.items() if not name.startswith(("memories", "plugin-data"))}


def test_everything_is_put_in_its_place(tmp_path: Path) -> None:
    """The plugin folder without compiled code, the skill, the scripts, the switch and the heading."""
    home = bare(tmp_path)
    said = home.say("install")
    assert said.code == 0, said.err
    for name in ("plugin.yaml", "__init__.py", "memory_shaper/plugin.py", "memory_shaper/cli/table.py"):
        assert (home.path / PLUGIN / name).read_bytes() == (PACKAGE / name).read_bytes()
    assert (home.path / SKILL / "SKILL.md").read_bytes() == (REPOSITORY / "skill" / "SKILL.md").read_bytes()
    for name in ("verify_index.py", "test_hook_cases.py", "test_retrieval.py", "dynmem-watchdog.py"):
        assert (home.path / "scripts" / name).read_bytes() == (REPOSITORY / "scripts" / name).read_bytes()
    assert (home.path / "config.yaml").read_text() == CONFIG.replace("[other]", "[other, memory-shaper]")
    assert home.text().startswith("# Memory index: a routing table")
    assert not list(home.path.rglob("__pycache__"))


def test_what_was_installed_runs(tmp_path: Path) -> None:
    """The copied validator and the copied plugin folder work on their own."""
    home = bare(tmp_path)
    home.say("install")
    words = [sys.executable, "-I", "-S", "-B", "verify_index.py", "--home", str(home.path)]
    ended = subprocess.run(words, cwd=home.path / "scripts", capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout[:11]) == (0, "no findings"), ended.stderr


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    """Neither a byte nor a time of any file."""
    home = bare(tmp_path)
    home.say("install")
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in home.path.rglob("*") if path.is_file()}
    said = home.say("install", "--json")
    assert (said.code, said.json["changed"], said.json["files"]) == (0, False, [])
    assert before == {p: (p.stat().st_mtime_ns, p.read_bytes()) for p in home.path.rglob("*") if p.is_file()}
    assert home.say("install").err.endswith("install: nothing to do\n")


def test_a_dry_run_changes_nothing(tmp_path: Path) -> None:
    """It tells what the real run then does."""
    home = bare(tmp_path)
    before = everything(home)
    told = home.say("install", "--dry-run", "--json").json
    assert before == everything(home) and not (home.path / "memories").exists()
    assert not (home.path / "plugin-data").exists()
    done = home.say("install", "--json").json
    assert {**told, "dry_run": False, "changed": True} == done
    assert list(done) == [name for name, _ in VERBS["install"].fields]


@pytest.mark.parametrize("config", [None, "", CONFIG, "plugins:\n", '{"plugins": {"enabled": []}}', "\ufeffa: 1\r\n"])
def test_uninstall_leaves_the_home_as_it_was(tmp_path: Path, config: str | None) -> None:
    """But for the memories and the record."""
    home = bare(tmp_path, config)
    (home.path / "scripts").mkdir()
    (home.path / "scripts" / "mine.py").write_text("mine")
    before = everything(home)
    assert home.say("install").code == 0
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(home.path / PLUGIN)], check=True)
    said = home.say("install", "--uninstall")
    assert said.code == 0, said.err
    assert everything(home) == before
    assert home.text().startswith("# Memory index") and (home.path / "plugin-data/memory-shaper/record.db").exists()
    assert home.say("install", "--uninstall", "--json").json["changed"] is False


def test_from_the_plugin_folder_itself(tmp_path: Path) -> None:
    """The copy in the home carries no skill and no scripts: it leaves those that are there, and can take all out."""
    home = bare(tmp_path)
    before = everything(home)
    home.say("install")

    def run(*words: str) -> dict[str, object]:
        command = [sys.executable, "-B", "-m", "memory_shaper", "install", "--json", "--home", str(home.path), *words]
        env = {**os.environ, "PYTHONPATH": str(home.path / PLUGIN)}
        return json.loads(subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, check=True).stdout)

    again = run()
    assert (again["changed"], again["files"]) == (False, []) and "skill" in str(again["notes"])
    run("--uninstall")
    assert everything(home) == before


def test_what_lies_behind_a_link_is_never_removed(tmp_path: Path) -> None:
    """Not even where a plain folder of the same content was installed there before."""
    home = bare(tmp_path)
    home.say("install")
    (home.path / PLUGIN).rename(tmp_path / "elsewhere")
    (home.path / PLUGIN).symlink_to(tmp_path / "elsewhere")
    assert "is a link" in home.say("install", "--uninstall").err
    assert (tmp_path / "elsewhere" / "plugin.yaml").is_file()


def test_uninstall_keeps_what_the_user_has_changed(tmp_path: Path) -> None:
    """A changed file stays and is named; so does a plugin that was enabled beside ours."""
    home = bare(tmp_path)
    home.say("install")
    (home.path / SKILL / "SKILL.md").write_text("mine now")
    text = (home.path / "config.yaml").read_text()
    (home.path / "config.yaml").write_text(text.replace("memory-shaper]", "memory-shaper, third]"))
    said = home.say("install", "--uninstall", "--json")
    assert (said.code, said.json["left"]) == (1, [f"{SKILL}/SKILL.md"])
    assert (home.path / SKILL / "SKILL.md").read_text() == "mine now"
    assert "[other, third]" in (home.path / "config.yaml").read_text()


def test_a_newer_version_replaces_its_own_files(tmp_path: Path) -> None:
    """A module that is gone from the program goes; of a file that was changed a copy is kept."""
    home = bare(tmp_path)
    home.say("install")
    old, changed = home.path / PLUGIN / "memory_shaper" / "old.py", home.path / "scripts" / "verify_index.py"
    old.write_text("old")
    receipt = home.path / "plugin-data" / "memory-shaper" / "installed.json"
    data = json.loads(receipt.read_text())
    data["files"] |= {f"{PLUGIN}/memory_shaper/old.py": digest(b"old"), "scripts/gone.py": digest(b"gone")}
    receipt.write_text(json.dumps(data))
    changed.write_text("mine")
    said = home.say("install", "--json").json
    assert {(row["file"], row["action"]) for row in said["files"]} == {
        (f"{PLUGIN}/memory_shaper/old.py", "remove"),
        ("scripts/verify_index.py", "replace"),
    }
    assert not old.exists() and changed.read_text() != "mine"
    kept = home.path / "plugin-data" / "memory-shaper" / "replaced" / "scripts"
    assert [path.read_text() for path in kept.iterdir()] == ["mine"]


def test_a_copy_made_by_hand_is_adopted(tmp_path: Path) -> None:
    """What somebody copied before counts as installed, and is taken out again."""
    home = bare(tmp_path, "plugins:\n  enabled:\n    - memory-shaper\n")
    home.say("install")
    (home.path / "plugin-data" / "memory-shaper" / "installed.json").unlink()
    assert home.say("install", "--uninstall").code == 0
    assert not (home.path / PLUGIN).exists() and not (home.path / SKILL).exists()
    assert (home.path / "config.yaml").read_text() == "plugins:\n  enabled: []\n"


def test_an_index_is_left_alone(tmp_path: Path) -> None:
    """An index with entries, and a memory of prose, are not touched."""
    for name, text in (("index", INDEX), ("prose", "I like tea.\n§\nAnn lives in Oslo.")):
        (tmp_path / name).mkdir()
        home = demo(tmp_path / name, text)
        assert home.say("install", "--json").json["heading"] is False
        assert home.text() == text


@pytest.mark.parametrize(
    "config, said",
    [(b"plugins:\n  enabled: other\n", "add it by hand"), (b"plugins:\n  disabled: [memory-shaper]\n", "disabled")],
)
def test_a_config_that_cannot_be_edited_safely(tmp_path: Path, config: bytes, said: str) -> None:
    """It stays as it is, the user is told what to write, and the exit code says that something is left to do."""
    home = bare(tmp_path, config.decode())
    done = home.say("install")
    assert done.code == 1 and said in done.err
    assert (home.path / "config.yaml").read_bytes() == config


@pytest.mark.parametrize("config", [b"a: [\n", b"\xff\xfe", b"memory:\n  memory_char_limit: many\n"])
def test_a_home_that_cannot_be_read_is_refused(tmp_path: Path, config: bytes) -> None:
    """Before anything is changed."""
    home = bare(tmp_path)
    (home.path / "config.yaml").write_bytes(config)
    assert home.say("install").code == 2
    assert [path.name for path in home.path.iterdir()] == ["config.yaml"]


def test_other_things_that_stop_it(tmp_path: Path) -> None:
    """A home that is not there, memories that are not mounted, a record that is damaged, a receipt that is none."""
    home = bare(tmp_path)
    assert "there is no such folder" in Demo(tmp_path / "none").say("install").err
    home.say("install")
    data = home.path / "plugin-data" / "memory-shaper"
    (data / "installed.json").write_text('{"files": {"../x": "y"}, "folders": []}')
    assert "no receipt" in home.say("install", "--uninstall").err
    (home.path / "memories").rename(tmp_path / "unmounted")
    assert "not mounted" in home.say("install").err
    (tmp_path / "unmounted").rename(home.path / "memories")
    (data / "record.db").write_bytes(b"rubbish" * 1000)
    assert home.say("install").code == 2


def test_nothing_is_installed_through_a_link(tmp_path: Path) -> None:
    """A plugin folder that is a link to the clone stays one; a link to elsewhere is refused."""
    home = bare(tmp_path)
    (home.path / "plugins").mkdir()
    (home.path / PLUGIN).symlink_to(PACKAGE)
    assert home.say("install").code == 0
    assert home.say("install", "--uninstall").code == 0
    assert (home.path / PLUGIN).is_symlink() and (PACKAGE / "plugin.yaml").is_file()
    (home.path / PLUGIN).unlink()
    (home.path / PLUGIN).symlink_to(tmp_path)
    assert "is a link" in home.say("install").err


def hermes(folder: Path, code: str) -> None:
    """A command `hermes` that notes its words in the home."""
    folder.mkdir()
    (folder / "hermes").write_text(f'#!/bin/sh\necho "$@" >> "$HERMES_HOME/said"\n{code}')
    (folder / "hermes").chmod(0o755)


JOB = """mkdir -p "$HERMES_HOME/cron"
echo '{"jobs": [{"id": "j1", "script": "dynmem-watchdog.py", "enabled": true}]}' > "$HERMES_HOME/cron/jobs.json"
"""


def test_the_daily_job_is_registered_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through the host's own command, and removed through it."""
    home = bare(tmp_path)
    hermes(tmp_path / "bin", JOB)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    assert [home.say("install", "--cron", "--json").json["job"] for _ in range(2)] == ["registered", "there"]
    assert home.say("install", "--uninstall", "--json").json["job"] == "removed"
    lines = (home.path / "said").read_text().splitlines()
    assert lines == [
        "cron create 17 4 * * * --name memory-shaper --script dynmem-watchdog.py --no-agent --deliver local",
        "cron remove j1",
    ]


def test_a_job_registered_by_hand_is_named(tmp_path: Path) -> None:
    """Its script goes with the rest, so the line that removes the job is said; a list that is damaged stops nothing."""
    home = bare(tmp_path)
    home.say("install")
    jobs = home.path / "cron" / "jobs.json"
    jobs.parent.mkdir()
    jobs.write_text('{"jobs": [{"id": "j7", "script": "dynmem-watchdog.py"}, {"id": "j8", "script": "other.py"}]}')
    said = home.say("install", "--uninstall")
    assert (said.code, "hermes cron remove j7" in said.err, "j8" in said.err) == (1, True, False)
    jobs.write_text("no list")
    assert home.say("install", "--uninstall").code == 0


def test_without_the_hosts_command_the_line_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And where it fails as well; the rest is installed all the same."""
    home = bare(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    for code in ("", "exit 3"):
        if code:
            hermes(tmp_path / "bin", code)
            monkeypatch.setenv("PATH", str(tmp_path / "bin"))
        said = home.say("install", "--cron")
        assert said.code == 1 and "cron create '17 4 * * *' --name memory-shaper" in said.err
        assert (home.path / PLUGIN / "plugin.yaml").is_file()
