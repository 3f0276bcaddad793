"""`archive` and `restore`: entries and their topic files go away and come back."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

from .. import archive as plans
from .. import edit, grammar, names
from ..archive import CannotRestore, Plan, Shelf
from ..errors import Refused, Usage
from ..lifecycle.model import Topic
from ..lifecycle.topics import read_topics, standings
from ..model import Folder
from ..recall.find import strengths
from ..record import EventKind, Record
from ..spans import days_of
from ..watchdog.rehearsal import copied
from .change import Change, named, perform
from .request import Json, Outcome, Request
from .screen import counted, local

_NUMBERED = re.compile(r"(.+?)(?:-\d+)?(\.md)", re.IGNORECASE)


def archive(request: Request) -> Outcome:
    """Move entries and their topic files to the archive: those that are named, or those that are old."""
    if bool(request.words("name")) is bool(request.text("older")):
        raise Usage("memory-shaper archive: give names, or --older with a span such as 180d")
    if request.text("older"):
        return perform(request, lambda record: _old(request, record, _span(request)))
    return perform(request, lambda record: _archived(request))


def _span(request: Request) -> timedelta:
    try:
        days = days_of(request.text("older"))
    except ValueError as error:
        raise Usage(f"memory-shaper archive: --older: {request.text('older')[:20]!r} is no span: {error}") from error
    if days is None:
        raise Usage("memory-shaper archive: --older: nothing is older than forever")
    return timedelta(days=days)


def _old(request: Request, record: Record | None, span: timedelta) -> Change:
    """The topics that nothing has touched for longer than a span; what is marked or cannot be moved is told."""
    if record is None:  # nothing is known of their use: their dates and the times of their files decide
        with copied(request.home) as empty:
            return _old(request, empty, span)
    home, now = request.home, edit.now()
    shelf, index, shelved = edit.shelf(home)
    topics = [topic for topic in read_topics(home, shelf) if topic.entry is not None]
    known = standings(record, topics, strengths(request.settings), now)
    old = [topic for topic in topics if now - known[topic.name].touched > span]
    gone = [topic.entry.target for topic in old if topic.entry and not topic.entry.mark and not topic.stays]
    notes = tuple(f"{topic.name} stays: {topic.stays or 'it is marked'}" for topic in old if _stays(topic))
    edits = edit.edits_to_archive(home, plans.put_away(shelf, gone), index, shelved) if gone else []
    told = f"archived {counted(len(gone), 'entry')} older than {span.days} days"
    return Change(edits, EventKind.ARCHIVED, "archive-older", told, notes=notes, extra={"archived": len(gone)})


def _stays(topic: Topic) -> bool:
    return bool(topic.stays or (topic.entry and topic.entry.mark))


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
    extra: Json = {"archived": len(plan.lines)}
    return Change(edits, EventKind.ARCHIVED, "archive", f"archived {names_}", extra=extra)


def restore(request: Request) -> Outcome:
    """Bring archived entries and their topic files back."""
    return perform(request, lambda record: _restored(request, record))


def _restored(request: Request, record: Record | None) -> Change:
    shelf, index, shelved = edit.shelf(request.home)
    known = [entry.target for _, entry in grammar.parse(shelf.archive).entries()]
    live = [entry.target for _, entry in grammar.parse(shelf.index).entries()]
    targets = list(dict.fromkeys(_shelved(name, known, live) for name in request.words("name")))
    if not request.flag("exact"):
        for target in targets:
            _ask_which(target, known, targets, record)
    plan = Plan(shelf.index, shelf.archive)
    for target in targets:
        plan = _and_back(plan, shelf, target, request.settings.cap)
        shelf = _after(shelf, plan)
    edits = edit.edits_to_archive(request.home, plan, index, shelved, back=True)
    return Change(edits, EventKind.UNARCHIVED, "restore", f"restored {', '.join(targets)}")


def _shelved(name: str, known: list[str], live: list[str]) -> str:
    """The archived entry that is meant. Raises Refused for another name, with where it is if that is the index."""
    wanted = {names.same(name), names.same(f"{name}.md")}
    here = next((one for one in live if names.same(one) in wanted), "")
    if here and not wanted & set(map(names.same, known)):
        raise Refused(f"{here} is in the index already, not in the archive; there is nothing to restore")
    return named(name, known, "the archive")


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
