"""Changing several files together or not at all, under the host's lock, with the intent written down first. Shell.

Every function here expects that the caller holds the lock of the index; `repair` is what the next run of anything does.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from . import archive, names, store
from .errors import Busy, Missing
from .model import Folder, Identity
from .record import Event, EventKind, Intent, Move, Progress, Record, Step, Write, digest_of, progress
from .settings import Home, Settings

LARGEST_KEPT = 1_000_000  # bytes; a larger topic file is not kept in the journal
ARCHIVE_INDEX = f"{names.ARCHIVE_FOLDER}/{names.ARCHIVE_INDEX}"


@dataclass(frozen=True, slots=True)
class NewText:
    """A file gets a new content; None means absent, before or after. Paths are relative to the memories folder."""

    file: str
    before: bytes | None
    after: bytes | None


@dataclass(frozen=True, slots=True)
class Rename:
    """A file gets another name that is free; `content` is what it holds."""

    file: str
    target: str
    content: bytes


Edit = NewText | Rename


def now() -> datetime:
    """The moment, in UTC."""
    return datetime.now(UTC)


def open_record(home: Home, settings: Settings | None = None, busy: float = 2.0) -> Record:
    """The record of a home, with the limits of its settings."""
    from .record import Limits

    values = settings or Settings()
    limits = Limits(int(values.number("journal_mb") * 1_000_000), int(values.number("journal_events")))
    return Record.open(home.data / "record.db", limits, busy)


def carry_out(home: Home, record: Record, edits: Sequence[Edit], event: Event) -> list[int]:
    """Do all the edits, or none where one fails; the ids of the journal events.

    Raises Busy where a file is no longer what the edit expects, ReadOnly or Unreadable where the system refuses.
    """
    steps = [_step(edit) for edit in edits]
    number = record.intents.begin(steps, _contents(edits), event)
    try:
        for edit in edits:
            _apply(home, edit)
    except BaseException:
        _undo(home, record, steps)  # by what the files are, since the failing edit may be done, half-done or not begun
        _sync(home, steps)
        record.intents.cancel(number)
        raise
    _sync(home, steps)
    return record.intents.finish(number, now(), _identities(home, steps))


def _step(edit: Edit) -> Step:
    if isinstance(edit, Rename):
        return Move(edit.file, edit.target, digest_of(edit.content))
    return Write(edit.file, _digest(edit.before), _digest(edit.after))


def _digest(data: bytes | None) -> str | None:
    return None if data is None else digest_of(data)


def _contents(edits: Sequence[Edit]) -> list[bytes]:
    found: list[bytes] = []
    for edit in edits:
        texts = (edit.content,) if isinstance(edit, Rename) else (edit.before, edit.after)
        must = isinstance(edit, NewText)
        found += [text for text in texts if text is not None and (must or len(text) <= LARGEST_KEPT)]
    return found


def _apply(home: Home, edit: Edit) -> None:
    path = home.memories / edit.file
    if isinstance(edit, Rename):
        _move(home, edit.file, edit.target)
    elif edit.after is None:
        _remove(path, edit.before)
    else:
        make_folder(home, path.parent)
        store.write(path, edit.after, edit.before)


def make_folder(home: Home, folder: Path) -> None:
    """Make a folder of ours, never more open than the memories folder."""
    if not folder.is_dir():
        mode = 0o700
        with contextlib.suppress(FileNotFoundError):
            mode = home.memories.stat().st_mode & 0o777
        try:
            folder.mkdir(mode=mode, parents=True, exist_ok=True)
        except OSError as error:
            raise store.failed(folder, error) from error


def _remove(path: Path, expected: bytes | None) -> None:
    if store.read_bytes(path) != expected:
        raise Busy(f"{path}: changed meanwhile; nothing was written, try again")
    if expected is None:
        return
    try:
        path.unlink()
        store.sync_folder(path.parent)
    except OSError as error:
        raise store.failed(path, error) from error


def _move(home: Home, file: str, target: str) -> None:
    # A link and an unlink rather than a rename: a rename would replace a file that has just come to be.
    old, new = home.memories / file, home.memories / target
    make_folder(home, new.parent)
    try:
        try:
            os.link(old, new, follow_symlinks=False)
        except FileExistsError as error:
            raise Busy(f"{new}: a file of this name has appeared; try again") from error
        except FileNotFoundError as error:
            raise Missing(f"{old}: there is no such file") from error
        except (OSError, NotImplementedError):  # a file system without hard links
            os.rename(old, new)
            return
        old.unlink()
    except OSError as error:
        raise store.failed(old, error) from error


def _sync(home: Home, steps: Sequence[Step]) -> None:
    """Make all moves durable before their intent counts as finished: one flush a folder, however many they are."""
    for folder in {(home.memories / file).parent for step in steps for file in _files(step)}:
        store.sync_folder(folder)


def _identities(home: Home, steps: Sequence[Step]) -> dict[str, Identity | None]:
    files = [file for step in steps for file in _files(step)]
    return {file: identity(home, file) for file in files}


def _files(step: Step) -> tuple[str, ...]:
    return (step.file,) if isinstance(step, Write) else (step.file, step.target)


def identity(home: Home, file: str) -> Identity | None:
    """How a file of the memories folder looks now, for the record."""
    return store.identify(home.memories / file)


def repair(home: Home, record: Record) -> int:
    """Finish or undo what a killed process left half-done; how many changes that were."""
    unfinished = record.intents.unfinished()
    for intent in unfinished:
        _repair(home, record, intent)
    if record.counters.meta("purge"):
        from .purge.carrying import resume

        resume(home, record)
    return len(unfinished)


def _repair(home: Home, record: Record, intent: Intent) -> None:
    states = _states(home, intent.steps)
    if Progress.FOREIGN not in states:
        for step, state in zip(intent.steps, states, strict=True):
            _forward(home, record, step, state)
        _sync(home, intent.steps)
        record.intents.finish(intent.id, now(), _identities(home, intent.steps))
    else:
        _undo(home, record, intent.steps)
        _sync(home, intent.steps)
        record.intents.cancel(intent.id)
    event = replace(intent.event, kind=EventKind.REPAIRED, at=now(), detail=f"{len(states)} steps")
    record.journal.note(event)


def _states(home: Home, steps: Sequence[Step]) -> list[Progress]:
    return [progress(step, lambda file: _digest(store.read_bytes(home.memories / file))) for step in steps]


def _undo(home: Home, record: Record, steps: Sequence[Step]) -> None:
    for step, state in reversed(list(zip(steps, _states(home, steps), strict=True))):
        _backward(home, record, step, state)


def _forward(home: Home, record: Record, step: Step, state: Progress) -> None:
    if state is Progress.COPIED and isinstance(step, Move):
        (home.memories / step.file).unlink()
    elif state is Progress.TODO and isinstance(step, Move):
        _move(home, step.file, step.target)
    elif state is Progress.TODO and isinstance(step, Write):
        _apply(home, NewText(step.file, _text(record, step.before), _text(record, step.after)))


def _backward(home: Home, record: Record, step: Step, state: Progress) -> None:
    if state is Progress.COPIED and isinstance(step, Move):
        (home.memories / step.target).unlink()
    elif state is Progress.DONE and isinstance(step, Move):
        _move(home, step.target, step.file)
    elif state is Progress.DONE and isinstance(step, Write) and step.before != step.after:
        _apply(home, NewText(step.file, _text(record, step.after), _text(record, step.before)))


def _text(record: Record, digest: str | None) -> bytes | None:
    if digest is None:
        return None
    text = record.texts.text(digest)
    if text is None:
        raise Missing(f"the record no longer holds the text {digest[:12]} of an unfinished change; see: history")
    return text


def shelf(home: Home) -> tuple[archive.Shelf, bytes | None, bytes | None]:
    """The index and archive as they stand, with the exact bytes of both indexes (None where a file is missing).

    Raises Missing where the memories folder is missing, Unreadable.
    """
    live = store.list_folder(home.memories)
    index, shelved = store.read_if_there(home.index), store.read_if_there(home.archive_index)
    archived = store.list_folder(home.archive) if home.archive.is_dir() else Folder()
    texts = (index.text if index else "", shelved.text if shelved else "")
    return archive.Shelf(*texts, live, archived), index.data if index else None, shelved.data if shelved else None


def edits_to_archive(
    home: Home, plan: archive.Plan, index: bytes | None, shelved: bytes | None, back: bool = False
) -> list[Edit]:
    """The edits of an archiving plan in their safe order: files first, then the archive index, the live index last."""
    folder = names.ARCHIVE_FOLDER
    edits: list[Edit] = []
    for old, new in plan.moves:
        source, target = (f"{folder}/{old}", new) if back else (old, f"{folder}/{new}")
        content = store.read_bytes(home.memories / source)
        if content is not None:
            edits.append(Rename(source, target, content))
    edits.append(NewText(ARCHIVE_INDEX, shelved, plan.archive.encode()))
    edits.append(NewText(names.INDEX, index, plan.index.encode()))
    return [edit for edit in edits if not (isinstance(edit, NewText) and edit.before == edit.after)]
