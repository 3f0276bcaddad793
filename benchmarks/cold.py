"""How long does a command take as a whole process, from the first byte of Python to the exit code?

    python benchmarks/cold.py [--json] [--runs N]

`verify` of an index of 60 entries in canonical form, `--help`, and `status` of a home with 200 entries. An empty Python
process is measured beside them, in turn, since all share what the machine is doing.
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

from common import PACKAGE

# command: (entries of the home, arguments)
COMMANDS = {
    "verify, 60 entries": (60, ["verify", "--cap", "20000"]),
    "--help": (0, ["--help"]),
    "status, 200 entries": (200, ["status"]),
}


def make_home(folder: Path, entries: int) -> Path:
    """A home with an index of so many entries and their files; its path."""
    memories = folder / str(entries) / "memories"
    memories.mkdir(parents=True)
    parts = ["# Memory index: a routing table"]
    for number in range(entries):
        (memories / f"topic-{number}.md").write_text("text\n", encoding="utf-8")
        parts.append(f"{','.join(f'word{number}x{place}' for place in range(8))} → topic-{number}.md")
    (memories / "MEMORY.md").write_text("\n§\n".join(parts), encoding="utf-8")
    (memories.parent / "config.yaml").write_text("memory:\n  memory_char_limit: 40000\n", encoding="utf-8")
    return memories.parent


def spent(command: list[str], home: str) -> float:
    """The milliseconds that a process takes. Raises SystemExit with what it said where it could not work."""
    env = os.environ | {"PYTHONPATH": str(PACKAGE), "HERMES_HOME": home}
    begin = time.perf_counter()
    done = subprocess.run(command, env=env, capture_output=True, check=False)
    took = (time.perf_counter() - begin) * 1000
    if done.returncode > 1:
        raise SystemExit(done.stderr.decode())
    return took


def measure(runs: int) -> dict[str, object]:
    """Minimum and median of every process, in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        homes = {entries: str(make_home(Path(folder), entries)) for entries, _ in COMMANDS.values()}
        commands = {"empty": ([sys.executable, "-c", "pass"], "")}
        for name, (entries, words) in COMMANDS.items():
            commands[name] = ([sys.executable, "-m", "memory_shaper", *words], homes[entries])
        taken = {name: [spent(command, home) for _ in range(runs)] for name, (command, home) in commands.items()}
    figures = {
        name: {"min_ms": round(min(times), 1), "median_ms": round(statistics.median(times), 1)}
        for name, times in taken.items()
    }
    return {"python": platform.python_version(), "runs": runs, **figures}


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
