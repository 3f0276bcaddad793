"""Whatever ends a run, and at whatever moment, the next one leaves every line and every file in one place."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

DRIVER = Path(__file__).with_name("faults.py")
ASKED = os.environ.get("MEMORY_SHAPER_KILLS")
FEW = "12"

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the driver forks")


def faults(folder: Path, *args: str) -> list[str]:
    """The faults that the driver found; it must have made a run at least."""
    command = [sys.executable, str(DRIVER), str(folder), *args]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    *found, last = done.stdout.splitlines() or [""]
    assert (done.returncode, done.stderr, last.startswith("runs: "), last != "runs: 0") == (0, "", True, True)
    return found


def test_killed_at_each_operation(tmp_path):
    """SIGKILL before each operation on the disk in turn: the next run repairs, a further one changes nothing."""
    assert faults(tmp_path, "kill", "all" if ASKED else FEW) == []


def test_disk_is_full_from_each_operation_on(tmp_path):
    """Where the disk is full from some operation on, the next run with space brings all in order."""
    assert faults(tmp_path, "full", "all" if ASKED else FEW) == []


def test_killed_at_random_instants(tmp_path):
    """SIGKILL at random instants: the next run repairs, a further one changes nothing."""
    assert faults(tmp_path, "instants", ASKED or FEW) == []


def test_rules_killed_at_each_operation(tmp_path):
    """The same for a run in which the rules of keeping archive the rest of the topics."""
    assert faults(tmp_path, "kill", "all" if ASKED else FEW, "rules") == []


def test_rules_killed_at_random_instants(tmp_path):
    """The same at random instants."""
    assert faults(tmp_path, "instants", ASKED or FEW, "rules") == []


def test_four_watchdogs_and_the_host_at_once(tmp_path):
    """Four watchdogs and a host store that adds lines, at once: every line and every file is there afterwards."""
    command = [sys.executable, str(DRIVER.with_name("together.py")), str(tmp_path), ASKED or "4"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, done.stdout.count("fault:")) == (0, "", 0), done.stdout
    assert "archived 0" not in done.stdout
