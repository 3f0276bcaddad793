"""A home with the plugin in it, for every test of the guard."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from guard_tools import Sandbox, forget_guards, make_sandbox


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    """A home in force, and a folder for work as the current one; what a test left running is ended."""
    made = make_sandbox(tmp_path)
    for name in [name for name in os.environ if name.startswith(("HERMES_", "MEMORY_SHAPER_", "GIT_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(made.user))
    monkeypatch.setenv("HERMES_HOME", str(made.home.path))
    monkeypatch.setenv("TERM_MEMORY_SHAPER", "")
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "n")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "e@example.org")
    monkeypatch.chdir(made.work)
    forget_guards()
    yield made
    forget_guards()
    for process in made.started:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
