"""How long does a whole day of maintenance take over two thousand topics, and how much memory?

    python benchmarks/maintain.py [--topics 2000] [--json]

Builds a home with as many topic files and index lines, each topic of a dozen passages; one in twenty is there twice,
one in twenty contradicts another, one in ten is of a type whose span is over. Times `memory-shaper maintain` as a
process of its own: the run that archives and proposes, the quiet run after it, a dry run with reasons, and a backup
with its restore. Prints seconds on the clock and of processor time, and the largest resident size in MB.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "plugin" / "memory-shaper"), str(ROOT / "tests")]

from homes import House, line

SEED = 20261130
PASSAGES = 12
MEASURED = """
import os, resource, subprocess, sys, time
begun = time.perf_counter()
done = subprocess.run([sys.executable, "-m", "memory_shaper", *sys.argv[1:]], stdout=subprocess.PIPE, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
cpu = used.ru_utime + used.ru_stime
print(time.perf_counter() - begun, cpu, used.ru_maxrss / 1024, len(done.stdout), done.returncode)
"""


def words(draw: random.Random, count: int, pool: list[str]) -> str:
    """A sentence of words, some rare and some common."""
    common = " ".join(draw.choice(pool[:200]) for _ in range(count // 2))
    return f"{common} {' '.join(draw.choice(pool) for _ in range(count - count // 2))}."


def text(draw: random.Random, number: int, pool: list[str]) -> str:
    """A topic of a dozen passages with values in them; every tenth is of a type and old."""
    front = "---\ntype: project\ncreated: 2020-01-01\n---\n" if number % 10 == 0 else ""
    body = [
        f"{words(draw, 14, pool)} The limit of {draw.choice(pool)} is {draw.randrange(10**4)}." for _ in range(PASSAGES)
    ]
    return f"{front}# Topic {number}\n\n" + "\n\n".join(body) + "\n"


def build(folder: Path, count: int) -> House:
    """A home with so many topics."""
    draw = random.Random(SEED)
    pool = ["".join(draw.choice("bcdfghklmnprstvz") + draw.choice("aeiou") for _ in range(3)) for _ in range(8000)]
    house = House(folder, *(line(f"topic{number}") for number in range(count)), now=datetime.now(UTC), span=400)
    house.config(f"memory:\n  memory_char_limit: {2 * len(house.index)}\n")
    last = ""
    for number in range(count):
        made = text(draw, number, pool)
        if number % 20 == 7:
            made = last
        if number % 20 == 13:
            made = last.replace(" is ", " is not ")
        house.topic(f"topic{number}.md", made)
        last = made
    for day in range(360, 0, -3):
        house.read(f"topic{draw.randrange(count)}.md", day, 2)
    return house


def measured(*args: str) -> dict[str, float]:
    """Seconds, seconds of processor time, MB, and characters printed by a run of the command."""
    env = os.environ | {"PYTHONPATH": str(ROOT / "plugin" / "memory-shaper")}
    command = [sys.executable, "-c", MEASURED, *args]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=env)
    clock, cpu, size, printed, code = map(float, done.stdout.split())
    return {
        "seconds": round(clock, 2),
        "cpu": round(cpu, 2),
        "mb": round(size),
        "printed": int(printed),
        "code": int(code),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--topics", type=int, default=2000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        house = build(Path(folder) / "home", options.topics)
        home = ["--home", str(house.home.path)]
        saved, fresh = str(Path(folder) / "b.tar.gz"), ["--home", str(Path(folder) / "fresh")]
        found = {
            "topics": options.topics,
            "python": platform.python_version(),
            "seed": SEED,
            "at": time.strftime("%Y-%m-%d"),
            "dry_run": measured("maintain", "--dry-run", "--explain", *home),
            "first_run": measured("maintain", *home),
            "second_run": measured("maintain", *home),
            "backup": measured("backup", saved, *home),
            "restore": measured("restore-backup", saved, *fresh),
        }
    if options.json:
        print(json.dumps(found, indent=1))
        return
    for name, value in found.items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
