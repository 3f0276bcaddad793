"""What happened to the two indexes since they were accepted last, without a hook that saw it. Shell."""

from __future__ import annotations

import math
import os
from datetime import datetime, timedelta

from .. import edit, names, store
from ..errors import Busy
from ..guard.damage import damage
from ..guard.keepout import is_excluded
from ..model import Folder
from ..record import Event, EventKind, Record, Source, digest_of
from ..settings import Home, Settings
from . import tallying

_INDEXES = (names.INDEX, edit.ARCHIVE_INDEX)

_FRESH = timedelta(seconds=60)
"""Damage that is younger is left to the guard, which may be about to put it back."""


def settle(home: Home, settings: Settings, record: Record, now: datetime) -> tuple[tuple[str, str], ...]:
    """Accept changes from outside, into the journal; the files that have a fault since, each with the rule.

    Nothing is put back. Raises Busy where the change is one that the guard is about to settle.
    """
    if not any(_changed(file, home, record) for file in _INDEXES):
        return ()
    # Under the lock nobody is half-way through a change of ours: what differs now is from outside, or of the dead.
    with store.locked(home.index):
        edit.repair(home, record)
        changed = [file for file in _INDEXES if _changed(file, home, record)]
        found = [(file, _accepted(file, home, settings, record, now)) for file in changed]
    return tuple((file, why) for file, why in found if why)


def _changed(file: str, home: Home, record: Record) -> bool:
    known = record.accepted.of(file)
    return (known.digest if known else None) != _digest(store.read_bytes(home.memories / file))


def _digest(data: bytes | None) -> str | None:
    return None if data is None else digest_of(data)


def _accepted(file: str, home: Home, settings: Settings, record: Record, now: datetime) -> str:
    path = home.memories / file
    data, known = store.read_bytes(path), record.accepted.of(file)
    if record.promises.promised(file, _digest(data), now):
        raise Busy(f"{path}: a call of an agent has just changed it; try again")
    why = _damage(file, home, settings, record, known.digest if known else None, data)
    identity = store.identify(path)
    left = _FRESH.total_seconds() - (now.timestamp() - identity.mtime_ns / 1e9) if identity else 0
    if why and left > 0:
        told = (
            f"damaged a moment ago ({why}): for a minute that is left to the guard, which may be about to put it back"
        )
        raise Busy(f"{path}: {told}; try again in {math.ceil(left)} s")
    kind = EventKind.DAMAGED if why else EventKind.OUTSIDE if known else EventKind.NOTED
    rule = why or ("" if known else "first-seen")
    source = Source(surface=tallying.SURFACE, pid=os.getpid())
    record.accepted.accept(file, data, identity, Event(kind, now, file, rule=rule, source=source))
    return why


def note_topic(home: Home, settings: Settings, record: Record, file: str, now: datetime) -> bool:
    """Journal the text of a topic file that was changed from outside; False where no copy of it may be kept.

    Raises Busy, Unreadable, RecordError.
    """
    with store.locked(home.index):
        path = home.memories / file
        data = store.read_bytes(path)
        if data is not None and (len(data) > edit.LARGEST_KEPT or is_excluded(data, settings)):
            return False
        if _changed(file, home, record):
            source = Source(surface=tallying.SURFACE, pid=os.getpid())
            event = Event(EventKind.OUTSIDE, now, file, source=source)
            record.accepted.accept(file, data, store.identify(path), event)
    return True


def _damage(file: str, home: Home, settings: Settings, record: Record, before: str | None, data: bytes | None) -> str:
    old = record.texts.text(before) if before else None
    folder = home.memories if file == names.INDEX else home.archive
    listed = store.list_folder(folder) if folder.is_dir() else Folder()
    cap = settings.cap if file == names.INDEX else None
    return damage(_text(old), _text(data), listed, listed, cap)


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "replace")
