"""What a run of the rules says: nothing, a message, a rehearsal, an explanation; the same for programs. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..record import Proposal
from .leaving import Word

if TYPE_CHECKING:  # a value like any other
    from .upkeep import Outcome


def message(outcome: Outcome) -> list[str]:
    """The paragraphs that a person wants to read; none after a quiet run."""
    return [*_gone(outcome), *_proposed(outcome)]


def _gone(outcome: Outcome) -> Iterator[str]:
    if outcome.gone:
        verb = "would go" if outcome.dry else "went"
        many = _count(len(outcome.gone), "topic")
        lines = [f"  {word.judged.entry.target}   ({word.rule}: {word.why})" for word, _ in outcome.gone]
        back = f"To bring one back: memory-shaper restore {outcome.gone[0][1]}"
        yield "\n".join([f"{many} {verb} to the archive by your rules:", *lines, back])


def _proposed(outcome: Outcome) -> Iterator[str]:
    if outcome.proposed:
        often = Counter(one.kind for one in outcome.proposed)
        kinds = ", ".join(_count(number, kind) for kind, number in sorted(often.items()))
        verb = "would wait" if outcome.dry else "wait" if len(outcome.proposed) > 1 else "waits"
        many = _count(len(outcome.proposed), "new proposal")
        lines = [f"  {one.title}" for one in outcome.proposed[:5]]
        more = [f"  … and {len(outcome.proposed) - 5} more"] if len(outcome.proposed) > 5 else []
        yield "\n".join([f"{many} {verb} for your word ({kinds}); see: memory-shaper proposals", *lines, *more])


def explained(outcome: Outcome) -> str:
    """A line for each topic of the index: by which rule it goes, or why it stays."""
    lines = [f"  {_verdict(word, outcome.dry)}  {word.judged.entry.target}: {word.why}" for word in outcome.words]
    return "\n".join(["what the rules say of each topic:", *lines]) if lines else "the rules have no topic to speak of"


def _verdict(word: Word, dry: bool) -> str:
    if not word.rule:
        return "stays"
    return f"{'goes' if dry else 'went'} ({word.rule})"


def data(outcome: Outcome, explain: bool = False) -> dict[str, object]:
    """What JSON can hold of a run."""
    rows: dict[str, object] = {
        "archived": [
            {"target": word.judged.entry.target, "archived_as": name, "rule": word.rule, "why": word.why}
            for word, name in outcome.gone
        ],
        "proposed": [_proposal(one) for one in outcome.proposed],
    }
    if explain:
        rows["topics"] = [
            {"target": word.judged.entry.target, "rule": word.rule, "why": word.why} for word in outcome.words
        ]
    return rows


def _proposal(one: Proposal) -> dict[str, object]:
    return {"kind": one.kind, "target": one.target, "title": one.title}


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"
