"""How often do lines take questions from one another when the index grows to a thousand lines?

The questions that name a keyword in the routing set (sixty lines), and the probes of the complex memories that a line
of twelve keywords answers. Other lines are added: once of foreign words only, once taking a third of their keywords
from the lines that are asked for, which is harder than an index of which somebody has read `verify --routing`.
"""

from __future__ import annotations

from collections.abc import Sequence

import yaml
from common import ROOT, draw
from keeping import memories
from memory_shaper.model import Entry
from memory_shaper.recall.cases import Case, read_cases, surely
from memory_shaper.recall.fuzzy import near_words
from memory_shaper.recall.route import Router

SET = ROOT / "tests" / "recall" / "routing.yaml"
NAMED = ("literal", "inflected", "several")
SIZES = (20, 60, 200, 1000)
LINE = 12
_STARTS, _ENDS = "b d f g k l m n p r s t v z ch st tr pl".split(), "a e i o u ai ea or an el".split()


def collisions(quick: bool) -> dict[str, object]:
    """Right, astray and undecided shares, in percent, by size of the index and kind of the added lines."""
    lines, cases = _lines(), _cases()
    found: dict[str, object] = {}
    for kind in ("foreign", "sharing"):
        added = _added(max(SIZES), [word for line in lines for word in line.keywords] if kind == "sharing" else [])
        found[f"{kind} lines"] = {
            str(size): _shares(lines, added, cases, size) for size in (SIZES[:3] if quick else SIZES)
        }
    return found


def _lines() -> list[Entry]:
    """The lines that are asked for: those of the routing set and those of the memories, alternately."""
    topics = yaml.safe_load(SET.read_text("utf-8"))["topics"]
    first = [Entry("", tuple(topic["keywords"].split(",")), name) for name, topic in topics.items()]
    second = [Entry("", memory.keywords[:LINE], memory.name) for memory in memories()]
    draw("collisions lines").shuffle(first)
    return [line for pair in zip(first, second, strict=False) for line in pair] + first[len(second) :]


def _cases() -> list[Case]:
    tree = yaml.safe_load(SET.read_text("utf-8"))
    named = [case for case, row in zip(read_cases(tree), tree["tests"], strict=True) if row["kind"] in NAMED]
    return named + [Case(probe.question, (probe.file,)) for memory in memories() for probe in memory.probes]


def _added(count: int, shared: Sequence[str]) -> list[Entry]:
    """Made-up lines; with `shared`, a third of the keywords of each are words of lines that are asked for."""
    chance = draw(f"collisions {bool(shared)}")

    def word() -> str:
        return "".join(chance.choice(_STARTS) + chance.choice(_ENDS) for _ in range(chance.randint(2, 4)))

    entries = []
    for number in range(count):
        words = chance.sample(list(shared), LINE // 3) if shared else []
        words += [word() for _ in range(LINE - len(words))]
        entries.append(Entry("", tuple(dict.fromkeys(words)), f"added-{number}.md"))
    return entries


def _shares(lines: Sequence[Entry], added: Sequence[Entry], cases: Sequence[Case], size: int) -> dict[str, float]:
    """Ask what the first `size` lines know; the added ones stand among them by lot."""
    index = [*lines[:size], *added[: max(0, size - len(lines))]]
    draw(f"collisions order {size}").shuffle(index)
    targets = {line.target for line in index}
    asked = [case for case in cases if case.expect and set(case.expect) <= targets]
    router = Router(index, near_words())
    right = astray = 0
    for case in asked:
        line = surely(router.route(case.question))
        right += line is not None and line.entry.target in case.expect
        astray += line is not None and line.entry.target not in case.expect
    share = {"right": right, "astray": astray, "left to the search": len(asked) - right - astray}
    return {"questions": len(asked)} | {name: round(100 * count / len(asked), 1) for name, count in share.items()}
