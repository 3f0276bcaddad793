"""Random shell commands and Python programs, judged and then really run: the index stays, and no harmless one is refused.

MEMORY_SHAPER_FUZZ is the number of each, 40 by default.
"""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pytest
from calls.readers import Home as PythonHome
from calls.test_python_really_run import Writer
from calls.test_shell_really import Maker
from guard_tools import Sandbox, forget_guards
from shell_tools import Home as ShellHome
from tools import CANONICAL

COUNT = int(os.environ.get("MEMORY_SHAPER_FUZZ", "40"))
SEED = int(os.environ.get("MEMORY_SHAPER_SEED", "7"))
PEACE = ("MEMORY.md", "archived memories/archived-memories.md", "how-to-write-memories.md")


def state(sandbox: Sandbox) -> list[object]:
    """What a change of a guarded file would change."""
    found: list[object] = []
    for name in PEACE:
        path = sandbox.memories / name
        seen = path.lstat() if os.path.lexists(path) else None
        found.append(seen and (seen.st_mode, seen.st_mtime_ns, seen.st_ino, path.is_file() and path.read_bytes()))
    return found


def shell_home(sandbox: Sandbox) -> ShellHome:
    """The folders and files that the commands speak of."""
    home = ShellHome(sandbox.user)
    for folder in ("pool", "old", "work"):
        (sandbox.user / folder).mkdir()
    for number in range(20):
        (sandbox.user / "pool" / f"s{number}").write_text("pool\n", encoding="utf-8")
    texts = {
        "src": "a\nb\n",
        "hex": "00000000: 4142\n",
        "work/MEMORY.md": "another\n",
        "work/a.txt": "a\n",
        "work/src": "s\n",
    }
    for name, text in texts.items():
        (sandbox.user / name).write_text(text, encoding="utf-8")
    (sandbox.memories / "java.md").write_text("java\n", encoding="utf-8")
    return home


def renew(sandbox: Sandbox, keep: Path) -> None:
    """The memories as they were, and a guard that has seen nothing yet."""
    forget_guards()
    shutil.rmtree(sandbox.memories, ignore_errors=True)
    shutil.rmtree(sandbox.home.data, ignore_errors=True)
    shutil.copytree(keep, sandbox.memories)


def check(sandbox: Sandbox, program: str, run: object) -> str:
    """Judge and run one program; what was wrong, "" where nothing was."""
    sandbox.idle()
    before = state(sandbox)
    tool, field = ("execute_code", "code") if run == "python" else ("terminal", "command")

    def really() -> dict[str, object]:
        words = ["python3", "-X", "utf8", "-c", program] if run == "python" else ["bash", "-c", program]
        return sandbox.bash(words, Path.cwd())

    done = sandbox.call(tool, {field: program}, really)
    if done.action != "allow":
        if done.action == "block":
            really()
        return "" if state(sandbox) != before else "refused for nothing: " + program
    if sandbox.index.read_text(encoding="utf-8") != CANONICAL:
        return "the index was left damaged: " + program
    return ""


def test_shell_commands(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whatever bash makes of a random command, the index is what it was; what is refused would have changed it."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    maker, faults = Maker(random.Random(SEED), shell_home(sandbox)), []
    monkeypatch.chdir(sandbox.user / "work")
    keep = tmp_path / "keep"
    shutil.copytree(sandbox.memories, keep)
    for _ in range(COUNT):
        fault = check(sandbox, maker.command(), "shell")
        faults += [fault] if fault else []
        renew(sandbox, keep)
        (sandbox.user / "work" / "MEMORY.md").write_text("another\n", encoding="utf-8")
    assert faults == []


@pytest.mark.parametrize("seed", range(COUNT))
def test_python_programs(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seed: int) -> None:
    """Whatever a random program does, the index is what it was; what is refused would have changed it."""
    home = PythonHome(tmp_path / "python")
    shutil.rmtree(home.memories)
    shutil.copytree(sandbox.memories, home.memories)
    for name in ("deploy.md", "postgres.md"):
        (home.memories / name).write_text("a\n", encoding="utf-8")
    (home.work / "source.txt").write_text("copied", encoding="utf-8")
    for key, value in home.env.items():
        monkeypatch.setenv(key, value)
    monkeypatch.chdir(home.work)
    moved = Sandbox(tmp_path / "python")
    os.symlink("home", tmp_path / "python" / "user")
    (tmp_path / "python" / "bin").mkdir()
    assert check(moved, Writer(home, seed).program(), "python") == ""
