"""How long does a day's work of the watchdog take in a home with two thousand topics, and how long until it begins?

    python benchmarks/watchdog.py [--topics 2000] [--json]

Builds a home with as many topic files and index lines and a year of sessions, and times the script as a process of its
own: its start in a home without a memory, a run that archives down to 94 % of the cap, one that archives down to 80 %,
a quiet run, and a dry run. Prints seconds on the clock (the best of several) and of processor time, the longest time
that the index's lock was held, and any module that is not of the standard library.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from common import ROOT
from homes import House, line
from memory_shaper import settings, store
from memory_shaper.watchdog import run

SEED = 20261130
SCRIPT = ROOT / "scripts" / "dynmem-watchdog.py"
FOREIGN = """
import runpy, sys
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit:
    pass
known = set(sys.stdlib_module_names) | {"memory_shaper", "__main__"}
print(sorted({name.partition(".")[0] for name in sys.modules} - known), file=sys.stderr)
"""


def build(folder: Path, count: int) -> House:
    """A home whose index is full: as many entries of twelve keywords, and reads of a tenth of them."""
    from datetime import UTC, datetime

    draw = random.Random(SEED)
    lines = [line(f"topic{number}") for number in range(count)]
    house = House(folder, *lines, now=datetime.now(UTC), span=0)
    house.config(f"memory:\n  memory_char_limit: {len(house.index)}\n")
    for day in range(360, 0, -3):
        house.read(f"topic{draw.randrange(count)}.md", day, 2)
    return house


def spent(home: Path, *args: str) -> tuple[float, float]:
    """The seconds on the clock and of processor time that the script takes."""
    before, begun = os.times(), time.perf_counter()
    command = [sys.executable, "-I", "-S", str(SCRIPT), "--home", str(home), *args]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    clock, after = time.perf_counter() - begun, os.times()
    user, system = after.children_user - before.children_user, after.children_system - before.children_system
    return clock, user + system


def best(home: Path, *args: str, times: int = 5) -> dict[str, float]:
    """The best of several runs."""
    runs = [spent(home, *args) for _ in range(times)]
    return {"seconds": round(min(clock for clock, _ in runs), 3), "cpu": round(min(cpu for _, cpu in runs), 3)}


@contextmanager
def timed_lock() -> Iterator[list[float]]:
    """The times for which the lock is held inside."""
    held: list[float] = []
    locked = store.locked

    @contextmanager
    def timed(index: Path, seconds: float = store.LOCK_SECONDS) -> Iterator[None]:
        with locked(index, seconds):
            begun = time.perf_counter()
            yield
            held.append(time.perf_counter() - begun)

    store.locked = timed
    try:
        yield held
    finally:
        store.locked = locked


def measured(count: int) -> dict[str, object]:
    """All figures."""
    with tempfile.TemporaryDirectory() as place:
        template, empty = Path(place) / "template", Path(place) / "empty"
        empty.mkdir()
        build(template, count)
        copies = [Path(shutil.copytree(template, Path(place) / f"copy{number}")) for number in range(4)]
        first = [spent(copy) for copy in copies[:2]]
        os.environ["MEMORY_SHAPER_ARCHIVE_TO"] = "0.94"
        few = spent(copies[2])
        del os.environ["MEMORY_SHAPER_ARCHIVE_TO"]
        foreign = subprocess.run(
            [sys.executable, "-I", "-S", "-c", FOREIGN, str(SCRIPT), "--home", str(copies[0]), "--report"],
            check=True, capture_output=True, text=True,
        ).stderr  # fmt: skip
        home = settings.find_home(given=copies[3])
        with timed_lock() as held:
            outcome = run.run(home, settings.load(home))
        return {
            "start": best(empty, times=9),
            "run that archives down to 94 %": {"seconds": round(few[0], 3), "cpu": round(few[1], 3)},
            "run that archives down to 80 %": {
                "seconds": round(min(first)[0], 3),
                "cpu": round(min(cpu for _, cpu in first), 3),
            },
            "quiet run": best(copies[0]),
            "dry run": best(copies[0], "--dry-run"),
            "archived down to 80 %": sum(len(plan.archived) for plan in outcome.plans) if outcome else 0,
            "longest lock": round(max(held), 3),
            "modules beyond the standard library": foreign.strip(),
        }


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topics", type=int, default=2000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    figures = measured(options.topics)
    about = {"python": platform.python_version(), "system": platform.platform(), "seed": SEED, "topics": options.topics}
    if options.json:
        print(json.dumps({**about, **figures}, indent=2))
    else:
        for name, figure in {**about, **figures}.items():
            print(f"{name}: {figure}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
