"""Which commands need the human's word."""

from __future__ import annotations

import shlex

import pytest
from memory_shaper.guard.commands import FREE, asks_first


def asks(line: str) -> bool:
    return bool(asks_first([shlex.split(line)]))


@pytest.mark.parametrize(
    "line",
    [
        "memory-shaper undo", "memory-shaper mark x.md '!'", "/usr/bin/memory-shaper forget x.md --purge",
        "memory-shaper --home /h undo", "memory-shaper --json undo", "memory-shaper.exe migrate",
        "memory-shaper install",
        "memory-shaper proposals --apply all", "memory-shaper proposals --reject=3", "memory-shaper maintain",
        "python -m memory_shaper undo", "python3.11 -X dev -m memory_shaper.cli undo", "python -mmemory_shaper undo",
        "memory-shaper forget x.md --yes", "memory-shaper undo -- --help", "hermes memory-shaper undo", "hermes -p work memory-shaper mark x.md",
        "hermes memory reset", "hermes memory off", "hermes plugins disable memory-shaper", "hermes plugins enable x",
        "hermes plugins install x", "hermes config set approvals.mode off", "hermes config edit",
        "hermes profile use x",
        "hermes -p work plugins disable x", "hermes --profile work memory reset", "hermes -m gpt plugins disable x",
        "hermes --yolo plugins disable x", "hermes --profile=work plugins disable x", "hermes uninstall",
        "hermes uninstall --yes", "hermes import backup.zip", "hermes setup model",
        "python -m hermes_cli.main memory reset",
        "python -m hermes_cli plugins disable x",
    ],
)  # fmt: skip
def test_asks(line: str) -> None:
    """Changing our files, the memory, plugins, approvals or profiles needs the user, however it is spelt."""
    assert asks(line)


@pytest.mark.parametrize(
    "line",
    [
        "memory-shaper", "memory-shaper verify", "memory-shaper fix", "memory-shaper --home /h status --json",
        "memory-shaper proposals", "memory-shaper backup /work/b.zip", "memory-shaper forget nas.md",
        "memory-shaper proposals 3 --json", "memory-shaper undo --dry-run", "memory-shaper forget --help", "memory-shaper -h", "memory-shaper --version",
        "python -m memory_shaper verify", "python -m pytest memory_shaper", "python undo.py memory-shaper undo",
        "python -c 'print(1)' -m memory_shaper undo", "python -m", "hermes", "hermes chat -q 'config set x'",
        "hermes chat plugins", "hermes memory status", "hermes plugins list", "hermes plugins", "hermes config show",
        "hermes memory-shaper verify", "hermes memory-shaper", "hermes -p work plugins list", "hermes profile list",
        "hermes plugins disable --help", "echo hermes memory reset", "git config set x", "ls memory-shaper undo",
        "hermes cron list", "cat hermes", "pip install memory-shaper", "hermesx memory reset", "hermes sessions import",
    ],
)  # fmt: skip
def test_leaves_alone(line: str) -> None:
    """Reading, repairing, asking for help, and other programs with the same words pass."""
    assert not asks(line)


def test_the_first_one_is_named() -> None:
    """Of several commands the first that needs the word is given, whole."""
    runs = [("ls",), (), ("hermes", "memory", "reset"), ("memory-shaper", "undo")]
    assert asks_first(runs) == ("hermes", "memory", "reset")
    assert asks_first([]) == ()


def test_free_verbs_only_read_or_repair() -> None:
    """No verb that changes what is the user's is free."""
    changing = {"add", "remember", "mark", "archive", "restore", "forget", "undo", "merge", "migrate", "install",
                "restore-backup", "optimize", "maintain", "index", "proposals", "hook", "mcp"}  # fmt: skip
    assert changing.isdisjoint(FREE)
