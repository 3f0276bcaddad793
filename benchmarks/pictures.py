"""The charts of docs/benchmarks, each made of the results. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from charts import Bar, bars, curves
from tables import HOSTS, OURS_ARMS, Results


def capacity(results: Results) -> str:
    """Shares of memories held and details retrievable."""
    figures = results["capacity"]["figures"]
    arms = {f"native, Hermes {host}": figures.get("native", {}).get(host) for host in HOSTS}
    arms |= {f"ours, {name}": figures["ours"][name] for name in OURS_ARMS}
    groups = {}
    for name, row in arms.items():
        if row:
            groups[name] = {
                f"memories held, of {figures['memories']}": _share(row["memories held"], figures["memories"]),
                f"details retrievable, of {figures['details']}": _share(row["details retrievable"], figures["details"]),
            }
    return bars(
        "What a memory of 2,200 characters holds", groups, "percent; whiskers: least and most of the orders", 100
    )


def _share(row: Mapping[str, float], most: int) -> Bar:
    mean, low, high = (round(100 * row[name] / most, 1) for name in ("mean", "min", "max"))
    return Bar(mean, low, high)


def lines(results: Results) -> str:
    """How many lines fit."""
    groups = {
        f"{count} keywords a line": {"lines": Bar(row["lines"]["mean"], row["lines"]["min"], row["lines"]["max"])}
        for count, row in results["capacity"]["figures"]["lines that fit"].items()
    }
    return bars("Index lines under the host's cap, by filling", groups, "lines; whiskers: least and most of the orders")


def retrieval(results: Results) -> str:
    """hit@1 of every ranking, with intervals."""
    groups = {}
    for name, arms in results["retrieval"]["figures"].items():
        if name != "defaults":
            rows = {arm: found["all"] for arm, found in arms.items() if arm != "lead"}
            groups[name] = {arm: Bar(row["hit@1"], *row["hit@1 95 %"]) for arm, row in rows.items()}
    return bars("The right text comes first", groups, "percent of questions; whiskers: 95 % interval", 100)


def collisions(results: Results) -> str:
    """Right and astray by size."""
    groups = {}
    for kind, sizes in results["routing"]["figures"]["collisions"].items():
        for size, row in sizes.items():
            groups[f"{kind}, {int(size):,}"] = {name: Bar(row[name]) for name in ("right", "astray")}
    return bars("Questions to an index that grows", groups, "percent of questions", 100)


def ablation(results: Results) -> str:
    """Points of hit@1 that are lost without a part."""
    figures = results["ablation"]["figures"]
    groups: dict[str, dict[str, Bar]] = {}
    for name, kinds in figures.items():
        for rows in kinds.values():
            for part, row in rows.items():
                if part != "everything":
                    loss = row["hit@1 lost"]
                    low, high = (round(end, 1) for end in loss["95 %"])
                    groups.setdefault(f"without {part}", {})[name] = Bar(round(loss["mean"], 1), low, high)
    return bars("What is lost without a part of the search", groups, "points of hit@1; below 0: better without it")


def guard(results: Results) -> str:
    """What became of damaging calls, in percent of each arm's."""
    groups = {}
    for name, arm in results["guard"]["figures"].items():
        if isinstance(arm, Mapping) and (found := arm["totals"].get("damaging")):
            total = sum(found.values())
            names = ("stopped before", "undone after", "left")
            groups[name] = {one: Bar(round(100 * found.get(one, 0) / total, 1)) for one in names}
    return bars("Calls that would damage the memory", groups, "percent of the damaging calls", 100)


def search_growth(results: Results) -> str:
    """Search by number of notes, beside other engines."""
    found = results["growth"]["timings"]["search, p50 ms"]
    series: dict[str, dict[float, float]] = {}
    for size, row in found.items():
        for engine, value in row.items():
            if not isinstance(value, str):
                series.setdefault(engine, {})[float(size)] = value
    return curves("A warm question to more and more notes", series, "notes", "milliseconds, p50")


def growth(results: Results) -> str:
    """Building, checking, tallying."""
    timings = results["growth"]["timings"]
    series: dict[str, dict[float, float]] = {
        "building the sidecar (notes)": {float(size): value for size, value in timings["build, ms"].items()}
    }
    for name, label in (("verify, ms", "verify (lines)"), ("tally, ms", "tally (messages)")):
        series[label] = {float(size): row["min"] for size, row in timings[name].items()}
    return curves("Building, checking, tallying", series, "notes, lines, messages", "milliseconds")


PICTURES: Mapping[str, tuple[str, Callable[[Results], str]]] = {
    "capacity": ("capacity", capacity),
    "lines": ("capacity", lines),
    "retrieval": ("retrieval", retrieval),
    "collisions": ("routing", collisions),
    "ablation": ("ablation", ablation),
    "guard": ("guard", guard),
    "search-growth": ("growth", search_growth),
    "growth": ("growth", growth),
}
