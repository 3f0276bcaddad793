"""Which topics go to the archive by the rules a person has set, and why each of the others stays. Pure.

    replaced    another topic says that it takes its place
    expired     its own end is so many days past
    retention   its type is kept for so long, and nobody has written, changed or read it since
    unused      nobody has for so long, whatever its type
    forgotten   old and unused and unliked and calm and unmentioned and unmarked, all of them

What the watchdog never archives is never archived here: marked lines, links, files that a second line names, what is
new. Only replaced and expired topics may be new, since the user has said so in the topic itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from ..recall.standing import own_key, read_day, replaced
from ..watchdog.judging import Judged
from .model import Standing, Topic

PROFILE, PROJECT, HISTORY, FACT = "profile", "project", "history", "fact"
KINDS = (PROFILE, PROJECT, HISTORY, FACT)
SUMMARY = "summary"
CALM = 0.3
UNMENTIONED = 1.1


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules in force: `spans` are days by type (None: forever); 0 days switches a rule off, but for `expired`.

    `held` says why nobody knows what is used ("": it is known); then only what was replaced or has ended goes.
    """

    spans: Mapping[str, int | None] = field(default_factory=dict)
    unused: float = 0
    expired: float = 30
    forget: float = 0
    held: str = ""


@dataclass(frozen=True, slots=True)
class Word:
    """What the rules say of one topic: the name of the rule by which it goes ("": it stays), and why, in words."""

    judged: Judged
    rule: str
    why: str


def decide(
    new: Sequence[Judged],
    old: Sequence[Judged],
    topics: Mapping[str, Topic],
    known: Mapping[str, Standing],
    rules: Rules,
    now: datetime,
) -> list[Word]:
    """The word on each entry of the index whose topic is known, in the order of the index.

    `old` are the entries as the watchdog judges them, `new` the same without its grace window; `topics` is by target,
    `known` by the name of a topic.
    """
    gone = replaced([topic.claim for topic in topics.values()])
    strict = {judged.place: judged for judged in old}
    words = []
    for judged in sorted(new, key=lambda one: one.place):
        topic = topics.get(judged.entry.target)
        if topic is None:
            continue
        if ended := _ended(topic, gone, rules, now):
            words.append(Word(judged, "", judged.stays) if judged.stays else Word(judged, *ended))
        elif stays := strict[judged.place].stays or rules.held:
            words.append(Word(judged, "", stays))
        else:
            words.append(Word(judged, *_aged(topic, known[topic.name], rules, now)))
    return words


def _ended(topic: Topic, gone: frozenset[str], rules: Rules, now: datetime) -> tuple[str, str] | None:
    if own_key(topic.name) in gone:
        return "replaced", "another topic says that it takes the place of this one"
    for row, text in (("invalid_at", topic.front.invalid_at), ("valid_until", topic.front.valid_until)):
        day = read_day(text)
        if day and now.date() - day > timedelta(days=rules.expired):
            return "expired", f"{row} {day} is more than {_days(rules.expired)} past"
    return None


def _aged(topic: Topic, known: Standing, rules: Rules, now: datetime) -> tuple[str, str]:
    """The rule by which a topic goes and why, or "" and why it stays."""
    still = now - known.touched
    kind = topic.front.kind.casefold()
    span = rules.spans.get(kind)
    if span is not None and still > timedelta(days=span):
        return "retention", f"type {kind} is kept for {_days(span)}, and nothing has touched it for {_days(still.days)}"
    if rules.unused and still > timedelta(days=rules.unused):
        return "unused", f"nothing has touched it for {_days(still.days)}, more than {_days(rules.unused)}"
    if rules.forget and not (why := remembered(topic, known, rules, now)):
        return "forgotten", f"unused for {_days(still.days)}, unliked, calm and unmentioned"
    return "", why if rules.forget else f"touched {_days(still.days)} ago"


def remembered(topic: Topic, known: Standing, rules: Rules, now: datetime) -> str:
    """Why a topic is not forgotten, "" where all conditions hold; marks and the grace window are looked at before."""
    kind = topic.front.kind.casefold()
    if kind == SUMMARY or (kind in rules.spans and rules.spans[kind] is None):
        return f"type {kind} is never forgotten"
    if (age := now - max(known.touched, known.seen)) <= timedelta(days=rules.forget):
        return f"first seen or touched {_days(age.days)} ago"
    if known.net > 0:
        return "it was called useful"
    if known.intensity >= CALM:
        return f"it is felt strongly ({known.intensity:g})"
    if known.attention > UNMENTIONED:
        return f"it is being talked about (factor {known.attention:g})"
    return ""


def _days(number: float) -> str:
    return "1 day" if number == 1 else f"{max(number, 0):g} days"
