"""How many complex memories fit under the host's default cap, and of how many details is the right file found?

Twenty-five memories with five probes each are kept in shuffled orders, first fit: natively in both real hosts, and as
topic files with an index line of 5, 7, 12 or 20 keywords. A detail is retrievable natively if its memory was kept,
since then it is resident; with us if the question alone leads to the file that holds it: the surely matching line, and
where there is none the first hit of the search. A sure line that is wrong counts as lost, whatever a search would find.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from common import How, Missing, Result, draw, spread
from hosts.harness import Host
from keeping import Filled, Memory, Notebook, Reply, fill_native, installed_hosts, memories, notebook, seen_by, tokens
from memory_shaper import host as host_rules

KEYWORDS = (5, 7, 12, 20)
USUAL = 12
Orders = Sequence[Sequence[Memory]]


def measure(how: How) -> Result:
    """All figures of the part."""
    orders = shuffled(4 if how.quick else 20)
    ours, index = _ours(orders)
    figures: dict[str, object] = {
        "memories": len(memories()),
        "details": sum(len(memory.probes) for memory in memories()),
        "orders": len(orders),
        "cap": host_rules.DEFAULT_CAP,
        "characters a memory": spread([len(memory.text) for memory in memories()]),
        "ours": ours,
        "lines that fit": {str(count): _lines_that_fit(count, len(orders)) for count in KEYWORDS},
    }
    skipped = {}
    try:
        hosts = installed_hosts()
        figures["native"] = {host.version: _native(host, orders) for host in hosts}
        figures["our index as the hosts count it"] = {host.version: seen_by(host, index) for host in hosts}
    except Missing as missing:
        skipped["native"] = str(missing)
    if not tokens(""):
        skipped["tokens"] = "bpe-openai is not installed"
    return Result(figures, skipped=skipped)


def shuffled(count: int) -> Orders:
    """The memories in so many orders, the first as they are written."""
    orders = [list(memories()) for _ in range(count)]
    for number, order in enumerate(orders):
        if number:
            draw(f"order {number}").shuffle(order)
    return orders


def _native(host: Host, orders: Orders) -> dict[str, object]:
    filled = fill_native(host, [[memory.text for memory in order] for order in orders])
    rows = [_resident(order, one) for order, one in zip(orders, filled, strict=True)]
    return _summary(rows) | {"said past the cap": _first_sentence(filled[0].refusal)}


def _first_sentence(text: str) -> str:
    return text.partition(". ")[0][:200]


def _resident(order: Sequence[Memory], filled: Filled) -> dict[str, float]:
    """One order natively: what is kept is resident, each of its details can be read."""
    kept = [memory for memory, good in zip(order, filled.kept, strict=True) if good]
    details = sum(probe.value in filled.text for memory in kept for probe in memory.probes)
    size = {"resident characters": host_rules.size(filled.text), **_tokens(filled.text)}
    return {"memories held": len(kept), "details retrievable": details, **size}


def _tokens(text: str) -> dict[str, float]:
    return {f"resident tokens {name}": count for name, count in tokens(text).items()}


@dataclass(slots=True)
class _Asked:
    """What became of the probes: counts by way and outcome, and every wrong file."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)

    def note(self, question: str, file: str, reply: Reply) -> None:
        """Note one probe."""
        right = reply.files[:1] == (file,)
        self.counts[f"{reply.way} right" if right else f"{reply.way} wrong"] += 1
        self.counts["shown"] += file in reply.files
        if not right:
            self.wrong[question, file, reply.files[0] if reply.files else "", reply.way] += 1


def _ours(orders: Orders) -> tuple[dict[str, object], str]:
    """Each number of keywords with refusal at the cap, the usual one also as the product is set up; and one index."""
    found: dict[str, object] = {}
    index = ""
    for count in KEYWORDS:
        found[f"{count} keywords, refused when full"], index = _kept(orders, count, on_full="refuse")
    found[f"{USUAL} keywords, as set up, all of one day"], _ = _kept(orders, USUAL)
    found[f"{USUAL} keywords, as set up, over months"], _ = _kept(orders, USUAL, aged=True)
    return found, index


def _kept(orders: Orders, count: int, on_full: str = "archive", aged: bool = False) -> tuple[dict[str, object], str]:
    rows, asked, index = [], _Asked(), ""
    for order in orders:
        with notebook(on_full, aged) as book:
            for memory in order:
                book.keep(memory.name, memory.text, memory.keywords[:count])
            rows.append(_row(book, order, asked))
            index = book.text
    wrong = [
        {"question": question, "file": file, "first": first, "by": way, "orders": times}
        for (question, file, first, way), times in sorted(asked.wrong.items(), key=lambda row: (-row[1], row[0]))
    ]
    held = dict(sorted(asked.counts.items()))
    return _summary(rows) | {"probes": held, "misled": wrong}, index


def _row(book: Notebook, order: Sequence[Memory], asked: _Asked) -> dict[str, float]:
    """One order with us: what has a line or lies in the archive is held; each of its details is asked for."""
    live, archived = set(book.held), set(book.archived)
    ask, right = book.asker(), 0
    for memory in order:
        for probe in memory.probes if memory.name in live | archived else ():
            reply = ask(probe.question)
            asked.note(probe.question, probe.file, reply)
            right += reply.files[:1] == (probe.file,)
    size = {"resident characters": host_rules.size(book.text), **_tokens(book.text)}
    return {"memories held": len(live | archived), "in the index": len(live), "details retrievable": right, **size}


def _summary(rows: Sequence[Mapping[str, float]]) -> dict[str, object]:
    """Mean, smallest and largest over the orders."""
    found: dict[str, object] = {}
    for name in rows[0]:
        values = [row[name] for row in rows]
        found[name] = {"mean": round(sum(values) / len(values), 2), "min": min(values), "max": max(values)}
    return found


def _lines_that_fit(count: int, orders: int) -> dict[str, object]:
    """How many lines of so many keywords fit, by filling: words drawn from those of all memories, real topic names."""
    pool = sorted({word for memory in memories() for word in memory.keywords})
    found = []
    for number in range(orders):
        chance = draw(f"lines {count} {number}")
        with notebook(on_full="refuse") as book:
            while not book.keep(name := "-".join(chance.sample(pool, 2)), f"About {name}.", chance.sample(pool, count)):
                pass
            found.append(
                {"lines": len(book.held), "resident characters": host_rules.size(book.text), **_tokens(book.text)}
            )
    return _summary(found)
