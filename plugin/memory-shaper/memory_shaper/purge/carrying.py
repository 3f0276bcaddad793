"""Carrying a purge out, place by place, and the proof of it. Shell: the files, the record, the sidecar.

This is the one change that no undo takes back, and the one that does not go through the journal: the journal is a part
of what goes. A note in the record says what is to go, by names and digests, until the last place is clean, so that a
purge which is killed anywhere is finished by the next change of anything (`resume`).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from .. import grammar, names, store
from ..errors import MemoryShaperError
from ..record import Event, EventKind, Record, RecordBusy, Source
from ..record.erasing import Erasure
from ..settings import Home
from .stripping import Doomed, from_note, line_digests, speaks_of, stripped, without_lines

ARCHIVE_INDEX = f"{names.ARCHIVE_FOLDER}/{names.ARCHIVE_INDEX}"
INDEXES = frozenset((names.INDEX, ARCHIVE_INDEX))
_NOTE, _COMPACT = "purge", "compact"
_LARGEST = 20_000_000  # bytes of a file that is looked through for the proof


@dataclass(frozen=True, slots=True)
class Place:
    """A place where the topic was or could have been, and whether it is clean now; `note` says what is left."""

    what: str
    clean: bool = True
    note: str = ""


def doomed(home: Home, record: Record | None, target: str) -> Doomed:
    """What goes with a topic: its files live and archived under every name a move of ours gave them, its keywords that
    no other line has, its lines. Reads only. Raises Unreadable."""
    wanted = {names.same(target)}
    here = {file for file in _files(home) if names.same(file.rpartition("/")[2]) in wanted}
    spelled = here | {target, f"{names.ARCHIVE_FOLDER}/{target}"}
    files = frozenset(record.erasing.moved(spelled) if record else spelled)
    known = {names.same(file) for file in files}
    texts = [store.read_bytes(home.memories / file) or b"" for file in _files(home) if names.same(file) in known]
    texts += record.erasing.texts_of(files) if record else ()
    found = Doomed(files, frozenset(), line_digests(texts))
    return Doomed(files, _own_words(home, found), found.lines)


def _files(home: Home) -> list[str]:
    """The files of the memories folder and its archive, named from there."""
    live = store.list_folder(home.memories).files
    archived = store.list_folder(home.archive).files if home.archive.is_dir() else frozenset()
    return [*sorted(live), *(f"{names.ARCHIVE_FOLDER}/{name}" for name in sorted(archived))]


def _own_words(home: Home, found: Doomed) -> frozenset[str]:
    entries = [entry for path in (home.index, home.archive_index) for _, entry in grammar.parse(_read(path)).entries()]
    theirs = {word for entry in entries if names.same(entry.target) in found.names for word in entry.keywords}
    return frozenset(
        theirs - {w for entry in entries if names.same(entry.target) not in found.names for w in entry.keywords}
    )


def _read(path: Path) -> str:
    document = store.read_if_there(path)
    return document.text if document else ""


def purge(home: Home, record: Record, what: Doomed, source: Source) -> list[Place]:
    """Erase a topic everywhere; the proof, place by place.

    The caller holds the host's lock and has repaired what was unfinished. Raises RecordBusy where another process keeps
    the record's old bytes in place: run it again then.
    """
    record.counters.set_meta(_NOTE, what.as_note())
    return _finish(home, record, what, source)


def resume(home: Home, record: Record) -> bool:
    """Finish a purge that was begun and not ended; whether there was one. The caller holds the host's lock."""
    note = record.counters.meta(_NOTE)
    if not note:
        return False
    with contextlib.suppress(RecordBusy):  # the next change tries it again, and is not held up
        if note == _COMPACT:
            _compact(record)
        else:
            _finish(home, record, from_note(note), Source("purge", pid=os.getpid()))
    return True


def _finish(home: Home, record: Record, what: Doomed, source: Source) -> list[Place]:
    now = datetime.now(UTC)
    changed = [one for one in (home.index, home.archive_index) if _take_out_lines(one, what)]
    _take_away(home, what)
    record.erasing.erase(_erasure(what), now)
    _erase_copies(home, record, what, now)
    for path in changed:
        file = path.relative_to(home.memories).as_posix()
        event = Event(EventKind.FORGOTTEN, now, rule="purge", source=source)
        record.accepted.accept(file, store.read_bytes(path), store.identify(path), event)
    _drop_sidecar(home)
    record.counters.set_meta(_NOTE, _COMPACT)
    _compact(record)
    return proof(home, record, what)


def _erase_copies(home: Home, record: Record, what: Doomed, now: datetime) -> None:
    """The records that a restore put aside, and the backups that still lie where they were written."""
    from . import backups  # seldom needed, and it needs the packers

    def erase(other: Record) -> None:
        other.erasing.erase(_erasure(what), now)
        other.erasing.compact()

    for path in _old_records(home):
        with Record.open(path) as old:
            erase(old)
    for path in backups.there(record):
        with contextlib.suppress(MemoryShaperError):  # the proof names one that cannot be read or written
            backups.clean(path, what, erase)


def _old_records(home: Home) -> list[Path]:
    return sorted(home.data.glob("record-*.db"))


def _compact(record: Record) -> None:
    record.erasing.compact()
    record.counters.set_meta(_NOTE, "")
    record.erasing.checkpoint()


def _take_out_lines(path: Path, what: Doomed) -> bool:
    document = store.read_if_there(path)
    if document is None or (after := without_lines(document.text, what.names)) == document.text:
        return False
    store.write(path, after.encode(), document.data)
    return True


def _take_away(home: Home, what: Doomed) -> None:
    """The topic's files, and the temporary files of writes that were killed: under the lock nobody writes one now."""
    known = {names.same(file) for file in what.files}
    gone = [home.memories / file for file in _files(home) if names.same(file) in known]
    left = [path for folder in (home.memories, home.archive) for path in folder.glob(".mem_*.tmp")]
    for path in (*gone, *left):
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise store.failed(path, error) from error
    for folder in {path.parent for path in (*gone, *left)}:
        store.sync_folder(folder)


def _drop_sidecar(home: Home) -> None:
    """The sidecar is derived: it is removed whole, and built again by the next search."""
    for path in (*home.data.glob("sidecar*"), *home.data.glob("vectors*")):
        if path.is_file():
            path.unlink(missing_ok=True)


def _erasure(what: Doomed) -> Erasure:
    return Erasure(what.files, INDEXES, what.words, lambda data: stripped(data, what), lambda one: speaks_of(one, what))


def proof(home: Home, record: Record, what: Doomed) -> list[Place]:
    """Look at every place again."""
    known = {names.same(file) for file in what.files}
    there = [file for file in _files(home) if names.same(file) in known]
    left = record.erasing.left(_erasure(what))
    wal = Path(f"{home.data / 'record.db'}-wal")
    return [
        _line_place(home.index, "the index", what),
        _line_place(home.archive_index, "the archive index", what),
        Place("topic files, live and archived", not there, ", ".join(there)),
        Place("journal, kept texts, counts, feedback, proposals", not left, f"{left} rows" if left else ""),
        Place("free pages and write-ahead file of the record", not (wal.exists() and wal.stat().st_size)),
        Place("the sidecar", not any(home.data.glob("sidecar*"))),
        *_copies(home, record, what),
        *_elsewhere(home, what),
    ]


def _copies(home: Home, record: Record, what: Doomed) -> Iterable[Place]:
    from . import backups

    for path in _old_records(home):
        with Record.open(path) as old:
            left = old.erasing.left(_erasure(what))
        yield Place(f"the old record {path.name}", not left)
    for path in backups.there(record):
        why = backups.is_clean(path, what)
        yield Place(f"the backup {path.name}", not why, why)


def _line_place(path: Path, what: str, gone: Doomed) -> Place:
    text = _read(path)
    return Place(what, without_lines(text, gone.names) == text)


def _elsewhere(home: Home, what: Doomed) -> Iterable[Place]:
    """Files of the user's or the host's that still speak of the topic: named, never touched."""
    roots = (home.memories, home.data) if home.folder else (home.memories, home.data, home.path / "logs")
    found = [path for root in roots for path in sorted(root.rglob("*")) if path.is_file() and _speaks(path, what)]
    for path in found:
        yield Place(str(path), clean=False, note="still speaks of it; this file is not ours to change")
    if not found:
        yield Place("other files of the memories folder, our data and the host's logs")


def _speaks(path: Path, what: Doomed) -> bool:
    if path.suffix in (".db", ".db-wal", ".db-shm", ".lock") or path.stat().st_size > _LARGEST:
        return False
    try:
        text = path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError:
        return False
    return speaks_of(path.name, what) or speaks_of(text, what)
