"""How long does a person wait for the command? Every help, `status` on a large index, the names for a shell.

    python benchmarks/cli_speed.py [--json] [--runs N]

Each figure is that of a whole process. The processor's time is given beside the clock's, since the clock also counts
what else the machine is doing; the best of several runs stands for both. Aims: 150 ms for a help, 300 ms for `status`
on 200 entries.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "plugin" / "memory-shaper"
sys.path.insert(0, str(PACKAGE))

from memory_shaper.cli import VERBS

ENTRIES = 200


def make_home(folder: Path) -> str:
    """A home with 200 entries, their files, and a record; its path."""
    memories = folder / "memories"
    memories.mkdir()
    parts = ["# Memory index: a routing table"]
    for number in range(ENTRIES):
        (memories / f"topic-{number}.md").write_text(f"word{number}x1\n" * 20, encoding="utf-8")
        parts.append(f"{','.join(f'word{number}x{place}' for place in range(10))} → topic-{number}.md")
    (memories / "MEMORY.md").write_text("\n§\n".join(parts), encoding="utf-8")
    (folder / "config.yaml").write_text("memory: {memory_char_limit: 30000}\n", encoding="utf-8")
    run(["mark", "topic-0.md", "pinned", "--home", str(folder)])
    return str(folder)


def run(words: Sequence[str]) -> tuple[float, float]:
    """The milliseconds of the clock and of the processor that one call of the command takes."""
    env = os.environ | {"PYTHONPATH": str(PACKAGE)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    done = subprocess.run([sys.executable, "-m", "memory_shaper", *words], env=env, capture_output=True, check=False)
    clock = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr.decode())
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return clock * 1000, spent * 1000


def best(words: Sequence[str], runs: int) -> dict[str, float]:
    """The best of several runs."""
    found = [run(words) for _ in range(runs)]
    return {"clock_ms": round(min(clock for clock, _ in found), 1), "cpu_ms": round(min(cpu for _, cpu in found), 1)}


def measure(runs: int) -> dict[str, object]:
    """All figures."""
    with tempfile.TemporaryDirectory() as folder:
        home = ["--home", make_home(Path(folder))]
        helps = {name: best([name, "--help"], runs) for name in VERBS}
        slowest = max(helps, key=lambda name: helps[name]["cpu_ms"])
        return {
            "python": platform.python_version(),
            "entries": ENTRIES,
            "runs": runs,
            "slowest_help": slowest,
            "help": helps[slowest],
            "status": best(["status", *home], runs),
            "verify": best(["verify", *home], runs),
            "doctor": best(["doctor", *home], runs),
            "names": best(["completion", "--names", "topics", *home], runs),
        }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    figures = measure(options.runs)
    print(json.dumps(figures, indent=2) if options.json else "\n".join(f"{k}: {v}" for k, v in figures.items()))


if __name__ == "__main__":
    main()
