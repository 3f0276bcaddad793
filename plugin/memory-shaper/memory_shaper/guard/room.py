"""Making room for an entry that does not fit, the way the watchdog makes it. Shell."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from .. import edit, host
from ..model import Draft
from ..record import Record
from ..settings import Home, Settings

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Room:
    """Whether room was made, and the lines that are needed least, for a refusal that names them."""

    made: bool
    coldest: tuple[str, ...] = ()


def make_room(home: Home, settings: Settings, record: Record, draft: Draft) -> Room:
    """Archive the coldest entries so that a draft fits below the cap; nothing is changed where that is not enough.

    The caller holds no lock. With the setting `on_full: refuse` the coldest lines are only named.
    """
    from ..watchdog import look, plan, run

    need = host.size(draft.after) - host.size(draft.before)
    situation = look.situation(home, settings, record, edit.now())
    planned = plan.make_room(situation, need)
    may = settings["on_full"] == "archive" and planned.changes and not planned.short
    if may and run.carry_out(home, record, planned):
        return Room(made=True)
    unmarked = (judged for judged in reversed(planned.ranked) if not judged.entry.mark)
    return Room(made=False, coldest=tuple(str(judged.entry) for judged in islice(unmarked, _SHOWN)))
