"""What the parts of the benchmark share: places, one way to say what was run on, results, and seeded draws.

A part is a module with a function `measure(how: How) -> Result`; `run.py` has the table of them.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import random
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "plugin" / "memory-shaper"
HERE = ROOT / "benchmarks"
FIXTURES = HERE / "fixtures"
RESULTS = HERE / "results"
QUICK_RESULTS = ROOT / ".cache" / "bench-quick"
SEED = 20261130
RESAMPLES = 1000
_PACKAGES = ("bm25s", "bpe-openai", "jieba", "numpy", "rapidfuzz", "tantivy")

sys.path[:0] = [str(PACKAGE), str(ROOT / "tests")]

import memory_shaper


class Missing(Exception):
    """Something optional is not there, so that a part, or a piece of it, cannot be run; the text says what."""


@dataclass(frozen=True, slots=True)
class How:
    """How to run: `quick` takes fewer and smaller samples; `data` is the folder of the optional data sets."""

    quick: bool = False
    data: Path | None = None

    def file(self, name: str) -> Path:
        """A file or folder of the optional data. Raises Missing with what to do."""
        if self.data is None:
            raise Missing(f"{name}: no folder of data sets was given (--data or $MEMORY_SHAPER_DATA)")
        path = self.data / name
        if not path.exists():
            raise Missing(f"{name} is not in the folder of data sets")
        return path


@dataclass(frozen=True, slots=True)
class Result:
    """What a part found: `figures` are the same in every run, `timings` are not, `skipped` says what was not run."""

    figures: Mapping[str, object] = field(default_factory=dict)
    timings: Mapping[str, object] = field(default_factory=dict)
    skipped: Mapping[str, str] = field(default_factory=dict)


Measure = Callable[[How], Result]


def data_folder(given: str | None = None) -> Path | None:
    """The folder of the optional data: as given, else $MEMORY_SHAPER_DATA, else none."""
    text = given or os.environ.get("MEMORY_SHAPER_DATA", "")
    return Path(text).expanduser() if text else None


def about(how: How) -> dict[str, object]:
    """What a result was made with: versions, seed, size, kind of machine (no name and no path of it), date."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "quick": how.quick,
        "seed": SEED,
        "memory-shaper": memory_shaper.__version__,
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "packages": {name: _version(name) for name in _PACKAGES},
        "machine": machine(),
    }


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def machine() -> dict[str, object]:
    """The kind of machine: system, architecture, processor, cores, memory in GiB."""
    return {
        "system": platform.system(),
        "architecture": platform.machine(),
        "processor": _processor(),
        "cores": os.cpu_count() or 0,
        "memory GiB": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


def write_result(folder: Path, name: str, how: How, result: Result) -> Path:
    """Write the result of a part as JSON; the same figures give the same bytes below `figures`."""
    folder.mkdir(parents=True, exist_ok=True)
    tree = {
        "part": name,
        "about": about(how),
        "figures": result.figures,
        "timings": result.timings,
        "skipped": result.skipped,
    }
    path = folder / f"{name}.json"
    path.write_text(json.dumps(tree, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return path


def draw(name: str) -> random.Random:
    """A source of chance that belongs to one purpose: the same in every run, whatever else is drawn."""
    return random.Random(f"{SEED} {name}")


def interval(values: Sequence[float], name: str) -> tuple[float, float]:
    """The 95 % bootstrap interval of a mean: resampled with replacement, percentiles of the means (Efron, 1979)."""
    chance = draw(f"bootstrap {name}")
    means = sorted(sum(chance.choices(values, k=len(values))) / len(values) for _ in range(RESAMPLES))
    return means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES)]


def spread(values: Sequence[float]) -> dict[str, float]:
    """The smallest, the middle and the largest of several runs."""
    ordered = sorted(values)
    return {"min": ordered[0], "median": ordered[len(ordered) // 2], "max": ordered[-1], "runs": len(ordered)}


@contextmanager
def environment(**values: str) -> Iterator[None]:
    """Set variables of the environment for a while; those of a host or of this project are taken out."""
    before = dict(os.environ)
    for name in [name for name in os.environ if name.startswith(("HERMES_", "MEMORY_SHAPER_"))]:
        del os.environ[name]
    os.environ.update(values)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
