"""Bringing the record up to date with the disk: renamed topics keep their history, new uses are counted. Shell."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path

from .. import names, store
from ..calls.effects import Reading, World
from ..errors import Busy, Unreadable
from ..record import Event, EventKind, Record, Source, Topic, Use, Watermark
from ..settings import Home
from . import folder, scan
from .judging import Evidence
from .rows import DatabaseBusy, DatabaseMissing, DatabaseUnreadable
from .topics import Topics

SOURCE = "state.db"
SURFACE = "watchdog"


def look(home: Home, record: Record, now: datetime) -> None:
    """Note which topic files there are; one that has a new name and its old bytes keeps its history.

    Writes nothing where nothing changed. Raises Missing or Unreadable for a folder that cannot be listed.
    """
    known = {topic.name: topic for topic in record.uses.topics()}
    present = _present(home)
    digests = {name: summed for name, path in present.items() if (summed := folder.digest(path))}
    fresh = {name: summed for name, summed in digests.items() if name not in known or known[name].digest is None}
    gone = [topic for name, topic in known.items() if name not in present]
    changed = {name: summed for name, summed in digests.items() if name not in known or known[name].digest != summed}
    if not changed:
        return
    with record.transaction():
        for old, new in renames(gone, fresh):
            record.uses.rename_use(old, new)
        record.uses.look(changed, now)


def _present(home: Home) -> dict[str, Path]:
    """The topic files by name; a live one stands before an archived one of the same name."""
    found: dict[str, Path] = {}
    for place in (home.archive, home.memories):
        if place.is_dir():
            found |= {file.name: place / file.name for file in folder.topics(folder.files(place)) if file.readable}
    return found


def renames(gone: Iterable[Topic], fresh: Mapping[str, str]) -> list[tuple[str, str]]:
    """(old name, new name) of each topic whose bytes lie under a new name now; where that is not certain, none."""
    before = {topic.digest: topic.name for topic in gone if topic.digest}
    often = Counter(fresh.values()) + Counter(topic.digest for topic in gone if topic.digest)
    return [(before[summed], name) for name, summed in fresh.items() if summed in before and often[summed] == 2]


def tally(home: Home, record: Record, now: datetime) -> Evidence:
    """Count the uses in the new rows of the host's state.db, and say which span of it has been seen.

    Raises Busy where it is locked, Unreadable where it cannot be read: unreadable is never taken for unused.
    """
    last = record.uses.watermark(SOURCE)
    since = scan.Watermark(last.last_id, last.identity, last.earliest, last.latest) if last else scan.Watermark()
    path = home.path / SOURCE
    try:
        found = scan.scan(path, since, _topics(home), _read_call)
    except DatabaseMissing as error:
        return Evidence(since.earliest, since.latest, str(error) if last else "")
    except DatabaseBusy as error:
        raise Busy(f"{path}: {error}; try again") from error
    except DatabaseUnreadable as error:
        raise Unreadable(f"{path}: {error}; nothing was changed") from error
    if found.watermark != since or found.uses:
        _count(record, found, now)
    return Evidence(found.watermark.earliest, found.watermark.latest)


def _count(record: Record, found: scan.Scan, now: datetime) -> None:
    mark = found.watermark
    moved = Watermark(SOURCE, mark.fingerprint, mark.last_id, mark.earliest, mark.latest, now)
    # The key of a use tells it apart whatever session it was copied to, so it stands for session and turn.
    uses = [Use(use.name, use.at, "", use.key) for use in found.uses]
    with record.transaction():
        record.uses.tally_batch(uses, moved)
        for note in found.notes:
            source = Source(surface=SURFACE, pid=os.getpid())
            record.journal.note(Event(EventKind.NOTED, now, rule="tally", detail=note, source=source))


def _topics(home: Home) -> Topics:
    spelled = dict.fromkeys((str(home.memories), os.path.realpath(home.memories)))
    live, archived = map(_names, (home.memories, home.archive))
    env = {"HOME": str(Path.home()), "HERMES_HOME": str(home.path)}
    return Topics(tuple(spelled), live, archived, env)


def _names(place: Path) -> frozenset[str]:
    known = store.list_folder(place).files if place.is_dir() else frozenset()
    return frozenset(name for name in known if names.is_topic(name, known))


def _read_call(tool: str, args: Mapping[str, object], world: World) -> Reading:
    from ..calls.reader import read_call  # a tenth of a second, which a run without calls to read need not spend

    return read_call(tool, args, world)


def history(record: Record) -> dict[str, Topic]:
    """What the record knows of each topic, by `names.same`; two spellings of one name add up."""
    found: dict[str, Topic] = {}
    for topic in record.uses.topics():
        key = names.same(topic.name)
        found[key] = _added(found[key], topic) if key in found else topic
    return found


def _added(one: Topic, other: Topic) -> Topic:
    last = max((at for at in (one.last_used, other.last_used) if at), default=None)
    first = min(one.first_seen, other.first_seen)
    changed = max((at for at in (one.changed, other.changed) if at), default=None)
    return Topic(one.name, first, last, one.count + other.count, one.digest or other.digest, changed)
