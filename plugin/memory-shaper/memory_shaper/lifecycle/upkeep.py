"""One run of the rules: who goes to the archive, and what is proposed. Shell.

Comes after the watchdog's own work, with its discipline: read all, plan, then under the lock look again and carry out
with the intent written first. A rule moves to the archive or proposes; nothing here takes a text away.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from .. import archive, names
from ..errors import Busy
from ..recall.find import strengths
from ..recall.standing import View, Viewer, marked_keys
from ..record import Proposal, Record
from ..settings import Home, Settings
from ..watchdog import look
from ..watchdog import run as watchdog
from ..watchdog.judging import Evidence, Judged, Situation, judge, unplannable
from ..watchdog.plan import Plan, put_aside
from .leaving import KINDS, Rules, Word, decide
from .model import Topic
from .proposing import Wish, proposals
from .topics import read_topics, standings

_COMPARED = "lifecycle.compared"
_TRIES = 2


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run of the rules did, or would do where `dry`.

    `words` are the words on all topics of the index, `gone` pairs each topic that goes with its name in the archive,
    `proposed` are the proposals that are new.
    """

    words: tuple[Word, ...] = ()
    gone: tuple[tuple[Word, str], ...] = ()
    proposed: tuple[Proposal, ...] = ()
    dry: bool = False

    @property
    def says(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self.gone or self.proposed)


@dataclass(frozen=True, slots=True)
class _Read:
    """All that was read: the shelf, the topics, the words on them."""

    shelf: archive.Shelf
    topics: Sequence[Topic]
    words: Sequence[Word]


def run(home: Home, settings: Settings, record: Record, evidence: Evidence, now: datetime) -> Outcome:
    """Carry out what the rules want of a home, and store what they propose.

    Raises Busy where the files change under it, Missing, Unreadable, ReadOnly and RecordError.
    """
    for _ in range(_TRIES):
        read = _read(home, settings, record, evidence, now)
        gone = _plans(read)
        if all(watchdog.carry_out(home, record, planned, rule) for rule, planned in gone):
            new = _propose(settings, record, _left(read), now)
            return Outcome(tuple(read.words), _gone(gone, read.words), tuple(new))
    raise Busy(f"{home.index}: changed while it was read, twice; try again")


def rehearse(
    home: Home, settings: Settings, record: Record, evidence: Evidence, now: datetime, shelf: archive.Shelf
) -> Outcome:
    """What `run` would do on a shelf; `record` is a copy that may be written."""
    read = _read(home, settings, record, evidence, now, shelf)
    new = _propose(settings, record, _left(read), now)
    return Outcome(tuple(read.words), _gone(_plans(read), read.words), tuple(new), dry=True)


def rules_of(settings: Settings, held: str = "") -> Rules:
    """The rules that the settings make; `held` says why nobody knows what is used."""
    spans = {kind: settings.days(f"retain_{kind}") for kind in KINDS}
    rows = ("archive_unused_days", "expired_days", "forget_days")
    unused, expired, forget = map(settings.number, rows)
    return Rules(spans, unused, expired, forget, held)


def _read(
    home: Home,
    settings: Settings,
    record: Record,
    evidence: Evidence,
    now: datetime,
    shelf: archive.Shelf | None = None,
) -> _Read:
    situation = look.situation(home, settings, record, now, evidence)
    situation = replace(situation, shelf=shelf) if shelf else situation
    topics = [topic for topic in read_topics(home, situation.shelf) if topic.name in situation.shelf.live.files]
    if unplannable(situation.shelf.index) is not None:
        return _Read(situation.shelf, topics, ())
    known = standings(record, topics, strengths(settings), now)
    named = {topic.entry.target: topic for topic in topics if topic.entry is not None}
    rules = rules_of(settings, evidence.trouble)
    return _Read(situation.shelf, topics, decide(_judged(situation), judge(situation), named, known, rules, now))


def _judged(situation: Situation) -> Sequence[Judged]:
    return judge(replace(situation, policy=replace(situation.policy, grace_days=0)))


def _plans(read: _Read) -> list[tuple[str, Plan]]:
    """The plans with the rule that each follows, in the order in which they are carried out."""
    plans: list[tuple[str, Plan]] = []
    shelf = read.shelf
    for rule in dict.fromkeys(word.rule for word in read.words if word.rule):
        made = put_aside(shelf, [word.judged for word in read.words if word.rule == rule])
        plans += [(rule, planned) for planned in made]
        shelf = made[-1].leaves
    return plans


def _gone(plans: Iterable[tuple[str, Plan]], words: Iterable[Word]) -> tuple[tuple[Word, str], ...]:
    by_place = {word.judged.place: word for word in words}
    return tuple((by_place[one.judged.place], one.line.target) for _, plan in plans for one in plan.archived)


def _left(read: _Read) -> list[Topic]:
    gone = {word.judged.entry.target for word in read.words if word.rule}
    return [topic for topic in read.topics if topic.entry is None or topic.entry.target not in gone]


def _propose(settings: Settings, record: Record, topics: Sequence[Topic], now: datetime) -> list[Proposal]:
    """Store what the topics suggest; the proposals that are new. Nothing is compared where nothing has changed."""
    wish = Wish(now, bool(settings["find_duplicates"]), bool(settings["find_related"]))
    marked = marked_keys(topic.entry for topic in topics if topic.entry)
    view = View(Viewer(day=now.date(), marked=marked), [topic.claim for topic in topics])
    standing = [topic for topic in topics if view.shows(topic.claim)]
    state = _state(standing, wish)
    if not (wish.duplicates or wish.related) or record.counters.meta(_COMPARED) == state:
        return []
    new = [one for one in proposals(standing, wish) if record.proposals.add(one) is not None]
    record.counters.set_meta(_COMPARED, state)
    return new


def _state(topics: Iterable[Topic], wish: Wish) -> str:
    """What the proposals depend on, as a digest."""
    summed = hashlib.sha256(f"{wish.duplicates}{wish.related}".encode())
    for topic in topics:
        line = str(topic.entry) if topic.entry else ""
        for part in (names.nfc(topic.name), line, topic.stays, topic.text):
            data = part.encode("utf-8", "surrogateescape")
            summed.update(b"%d:" % len(data) + data)
    return summed.hexdigest()
