"""Completion as real shells do it: verbs, options, choices, files and the names of topics."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_tools import Demo, demo
from memory_shaper.cli import VERBS
from memory_shaper.cli.parsing import arguments_of

PACKAGE = Path(__file__).resolve().parents[2] / "plugin" / "memory-shaper"
SHELLS = ("bash", "zsh", "fish")
PATIENCE = 30.0  # seconds until a shell that says nothing is given up


def needs(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")


def environment(folder: Path, home: Demo) -> dict[str, str]:
    """An environment in which the command is on the path and the home is found."""
    command = folder / "bin" / "memory-shaper"
    command.parent.mkdir(exist_ok=True)
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memory_shaper "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    ours = {"PATH": path, "HERMES_HOME": str(home.path), "PYTHONPATH": str(PACKAGE), "HOME": str(folder)}
    return {**os.environ, **ours, "LC_ALL": "C.UTF-8", "TERM": "dumb"}


def script(home: Demo, shell: str) -> Path:
    """The script for a shell, in a file."""
    path = home.path / f"completion.{shell}"
    path.write_text(home.say("completion", shell).out, encoding="utf-8")
    return path


def in_bash(folder: Path, home: Demo, line: str) -> list[str]:
    """What bash offers behind a line; the last word is the one that is typed."""
    needs("bash")
    code = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _memory_shaper; printf "%s\\n" "${COMPREPLY[@]}"'
    command = ["bash", "--norc", "-c", code, "-", str(script(home, "bash")), *line.split(" ")]
    done = subprocess.run(
        command, env=environment(folder, home), capture_output=True, text=True, cwd=folder, check=True
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("memory-shaper ver", ["verify"]),
        ("memory-shaper verify --ro", ["--routing"]),
        ("memory-shaper fix --heading ", ["full", "short"]),
        ("memory-shaper fix --heading f", ["full"]),
        ("memory-shaper completion ", ["bash", "zsh", "fish"]),
        ("memory-shaper archive de", ["deploy.md"]),
        ("memory-shaper mark deploy.md p", ["postgres.md", "pinned"]),
        ("memory-shaper restore ", []),
        ("memory-shaper search --limit ", []),
        ("memory-shaper --home hom", ["home"]),
        ("memory-shaper status --home ho", ["home"]),
        ("memory-shaper nothing --", ["--home", "--help", "--version"]),
    ],
)
def test_bash(tmp_path: Path, line: str, offered: list[str]) -> None:
    """What the line can go on with, and nothing else."""
    assert in_bash(tmp_path, demo(tmp_path), line) == offered


def test_bash_asks_the_home_that_is_named(tmp_path: Path) -> None:
    """Names come from the home on the line, archived ones from its archive, and a folder's name may hold blanks."""
    home = demo(tmp_path)
    assert home.say("archive", "rime.md").code == 0
    other = demo(tmp_path / "an other")
    needs("bash")
    assert in_bash(tmp_path, home, "memory-shaper restore ") == ["rime.md"]
    assert in_bash(tmp_path, other, f"memory-shaper restore --home {home.path} ") == ["rime.md"]


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_reads_its_script(tmp_path: Path, shell: str) -> None:
    """No syntax error, and every verb and every option of the table stands in it."""
    needs(shell)
    path = script(demo(tmp_path), shell)
    checked = subprocess.run([shell, "-n", str(path)], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")
    text = path.read_text(encoding="utf-8")
    for verb in VERBS.values():
        assert verb.name in text
        for argument in arguments_of(verb):
            spelled = argument.name.removeprefix("--") if shell == "fish" else argument.name
            assert not argument.is_option or spelled in text


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("memory-shaper verif", ["verify"]),
        ("memory-shaper verify --rou", ["--routing"]),
        ("memory-shaper fix --heading ", ["full", "short"]),
        ("memory-shaper archive dep", ["deploy.md"]),
        ("memory-shaper archive --home {home} dep", ["deploy.md"]),
    ],
)
def test_fish(tmp_path: Path, line: str, offered: list[str]) -> None:
    """What fish itself says it would offer."""
    needs("fish")
    home = demo(tmp_path)
    code = f"source {script(home, 'fish')}; complete -C '{line.format(home=home.path)}'"
    done = subprocess.run(
        ["fish", "--no-config", "-c", code], env=environment(tmp_path, home), capture_output=True, text=True, check=True
    )
    assert [row.partition("\t")[0] for row in done.stdout.splitlines()] == offered, done.stderr


class Zsh:
    """An interactive zsh on a terminal of its own."""

    def __init__(self, env: dict[str, str], cwd: Path) -> None:
        import pty

        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            ["zsh", "-f", "-i"], stdin=slave, stdout=slave, stderr=slave, env=env, cwd=cwd, start_new_session=True
        )
        os.close(slave)
        self.said = ""

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self.master, text.encode())

    def until(self, text: str) -> None:
        """Read until the shell has said something since the last time."""
        ends = time.monotonic() + PATIENCE
        while text not in self.said:
            ready = select.select([self.master], [], [], max(0, ends - time.monotonic()))[0]
            assert ready, f"zsh never said {text!r}, but: {self.said[-500:]!r}"
            self.said += os.read(self.master, 4096).decode("utf-8", "replace")
        self.said = self.said.rpartition(text)[2]

    def close(self) -> None:
        """End it."""
        self.process.kill()
        self.process.wait()
        os.close(self.master)


def test_zsh(tmp_path: Path) -> None:
    """A tab in an interactive zsh completes verbs, options, choices and the names of topics."""
    needs("zsh")
    home = demo(tmp_path)
    shell = Zsh(environment(tmp_path, home), tmp_path)
    try:
        shell.type("PS1='' RPS1=''; unsetopt zle_bracketed_paste; autoload -U compinit; compinit -D -u\n")
        shell.type("show() { print -r -- \"[$BUFFER]\"; BUFFER=; }; zle -N show; bindkey '^X' show\n")
        shell.type(f"source {script(home, 'zsh')}; print rea''dy\n")
        shell.until("ready")
        for typed, completed in (
            ("memory-shaper verif", "verify"),
            ("memory-shaper verify --rou", "verify --routing"),
            ("memory-shaper fix --heading fu", "fix --heading full"),
            ("memory-shaper archive depl", "archive deploy.md"),
        ):
            shell.type(f"{typed}\t\x18")
            shell.until(f"[memory-shaper {completed} ]")
    finally:
        shell.close()


def test_without_a_shell(tmp_path: Path) -> None:
    """A usage error that names the three; an index that cannot be read offers no names and no error."""
    home = demo(tmp_path)
    assert home.say("completion").code == 2
    home.index.write_bytes(b"\xff")
    said = home.say("completion", "--names", "topics")
    assert (said.code, said.out, said.err) == (0, "", "")
