"""The results in a few sentences, wins and losses, each only where its part was run. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tables import Results


def short(results: Results) -> str:
    """A list of sentences."""
    said = [say(results) for part, say in _SENTENCES.items() if results.get(part, {}).get(_KIND.get(part, "figures"))]
    return "\n".join(f"* {sentence}" for sentence in said) or "Nothing was run."


def _capacity(results: Results) -> str:
    figures = results["capacity"]["figures"]
    seven = figures["ours"]["7 keywords, refused when full"]
    held, found = seven["memories held"]["mean"], seven["details retrievable"]["mean"]
    said = (
        f"Of {figures['memories']} complex memories under one cap an index of seven keywords a line keeps {held:g} and "
        f"leads {found:g} of {figures['details']} questions to their file"
    )
    if native := figures.get("native", {}).get("0.22"):
        held, found = native["memories held"]["mean"], native["details retrievable"]["mean"]
        said += f"; native memory keeps {held:g}, with {found:g} of the details"
    return f"{said}."


def _facts(results: Results) -> str:
    figures = results["facts"]["figures"]
    ours = figures["short facts, ours"]
    size = f"{ours['resident']['characters']:,}"
    said = f"With us {ours['found']['all']} of fifty short facts are found, for {size} characters"
    if native := figures.get("short facts, native 0.22"):
        kept, size = native["kept as written"]["all"], f"{native['resident']['characters']:,}"
        said += f"; natively {kept} fit, in {size}, and need no file to be read: short facts gain little from us"
    return f"{said}."


def _collisions(results: Results) -> str:
    sizes = results["routing"]["figures"]["collisions"]["sharing lines"]
    size, row = list(sizes.items())[-1]
    return (
        f"In an index of {int(size):,} lines that share their keywords, {row['right']:g} % of the questions come to "
        f"the right line and {row['astray']:g} % to a wrong one."
    )


def _retrieval(results: Results) -> str:
    figures = results["retrieval"]["figures"]
    parts = [
        f"{name}: {arms['memory-shaper']['all']['hit@1']:g} % (BM25 {arms['plain BM25']['all']['hit@1']:g} %)"
        for name, arms in figures.items()
        if name != "defaults"
    ]
    return f"Search puts the right text first; {'; '.join(parts)}."


def _ablation(results: Results) -> str:
    worse = [
        f"{part} ({name})"
        for name, groups in results["ablation"]["figures"].items()
        for rows in groups.values()
        for part, row in rows.items()
        if part != "everything" and row["mrr lost"]["95 %"][1] < 0
    ]
    return f"Parts that make the search worse there, beyond chance: {', '.join(worse) or 'none'}."


def _guard(results: Results) -> str:
    arms = [
        arm["totals"]
        for name, arm in results["guard"]["figures"].items()
        if isinstance(arm, Mapping) and "with the plugin" in name
    ]
    harmful, harmless = ([arm.get(kind, {}) for arm in arms] for kind in ("damaging", "harmless"))
    stopped, undone, left = (
        sum(arm.get(outcome, 0) for arm in harmful) for outcome in ("stopped before", "undone after", "left")
    )
    wrongly = sum(arm.get("refused wrongly", 0) + arm.get("undone wrongly", 0) for arm in harmless)
    total = sum(sum(arm.values()) for arm in harmless)
    return (
        f"Of damaging calls {stopped} were stopped before, {undone} undone after, {left} left; of {total} harmless "
        f"ones {wrongly} were refused or undone."
    )


def _faults(results: Results) -> str:
    rows = results["faults"]["figures"]["faults"]
    return f"{sum(row['faults found'] for row in rows)} faults were found in {sum(row['runs'] for row in rows):,} runs."


def _speed(results: Results) -> str:
    rows = results["speed"]["timings"]["goals"]
    missed = [row["what"] for row in rows if not row["met"]]
    met = len(rows) - len(missed)
    return f"{met} of {len(rows)} goals of speed and size are met; missed: {', '.join(missed) or 'none'}."


_KIND = {"speed": "timings"}
_SENTENCES: Mapping[str, Callable[[Results], str]] = {
    "capacity": _capacity,
    "facts": _facts,
    "retrieval": _retrieval,
    "routing": _collisions,
    "ablation": _ablation,
    "guard": _guard,
    "faults": _faults,
    "speed": _speed,
}
