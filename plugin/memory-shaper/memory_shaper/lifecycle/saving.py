"""Making a backup of a home, and bringing one back. Shell.

What is there is never written over unseen: it is kept in the journal of the restored record, so that `undo` brings it
back, and the record that was there stays beside the restored one.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path

from .. import edit, grammar, names, store
from ..errors import ReadOnly, Refused
from ..privacy.given import plain as plain_rules
from ..recall.search import Wish, search
from ..recall.sidecar import Sidecar
from ..record import Event, EventKind, RecordReadOnly, Source
from ..record.errors import explain
from ..record.opening import address_to_copy
from ..settings import TABLE, Home, Settings, load
from .fitting import prove_record, refuse_clash
from .packing import DATA, MEMORIES, RECORD, TABLES, Backup, Packed

_QUERIES = 10
_HITS = 5
_README = "readme.md"  # no topic, and yet somebody wrote it


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did: the events of the journal, how many of the recorded questions were answered as before and
    how many there are, where the old record was put ("": there was none), and what else is to be known."""

    events: tuple[int, ...]
    right: int
    asked: int
    old_record: str = ""
    notes: tuple[str, ...] = ()


def gather(home: Home, settings: Settings) -> tuple[Backup, tuple[str, ...]]:
    """All that a backup of a home holds, read under the host's lock, and the names of what is left out.

    Raises Missing, Busy, Unreadable, RecordError.
    """
    edit.shelf(home)  # what cannot be read stops the backup before it begins
    try:
        with store.locked(home.index):
            if (home.data / RECORD).exists():
                with edit.open_record(home, settings) as record:
                    edit.repair(home, record)
            files, left_out = _truth(home)
    except (ReadOnly, RecordReadOnly):  # a home that can only be read can be saved: no lock is to be had, or needed
        files, left_out = _truth(home)
    files |= _tables(home)
    plain = load(home, {})
    own = {name: plain[name] for name, row in TABLE.items() if plain[name] != row.default}
    cap = plain.cap if plain.cap_source == "config" else None
    return Backup(files, own, cap, _queries(home), rules=plain.rules), tuple(left_out)


def _truth(home: Home) -> tuple[dict[str, Packed], list[str]]:
    """The memories and the record, and the names of what is left out."""
    left_out: list[str] = []
    files = dict(_memories(home, left_out))
    if (home.data / RECORD).exists():
        files[RECORD] = Packed(_record(home), 0)
    return files, left_out


def _memories(home: Home, left_out: list[str]) -> Iterator[tuple[str, Packed]]:
    """Every file below the memories folder; a link to a file is packed as the file, one to a folder is left out."""
    for folder, below, files in os.walk(home.memories):
        below[:] = sorted(name for name in below if not name.startswith("."))
        left_out += [name for name in below if (Path(folder) / name).is_symlink()]
        for name in sorted(files):
            path = Path(folder) / name
            place = path.relative_to(home.memories).as_posix()
            if (names.is_dropping(name) and name.casefold() != _README) or not path.is_file():
                continue
            if not place.isprintable() or "\\" in place:
                left_out.append(ascii(place))
                continue
            data = store.read_bytes(path)
            if data is not None:
                yield MEMORIES + place, Packed(data, path.stat().st_mtime_ns)


def _record(home: Home) -> bytes:
    """The record as the bytes of one file that needs no other, what lies in its write-ahead log included."""
    source = home.data / RECORD
    with tempfile.TemporaryDirectory(prefix="memory-shaper-") as folder:
        whole = Path(folder) / RECORD
        try:
            address = address_to_copy(source)
            with closing(sqlite3.connect(address, uri=True)) as old, closing(sqlite3.connect(whole)) as new:
                old.backup(new)
                new.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as error:
            raise explain(source, error) from error
        return whole.read_bytes()


def _tables(home: Home) -> dict[str, Packed]:
    found = {}
    for path in sorted(home.data.iterdir()) if home.data.is_dir() else ():
        if path.suffix in TABLES and path.is_file() and not path.is_symlink() and not path.name.startswith("."):
            found[DATA + path.name] = Packed(path.read_bytes(), path.stat().st_mtime_ns)
    return found


def _queries(home: Home) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Ten questions, words of the index's lines, with the notes that answer them now."""
    document = store.read_if_there(home.index)
    entries = [entry for _, entry in grammar.parse(document.text if document else "").entries()]
    step = max(1, len(entries) // _QUERIES)
    asked = list(islice((" ".join(entry.keywords[:3]) for entry in entries[::step]), _QUERIES))
    return tuple(zip(asked, _answers(home, asked), strict=True))


def _answers(home: Home, asked: Sequence[str]) -> list[tuple[str, ...]]:
    """The names of the notes that answer each question by their texts alone, in order."""
    if not asked:
        return []
    with Sidecar(home.data / "sidecar.db", home.memories, rules=load(home).rules) as sidecar:
        sidecar.refresh()
        found = [search(sidecar, query, Wish(limit=_HITS), refresh=False) for query in asked]
    return [tuple(sorted(hit.name for hit in answer.hits)) for answer in found]


def changes(home: Home, backup: Backup) -> list[edit.Edit]:
    """The edits that make the memories folder what it was: files written, made, and taken away.

    Raises Refused or Unreadable where the backup cannot be brought back here.
    """
    wanted = {name.removeprefix(MEMORIES): file for name, file in backup.files.items() if name.startswith(MEMORIES)}
    refuse_clash(home.memories, wanted)
    if RECORD in backup.files:
        prove_record(backup.files[RECORD].data)
    there = {name.removeprefix(MEMORIES): file for name, file in _memories(home, [])} if home.memories.is_dir() else {}
    edits: list[edit.Edit] = []
    for name in sorted({*wanted, *there}, key=lambda name: (name == names.INDEX, name)):  # the index last
        before = there[name].data if name in there else None
        after = wanted[name].data if name in wanted else None
        if before != after:
            edits.append(edit.NewText(name, before, after))
    return edits


def restore(home: Home, backup: Backup, now: datetime, force: bool) -> Restored:
    """Bring a backup back: record, files, tables, times, and the sidecar built anew and asked.

    Raises Refused without `force` where there is a memory already, Busy, ReadOnly, Unreadable, RecordError.
    """
    edit.make_folder(home, home.memories)
    with store.locked(home.index):
        edits = changes(home, backup)
        _refuse_loss(home, edits, force)
        home.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        old = _swap_record(home, backup, now)
        try:
            events = _carry_out(home, edits, now)
        except BaseException:  # no file was changed, so the record that knows them comes back, too
            if old:
                _put_record(home, home.data / old)
            raise
        _set_times(home, backup.files)
    notes = [*_restore_tables(home, backup), *_restore_settings(home, backup)]
    right, asked = _prove(home, backup)
    return Restored(tuple(events), right, asked, old, tuple(notes))


def _carry_out(home: Home, edits: Sequence[edit.Edit], now: datetime) -> list[int]:
    with edit.open_record(home) as record:
        source = Source(tool="restore-backup", surface="cli", pid=os.getpid())
        event = Event(EventKind.CHANGED, now, rule="restore-backup", source=source)
        return edit.carry_out(home, record, edits, event) if edits else []


def _refuse_loss(home: Home, edits: Sequence[edit.Edit], force: bool) -> None:
    lost = [one for one in edits if isinstance(one, edit.NewText) and one.before is not None]
    if not force and (lost or (home.data / RECORD).exists()):
        raise Refused(
            f"{home.memories}: there is a memory already, and {len(lost)} of its files would change; --force brings "
            "the backup back all the same: what was there stays in the journal, and undo brings it back"
        )


def _swap_record(home: Home, backup: Backup, now: datetime) -> str:
    """Put the backup's record in place; the one that was there is kept under another name, which is returned."""
    path = home.data / RECORD
    if RECORD not in backup.files:
        return ""
    kept = ""
    if path.exists():
        with edit.open_record(home) as record:
            record.tidy()
        kept = f"record-{now:%Y%m%d-%H%M%S}.db"
        os.replace(path, home.data / kept)
        _drop_log(path)
    store.write(path, backup.files[RECORD].data, None)
    return kept


def _put_record(home: Home, kept: Path) -> None:
    path = home.data / RECORD
    path.unlink(missing_ok=True)
    _drop_log(path)
    os.replace(kept, path)


def _drop_log(path: Path) -> None:
    """Take away the write-ahead files of a record that is not there: they must never meet another one."""
    for ending in ("-wal", "-shm"):
        Path(f"{path}{ending}").unlink(missing_ok=True)


def _set_times(home: Home, files: Mapping[str, Packed]) -> None:
    """Give files their times back: how old a topic is follows from it."""
    for name, file in files.items():
        if name.startswith(MEMORIES):
            path = home.memories / name.removeprefix(MEMORIES)
            os.utime(path, ns=(file.mtime, file.mtime))


def _restore_tables(home: Home, backup: Backup) -> Iterator[str]:
    for name, file in backup.files.items():
        if not name.startswith(DATA):
            continue
        path = home.data / name.removeprefix(DATA)
        there = store.read_bytes(path)
        if there is None:
            store.write(path, file.data, None)
        elif there != file.data:
            yield f"{path.name} was left as it is, it differs from the one in the backup"


def _restore_settings(home: Home, backup: Backup) -> Iterator[str]:
    """A home without config.yaml gets one with the settings; where there is one, what differs is told."""
    rows = [f"        {row}" for row in (*_written(backup), *_patterns(backup))]
    head = ["memory:", f"  memory_char_limit: {backup.cap}"] if backup.cap else []
    ours = ["plugins:", "  entries:", "    memory-shaper:", "      settings:", *rows] if rows else []
    if not home.config.exists():
        if head or ours:
            store.write(home.config, ("\n".join([*head, *ours]) + "\n").encode(), None)
        return
    now = load(home, {})
    if backup.rules != now.rules:
        yield "exclude, always or redact are others here than in the backup; see the settings"
    for name, value in backup.settings.items():
        if name in TABLE and now[name] != value:
            yield f"the setting {name} is {now[name]!r} here and was {value!r} in the backup"
    if backup.cap and now.cap != backup.cap:
        yield f"memory_char_limit is {now.cap:,} here and was {backup.cap:,} in the backup"


def _patterns(backup: Backup) -> Iterator[str]:
    """The rules as rows of a config file, patterns in quotes, each at a line of its own."""
    import json

    for name, value in plain_rules(backup.rules).items():
        yield f"{name}:"
        pairs = value.items() if isinstance(value, dict) else ((one, None) for one in value)
        for one, put in pairs:
            quoted = json.dumps(one, ensure_ascii=False)
            yield f"  - {quoted}" if put is None else f"  {quoted}: {json.dumps(put, ensure_ascii=False)}"


def _written(backup: Backup) -> Iterator[str]:
    import json

    for name, value in sorted(backup.settings.items()):
        if name in TABLE:
            yield f"{name}: {json.dumps(value, ensure_ascii=False)}"


def _prove(home: Home, backup: Backup) -> tuple[int, int]:
    """Build the sidecar anew and ask it what the backup recorded; how many answers are the same, and of how many."""
    with Sidecar(home.data / "sidecar.db", home.memories, rules=load(home).rules) as sidecar:
        sidecar.rebuild_file("built anew")
    given = _answers(home, [query for query, _ in backup.queries])
    right = sum(now == then for now, (_, then) in zip(given, backup.queries, strict=True))
    return right, len(backup.queries)
