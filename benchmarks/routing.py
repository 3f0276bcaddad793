"""How often does the index lead a question to the right file, how often astray, and what does only the sidecar find?

    python benchmarks/routing.py [--json]

The questions are those of tests/recall/routing.yaml: an index of sixty lines in English and Chinese with the topics
behind them. Right: the first line is the expected one, surely enough to act upon. Astray: another line, or a line for a
question that no note answers. The sidecar is asked where no line matches, as the product does.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path

import yaml
from common import ROOT, How, Result
from memory_shaper.model import Entry
from memory_shaper.recall.cases import Outcome, read_cases, run_cases
from memory_shaper.recall.find import Ask, Finder
from memory_shaper.recall.fuzzy import near_words
from memory_shaper.recall.hints import SURE
from memory_shaper.recall.route import Router
from memory_shaper.settings import Home, Settings

SET = ROOT / "tests" / "recall" / "routing.yaml"
NAMED = ("literal", "inflected", "several")
Figures = dict[str, dict[str, float]]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true", help="JSON on stdout")
    as_json = parser.parse_args().json
    figures, speed = measured()
    figures["speed"] = speed
    print(json.dumps(figures, indent=2) if as_json else _table(figures))


def measure(how: How) -> Result:
    """The routing set, and how much more lines are mistaken for one another in larger indexes."""
    from collisions import collisions

    figures, speed = measured()
    return Result({"routing set": figures, "collisions": collisions(how.quick)}, {"routing set": speed})


def measured() -> tuple[Figures, dict[str, float]]:
    """The shares by kind of question, in percent, and the milliseconds of a question."""
    tree = yaml.safe_load(SET.read_text("utf-8"))
    entries = [Entry("", tuple(topic["keywords"].split(",")), name) for name, topic in tree["topics"].items()]
    router = Router(entries, near_words())
    kinds = [row["kind"] for row in tree["tests"]]
    tried = run_cases(router, read_cases(tree))
    with tempfile.TemporaryDirectory() as folder:
        found = _searched(Path(folder), tree["topics"], tried)
    return _by_kind(kinds, tried, found) | {"hints": _hints(tried)}, _speed(router, tried)


def _searched(folder: Path, topics: dict[str, dict[str, str]], tried: list[Outcome]) -> list[str | None]:
    """The sidecar's best note for each question."""
    home = Home(folder, "given")
    home.memories.mkdir()
    for name, topic in topics.items():
        (home.memories / name).write_text(f"# {name.removesuffix('.md')}\n\n{topic['text']}\n", "utf-8")
    finder = Finder(home)
    now, settings = datetime.now(UTC), Settings()
    hits = [finder.find(Ask(one.case.question, 1), settings, now).hits for one in tried]
    finder.close()
    return [best[0].hit.name if best else None for best in hits]


def _by_kind(kinds: list[str], tried: list[Outcome], found: list[str | None]) -> Figures:
    groups: dict[str, list[tuple[Outcome, str | None]]] = defaultdict(list)
    for kind, one, name in zip(kinds, tried, found, strict=True):
        for group in (kind, "named", "all") if kind in NAMED else (kind, "all"):
            groups[group].append((one, name))
    return {group: _figures(rows) for group, rows in groups.items()}


def _figures(rows: list[tuple[Outcome, str | None]]) -> dict[str, float]:
    astray = sum(1 for one, _ in rows if one.got and not one.right)
    only = sum(1 for one, name in rows if not one.got and name in one.case.expect)
    both = sum(1 for one, name in rows if (one.right and one.got) or (not one.got and name in one.case.expect))
    share = {"right": sum(1 for one, _ in rows if one.right), "astray": astray, "only_sidecar": only, "found": both}
    return {"n": len(rows)} | {name: round(100 * count / len(rows), 1) for name, count in share.items()}


def _hints(tried: list[Outcome]) -> dict[str, float]:
    """Of the lines that a hint would name first, how many are right."""
    given = [one for one in tried if one.got and one.got.confidence >= SURE]
    return {"n": len(given), "right": round(100 * sum(one.right for one in given) / len(given), 1)}


def _speed(router: Router, tried: list[Outcome]) -> dict[str, float]:
    times = []
    for one in tried:
        begun = time.perf_counter()
        router.route(one.case.question)
        times.append(1000 * (time.perf_counter() - begun))
    return {"p50_ms": round(statistics.median(times), 3), "p95_ms": round(statistics.quantiles(times, n=20)[-1], 3)}


def _table(figures: Figures) -> str:
    rows = [f"{'kind':10} {'n':>4} {'right':>6} {'astray':>7} {'only sidecar':>13} {'found':>6}   (%)"]
    for kind, row in figures.items():
        if "astray" in row:
            cells = (row["right"], row["astray"], row["only_sidecar"], row["found"])
            rows.append(f"{kind:10} {row['n']:4} {cells[0]:6} {cells[1]:7} {cells[2]:13} {cells[3]:6}")
    hints, speed = figures["hints"], figures["speed"]
    rows.append(f"a first line sure enough for a hint: {hints['n']} questions, {hints['right']} % right")
    rows.append(f"one question to sixty lines: p50 {speed['p50_ms']} ms, p95 {speed['p95_ms']} ms")
    return "\n".join(rows)


if __name__ == "__main__":
    main()
