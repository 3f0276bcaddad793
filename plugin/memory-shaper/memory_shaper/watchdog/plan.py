"""What a run of the watchdog does to the index and the archive, as a value: the dry run prints it, the real run carries
it out, and the guard makes room for an entry with the same few functions. Pure.

    which entries may go at all?        each has a reason to stay, or none
    in which order are they needed?     one ranking; ties keep the place in which they stand
    canonical form, order, archive      each only where it changes something
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from .. import grammar, host
from ..archive import Shelf, put_away
from ..model import Entry, Index
from .judging import Judged, Situation, held_back, judge, unplannable

ORDER_DAYS = 7.0
"""Without an archiving the order changes at most this often: the prompt cache and git like stillness."""

MOST_AT_ONCE = 40
"""Entries that one plan archives, so that the lock is held for a moment only; a course has as many as it takes."""


@dataclass(frozen=True, slots=True)
class Archived:
    """An entry that a plan archives, as it will stand in the archive (`line`), and how it was judged."""

    judged: Judged
    line: Entry


@dataclass(frozen=True, slots=True)
class Plan:
    """The new texts and the moves (name it has, name it gets), and how they came about.

    `ranked` holds every entry, the most needed first; `held` says why nothing may be archived at all ("": it may);
    `reordered` counts the lines that change their place; `short` is by how many characters the goal is missed when all
    is done.
    """

    before: Shelf
    index: str
    archive: str
    moves: tuple[tuple[str, str], ...] = ()
    archived: tuple[Archived, ...] = ()
    ranked: tuple[Judged, ...] = ()
    held: str = ""
    reordered: int = 0
    reshaped: bool = False
    short: int = 0

    @property
    def changes(self) -> bool:
        """Whether there is anything to carry out."""
        return self.index != self.before.index or self.archive != self.before.archive or bool(self.moves)

    @property
    def size(self) -> int:
        """The size of the index as it is."""
        return host.size(self.before.index)

    @property
    def after(self) -> int:
        """The size of the index as it will be."""
        return host.size(self.index)

    @property
    def leaves(self) -> Shelf:
        """The shelf after the plan."""
        live = replace(self.before.live, files=self.before.live.files - {old for old, _ in self.moves})
        files = self.before.archived.files | {new for _, new in self.moves}
        return Shelf(self.index, self.archive, live, replace(self.before.archived, files=files))

    @property
    def stuck(self) -> bool:
        """Whether a person has to hear of it: the index stays too large, or nothing may be done to it at all."""
        return bool(self.short) or (not self.ranked and bool(self.held))

    def next(self) -> Iterator[Judged]:
        """The entries that go next if room is needed, the coldest first."""
        gone = {archived.judged.place for archived in self.archived}
        return (judged for judged in reversed(self.ranked) if not judged.stays and judged.place not in gone)


def course(situation: Situation, resumed: bool = False) -> list[Plan]:
    """What a run does: canonical form, order by use, the coldest to the archive where the index is near its cap.

    The plans are to be carried out one after the other, each made for what the one before it leaves; there is one at
    least. `resumed` goes on archiving below the share at which it begins, after a course that was cut short.
    """
    held = unplannable(situation.shelf.index)
    if held is not None:
        return [_still(situation.shelf, held)]
    policy, ranked, held = situation.policy, judge(situation), held_back(situation)
    size = host.size(grammar.canonical(situation.shelf.index))
    over = size > (policy.goal if resumed else policy.near)
    gone = _coldest(ranked, size - policy.goal) if over and not held else []
    after = size - sum(judged.size for judged in gone)
    short = max(0, after - policy.goal) if over else 0
    plans = _in_parts(situation, ranked, gone, bool(gone) or _order_is_due(situation), after)
    return [replace(made, held=held, short=short) for made in plans]


def make_room(situation: Situation, need: int) -> Plan:
    """Archive the coldest entries until `need` more characters (the join of a new entry included) fit below the cap.

    All rules of a run hold, the grace window too; nothing is put in order. Where the room cannot be made nothing
    changes, and `short` says how many characters are missing.
    """
    held = unplannable(situation.shelf.index)
    if held is not None:
        return replace(_still(situation.shelf, held), short=_missing(situation, need))
    ranked, held = judge(situation), held_back(situation)
    lacking = host.size(grammar.canonical(situation.shelf.index)) + need - situation.policy.cap
    gone = _coldest(ranked, lacking) if lacking > 0 and not held else []
    short = max(0, lacking - sum(judged.size for judged in gone))
    if short or not gone:
        still = _still(situation.shelf, held)
        return replace(still, ranked=tuple(ranked), short=short)
    return _built(situation.shelf, grammar.canonical(situation.shelf.index), ranked, gone, reorder=False)


def put_aside(shelf: Shelf, gone: Sequence[Judged]) -> list[Plan]:
    """The plans that archive these entries and change nothing else, each a moment's work; [] for none."""
    plans: list[Plan] = []
    for start in range(0, len(gone), MOST_AT_ONCE):
        before = plans[-1].leaves if plans else shelf
        plans.append(_built(before, before.index, (), gone[start : start + MOST_AT_ONCE], reorder=False))
    return plans


def _missing(situation: Situation, need: int) -> int:
    return max(0, host.size(situation.shelf.index) + need - situation.policy.cap)


def _still(shelf: Shelf, held: str) -> Plan:
    return Plan(shelf, shelf.index, shelf.archive, held=held)


def _coldest(ranked: Sequence[Judged], excess: int) -> list[Judged]:
    """The least needed entries that may go, until their sizes add up to the excess or none is left."""
    gone: list[Judged] = []
    for judged in reversed(ranked):
        if excess <= 0:
            break
        if not judged.stays:
            gone.append(judged)
            excess -= judged.size
    return gone


def _order_is_due(situation: Situation) -> bool:
    last = situation.ordered_at
    return last is None or situation.now - last >= timedelta(days=ORDER_DAYS)


def _in_parts(
    situation: Situation, ranked: Sequence[Judged], gone: Sequence[Judged], reorder: bool, after: int
) -> list[Plan]:
    """The plans that archive `gone`, each a moment's work; `after` is the size in the end, in canonical form."""
    text = situation.shelf.index
    shaped = grammar.canonical(text)
    if after > situation.policy.cap >= host.size(text):  # the form costs two characters a line: it has to fit
        shaped = text
    parts = [gone[start : start + MOST_AT_ONCE] for start in range(0, len(gone), MOST_AT_ONCE)] or [[]]
    plans = [replace(_built(situation.shelf, shaped, ranked, parts[0], reorder), reshaped=shaped != text)]
    for part in parts[1:]:
        shelf = plans[-1].leaves
        plans.append(_built(shelf, shelf.index, ranked, part, reorder=False))
    return plans


def _built(shelf: Shelf, text: str, ranked: Sequence[Judged], gone: Sequence[Judged], reorder: bool) -> Plan:
    ordered, moved = _ordered(grammar.parse(text), ranked) if reorder else (text, 0)
    if not gone:
        return Plan(shelf, ordered, shelf.archive, ranked=tuple(ranked), reordered=moved)
    by_target = {judged.entry.target: judged for judged in gone}
    put = put_away(replace(shelf, index=ordered), by_target)
    # put_away gives the lines in the order of the index; no two of them have one target.
    leaving = [entry.target for _, entry in grammar.parse(ordered).entries() if entry.target in by_target]
    archived = tuple(Archived(by_target[target], line) for target, line in zip(leaving, put.lines, strict=True))
    return Plan(shelf, put.index, put.archive, put.moves, archived, tuple(ranked), reordered=moved)


def _ordered(index: Index, ranked: Sequence[Judged]) -> tuple[str, int]:
    """The index with its movable entries in the order of the ranking, each in a slot of theirs; how many moved."""
    numbers = [number for number, _ in index.entries()]
    wanted = [numbers[judged.place] for judged in ranked if judged.movable]
    lines = list(index.lines)
    for slot, source in zip(sorted(wanted), wanted, strict=True):
        lines[slot - 1] = replace(index.lines[source - 1], ending=index.lines[slot - 1].ending)
    moved = sum(slot != source for slot, source in zip(sorted(wanted), wanted, strict=True))
    return grammar.render(Index(tuple(lines), index.bom)), moved
