"""The shell reader: every terminal row of the cases, and what a reading holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from memory_shaper.calls.effects import Reading, World
from memory_shaper.calls.shell.hands import Programs
from memory_shaper.calls.shell.run import read_command
from shell_tools import Home, changes, make_home, reads
from tools import CASES


def rows() -> list[dict[str, Any]]:
    """The terminal rows whose answer depends on the shell reader alone."""
    path = CASES / "guard.jsonl"
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []
    return [row for row in found if row["tool"] == "terminal" and row["args"].get("command")]


def by_reader(row: dict[str, Any]) -> bool:
    """Whether the row needs a reader of another language."""
    command = str(row["args"]["command"])
    return any(word in command for word in ("python3", "writer_", "node -e", "ruby -e", "php -r"))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home with a link to the index and two scripts."""
    made = make_home(tmp_path)
    (made.work / "soft").symlink_to(made.index)
    (made.work / "writer_open.py").write_text(f"open('{made.index}', 'w')\n", encoding="utf-8")
    (made.work / "harmless.py").write_text("print(1)\n", encoding="utf-8")
    return made


@pytest.mark.parametrize("row", [row for row in rows() if not by_reader(row)], ids=lambda row: str(row["id"]))
def test_cases(row: dict[str, Any], home: Home) -> None:
    """Damage that can be read off is seen, a harmless row changes nothing of ours."""
    workdir = row["args"].get("workdir")
    reading = home.read(row["args"]["command"], Path(home.fill(workdir)) if workdir else None)
    if row["expect"] == "approve":
        assert ("hermes", "plugins", "disable", "memory-shaper") in reading.runs
    elif row["after_call_only"]:
        assert reading.opaque or changes(reading, home.index)
    else:
        assert changes(reading, home.index) == (row["expect"] == "block")


@pytest.mark.parametrize("row", [row for row in rows() if by_reader(row)], ids=lambda row: str(row["id"]))
def test_other_languages_are_handed_on(row: dict[str, Any], home: Home) -> None:
    """A program text in a command reaches the reader of its language, or the call is opaque."""
    heard: list[str] = []

    def hear(*parts: object) -> Reading:
        heard.append(str(parts[0]))
        return Reading()

    reading = read_command(home.fill(row["args"]["command"]), home.disk(), Programs(hear, hear))
    assert heard or reading.opaque or changes(reading, home.index)


def test_a_python_program_is_given_its_folder(home: Home) -> None:
    """The Python reader gets a world whose folder is the one that the shell is in then."""
    seen: list[str | None] = []

    def hear(source: str, world: World) -> Reading:
        seen.append(world.cwd)
        return Reading()

    read_command(home.fill("cd {MEMDIR} && python3 -c 'print(1)'"), home.disk(), Programs(python=hear))
    assert seen == [str(home.memories)]


def test_a_python_program_is_given_its_arguments(home: Home) -> None:
    """The Python reader sees the words behind the program in place of `sys.argv[1]`."""
    seen: list[str] = []

    def hear(source: str, world: World) -> Reading:
        seen.append(source)
        return Reading()

    read_command("python3 -c 'import sys; open(sys.argv[1])' /a/b", home.disk(), Programs(python=hear))
    assert seen == ["import sys; open('/a/b')"]


@pytest.mark.parametrize(
    "command",
    [
        "sudo hermes plugins disable x",
        "sh -c 'hermes plugins disable x'",
        "env A=1 hermes plugins disable x",
        "echo disable x | xargs hermes plugins",
        "P=plugins; hermes $P disable x",
        "find {INDEX} -exec hermes plugins disable x \\;",
        "echo $(hermes plugins disable x)",
    ],
)
def test_runs_are_seen_through_wrappers(command: str, home: Home) -> None:
    """Every command that would start is listed with its words after expansion."""
    assert ("hermes", "plugins", "disable", "x") in home.read(command).runs


@pytest.mark.parametrize(
    "command",
    ["cat {INDEX}", "head -n 2 {INDEX}", "sed -n 1p {INDEX}", "wc < {INDEX}", "diff {INDEX} x", "cat < {INDEX}"],
)
def test_readers_read(command: str, home: Home) -> None:
    """A reading command has a READ effect."""
    assert reads(home.read(command), home.index)


@pytest.mark.parametrize("command", ["ls {INDEX}", "grep a {INDEX}", "rg a {INDEX}", "stat {INDEX}", "test -f {INDEX}"])
def test_listing_and_searching_are_no_reads(command: str, home: Home) -> None:
    """A listing or a search has no effect."""
    assert home.read(command).effects == ()


def test_the_folder_it_is_left_in(home: Home) -> None:
    """The reading names the folder after the last command."""
    assert home.read("cd {MEMDIR}; (cd /); cd ..").cwd == str(home.hermes)


def test_an_unknown_folder_gives_no_effect(home: Home) -> None:
    """A relative path seen from an unknown folder is opaque."""
    disk = home.disk()
    reading = read_command('cd "$SOMEWHERE"; rm MEMORY.md', disk)
    assert reading.effects == ()
    assert reading.opaque


def test_a_windows_folder(home: Home) -> None:
    """Seen from a Windows folder, paths are Windows paths."""
    disk = type(home.disk())("C:\\Users\\me", {})
    reading = read_command(r"echo x > 'memories\MEMORY.md'; del C:\x", disk)
    assert [effect.path for effect in reading.effects] == ["C:\\Users\\me\\memories\\MEMORY.md"]


def test_a_list_is_run_as_it_stands(home: Home) -> None:
    """Words of an argv are not expanded, except by a shell that they start."""
    assert not home.read(["echo", "x", ">", "{INDEX}"]).effects
    assert changes(home.read(["bash", "-c", "echo x > {INDEX}"]), home.index)
