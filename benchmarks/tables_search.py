"""The tables of docs/benchmarks.md about search, routing and speed, each made of the results. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tables import Results, table


def _sets(results: Results) -> dict[str, Mapping[str, Any]]:
    return {name: arms for name, arms in results["retrieval"]["figures"].items() if name != "defaults"}


def retrieval(results: Results) -> str:
    """Every set and ranking, with intervals."""
    rows = []
    for name, arms in _sets(results).items():
        for arm, found in arms.items():
            if arm != "lead":
                row = found["all"]
                first = f"{row['hit@1']} ({_ends(row['hit@1 95 %'])})"
                mean = f"{row['mrr']:.3f} ({_ends([round(end, 3) for end in row['mrr 95 %']])})"
                rows.append((name, arm, row["n"], first, row["hit@5"], row["hit@10"], mean))
    return table(("set, split", "ranking", "questions", "hit@1, %", "hit@5", "hit@10", "MRR"), rows)


def _ends(ends: list[float]) -> str:
    return f"{ends[0]}–{ends[1]}" if ends[0] >= 0 else f"{ends[0]} to {ends[1]}"


def leads(results: Results) -> str:
    """By how much memory-shaper leads each other ranking, question by question."""
    rows = [
        (name, arm, lead["hit@1"], _ends(lead["95 %"]))
        for name, arms in _sets(results).items()
        for arm, lead in arms["lead"].items()
        if arm != "random"
    ]
    return table(("set, split", "over", "points of hit@1", "95 % interval"), rows)


def types(results: Results) -> str:
    """hit@1 by type of question."""
    rows = []
    for name, arms in _sets(results).items():
        rankings = [arm for arm in arms if arm not in ("lead", "random")]
        for kind in arms["memory-shaper"]:
            if kind != "all":
                first = arms["memory-shaper"][kind]
                rows.append((name, kind, first["n"], *(arms[arm][kind]["hit@1"] for arm in rankings)))
    return table(
        ("set, split", "type", "questions", "memory-shaper", "plain BM25", "FTS5 bm25()", "Memo's ranking"), rows
    )


def routing(results: Results) -> str:
    """The routing set by kind of question."""
    found = results["routing"]["figures"]["routing set"]
    columns = ("n", "right", "astray", "only_sidecar", "found")
    rows = [(kind, *(row[name] for name in columns)) for kind, row in found.items() if "astray" in row]
    return table(("kind", "questions", "right, %", "astray", "only by search", "found in all"), rows)


def collisions(results: Results) -> str:
    """Shares by size of the index."""
    rows = [
        (kind, int(size), row["questions"], row["right"], row["astray"], row["left to the search"])
        for kind, sizes in results["routing"]["figures"]["collisions"].items()
        for size, row in sizes.items()
    ]
    return table(("added", "lines", "questions", "right, %", "astray", "left to the search"), rows)


def ablation(results: Results) -> str:
    """What each part is worth, by set."""
    figures = results["ablation"]["figures"]
    parts: dict[str, dict[str, str]] = {}
    sizes = {}
    for name, groups in figures.items():
        for group, rows in groups.items():
            sizes[f"{name}, {group}"] = rows["everything"]
            for part, row in rows.items():
                if part != "everything":
                    loss = row["hit@1 lost"]
                    ends = _ends([round(end, 1) for end in loss["95 %"]])
                    parts.setdefault(part, {})[name] = f"{loss['mean']:+.1f} ({ends})"
    rows = [(part, *(row.get(name, "–") for name in figures)) for part, row in parts.items()]
    whole = "; ".join(f"{name}: {row['n']} questions, hit@1 {row['hit@1']}" for name, row in sizes.items())
    return f"{table(('without', *figures), rows)}\n\nWith everything: {whole}."


def goals(results: Results) -> str:
    """Every goal with what was measured."""
    rows = []
    for row in results["speed"]["timings"]["goals"]:
        result = (
            f"{row['median']:,.4g} {row['unit']}" if row["median"] < 1000 else f"{row['median']:,.0f} {row['unit']}"
        )
        span = f"{row['min']:,.4g}–{row['max']:,.4g}"
        rows.append((row["what"], f"{row['goal']:,g} {row['unit']}", result, f"{span}, {row['runs']} runs", row["met"]))
    return table(("figure", "at most", "measured", "smallest and largest", "met"), rows)


def engines(results: Results) -> str:
    """Other engines over the same texts."""
    found = results["speed"]["timings"]["other engines, ms"]
    if not found:
        return "Not run."
    rows = [
        (name, engine, row if isinstance(row, str) else row["p50"], "" if isinstance(row, str) else row["p95"])
        for name, engines in found.items()
        for engine, row in engines.items()
    ]
    return table(("texts", "engine", "p50, ms", "p95, ms"), rows)


def growth(results: Results) -> str:
    """The curves as numbers."""
    timings = results["growth"]["timings"]
    sizes = list(timings["search, p50 ms"])
    engines = list(next(iter(timings["search, p50 ms"].values())))
    rows = [
        (f"search, {engine}, p50", *(timings["search, p50 ms"][size][engine] for size in sizes)) for engine in engines
    ]
    rows.append(("building the sidecar", *(timings["build, ms"][size] for size in sizes)))
    for name in ("verify, ms", "tally, ms"):
        row = timings[name]
        rows.append((name.partition(",")[0], *(f"{row[size]['min']:,}–{row[size]['max']:,}" for size in sizes)))
    return table(("milliseconds at a size of", *(f"{int(size):,}" for size in sizes)), rows)


TABLES: Mapping[str, tuple[str, Callable[[Results], str]]] = {
    "retrieval": ("retrieval", retrieval),
    "leads": ("retrieval", leads),
    "types": ("retrieval", types),
    "routing": ("routing", routing),
    "collisions": ("routing", collisions),
    "ablation": ("ablation", ablation),
    "goals": ("speed", goals),
    "engines": ("speed", engines),
    "growth": ("growth", growth),
}
