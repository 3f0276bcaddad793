"""The other experiments that are told of memories like these: short facts, compression, and adding past the cap.

Fifty short facts of five categories, natively one entry each, with us ten topic files; how many characters of text
stand behind how many resident ones; and what each side does with memories that do not fit any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import yaml
from capacity import USUAL
from common import FIXTURES, How, Missing, Result, draw
from hosts.harness import Host
from keeping import Notebook, Probe, fill_native, installed_hosts, memories, notebook, tokens
from memory_shaper import host as host_rules


@dataclass(frozen=True, slots=True)
class Fact:
    """One short fact of a category, with its probe."""

    text: str
    category: str
    probe: Probe


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic file of facts with its keywords."""

    name: str
    keywords: tuple[str, ...]
    facts: tuple[Fact, ...]

    @property
    def text(self) -> str:
        return "\n".join(fact.text for fact in self.facts)


@cache
def topics() -> tuple[Topic, ...]:
    """The facts of fixtures/facts.yaml."""
    return tuple(_topic(row) for row in yaml.safe_load((FIXTURES / "facts.yaml").read_text("utf-8"))["topics"])


def _topic(row: Mapping[str, object]) -> Topic:
    name, rows = str(row["name"]), row["facts"]
    assert isinstance(rows, list)
    parts = [str(fact).split(" | ") for fact in rows]
    facts = tuple(Fact(text, str(row["category"]), Probe(question, value, name)) for text, question, value in parts)
    return Topic(name, tuple(str(row["keywords"]).split(",")), facts)


def measure(how: How) -> Result:
    """All figures of the part."""
    figures: dict[str, object] = {
        "short facts, ours": _ours(),
        "compression": _compression(),
        "past the cap, ours": _past(),
    }
    skipped = {}
    try:
        for host in installed_hosts():
            figures[f"short facts, native {host.version}"] = _native(host, 3 if how.quick else 20)
            figures[f"past the cap, native {host.version}"] = _past_native(host)
    except Missing as missing:
        skipped["native"] = str(missing)
    return Result(figures, skipped=skipped)


def _native(host: Host, count: int) -> dict[str, object]:
    """Facts kept natively by category, in the order of the file and on average of shuffled orders."""
    facts = [fact for topic in topics() for fact in topic.facts]
    orders = [list(facts) for _ in range(count)]
    for number, order in enumerate(orders[1:]):
        draw(f"facts {number}").shuffle(order)
    filled = fill_native(host, [[fact.text for fact in order] for order in orders])
    kept = [
        Counter(fact.category for fact, good in zip(order, one.kept, strict=True) if good)
        for order, one in zip(orders, filled, strict=True)
    ]
    names = list(dict.fromkeys(fact.category for fact in facts))
    return {
        "kept as written": {name: kept[0][name] for name in names} | {"all": kept[0].total()},
        "kept on average": {name: _mean([one[name] for one in kept]) for name in names}
        | {"all": _mean([one.total() for one in kept])},
        "resident": _size(filled[0].text),
    }


def _mean(values: Sequence[int]) -> float:
    return round(sum(values) / len(values), 2)


def _ours() -> dict[str, object]:
    """Facts whose file the question alone leads to, by category."""
    with notebook() as book:
        _keep(book)
        ask, right, misled = book.asker(), Counter[str](), []
        for fact in (fact for topic in topics() for fact in topic.facts):
            reply = ask(fact.probe.question)
            good = reply.files[:1] == (fact.probe.file,)
            right[fact.category] += good
            if not good:
                first = reply.files[0] if reply.files else ""
                misled.append(
                    {"question": fact.probe.question, "file": fact.probe.file, "first": first, "by": reply.way}
                )
        return {"found": dict(right) | {"all": right.total()}, "resident": _size(book.text), "misled": misled}


def _keep(book: Notebook) -> None:
    for topic in topics():
        book.keep(topic.name, topic.text, topic.keywords)


def _size(text: str) -> dict[str, int]:
    return {"characters": host_rules.size(text), **tokens(text)}


def _compression() -> dict[str, object]:
    """What stands behind an index of facts, and behind one of complex memories in lines of 7 keywords, all of them."""
    with notebook() as book:
        _keep(book)
        facts = {"texts": _size("\n".join(topic.text for topic in topics())), "resident": _size(book.text)}
    with notebook() as book:
        for memory in memories():
            book.keep(memory.name, memory.text, memory.keywords[:7])
        kept = [memory.text for memory in memories() if memory.name in book.held]
        complex_ = {"held": len(kept), "texts": _size("\n".join(kept)), "resident": _size(book.text)}
    return {"fifty facts": facts, "complex memories": complex_}


def _past_native(host: Host) -> dict[str, object]:
    (filled,) = fill_native(host, [[memory.text for memory in memories()]])
    kept = sum(filled.kept)
    return {"kept": kept, "refused": len(filled.kept) - kept, "said": filled.refusal.partition(". ")[0][:200]}


def _past() -> dict[str, object]:
    """All complex memories added: as new ones of one day, and as ones that came over months."""
    return {"all of one day": _past_once(aged=False), "over months": _past_once(aged=True)}


def _past_once(aged: bool) -> dict[str, object]:
    with notebook(aged=aged) as book:
        said = [book.keep(memory.name, memory.text, memory.keywords[:USUAL]) for memory in memories()]
        live, archived, ask = set(book.held), set(book.archived), book.asker()
        found = Counter[str]()
        for memory in memories():
            place = "index" if memory.name in live else "archive" if memory.name in archived else "refused"
            found[place] += 1
            found[f"details of {place} found"] += sum(
                ask(probe.question).files[:1] == (memory.name,) for probe in memory.probes
            )
        refusal = next((text for text in said if text), "")
        return dict(found) | {"said": refusal[:200]}
