"""Which faults are survived: the harnesses of the tests, run with counts, as a table of runs and of what they found.

The watchdog is killed, or its disk is full, at one file operation after another; hosts are killed inside their edits;
processes write at once; records and sidecars are damaged. A fault found is a lost line or file, an index with an error,
a further run that still changes something, or a test that failed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from common import PACKAGE, ROOT, How, Result

HARNESS = ROOT / "tests" / "watchdog" / "faults.py"


@dataclass(frozen=True, slots=True)
class Check:
    """Tests that survive something: what, which, and the variable that says how often (with its counts)."""

    what: str
    tests: Sequence[str]
    variable: str = ""
    quick: int = 1
    full: int = 1


CHECKS = (
    Check("a host is killed inside its edits", ["tests/guard/test_kills.py"], "MEMORY_SHAPER_KILLS", 5, 60),
    Check("two sessions and the host write at once", ["tests/guard/test_races.py"], "MEMORY_SHAPER_ROUNDS", 5, 60),
    Check("random shell and Python calls, judged and run", ["tests/guard/test_fuzz.py"], "MEMORY_SHAPER_FUZZ", 5, 200),
    Check("a call's damage in every form", ["tests/guard/test_damage.py"]),
    Check("several processes share one record", ["tests/record/test_record_together.py"]),
    Check("a record that is damaged, locked or of another kind", ["tests/record/test_record_opening.py"]),
    Check("edits of several files cut short", ["tests/test_edit.py", "tests/record/test_record_intents.py"]),
)
WATCHDOG = (
    ("the watchdog is killed at a file operation", "kill", 10, 100_000),
    ("the disk is full from a file operation of the watchdog on", "full", 10, 100_000),
    ("the watchdog is killed at a random instant", "instants", 10, 200),
)


def measure(how: How) -> Result:
    """Every harness."""
    rows = [_watchdog(what, mode, quick if how.quick else full) for what, mode, quick, full in WATCHDOG]
    rows += [_tests(check, how.quick) for check in CHECKS]
    return Result({"faults": rows})


def _watchdog(what: str, mode: str, count: int) -> dict[str, object]:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        command = [sys.executable, str(HARNESS), folder, mode, str(count)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = re.search(r"^runs: (\d+)$", done.stdout, re.MULTILINE)
    if found is None:
        raise RuntimeError(done.stdout[-1000:] + done.stderr[-1000:])
    lines = [line for line in done.stdout.splitlines() if line.startswith("fault:")]
    return {"what": what, "runs": int(found.group(1)), "faults found": len(lines)}


def _tests(check: Check, quick: bool) -> dict[str, object]:
    """Run tests in a process of their own; a failed one is a fault found."""
    count = check.quick if quick else check.full
    env = {**os.environ, "PYTHONPATH": str(PACKAGE)} | ({check.variable: str(count)} if check.variable else {})
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        report = Path(folder, "report.xml")
        words = ["-q", "-p", "no:cacheprovider", f"--basetemp={folder}/tests", f"--junitxml={report}", *check.tests]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *words], cwd=ROOT, env=env, capture_output=True, check=False
        )
        if not report.is_file():
            raise RuntimeError(done.stdout.decode()[-1000:])
        suite = next(ElementTree.parse(report).getroot().iter("testsuite"))
    passed = int(suite.attrib["tests"]) - int(suite.attrib["skipped"])
    bad = int(suite.attrib["failures"]) + int(suite.attrib["errors"])
    return {"what": check.what, "runs": count if check.variable else passed, "tests": passed, "faults found": bad}
