"""ADD, UPDATE, SUPERSEDE or NOTHING: what a fact means for the topics nearest to it, and only for those. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from .. import names
from .facts import Fact, json_in

_EXCERPT = 800  # characters of a topic that are shown


class Action(StrEnum):
    """What a fact does to the memory."""

    ADD = "ADD"  # a topic of its own, or one more paragraph where it names one
    UPDATE = "UPDATE"  # into a topic that is there, in place of a passage where one is given
    SUPERSEDE = "SUPERSEDE"  # in place of a whole topic, which goes to the archive
    NOTHING = "NOTHING"


@dataclass(frozen=True, slots=True)
class Near:
    """A topic near a fact: its file name and its text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Decided:
    """A fact with what is to be done; `target` is a topic that was shown, "" for ADD and NOTHING."""

    fact: Fact
    action: Action
    target: str = ""
    replaces: str = ""


def question(facts: Sequence[Fact], near: Sequence[Sequence[Near]]) -> str:
    """What the model is asked: the facts that have topics near them, and these topics."""
    parts = []
    for number, (fact, topics) in enumerate(zip(facts, near, strict=True)):
        if topics:
            shown = "\n".join(f'<topic name="{one.name}">\n{one.text[:_EXCERPT]}\n</topic>' for one in topics)
            parts.append(f"FACT {number}: {fact.text}\n{shown}")
    return "\n\n".join(parts)


def decided(facts: Sequence[Fact], near: Sequence[Sequence[Near]], answer: str | None) -> list[Decided] | None:
    """The decision for each fact: ADD where no topic is near it, else what a valid answer says, else NOTHING.

    A target counts only where it was shown with this fact, a passage only where it stands once in the target. Where
    nobody was asked (`answer` None), what is not there word for word is added. None where the answer is none at all.
    """
    told: dict[object, Mapping[object, object]] = {}
    if answer is not None:
        found = json_in(answer)
        listed = found.get("decisions") if isinstance(found, Mapping) else found
        if not isinstance(listed, list):
            return None
        told = {row.get("fact"): row for row in listed if isinstance(row, Mapping) and _is_number(row.get("fact"))}
    asked = answer is not None
    pairs = enumerate(zip(facts, near, strict=True))
    return [_one(fact, topics if asked else _same(fact, topics), told.get(number)) for number, (fact, topics) in pairs]


def _same(fact: Fact, near: Sequence[Near]) -> list[Near]:
    """The topics that hold a fact word for word."""
    return [one for one in near if fact.text in one.text]


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _one(fact: Fact, near: Sequence[Near], row: Mapping[object, object] | None) -> Decided:
    if not near:
        return Decided(fact, Action.ADD)
    if any(fact.text in one.text for one in near) or row is None:
        return Decided(fact, Action.NOTHING)
    action = str(row.get("action", "")).strip().upper()
    if action == Action.ADD:
        return Decided(fact, Action.ADD)
    target = next((one for one in near if names.same(one.name) == names.same(str(row.get("target", "")))), None)
    if target is None or action not in (Action.UPDATE, Action.SUPERSEDE):
        return Decided(fact, Action.NOTHING)
    passage = row.get("replaces")
    once = isinstance(passage, str) and passage.strip() and target.text.count(passage.strip()) == 1
    return Decided(fact, Action(action), target.name, str(passage).strip() if once else "")


def kind_of(one: Decided) -> str:
    """The kind of proposal that a decision is, "" for none."""
    kinds = {Action.ADD: "remember", Action.UPDATE: "update", Action.SUPERSEDE: "supersede"}
    if one.action is Action.UPDATE and not one.replaces:
        return "remember"  # a paragraph more
    return kinds.get(one.action, "")


def payload_of(one: Decided) -> dict[str, object]:
    """The payload of the proposal."""
    fact = one.fact
    fields: dict[str, object] = {"text": fact.text, "topic": fact.topic, "type": fact.type, "project": fact.project}
    fields["keywords"] = list(fact.keywords)
    if one.action is Action.UPDATE:
        fields |= {"topic": one.target, "replaces": one.replaces}
    elif one.action is Action.SUPERSEDE:
        fields["supersedes"] = [one.target]
    return {name: value for name, value in fields.items() if value}
