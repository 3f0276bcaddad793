"""The tables of docs/benchmarks.md, each made of the results. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

Results = Mapping[str, Mapping[str, Any]]

_NUMBER = re.compile(r"[-+–]?\d|–$")
HOSTS = ("0.19", "0.22")
OURS_ARMS = (
    "5 keywords, refused when full",
    "7 keywords, refused when full",
    "12 keywords, refused when full",
    "20 keywords, refused when full",
    "12 keywords, as set up, all of one day",
    "12 keywords, as set up, over months",
)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A markdown table; columns of numbers stand to the right."""
    cells = [[_cell(cell) for cell in row] for row in rows]
    sides = ["---:" if all(_NUMBER.match(cell) for cell in column) else "---" for column in zip(*cells, strict=True)]
    return "\n".join("| " + " | ".join(line) + " |" for line in (head, sides, *cells))


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:,}".removesuffix(".0")
    return str(value).replace("|", "\\|")


def _range(row: Mapping[str, Any], name: str) -> str:
    found = row.get(name)
    if found is None:
        return "–"
    ends = "" if found["min"] == found["max"] else f" ({found['min']:,}–{found['max']:,})"
    return _cell(found["mean"]) + ends


def about(results: Results) -> str:
    """When and on what each part was run."""
    rows = []
    for name, result in results.items():
        made = result["about"]
        machine = made["machine"]
        kind = f"{machine['cores']} × {machine['processor']}, {machine['memory GiB']} GiB, {machine['system']}"
        rows.append((name, made["date"], made["memory-shaper"], made["python"], made["sqlite"], kind))
    versions = next(iter(results.values()))["about"]["packages"]
    packages = ", ".join(f"{name} {version}" for name, version in versions.items())
    head = ("part", "date", "memory-shaper", "Python", "SQLite", "machine")
    return f"{table(head, rows)}\n\nPackages: {packages}."


def skipped(results: Results, parts: Iterable[str]) -> str:
    """Everything that was not run, and why; `parts` are all that there are."""
    rows = [(name, name, "there is no result") for name in parts if name not in results] + [
        (name, what, why.replace("\n", " "))
        for name, result in results.items()
        for what, why in result["skipped"].items()
    ]
    return table(("part", "not run", "why"), rows) if rows else "Everything was run."


def capacity(results: Results) -> str:
    """Memories and details held, and what is resident for them."""
    figures = results["capacity"]["figures"]
    arms = {f"native, Hermes {host}": figures.get("native", {}).get(host) for host in HOSTS}
    arms |= {f"ours, {name}": figures["ours"][name] for name in OURS_ARMS}
    columns = ("memories held", "details retrievable", "resident characters", "resident tokens o200k_base")
    rows = [(name, *(_range(row, column) for column in columns)) for name, row in arms.items() if row]
    head = ("kept as", f"memories of {figures['memories']}", f"details of {figures['details']}", "characters", "tokens")
    return table(head, rows)


def probes(results: Results) -> str:
    """How the questions of each arm found their file."""
    rows = []
    for name in OURS_ARMS:
        counts = results["capacity"]["figures"]["ours"][name]["probes"]
        total = sum(count for way, count in counts.items() if way != "shown")
        ways = ("route right", "route wrong", "search right", "search wrong")
        rows.append((name, total, *(f"{100 * counts.get(way, 0) / total:.1f} %" for way in ways)))
    return table(("arm", "asked", "line right", "line wrong", "search right", "search wrong"), rows)


def lines(results: Results) -> str:
    """How many lines fit under the cap."""
    rows = [
        (f"{count} keywords a line", _range(row, "lines"), _range(row, "resident characters"))
        for count, row in results["capacity"]["figures"]["lines that fit"].items()
    ]
    return table(("lines of", "lines that fit", "characters then"), rows)


def misled(results: Results) -> str:
    """The questions that led to a wrong file, with every line of seven keywords in the index."""
    arms = results["capacity"]["figures"]["ours"]
    rows = [
        (row["question"], row["file"], row["first"] or "nothing", row["by"], row["orders"])
        for row in arms["7 keywords, refused when full"]["misled"]
    ]
    return table(("question", "its file", "led to", "by", "orders"), rows) if rows else "None."


def facts(results: Results) -> str:
    """Short facts by category."""
    figures = results["facts"]["figures"]
    natives = {
        f"native, Hermes {host}": figures[f"short facts, native {host}"]
        for host in HOSTS
        if f"short facts, native {host}" in figures
    }
    ours = figures["short facts, ours"]
    names = list(ours["found"])
    rows = [(name, *(row["kept as written"][name] for row in natives.values()), ours["found"][name]) for name in names]
    sizes = [f"{row['resident']['characters']:,}" for row in natives.values()]
    rows.append(("resident characters", *sizes, ours["resident"]["characters"]))
    return table(("category", *natives, "memory-shaper"), rows)


def compression(results: Results) -> str:
    """Characters and tokens of text behind resident ones."""
    rows = []
    for name, row in results["facts"]["figures"]["compression"].items():
        for unit in row["resident"]:
            share = row["texts"][unit] / row["resident"][unit]
            rows.append((name, unit, row["texts"][unit], row["resident"][unit], f"{share:.1f}"))
    return table(("texts", "counted in", "in the files", "resident", "ratio"), rows)


def past(results: Results) -> str:
    """What became of twenty-five memories when the cap was reached."""
    figures = results["facts"]["figures"]
    rows: list[Sequence[object]] = []
    for host in HOSTS:
        if row := figures.get(f"past the cap, native {host}"):
            rows.append((f"native, Hermes {host}", row["kept"], 0, row["refused"], 5 * row["kept"]))
    for name, row in figures["past the cap, ours"].items():
        found = sum(count for key, count in row.items() if key.startswith("details of"))
        rows.append((f"ours, 12 keywords, {name}", row["index"], row.get("archive", 0), row.get("refused", 0), found))
    return table(("kept as", "resident", "archived", "refused", "details found"), rows)


def reference(results: Results) -> str:
    """Claims of hermes-dynamic-memory beside what our own form of the experiment gives."""
    figures = results["capacity"]["figures"]
    native = figures.get("native", {}).get("0.19")
    seven = figures["ours"]["7 keywords, refused when full"]
    fit = figures["lines that fit"]
    sizes = results["facts"]["figures"]["compression"]["complex memories"]
    held = f"{_range(native, 'memories held')} of {figures['memories']}" if native else "not run"
    details = _range(native, "details retrievable") if native else "not run"
    ratio = sizes["texts"]["characters"] / sizes["resident"]["characters"]
    rows = [
        ("complex memories that native memory holds", "2 of 6 (projected 2.7)", held),
        ("details answered natively", "11 of 30", f"{details} of {figures['details']}, without a model"),
        ("details answered by an index", "30 of 30", f"{_range(seven, 'details retrievable')} of {figures['details']}"),
        ("12-keyword lines in 2,200 characters", "16.8, by formula", f"{_range(fit['12'], 'lines')}, by filling"),
        ("7-keyword lines in 2,200 characters", "26.8, by formula", f"{_range(fit['7'], 'lines')}, by filling"),
        ("text behind a resident character", "9.0 (4,539 behind 503)", f"{ratio:.1f}"),
    ]
    return table(("figure", "published", "here"), rows)


def guard(results: Results) -> str:
    """What became of the calls, by arm."""
    rows = []
    for name, arm in _arms(results):
        harmful, harmless = arm["totals"].get("damaging", {}), arm["totals"].get("harmless", {})
        counts = [harmful.get(outcome, 0) for outcome in ("stopped before", "undone after", "left", "no effect")]
        wrongly = harmless.get("refused wrongly", 0) + harmless.get("undone wrongly", 0)
        rows.append((name, sum(counts), *counts, sum(harmless.values()), wrongly))
    head = ("arm", "damaging", "stopped before", "undone after", "left", "no effect", "harmless", "refused or undone")
    return table(head, rows)


def _arms(results: Results) -> list[tuple[str, Mapping[str, Any]]]:
    figures = results["guard"]["figures"]
    return [(name, arm) for name, arm in figures.items() if isinstance(arm, Mapping)]


def left(results: Results) -> str:
    """How many damaging calls left how many of the four entries."""
    rows = [(name, *arm["entries left after a damaging call"].values()) for name, arm in _arms(results)]
    return table(("arm: entries left", "0", "1", "2", "3", "4"), rows)


def families(results: Results) -> str:
    """The outcomes by family, in process with the plugin."""
    found = results["guard"]["figures"]["in process, with the plugin"]["families"]
    names = list(dict.fromkeys(outcome for outcomes in found.values() for outcome in outcomes))
    return table(
        ("family", *names), [(name, *(row.get(outcome, 0) for outcome in names)) for name, row in found.items()]
    )


def faults(results: Results) -> str:
    """The harnesses with their counts."""
    rows = results["faults"]["figures"]["faults"]
    return table(("fault", "runs", "faults found"), [(row["what"], row["runs"], row["faults found"]) for row in rows])


TABLES: Mapping[str, tuple[str, Callable[[Results], str]]] = {
    "capacity": ("capacity", capacity),
    "probes": ("capacity", probes),
    "lines": ("capacity", lines),
    "misled": ("capacity", misled),
    "facts": ("facts", facts),
    "compression": ("facts", compression),
    "past": ("facts", past),
    "guard": ("guard", guard),
    "left": ("guard", left),
    "families": ("guard", families),
    "faults": ("faults", faults),
}
