"""The demo and the table of hook cases are what a newcomer runs first."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools import REPOSITORY, Place


def run(*args: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **env}, check=False)


def test_the_demo_shows_calls_verdicts_and_a_restored_index(home: Place) -> None:
    """It ends well, and nothing of the example memory is changed by it."""
    before = {path: path.read_bytes() for path in (REPOSITORY / "examples").rglob("*.md")}
    done = run(REPOSITORY / "examples" / "demo.py", HOME=str(home.home.path.parent))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("verdict: block") == 3 and "has been put back" in done.stdout
    assert before == {path: path.read_bytes() for path in (REPOSITORY / "examples").rglob("*.md")}


def test_the_hook_cases_hold_in_any_home(home: Place) -> None:
    """The built-in table passes in a copy of the home, and the home stays as it is, to the byte."""
    before = {path: path.read_bytes() for path in home.home.path.rglob("*") if path.is_file()}
    done = run(REPOSITORY / "scripts" / "test_hook_cases.py", "--home", home.home.path)
    assert (done.returncode, done.stdout.splitlines()[-1].split(" in ")[0]) == (0, "37 passed, 0 failed"), done.stdout
    assert before == {path: path.read_bytes() for path in home.home.path.rglob("*") if path.is_file()}


def test_the_script_runs_from_the_scripts_folder_of_a_home(home: Place) -> None:
    """Copied beside the plugin folder it finds the package there, without pip."""
    shutil.copytree(REPOSITORY / "plugin" / "memory-shaper", home.home.path / "plugins" / "memory-shaper")
    script = home.home.path / "scripts" / "test_hook_cases.py"
    script.parent.mkdir()
    shutil.copy(REPOSITORY / "scripts" / "test_hook_cases.py", script)
    done = run("-S", "-E", script, "--home", home.home.path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_case_file_that_is_none_is_named_with_its_line(home: Place, tmp_path: Path) -> None:
    """A faulty case file is an error that names file and line."""
    cases = tmp_path / "cases.jsonl"
    cases.write_text('{"tool": "terminal", "args": {}, "expect": "allow"}\n{"tool": 1}\n', "utf-8")
    done = run(REPOSITORY / "scripts" / "test_hook_cases.py", "--home", home.home.path, "--cases", cases)
    assert (done.returncode, done.stdout.split(": ")[1]) == (2, f"{cases}:2")
