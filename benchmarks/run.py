"""Run the benchmark: every part, or those named, and write one JSON file a part.

    python benchmarks/run.py [PART…] [--quick] [--data FOLDER] [--results FOLDER] [--list]

Without --quick the results go to benchmarks/results, else to .cache/bench-quick. A part whose data or hosts are not
there says so in its result. `python benchmarks/report.py` makes the page and the charts of the results.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from common import QUICK_RESULTS, RESULTS, How, Measure, Missing, Result, data_folder, write_result

PARTS: Mapping[str, tuple[str, str]] = {
    "capacity": ("capacity", "how many memories fit, and how many of their details are found"),
    "facts": ("facts", "fifty short facts, compression, and what happens past the cap"),
    "retrieval": ("retrieval", "questions of public sets, beside random, BM25, FTS5 and Memo's ranking"),
    "routing": ("routing", "questions to an index, and collisions up to a thousand lines"),
    "ablation": ("ablation", "what each signal, factor and part of the analyser is worth"),
    "guard": ("guarded", "harmless and damaging calls: stopped, undone, refused wrongly"),
    "faults": ("survived", "kills, a full disk, races, damaged files"),
    "speed": ("speed", "every speed and size that has a goal"),
    "growth": ("growth", "how times grow from a hundred notes to a hundred thousand"),
}


def measure(name: str, how: How) -> Result:
    """Run a part; where what it needs is not there, the result says what."""
    work: Measure = importlib.import_module(PARTS[name][0]).measure
    try:
        return work(how)
    except Missing as missing:
        return Result(skipped={name: str(missing)})


def main(argv: Sequence[str] | None = None) -> int:
    """Run the parts; 0, or 2 for a name that is none."""
    options = _options(argv)
    if options.list:
        print("\n".join(f"{name:10} {what}" for name, (_, what) in PARTS.items()))
        return 0
    if unknown := [name for name in options.parts if name not in PARTS]:
        print(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    how = How(options.quick, data_folder(options.data))
    folder = Path(options.results) if options.results else QUICK_RESULTS if how.quick else RESULTS
    for name in options.parts or PARTS:
        begun = time.perf_counter()
        result = measure(name, how)
        path = write_result(folder, name, how, result)
        print(f"{name:10} {time.perf_counter() - begun:7.1f} s  {path.name}", flush=True)
        for what, why in result.skipped.items():
            print(f"{'':10} not run: {what}: {why}", flush=True)
    return 0


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help="the parts to run; all without any")
    parser.add_argument("--quick", action="store_true", help="fewer and smaller samples: under five minutes")
    parser.add_argument("--data", metavar="FOLDER", help="the optional data sets ($MEMORY_SHAPER_DATA)")
    parser.add_argument("--results", metavar="FOLDER", help="where the JSON files go")
    parser.add_argument("--list", action="store_true", help="name the parts")
    return parser.parse_args(argv)


if __name__ == "__main__":
    raise SystemExit(main())
