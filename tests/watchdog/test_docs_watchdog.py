"""The page of the watchdog says what is so: each example runs, each option and setting exists."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from homes import SCRIPT, House, line, many
from memory_shaper import cli, settings
from memory_shaper.watchdog import door, plan

ROOT = SCRIPT.parents[1]
PAGE = (ROOT / "docs" / "watchdog.md").read_text(encoding="utf-8")


def block(kind: str, holding: str) -> str:
    """The fenced block of that kind that holds a text."""
    return next(text for text in re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL) if holding in text)


def commands(text: str) -> list[list[str]]:
    return [shlex.split(one[2:]) for one in text.splitlines() if one.startswith("$ ")]


@pytest.fixture
def house(tmp_path):
    """A home as `~/.hermes`."""
    made = House(tmp_path / ".hermes", *many(3), now=datetime.now(UTC))
    made.config("memory: {}\n")
    return made


def env(house: House, **more: str) -> dict[str, str]:
    return os.environ | {"HOME": str(house.home.path.parent), "HERMES_HOME": str(house.home.path)} | more


def test_dry_run__prints_that(house):
    """The dry run of the page prints what stands there, but for the time."""
    text = block("console", "--dry-run")
    (command,) = commands(text)
    done = subprocess.run(
        [sys.executable, *command[1:]], cwd=ROOT, env=env(house, TZ="UTC"), capture_output=True, text=True
    )
    moment = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")
    assert moment.sub("", done.stdout) == moment.sub("", text.partition("\n")[2])


def test_options__are_those_of_the_script():
    """The table of options names each option of the script, and no other."""
    known = {text for action in door._parser()._actions for text in action.option_strings} - {"-h", "--help"}
    assert set(re.findall(r"^\| `(--[a-z-]+)", PAGE, re.MULTILINE)) == known


def test_settings__are_the_defaults():
    """The settings of the page exist, and what stands there are the defaults."""
    shown = dict(re.findall(r"^        (\w+): (\S+)", block("yaml", "near_cap"), re.MULTILINE))
    assert {name: str(settings.TABLE[name].default) for name in shown} == shown | {"archive_to": "0.8"}
    assert (plan.ORDER_DAYS, settings.TABLE["grace_days"].default) == (7, 14)


def test_restoring__brings_line_and_file_back(house):
    """`list --archive` names what went, `restore` brings line and file back as they were."""
    house.topic("deploy.md")
    house.write("MEMORY.md", house.index + "\n§\n" + line("deploy"))
    house.config("memory:\n  memory_char_limit: 530\n")
    house.run()
    assert house.archived == ["deploy.md"]
    said = [cli.call([*words[1:], "--home", str(house.home.path)]) for words in commands(block("console", "restore"))]
    assert ("deploy.md" in said[0].text, said[1].code) == (True, 0)
    assert (house.targets[-1], (house.memories / "deploy.md").read_text()) == (
        "deploy.md",
        "# deploy.md\nbody of deploy.md\n",
    )


def test_by_hand__the_script_in_the_home(house):
    """The copy and the crontab line of the page run as they stand."""
    (copy, _) = commands(block("console", "hermes cron create"))
    (house.home.path / "scripts").mkdir()
    shutil.copytree(ROOT / "plugin" / "memory-shaper", house.home.path / "plugins" / "memory-shaper")
    subprocess.run([*copy[:2], str(house.home.path / "scripts")], cwd=ROOT, check=True)
    line_ = block("crontab", "0 4").strip().removeprefix("0 4 * * * ").replace("python3", sys.executable)
    done = subprocess.run(["sh", "-c", line_], env=env(house), capture_output=True, text=True, cwd=house.home.path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with_record = Path(house.home.data / "record.db")
    assert with_record.exists()


def test_verbs__exist():
    """Each verb that the page names is one."""
    assert set(re.findall(r"(?:`|\$ )memory-shaper ([a-z]+)", PAGE)) <= set(cli.VERBS)
