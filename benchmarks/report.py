"""Make docs/benchmarks.md and its charts of the results, or tell what is not current.

    python benchmarks/report.py [--check]

The page keeps its prose; what stands between `<!-- made: NAME -->` and `<!-- end -->` is written anew.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import tables
import tables_search
import tables_short
from charts import words
from common import RESULTS, ROOT
from pictures import PICTURES
from run import PARTS
from tables import Results

PAGE = ROOT / "docs" / "benchmarks.md"
CHARTS = ROOT / "docs" / "benchmarks"
_BLOCK = re.compile(r"<!-- made: (?P<name>[\w-]+) -->\n.*?<!-- end -->", re.DOTALL)
TABLES = {**tables.TABLES, **tables_search.TABLES}


def read_results(folder: Path = RESULTS) -> dict[str, dict[str, Any]]:
    """The results that are there, by part, in the order of the parts."""
    paths = {name: folder / f"{name}.json" for name in PARTS}
    return {name: json.loads(path.read_text("utf-8")) for name, path in paths.items() if path.exists()}


def block(name: str, results: Results) -> str:
    """What stands in a block of the page. Raises KeyError for a name that is none."""
    if name == "about":
        return tables.about(results)
    if name == "short":
        return tables_short.short(results)
    if name == "skipped":
        return tables.skipped(results, PARTS)
    if name == "reference":
        return tables.reference(results) if {"capacity", "facts"} <= results.keys() else "Not run."
    part, make = TABLES[name]
    return make(results) if _was_run(part, results) else f"Not run: {_why(part, results)}"


def _was_run(part: str, results: Results) -> bool:
    result = results.get(part)
    return result is not None and bool(result["figures"] or result["timings"])


def _why(part: str, results: Results) -> str:
    reasons = results[part]["skipped"].values() if part in results else ["there is no result"]
    return "; ".join(reasons) + "."


def page(text: str, results: Results) -> str:
    """The page with every block made anew."""
    return _BLOCK.sub(
        lambda found: f"<!-- made: {found['name']} -->\n{block(found['name'], results)}\n<!-- end -->", text
    )


def files(results: Results) -> Mapping[Path, str]:
    """The page and every chart, as they should be."""
    made = {PAGE: page(PAGE.read_text("utf-8"), results)}
    for name, (part, draw) in PICTURES.items():
        there = _was_run(part, results)
        made[CHARTS / f"{name}.svg"] = draw(results) if there else words(name, f"Not run: {_why(part, results)}")
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Write what is not current; with --check only name it, and 1 where there is any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args(argv).check
    CHARTS.mkdir(exist_ok=True)
    stale = [
        (path, text)
        for path, text in files(read_results()).items()
        if not path.exists() or path.read_text("utf-8") != text
    ]
    for path, text in stale:
        print(path.relative_to(ROOT), file=sys.stderr)
        if not check:
            path.write_text(text, "utf-8")
    return int(check and bool(stale))


if __name__ == "__main__":
    raise SystemExit(main())
