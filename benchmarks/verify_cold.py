"""How long does a check of an index take as a whole process, from the first byte of Python to the exit code?

    python benchmarks/verify_cold.py [--json] [--runs N]

The index has 60 entries in canonical form. An empty Python process is measured beside it, in turn, since the two share
what the machine is doing.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "plugin" / "memory-shaper"
ENTRIES = 60


def make_home(folder: Path) -> Path:
    """A home with an index of 60 entries and their files; its path."""
    memories = folder / "memories"
    memories.mkdir()
    parts = ["# Memory index: a routing table"]
    for number in range(ENTRIES):
        (memories / f"topic-{number}.md").write_text("text\n", encoding="utf-8")
        parts.append(f"{','.join(f'word{number}x{place}' for place in range(8))} → topic-{number}.md")
    (memories / "MEMORY.md").write_text("\n§\n".join(parts), encoding="utf-8")
    return folder


def spent(command: list[str]) -> float:
    """The milliseconds that a process takes."""
    env = os.environ | {"PYTHONPATH": str(PACKAGE)}
    begin = time.perf_counter()
    done = subprocess.run(command, env=env, capture_output=True, check=False)
    took = (time.perf_counter() - begin) * 1000
    if done.returncode:
        raise SystemExit(done.stderr.decode())
    return took


def measure(runs: int) -> dict[str, object]:
    """Minimum and median of both processes, in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        home = make_home(Path(folder))
        check = [sys.executable, "-m", "memory_shaper", "verify", "--home", str(home), "--cap", "20000"]
        pairs = [(spent([sys.executable, "-c", "pass"]), spent(check)) for _ in range(runs)]
    empty, verify = zip(*pairs, strict=True)
    return {
        "python": platform.python_version(),
        "entries": ENTRIES,
        "runs": runs,
        "empty_min_ms": round(min(empty), 1),
        "empty_median_ms": round(statistics.median(empty), 1),
        "verify_min_ms": round(min(verify), 1),
        "verify_median_ms": round(statistics.median(verify), 1),
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--runs", type=int, default=20)
    options = parser.parse_args()
    figures = measure(options.runs)
    print(json.dumps(figures, indent=2) if options.json else "\n".join(f"{k}: {v}" for k, v in figures.items()))


if __name__ == "__main__":
    main()
