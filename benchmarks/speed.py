"""Every speed and size that has a goal, several times over, with the smallest, the middle and the largest figure.

Each script of this folder stays what it is and can be run alone; here they run one after the other, as processes of
their own, so that what one leaves in memory slows no other.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from common import HERE, How, Result, spread

RUNS = 3


@dataclass(frozen=True, slots=True)
class Script:
    """A benchmark script with its arguments; `quick` says whether a quick run has time for it."""

    name: str
    args: Sequence[str] = ()
    quick: bool = False


GUARD = Script("guard_speed", quick=True)
COLD = Script("cold", ("--runs", "10"), quick=True)
RECORD = Script("record", quick=True)
VERIFY = Script("verify", ("--rounds", "1"))
WATCHDOG = Script("watchdog")
STATE = Script("state_db")
SEARCH = Script("search_speed")
ROUTING = Script("routing", quick=True)
ENTRIES, TOPICS, SESSIONS = "5,000 entries of 120 words", "10,000 topics of 2 kB", "100,000 session messages"
ARCHIVING = "run that archives down to 80 %"


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure of a script: where it stands in its JSON, its unit, the most it should be."""

    what: str
    script: Script
    path: Sequence[str]
    unit: str
    most: float


def _guard(what: str, name: str, unit: str, most: float) -> Goal:
    return Goal(what, GUARD, ("times", name), unit, most)


GOALS = (
    _guard("guard: read_file, before", "read_file, before", "µs", 25),
    _guard("guard: read_file, after", "read_file, after", "µs", 25),
    _guard("guard: an unrelated tool, before", "unrelated tool, before", "µs", 25),
    _guard("guard: an unrelated tool, after", "unrelated tool, after", "µs", 25),
    _guard("guard: a terminal call of 200 characters, before", "terminal of 200 characters, before", "µs", 60),
    _guard("guard: a terminal call of 200 characters, after", "terminal of 200 characters, after", "µs", 60),
    _guard("guard: a terminal call that names the index", "terminal that names the index, before", "µs", 1000),
    _guard("guard: a memory call on 60 entries", "memory call on 60 entries, before", "µs", 1000),
    _guard("guard: a memory call on 1,000 entries", "memory call on 1,000 entries, before", "µs", 10_000),
    _guard("guard: 200 kB of shell", "200 kB of shell, before", "µs", 200_000),
    _guard("guard: 200 kB of Python", "200 kB of Python, before", "µs", 200_000),
    _guard("guard: a session of 100 calls, all hooks", "session of 100 calls, all hooks", "ms", 50),
    _guard("plugin: loading and registering", "loading and registering", "ms", 10),
    Goal("verify: 30,000 lines", VERIFY, ("cases", "30,000 plain lines", "seconds"), "s", 1),
    Goal("verify: a whole process, 60 entries", COLD, ("verify, 60 entries", "min_ms"), "ms", 100),
    Goal("command: --help", COLD, ("--help", "min_ms"), "ms", 150),
    Goal("command: status, 200 entries", COLD, ("status, 200 entries", "min_ms"), "ms", 300),
    Goal("record: opening and closing", RECORD, ("open_close", "p50_ms"), "ms", 1),
    Goal("record: size of 10,000 edits", RECORD, ("used_mb",), "MB", 20),
    Goal("watchdog: 2,000 topics, a quiet run", WATCHDOG, ("quiet run", "seconds"), "s", 1),
    Goal("watchdog: 2,000 topics, archiving 380", WATCHDOG, (ARCHIVING, "seconds"), "s", 1),
    Goal("watchdog: the longest hold of the lock", WATCHDOG, ("longest lock",), "s", 1),
    Goal("tally: a million messages, the next run", STATE, ("next", "seconds"), "s", 1),
    Goal("routing: a question to 60 lines, p95", ROUTING, ("speed", "p95_ms"), "ms", 1),
    Goal("search: 5,000 entries, p95", SEARCH, (ENTRIES, "search ms", "p95"), "ms", 5),
    Goal("search: 5,000 entries, storing one, p95", SEARCH, (ENTRIES, "store one ms", "p95"), "ms", 10),
    Goal("search: 10,000 topics, building", SEARCH, (TOPICS, "build s"), "s", 30),
    Goal("search: 10,000 topics, peak memory", SEARCH, (TOPICS, "peak RSS MB"), "MB", 300),
    Goal("search: 10,000 topics, refresh", SEARCH, (TOPICS, "refresh without a change ms"), "ms", 300),
    Goal("search: 10,000 topics, one change, p95", SEARCH, (TOPICS, "store one ms", "p95"), "ms", 50),
    Goal("search: 10,000 topics, warm, p95", SEARCH, (TOPICS, "search ms", "p95"), "ms", 15),
    Goal("search: 10,000 topics, cold", SEARCH, (TOPICS, "cold search ms"), "ms", 1000),
    Goal("search: 100,000 session messages, p95", SEARCH, (SESSIONS, "search ms", "p95"), "ms", 60),
)


def measure(how: How) -> Result:
    """Every goal, and beside the searches the times of other engines over the same texts."""
    rows, peers = [], {}
    skipped = {}
    for script in dict.fromkeys(goal.script for goal in GOALS):
        goals = [goal for goal in GOALS if goal.script is script]
        if how.quick and not script.quick:
            skipped[script.name] = "a quick run has no time for it"
            continue
        runs = [_run(script) for _ in range(1 if how.quick else RUNS)]
        rows += [_row(goal, runs) for goal in goals]
        if script is SEARCH:
            peers = {name: runs[-1][name]["peers ms"] for name in (ENTRIES, TOPICS)}
    return Result({}, {"goals": rows, "other engines, ms": peers}, skipped)


def _run(script: Script) -> dict[str, Any]:
    """The JSON of a script; one that ends with 1 has measured all the same, and found a bound broken."""
    command = [sys.executable, str(HERE / f"{script.name}.py"), "--json", *script.args]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode > 1 or not done.stdout:
        raise RuntimeError(f"{script.name}: {done.stderr[-1000:]}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _row(goal: Goal, runs: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    found = spread([round(_at(run, goal.path), 3) for run in runs])
    return {"what": goal.what, "unit": goal.unit, "goal": goal.most, **found, "met": found["median"] <= goal.most}


def _at(tree: Mapping[str, Any], path: Sequence[str]) -> float:
    value: Any = tree
    for name in path:
        value = value[name]
    return float(value)
