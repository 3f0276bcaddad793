"""`backup`, `restore-backup` and `optimize`: the truth in one file, brought back, and the record and sidecar tidied."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from .. import edit, store
from ..errors import Usage
from ..lifecycle import packing, saving
from ..purge import backups
from ..recall.database import SidecarError
from ..recall.find import finder
from ..record import RecordReadOnly
from .change import must_exist, reading, shown_edit
from .request import Json, Outcome, Request
from .screen import Screen, counted, visible


def backup(request: Request) -> Outcome:
    """Write one archive with memories, archive, record and settings."""
    path = _path(request)
    must_exist(request.home)
    made, left_out = saving.gather(request.home, request.settings)
    size = packing.write(path, made)
    if packing.RECORD in made.files:
        with suppress(RecordReadOnly), edit.open_record(request.home, request.settings) as record:
            backups.note(record, path)
    files = _memories(made)
    data: Json = {
        "home": str(request.home.path),
        "file": str(path),
        "bytes": size,
        "files": files,
        "record": packing.RECORD in made.files,
        "settings": sorted(made.settings),
        "queries": len(made.queries),
        "left_out": list(left_out),
    }
    told = f"{request.screen.path(path)}: {counted(files, 'file')}, {size:,} bytes"
    notes = [f"left out: {visible(name)} is a link to a folder, or has a name that not every system can hold"
             for name in left_out]  # fmt: skip
    return Outcome("", data, 0, "\n".join([*notes, told]))


def restore_backup(request: Request) -> Outcome:
    """Bring a backup back, build the sidecar and ask it."""
    path = _path(request)
    made = packing.read(path)
    if request.dry_run:
        edits = saving.changes(request.home, made)
        text = "\n".join(line for one in edits for line in shown_edit(one, Screen())[:2])
        data = _data(request, made) | {"changed": len(edits)}
        would = f"would restore {_what(made)}; {_differing(len(edits))}"
        return Outcome(text, data, 0, f"dry run, nothing was changed: {would}")
    done = saving.restore(request.home, made, edit.now(), request.flag("force"))
    data = _data(request, made) | {
        "changed": len(done.events),
        "events": list(done.events),
        "right": done.right,
        "asked": done.asked,
        "old_record": done.old_record,
        "notes": list(done.notes),
    }
    told = [f"restored {_what(made)}; {_differing(len(done.events))}", *done.notes]
    told.append(f"{done.right} of {counted(done.asked, 'recorded question')} have the answers that they had")
    if done.old_record:
        told.append(f"the record that was there is kept as {done.old_record}")
    if done.events:
        told.append(f"to take it back: memory-shaper undo {done.events[0]}")
    return Outcome("", data, 0 if done.right == done.asked else 1, "\n".join(told))


def _memories(made: packing.Backup) -> int:
    """How many files of the memories folder a backup holds: what `backup` and `restore-backup` both count."""
    return sum(name.startswith(packing.MEMORIES) for name in made.files)


def _what(made: packing.Backup) -> str:
    record = " and the record" if packing.RECORD in made.files else ""
    return f"{counted(_memories(made), 'file')}{record} of {made.made_at[:10]}"


def _differing(count: int) -> str:
    return f"{counted(count, 'file')} differed from the backup" if count else "no file differed from the backup"


def _path(request: Request) -> Path:
    path = request.path("file")
    if path is None:
        raise Usage(f"memory-shaper {request.verb}: give the name of the file")
    return path.absolute()


def _data(request: Request, made: packing.Backup) -> Json:
    return {
        "home": str(request.home.path),
        "dry_run": request.dry_run,
        "made_at": made.made_at,
        "files": _memories(made),
        "changed": 0,
        "events": [],
        "right": 0,
        "asked": 0,
        "old_record": "",
        "notes": [],
    }


def optimize(request: Request) -> Outcome:
    """Bring the record within its limits, and give the sidecar and the record back what they do not use."""
    must_exist(request.home)
    with reading(request.home) as record:
        there = record is not None
    events = texts = freed = 0
    if there and not request.dry_run:
        with store.locked(request.home.index), edit.open_record(request.home, request.settings) as record:
            edit.repair(request.home, record)
            pruned = record.prune()
            events, texts, freed = pruned.events, pruned.texts, record.tidy()
    sidecar, trouble = (0, "") if request.dry_run else _sidecar(request)
    data: Json = {
        "home": str(request.home.path),
        "dry_run": request.dry_run,
        "events": events,
        "texts": texts,
        "record_freed": freed,
        "sidecar_freed": sidecar,
        "error": trouble,
    }
    told = f"record: {counted(events, 'event')} and {counted(texts, 'text')} beyond its limits dropped, "
    told += f"{freed:,} bytes freed; sidecar: {sidecar:,} bytes freed"
    return Outcome("", data, 1 if trouble else 0, "\n".join(filter(None, (told, trouble))))


def _sidecar(request: Request) -> tuple[int, str]:
    try:
        with finder(request.home) as notes:
            notes.sidecar.refresh()
            return notes.sidecar.tidy(), ""
    except SidecarError as error:
        return 0, str(error)
