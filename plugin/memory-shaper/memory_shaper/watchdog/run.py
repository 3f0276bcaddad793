"""One run: repair what a killed process left, tally, plan, carry out. Shell.

    read everything, plan                       no lock held
    lock · read again · still the same? · carry out with the intent written first · unlock

Where the index or the archive changed between the two, all is planned anew, once. The archive is written first and the
index last, so that a crash can double a line and never lose one.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from .. import archive, edit, names, store
from ..errors import Busy, Missing
from ..record import Event, EventKind, Record, Source
from ..settings import Home, Settings
from . import history, look, outside, tallying
from .forecast import Size
from .judging import Evidence
from .plan import Plan, course
from .rehearsal import copied

if TYPE_CHECKING:
    from ..lifecycle.upkeep import Outcome as Kept

RAN = "watchdog.ran"
_TOLD = "watchdog.told."
_ONCE_IN = timedelta(days=7)
_TRIES = 2


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run did, or, for a dry run, what it would do: the plans in their order, at least one.

    `repaired` counts the unfinished changes of killed processes, `faults` names the files that were changed from
    outside and have a fault now, with the rule; `last_run` is the run before this one (UTC), `sizes` the history of the
    index; `weekly` says that the message about what is protected is due; `rules` is what the rules of keeping did.
    """

    home: Home
    settings: Settings
    now: datetime
    plans: tuple[Plan, ...]
    evidence: Evidence
    repaired: int = 0
    faults: tuple[tuple[str, str], ...] = ()
    last_run: datetime | None = None
    sizes: tuple[Size, ...] = ()
    weekly: bool = False
    dry: bool = False
    rules: Kept | None = None


Clock = Callable[[], datetime]


def run(home: Home, settings: Settings, clock: Clock = edit.now, whole: bool = False) -> Outcome | None:
    """Do the day's work in a home; None where there is no memory yet and nothing to do.

    `whole` looks up the history of the index's size as well.

    Raises Busy where somebody else is at work, Missing where the memories folder of a known home is gone, Unreadable,
    ReadOnly and RecordError.
    """
    if not there(home):
        return None
    with edit.open_record(home, settings) as record:
        repaired = repair(home, record)
        edit.shelf(home)  # what cannot be read stops the run before it writes anything
        last = _moment(record, RAN)
        tallying.look(home, record, clock())
        evidence = tallying.tally(home, record, clock())
        faults = outside.settle(home, settings, record, clock())
        plans = _work(home, settings, record, evidence, clock)
        record.counters.set_meta(RAN, clock().isoformat())
        from ..lifecycle import upkeep  # it stands above the watchdog and is made of its parts

        rules = upkeep.run(home, settings, record, evidence, clock())
        weekly = plans[-1].stuck and may_tell(record, "protected", clock())
        sizes = history.sizes(record) if whole else ()
    return Outcome(home, settings, clock(), tuple(plans), evidence, repaired, faults, last, sizes, weekly, rules=rules)


def rehearse(home: Home, settings: Settings, clock: Clock = edit.now) -> Outcome | None:
    """What `run` would do now, found out on a copy of the record: nothing of the home changes."""
    if not there(home):
        return None
    with copied(home) as record:
        return rehearse_on(home, settings, record, clock)


def rehearse_on(home: Home, settings: Settings, record: Record, clock: Clock = edit.now) -> Outcome:
    """What `run` would do now, found out on this copy of the record, which is brought up to date by it."""
    from ..lifecycle import upkeep

    last, repaired = _moment(record, RAN), len(record.intents.unfinished())
    tallying.look(home, record, clock())
    evidence = tallying.tally(home, record, clock())
    plans, sizes = course(look.situation(home, settings, record, clock(), evidence)), history.sizes(record)
    rules = upkeep.rehearse(home, settings, record, evidence, clock(), plans[-1].leaves)
    return Outcome(home, settings, clock(), tuple(plans), evidence, repaired, (), last, sizes, dry=True, rules=rules)


def there(home: Home) -> bool:
    """Whether the home has a memories folder; Missing where it has none and the record knows that it once had."""
    if home.memories.is_dir():
        return True
    if (home.data / "record.db").exists():
        with copied(home) as record:
            if known := len(record.uses.topics()):
                raise Missing(
                    f"{home.memories}: the memories folder is missing, and the record knows {known} topics of it; "
                    "is a disk not mounted? Nothing was made or changed"
                )
    return False


def repair(home: Home, record: Record) -> int:
    """Finish or undo what killed processes left half-done; how many changes that were."""
    if not record.intents.unfinished():
        return 0
    with store.locked(home.index):
        return edit.repair(home, record)


def _work(home: Home, settings: Settings, record: Record, evidence: Evidence, clock: Clock) -> list[Plan]:
    done: list[Plan] = []
    for _ in range(_TRIES):
        plans = course(look.situation(home, settings, record, clock(), evidence), resumed=bool(done))
        for planned in plans:
            if planned.changes and not carry_out(home, record, planned):
                break
            done.append(planned)
        else:
            return done
    raise Busy(f"{home.index}: changed while it was read, twice; try again")


def carry_out(home: Home, record: Record, planned: Plan, by: str = tallying.SURFACE) -> bool:
    """Carry a plan out under the host's lock; False where the files are no longer what it was made for.

    `by` is what the journal calls it.
    """
    with store.locked(home.index):
        shelf, index, shelved = edit.shelf(home)
        if (shelf.index, shelf.archive) != (planned.before.index, planned.before.archive):
            return False
        edits = _edits(home, planned, index, shelved)
        if edits is None:
            return False
        if planned.moves:
            edit.make_folder(home, home.archive)
        try:
            edit.carry_out(home, record, edits, _event(planned, by))
        except (Busy, Missing):
            return False
    for old, new in planned.moves:
        if old != new:
            record.uses.rename_use(old, new)
    return True


def _edits(home: Home, planned: Plan, index: bytes | None, shelved: bytes | None) -> list[edit.Edit] | None:
    if not planned.archived:
        return [edit.NewText(names.INDEX, index, planned.index.encode())]
    change = archive.Plan(planned.index, planned.archive, planned.moves)
    edits = edit.edits_to_archive(home, change, index, shelved)
    moved = sum(isinstance(one, edit.Rename) for one in edits)
    return edits if moved == len(planned.moves) else None  # else a file has vanished since


def _event(planned: Plan, by: str) -> Event:
    kind = EventKind.CHANGED
    if planned.archived:
        kind = EventKind.ARCHIVED
    elif planned.reordered:
        kind = EventKind.ORDERED
    detail = f"{len(planned.archived)} archived, {planned.reordered} reordered"
    source = Source(surface=by, pid=os.getpid())
    return Event(kind, edit.now(), rule=by, detail=detail, source=source)


def _moment(record: Record, key: str) -> datetime | None:
    found = record.counters.meta(key)
    return datetime.fromisoformat(found) if found else None


def may_tell(record: Record, what: str, now: datetime) -> bool:
    """Whether a message of this kind may go out: at most one a week; noted as told where it may."""
    last = _moment(record, _TOLD + what)
    if last is not None and timedelta(0) <= now - last < _ONCE_IN:
        return False
    record.counters.set_meta(_TOLD + what, now.isoformat())
    return True
