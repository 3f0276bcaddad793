"""`report`: where the page goes, what is never replaced, what is printed."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest
from cli_tools import Demo, demo
from memory_shaper.cli import VERBS
from memory_shaper.report.page import SIGN


@pytest.fixture
def home(tmp_path: Path) -> Demo:
    return demo(tmp_path)


def test_the_page_lies_beside_the_record(home: Demo) -> None:
    """Its path is printed, only its owner may read it, and a second run replaces it."""
    for _ in range(2):
        said = home.say("report")
        path = home.path / "plugin-data" / "memory-shaper" / "report.html"
        assert (said.code, said.out) == (0, f"{path}\n")
        assert path.read_text("utf-8").startswith(SIGN)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not path.with_name("record.db").exists()


def test_a_default_page_that_was_opened_up_is_closed_again(home: Demo) -> None:
    """The file in the data folder is for its owner, whatever somebody made of it."""
    home.say("report")
    path = home.path / "plugin-data" / "memory-shaper" / "report.html"
    path.chmod(0o644)
    home.say("report")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_another_file_is_not_replaced(home: Demo, tmp_path: Path) -> None:
    """A file that is no report stays, unless --force is given; a report is replaced."""
    path = tmp_path / "page.html"
    path.write_text("mine\n")
    said = home.say("report", "-o", str(path))
    assert (said.code, path.read_text()) == (1, "mine\n")
    assert "add --force" in said.err
    assert home.say("report", "-o", str(path), "--force").code == 0
    assert home.say("report", "-o", str(path)).code == 0


@pytest.mark.parametrize("place", ["memories/MEMORY.md", "memories/new.md", "memories/deploy.md", "config.yaml", "."])
def test_the_home_is_never_written_into(home: Demo, place: str) -> None:
    """Neither the memories folder nor a file of the home takes a page, with --force and through a link as well."""
    (home.path / "config.yaml").write_text("memory: {}\n")
    link = home.path.parent / "link"
    link.symlink_to(home.path)
    before = home.files()
    for folder in (home.path, link):
        assert home.say("report", "--force", "-o", str(folder / place)).code == 1
    assert home.files() == before
    assert (home.path / "config.yaml").read_text() == "memory: {}\n"


def test_json_writes_nothing(home: Demo, tmp_path: Path) -> None:
    """The data alone, unless a file is named as well."""
    said = home.say("report", "--json").json
    assert (said["file"], len(said["lines"])) == (None, 4)
    assert not (home.path / "plugin-data").exists()
    path = tmp_path / "page.html"
    assert home.say("report", "--json", "-o", str(path)).json["file"] == str(path)
    assert path.exists()


def test_a_folder_that_is_not_there(home: Demo, tmp_path: Path) -> None:
    """A missing folder is named, not made."""
    said = home.say("report", "-o", str(tmp_path / "none" / "page.html"))
    assert said.code == 2 and "none" in said.err


def test_the_browser_is_given_the_file(home: Demo, tmp_path: Path) -> None:
    """--open starts the user's browser with the address of the page; where it fails the path is still there."""
    seen, fake = tmp_path / "seen", tmp_path / "browser.sh"
    fake.write_text(f'#!/bin/sh\nprintf %s "$1" > "{seen}"\n')
    fake.chmod(0o755)
    words = [sys.executable, "-m", "memory_shaper", "report", "--open", "--home", str(home.path)]
    package = Path(__file__).resolve().parents[2] / "plugin" / "memory-shaper"
    env = {"PYTHONPATH": str(package), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "BROWSER": f"{fake} %s"}
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert seen.read_text() == f"file://{home.path}/plugin-data/memory-shaper/report.html"
    failed = subprocess.run(words, env=env | {"BROWSER": "false %s"}, capture_output=True, text=True, check=False)
    assert (failed.returncode, failed.stdout) == (0, done.stdout)


def test_the_fields_are_those_of_the_page_of_the_command(home: Demo) -> None:
    """Every documented field is there, and no other."""
    assert set(home.say("report", "--json").json) == {name for name, _ in VERBS["report"].fields}
