"""Which entries may go to the archive, in which order they are needed, and why. Pure.

Whoever asks hands in a `Situation`: the index, what is known of its topics, how much the tally has seen, the settings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from .. import archive, grammar, host, names
from ..model import CRITICAL, Entry, Kind
from . import ranking

_JOIN = len(host.DELIMITER)
_MARKERS = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")
_WRONG_CLOCK = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Topic:
    """What is known of the topic file behind an entry.

    `first_seen` is the earliest of record, file time and first use (UTC), `usage` None where it was never used,
    `feedback` the factor of the user's words (1.0 = none); `stays` says why the file cannot be moved ("": it can).
    """

    first_seen: datetime
    usage: ranking.Usage | None = None
    feedback: float = 1.0
    stays: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Which span of the host's sessions the tally has seen (UTC); `trouble` says why today's are not among them."""

    earliest: datetime | None = None
    latest: datetime | None = None
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Policy:
    """The cap in code points as the host counts them, and the settings; shares are of the cap."""

    cap: int = host.DEFAULT_CAP
    near_cap: float = 0.95
    archive_to: float = 0.80
    grace_days: float = 14
    half_life_days: float = ranking.HALF_LIFE_DAYS

    @property
    def near(self) -> int:
        """The size above which entries are archived."""
        return int(self.cap * self.near_cap)

    @property
    def goal(self) -> int:
        """The size down to which entries are archived."""
        return int(self.cap * min(self.archive_to, self.near_cap))


@dataclass(frozen=True, slots=True)
class Situation:
    """All that a plan is made of. `topics` is keyed by `names.same(target)`; `ordered_at` is when the order of the
    index was changed last, None for never."""

    shelf: archive.Shelf
    topics: Mapping[str, Topic]
    evidence: Evidence
    policy: Policy
    now: datetime
    ordered_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """One entry: how much it is needed and why, and why it stays ("": it may go).

    `place` counts the entries of the index from 0, `size` is what the index loses with it, joins included; `topic` is
    None where the file is missing.
    """

    entry: Entry
    place: int
    score: float
    why: str
    stays: str
    size: int
    topic: Topic | None = None

    @property
    def movable(self) -> bool:
        """Whether the line may change its place."""
        return not self.entry.mark and not names.fault(self.entry.target)


def unplannable(text: str) -> str | None:
    """Why an index is left alone altogether: "" for a text that is no index yet, None where it can be planned."""
    index = grammar.parse(text)
    for number, line in enumerate(index.lines, 1):
        if line.kind is Kind.STRAY and line.text.startswith(_MARKERS):
            return f"line {number} is a merge marker: the index holds two versions of itself"
    return None if grammar.is_index(index) else ""


def held_back(situation: Situation) -> str:
    """Why nothing may be archived, whatever its rank: the tally is younger than the grace window, or cannot be had."""
    evidence, grace = situation.evidence, situation.policy.grace_days
    if evidence.trouble:
        return evidence.trouble
    if evidence.earliest is None or evidence.latest is None:
        return "no session of the host has been seen yet, so nobody knows what is read"
    span = min(evidence.latest, situation.now) - evidence.earliest
    if span < timedelta(days=grace):
        return f"the sessions seen so far cover {_days(span)}, and {grace:g} days are needed to know what is cold"
    return ""


def _days(span: timedelta) -> str:
    days = max(0, span.days)
    return f"{days} day" if days == 1 else f"{days} days"


def judge(situation: Situation) -> list[Judged]:
    """Every entry with its rank and its reason to stay, the most needed first; ties as they stand in the index."""
    index = grammar.parse(situation.shelf.index)
    lines = [line for line in index.lines if line.kind is Kind.ENTRY and line.entry is not None]
    entries = [line.entry for line in lines if line.entry is not None]
    often = Counter(names.same(entry.target) for entry in entries)
    topics = [situation.topics.get(names.same(entry.target)) for entry in entries]
    return [
        Judged(
            entry=entries[place],
            place=place,
            score=score,
            why=why,
            stays=_stays(entries[place], topics[place], often[names.same(entries[place].target)], situation),
            size=len(lines[place].text.strip()) + _JOIN,
            topic=topics[place],
        )
        for place, score, why in _rank(topics, situation)
    ]


def _rank(topics: Sequence[Topic | None], situation: Situation) -> Iterator[tuple[int, float, str]]:
    # All are given as known equally long, so that a tie is told apart by the place alone and nothing moves for it.
    known = [
        ranking.Candidate(str(place), situation.now, topic.feedback if topic else 1.0)
        for place, topic in enumerate(topics)
    ]
    uses = {str(place): topic.usage for place, topic in enumerate(topics) if topic and topic.usage}
    for ranked in ranking.rank(known, uses, situation.now, situation.policy.half_life_days):
        yield int(ranked.name), ranked.score, ranked.why


def _stays(entry: Entry, topic: Topic | None, often: int, situation: Situation) -> str:
    if entry.mark:
        return "critical (!!)" if entry.mark == CRITICAL else "pinned (!)"
    if fault := names.fault(entry.target):
        return f"its target {fault}"
    if often > 1:
        return "another line names the same file"
    if topic is None:
        return "its file is missing"
    return topic.stays or _in_grace(topic, situation)


def _in_grace(topic: Topic, situation: Situation) -> str:
    grace = timedelta(days=situation.policy.grace_days)
    if topic.usage and -_WRONG_CLOCK <= (age := situation.now - topic.usage.last_used) < grace:
        return f"used {_days(age)} ago, in the grace window"
    if (age := situation.now - topic.first_seen) < grace:
        return f"first seen {_days(age)} ago, in the grace window"
    return ""
