"""`history` and `diff`: what happened to the memory, read from the journal."""

from __future__ import annotations

import os
from collections.abc import Sequence

from .. import edit, names
from ..errors import Missing, Refused
from ..record import Event, EventKind, Record
from ..settings import Home
from . import nearest
from .change import must_be_home, reading, unified
from .request import Json, Outcome, Request
from .screen import Screen, local, table, utc, visible

_SHOWN = 20
_NONE = "the journal has no events yet"
_NAMED = 4  # files of a change; of more only the number is told
_LOOKED_AT = 10_000  # events


def history(request: Request) -> Outcome:
    """The newest changes, each with its files."""
    must_be_home(request.home)
    given = request.text("file")
    with reading(request.home) as record:
        known = record.journal.files() if record else []
        file = _file(request.home, given, known) if given else None
        groups = record.journal.changes(request.count("number") or _SHOWN, file) if record else []
        rows = [_row(group, _taken_back_by(record, group[0])) for group in groups] if record else []
    events = [event for group in groups for event in reversed(group) if file in (None, event.file)]
    data: Json = {"home": str(request.home.path), "events": [event_data(event) for event in events]}
    told = f'the journal has no event of "{visible(given[:80])}"{nearest(given, known)}' if known and given else _NONE
    talk = request.place if rows else f"{request.place}\n{told}"
    return Outcome("\n".join(table(rows)) if rows else "", data, 0, talk)


def _file(home: Home, given: str, known: Sequence[str]) -> str:
    """The file of the journal that is meant, in any case, with or without `.md`; else the name as it was given."""
    name = _name(home, given)
    wanted = [names.same(name), names.same(f"{name}.md")]
    found = {names.same(file): file for file in known}
    return next((found[one] for one in wanted if one in found), name)


def _name(home: Home, given: str) -> str:
    """The name under which the record keeps a file: relative to the memories folder."""
    path = os.path.abspath(os.path.expanduser(given))
    base = os.path.abspath(home.memories)
    if path.startswith(base + os.sep):
        return path[len(base) + 1 :].replace(os.sep, "/")
    return edit.ARCHIVE_INDEX if names.same(given) == names.same(names.ARCHIVE_INDEX) else given


def _taken_back_by(record: Record, event: Event) -> int | None:
    """The number of the change that took an event back: that of its first event."""
    later = record.journal.event(event.reverted_by) if event.reverted_by else None
    return record.journal.group(later.intent)[0].id if later and later.intent else event.reverted_by


def _row(group: list[Event], taken_back_by: int | None) -> tuple[str, ...]:
    first = group[0]
    why = " ".join(filter(None, (first.rule, first.detail)))
    who = " ".join(filter(None, (first.source.surface, first.source.tool)))
    state = f"of {first.undo_of}" if first.undo_of else ""
    if taken_back_by:
        state = f"taken back by {taken_back_by}"
    names_ = dict.fromkeys(event.file for event in group)
    files = ", ".join(names_) if len(names_) <= _NAMED else f"{len(names_)} files"
    return (str(first.id), local(first.at), first.kind.value, why, files, who, state)


def event_data(event: Event) -> Json:
    """An event for JSON, its time in UTC."""
    return {
        "id": event.id,
        "at": utc(event.at),
        "kind": event.kind.value,
        "file": event.file,
        "before": event.before,
        "after": event.after,
        "rule": event.rule,
        "detail": event.detail,
        "tool": event.source.tool,
        "session": event.source.session,
        "surface": event.source.surface,
        "group": event.intent,
        "undo_of": event.undo_of,
        "taken_back_by": event.reverted_by,
    }


def diff(request: Request) -> Outcome:
    """What a change did to the texts of its files."""
    with reading(request.home) as record:
        if record is None:
            raise Missing(f"{request.home.data}: there is no record yet, so nothing to show")
        group = chosen(record, request.text("id"))
        lines = [line for event in group for line in _event_diff(record, event, request.screen)]
        plain = [line for event in group for line in _event_diff(record, event, Screen())]
    first = group[0]
    why = f" ({first.rule})" if first.rule else ""
    talk = f"event {first.id}: {first.kind.value}{why}, {local(first.at)}"
    data: Json = {"home": str(request.home.path), "events": [event_data(event) for event in group]}
    return Outcome("\n".join(lines), data | {"diff": "\n".join(plain)}, 0, talk)


def _event_diff(record: Record, event: Event, screen: Screen) -> list[str]:
    before, after = (record.texts.text(digest) if digest else None for digest in (event.before, event.after))
    if (event.before and before is None) or (event.after and after is None):
        return [f"{event.file}: a text of this change is no longer kept"]
    return unified(event.file, before, after, screen)


def chosen(record: Record, given: str) -> list[Event]:
    """The event with this number and those that belong to the same change; the last change where none is given.

    Raises Refused where there is no such event.
    """
    event = _by_number(record, given) if given else last_change(record)
    return [event] if event.intent is None else record.journal.group(event.intent)


def _by_number(record: Record, given: str) -> Event:
    digits = given.lstrip("#")
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 18 else 0
    event = record.journal.event(number) if number else None
    if event is None:
        raise Refused(f'the journal has no event "{given[:20]}"; see: memory-shaper history')
    return event


_NO_CHANGES = frozenset({EventKind.ASKED, EventKind.BLOCKED, EventKind.NOTED, EventKind.REPAIRED})


def changes(event: Event) -> bool:
    """Whether an event is a change of a file that stood afterwards."""
    return event.kind not in _NO_CHANGES and event.before != event.after


def last_change(record: Record) -> Event:
    """The newest event that changed a file. Raises Refused where there is none."""
    for event in record.journal.newest(_LOOKED_AT):
        if changes(event):
            return event
    raise Refused("the journal holds no change yet")
