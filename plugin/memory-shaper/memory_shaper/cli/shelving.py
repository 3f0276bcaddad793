"""`archive` and `restore`: entries and their topic files go away and come back."""

from __future__ import annotations

import re
from dataclasses import replace

from .. import archive as plans
from .. import edit, grammar, names
from ..archive import CannotRestore, Plan, Shelf
from ..errors import Refused
from ..model import Folder
from ..record import EventKind, Record
from .change import Change, named, perform
from .request import Outcome, Request
from .screen import counted, local

_NUMBERED = re.compile(r"(.+?)(?:-\d+)?(\.md)", re.IGNORECASE)


def archive(request: Request) -> Outcome:
    """Move entries and their topic files to the archive."""
    return perform(request, lambda record: _archived(request))


def _archived(request: Request) -> Change:
    shelf, index, shelved = edit.shelf(request.home)
    entries = [entry for _, entry in grammar.parse(shelf.index).entries()]
    known = [entry.target for entry in entries]
    targets = [named(name, known, "the index") for name in request.words("name")]
    wanted = {names.same(target) for target in targets}
    for entry in entries:
        if entry.mark and names.same(entry.target) in wanted:
            raise Refused(
                f"{entry.target} is marked {entry.mark} and never archived; clear the mark first: "
                f"memory-shaper mark {entry.target} none"
            )
    plan = plans.put_away(shelf, targets)
    edits = edit.edits_to_archive(request.home, plan, index, shelved)
    names_ = ", ".join(entry.target for entry in plan.lines)
    return Change(edits, EventKind.ARCHIVED, "archive", f"archived {names_}")


def restore(request: Request) -> Outcome:
    """Bring archived entries and their topic files back."""
    return perform(request, lambda record: _restored(request, record))


def _restored(request: Request, record: Record | None) -> Change:
    shelf, index, shelved = edit.shelf(request.home)
    known = [entry.target for _, entry in grammar.parse(shelf.archive).entries()]
    targets = list(dict.fromkeys(named(name, known, "the archive") for name in request.words("name")))
    if not request.flag("exact"):
        for target in targets:
            _ask_which(target, known, targets, record)
    plan = Plan(shelf.index, shelf.archive)
    for target in targets:
        plan = _and_back(plan, shelf, target, request.settings.cap)
        shelf = _after(shelf, plan)
    edits = edit.edits_to_archive(request.home, plan, index, shelved, back=True)
    return Change(edits, EventKind.UNARCHIVED, "restore", f"restored {', '.join(targets)}")


def _and_back(done: Plan, shelf: Shelf, target: str, cap: int) -> Plan:
    try:
        plan = plans.bring_back(shelf, target, cap)
    except CannotRestore as error:
        raise Refused(str(error)) from error
    return replace(plan, moves=(*done.moves, *plan.moves), lines=(*done.lines, *plan.lines))


def _after(shelf: Shelf, plan: Plan) -> Shelf:
    back = {old for old, _ in plan.moves}
    archived = Folder(shelf.archived.files - back, shelf.archived.folders)
    return Shelf(plan.index, plan.archive, Folder(shelf.live.files | back, shelf.live.folders), archived)


def _ask_which(target: str, known: list[str], targets: list[str], record: Record | None) -> None:
    """Raises Refused where the archive holds several generations of a name and only one was named."""
    family = [name for name in known if _stem(name) == _stem(target)]
    if len(family) < 2 or target != min(family, key=len) or set(family) <= set(targets):
        return
    lines = "".join(f"\n  {name}{_when(name, record)}" for name in family)
    raise Refused(
        f"the archive holds {counted(len(family), 'file')} of this name; which one?{lines}\n"
        f"say: memory-shaper restore --exact NAME"
    )


def _stem(name: str) -> str:
    match = _NUMBERED.fullmatch(names.same(name))
    return match[1] if match else name


def _when(name: str, record: Record | None) -> str:
    events = record.journal.newest(1, f"{names.ARCHIVE_FOLDER}/{name}") if record else []
    return f", archived {local(events[0].at)}" if events else ""
