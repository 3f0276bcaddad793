"""How long does checking an index take, and does any odd input take longer than its size explains?

    python benchmarks/verify.py [--json] [--rounds N]

Each case is checked as `memory-shaper verify` checks a file: every rule, with a folder listing. Processor time is
taken, not wall time, so that a busy machine gives the same figures; the best of a few rounds (three) counts.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from common import PACKAGE
from memory_shaper import grammar, rules
from memory_shaper.guard.memory import Policy, judge
from memory_shaper.guard.memory_call import read_memory_call
from memory_shaper.model import Folder

HEADING = "# routing table\n§\n"


def entry(number: int) -> str:
    """A plain line of twelve keywords, about 110 characters, none of them in another line."""
    return f"{','.join(f'kw{number:05}{letter}' for letter in 'abcdefghijkl')} → topic-{number:05}.md"


def index(lines: int, line: Callable[[int], str] = entry) -> str:
    return HEADING + "\n§\n".join(map(line, range(lines)))


def odd(number: int) -> str:
    """A line with a capital, a blank, a full-width comma and the wrong arrow."""
    return entry(number).replace("kw", "Kw ", 1).replace(",", "，", 1).replace("→", "->")


def shared(number: int) -> str:
    """A line that shares most of its keywords with seven others."""
    return f"{','.join(f'kw{number // 8:05}{letter}' for letter in 'abcdefghijkl')} → topic-{number:05}.md"


# name: (text, files in the folder, most seconds of processor time)
CASES: dict[str, tuple[str, int, float]] = {
    "60 lines": (index(60), 60, 0.02),
    "30,000 plain lines": (index(30_000), 30_000, 1.0),
    "30,000 lines with faults": (index(30_000, odd), 30_000, 8.0),
    "30,000 lines that compete": (index(30_000, shared), 30_000, 3.0),
    "30,000 prose lines": (index(30_000, lambda n: f"note {n} of a long day"), 0, 1.0),
    "a line of 1 MB": ("k," * 500_000 + "k → x.md", 0, 0.2),
    "a word of 1 MB": ("k" * 1_000_000, 0, 0.2),
    "100,000 blanks": ("a" + " " * 100_000 + "b", 0, 0.2),
    "100,000 arrows": ("→" * 100_000, 0, 0.2),
    "100,000 typed arrows": ("->" * 100_000, 0, 0.2),
    "100,000 hyphens": ("-" * 100_000, 0, 0.2),
    "100,000 commas": ("," * 100_000 + " → x.md", 0, 0.2),
    "100,000 marks": ("!" * 100_000 + "a → x.md", 0, 0.2),
    "100,000 delimiters": ("§\n" * 100_000, 0, 0.5),
    "20,000 blanks before a target": ("a,b" + " " * 9_000 + "→" + " " * 9_000 + "x.md", 0, 0.2),
    "a comment that never ends": ("<!--" * 30_000, 0, 0.2),
    "ignore ignore ignore": ("ignore " * 15_000, 0, 0.2),
    "10,000 numbered copies": (index(60) + "\n§\n", -10_000, 0.5),
}


def folder(count: int) -> Folder:
    """So many topic files; below 0 so many copies as a file manager numbers them."""
    names = (f"topic-{n:05}.md" for n in range(count)) if count >= 0 else (f"t{n} 2.md" for n in range(-count))
    return Folder(frozenset(names))


def spent(action: Callable[[], object], rounds: int) -> float:
    """Seconds of processor time that an action takes, the best of a few."""
    best = float("inf")
    for _ in range(rounds):
        grammar._remembered.cache_clear()
        begin = time.process_time()
        action()
        best = min(best, time.process_time() - begin)
    return best


def judging(rounds: int) -> float:
    """Seconds for judging one add on an index of 60 lines."""
    call = read_memory_call({"action": "add", "target": "memory", "content": entry(70)})
    assert call is not None
    parsed, files = grammar.parse(index(60)), folder(80)
    return spent(lambda: judge(call, parsed, files, Policy(100_000, "/m")), rounds)


def as_a_process(rounds: int) -> float:
    """Seconds of processor time of `memory-shaper verify` on 60 lines, start of Python included; -1 without a door."""
    if not (PACKAGE / "memory_shaper" / "__main__.py").is_file():
        return -1
    with tempfile.TemporaryDirectory() as home:
        memories = Path(home) / "memories"
        memories.mkdir()
        for name in folder(60).files:
            (memories / name).write_text("x")
        (memories / "MEMORY.md").write_text(index(60))
        command = [sys.executable, "-m", "memory_shaper", "verify"]
        best = float("inf")
        for _ in range(rounds):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, cwd=PACKAGE, env={"HERMES_HOME": home}, capture_output=True, check=False)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def measure(rounds: int) -> dict[str, dict[str, float]]:
    """Seconds and the most that is allowed, by case."""
    found = {}
    for name, (text, count, most) in CASES.items():
        files = folder(count)
        seconds = spent(lambda text=text, files=files: rules.check(rules.Scope(text, files)), rounds)  # type: ignore[misc]
        found[name] = {"seconds": round(seconds, 4), "most": most}
    found["judging one add, 60 lines"] = {"seconds": round(judging(rounds), 4), "most": 0.02}
    found["a process, 60 lines"] = {"seconds": round(as_a_process(rounds), 4), "most": 0.1}
    return found


def main() -> int:
    """Print the figures; 1 where one is over what is allowed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--rounds", type=int, default=3, help="how often each case is tried; the best counts")
    options = parser.parse_args()
    found = measure(options.rounds)
    if options.json:
        print(json.dumps({"python": platform.python_version(), "rounds": options.rounds, "cases": found}, indent=1))
    else:
        for name, row in found.items():
            late = "  OVER" if row["seconds"] > row["most"] else ""
            print(f"{name:32} {1000 * row['seconds']:9.1f} ms of {1000 * row['most']:6.0f}{late}")
    return int(any(row["seconds"] > row["most"] for row in found.values()))


if __name__ == "__main__":
    raise SystemExit(main())
