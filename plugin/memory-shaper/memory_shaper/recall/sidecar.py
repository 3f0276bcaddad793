"""The sidecar: built from the notes, kept in step with them, proved by a search. Shell: disk and SQLite.

Everything in it can be made again from the files, so it is never repaired and never synced.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import Busy, ReadOnly
from .analyser import Terms, analyse
from .cut import has_han
from .database import SHELVES, SidecarError, discard, explain, is_damage, open_in_memory, open_sidecar
from .folder import Found, Listing, Skipped, list_notes
from .jieba_words import JiebaWords
from .notes import Front, Note, own_date, read_note
from .shelf import Shelf, Text

# A file changed this shortly before it was read may change again within the same tick of its clock.
_UNSETTLED_NS = 2_000_000_000
# What people call the notes of a type when they ask for them.
_CALLED = {"profile": "profile preferences 偏好"}


@dataclass(slots=True)
class Report:
    """What a refresh did: names of the files added, changed and removed, how many stayed, what was skipped and why."""

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    kept: int = 0
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def touched(self) -> int:
        return len(self.added) + len(self.changed) + len(self.removed)


@dataclass(frozen=True, slots=True)
class _Row:
    size: int
    mtime: int
    checked: int
    digest: bytes


class Sidecar:
    """An open sidecar file. One object may be used by several threads, one at a time; close it when done."""

    def __init__(self, path: Path, memories: Path, roots: Sequence[Path] = ()) -> None:
        """Open or make the sidecar at `path` for a memories folder; links may lead into it and into `roots`.

        Where the file cannot be made the sidecar lives in memory and says so in its note.
        Raises SidecarError where SQLite has no FTS5 or the file is locked.
        """
        self.path = path
        self.memories = memories
        self.roots = tuple(roots)
        self.words = JiebaWords(path.parent / "jieba")
        self.guard = threading.RLock()
        self._open()

    def _open(self) -> None:
        self.in_memory = False
        try:
            opened = open_sidecar(self.path)
        except ReadOnly as error:
            self.in_memory = True
            opened = open_in_memory(f"{error}; it is built in memory")
        self.connection = opened.connection
        self._inode = self._place()
        self.note = opened.note
        self.notes = Shelf(self.connection, "note")
        self.sessions = Shelf(self.connection, "session")

    def _place(self) -> int:
        """Return what tells the file at our path from another one there, 0 where there is none."""
        try:
            return self.path.stat().st_ino
        except OSError:
            return 0

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def __enter__(self) -> Sidecar:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def refresh(self, only: Collection[str] | None = None, wait: float = 2.0) -> Report:
        """Bring the notes of the sidecar in step with the folder; names in `only` limit it to these files.

        Raises Busy where another process builds for longer than `wait` seconds, SidecarError where the proof fails,
        OSError where the memories folder cannot be read.
        """
        with self.guard:
            if not self.in_memory and self._place() != self._inode:
                self.connection.close()  # It was deleted or replaced under us, as it may be at any time.
                self._open()
                only = None
            listing = list_notes(self.memories, self.roots, only)
            try:
                return self._refresh(listing, only, wait)
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise explain(self.path, error) from error
                self.rebuild_file("the sidecar was damaged and is built again")
                return self._refresh(list_notes(self.memories, self.roots), None, wait)

    def rebuild_file(self, note: str) -> None:
        """Throw the file away and open an empty one."""
        self.connection.close()
        discard(self.path)
        self._open()
        self.note = note

    def tidy(self) -> int:
        """Merge what the word lists are cut into, and give free pages back; the bytes the file is smaller by.

        No answer changes. Raises Busy where another process holds the file.
        """
        with self.guard:
            before = self._size()
            try:
                for shelf in SHELVES:
                    self.connection.execute(f"INSERT INTO {shelf}_terms({shelf}_terms) VALUES ('optimize')")
                self.connection.execute("VACUUM")
                self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.OperationalError as error:
                if "locked" in str(error):
                    raise Busy(f"{self.path}: another program is building the sidecar; try again") from error
                raise explain(self.path, error) from error
            return max(0, before - self._size())

    def _size(self) -> int:
        pages, size = (self.connection.execute(f"PRAGMA page_{what}").fetchone()[0] for what in ("count", "size"))
        return int(pages * size)

    def _refresh(self, listing: Listing, only: Collection[str] | None, wait: float) -> Report:
        report = Report(skipped=listing.skipped, notes=[self.note] if self.note else [])
        if not self.in_memory:
            self.note = ""
        if not self._pending(listing, self._known(only)):
            report.kept = len(listing.found)
            return report
        with self.writing(wait):
            known = self._known(only)
            for found in listing.found:
                self._take(found, known.get(found.name), report)
            there = {found.name for found in listing.found}
            for name, row in known.items():
                if name not in there:
                    self._forget(name, row, report)
        self._prove(report)
        return report

    def _pending(self, listing: Listing, known: Mapping[str, _Row]) -> bool:
        there = {found.name for found in listing.found}
        return any(not _settled(found, known.get(found.name)) for found in listing.found) or bool(known.keys() - there)

    def _known(self, only: Collection[str] | None) -> dict[str, _Row]:
        """Return what is known of the files; a look at some of them says nothing about the others."""
        columns = "SELECT name, size, mtime, checked, digest FROM file"
        if only is None:
            rows = self.connection.execute(columns).fetchall()
        else:
            rows = [row for name in only for row in self.connection.execute(f"{columns} WHERE name = ?", (name,))]
        return {row[0]: _Row(*row[1:]) for row in rows}

    @contextmanager
    def writing(self, wait: float) -> Iterator[None]:
        """Hold the file for one change, which is made whole or not at all; Busy where another process holds it."""
        self.connection.execute(f"PRAGMA busy_timeout = {round(wait * 1000)}")
        try:
            self.connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise Busy(f"{self.path}: another program is building the sidecar; try again") from error
            raise
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise

    def _take(self, found: Found, row: _Row | None, report: Report) -> None:
        """Read one file and put it, unless its bytes are known."""
        if _settled(found, row):
            report.kept += 1
            return
        now = time.time_ns()
        try:
            data = Path(found.path).read_bytes()
            text = data.decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = "is not UTF-8" if isinstance(error, UnicodeDecodeError) else f"cannot be read ({error.strerror})"
            report.skipped.append(Skipped(found.name, reason))
            self._forget(found.name, row, report)
            return
        digest = hashlib.sha256(data).digest()
        if row and row.digest == digest:
            report.kept += 1
        else:
            self.notes.put(self._text(found, text))
            (report.changed if row else report.added).append(found.name)
        self.connection.execute(
            "INSERT OR REPLACE INTO file(name, size, mtime, checked, digest) VALUES (?, ?, ?, ?, ?)",
            (found.name, found.size, found.mtime, now, digest),
        )

    def _text(self, found: Found, text: str) -> Text:
        note = read_note(text)
        units = [self.cut(_header(found.name, note)), *(self.cut(text[start:end]) for start, end in note.units)]
        first = note.units[0][0] if note.units else len(text)
        day = own_date(found.name, note.front)
        return Text(
            name=found.name,
            kind=found.kind,
            day=day.toordinal() if day else None,
            units=units,
            places=[first, *(start for start, _ in note.units), note.units[-1][1] if note.units else len(text)],
            facts=facts_of(note.front),
            segmented=self.words.available is not False or not has_han(text),
        )

    def cut(self, text: str) -> Terms:
        """Return the terms of a text, Chinese words included where jieba can be had."""
        return analyse(text, self.words)

    def _forget(self, name: str, row: _Row | None, report: Report) -> None:
        if row is not None:
            self.notes.remove(name)
            self.connection.execute("DELETE FROM file WHERE name = ?", (name,))
            report.removed.append(name)

    def _prove(self, report: Report) -> None:
        """Find the last file that was put by a word of its own; a build that cannot is no build."""
        put = report.changed or report.added
        if not put:
            return
        rows = self.connection.execute(
            "SELECT t.id, substr(w.words, 1, instr(w.words || ' ', ' ') - 1) FROM note_text t JOIN note_terms w "
            "ON w.rowid = t.id WHERE t.name = ? AND t.length > 0",
            (put[-1],),
        ).fetchall()
        for text, word in rows:
            if all(text != found for found, _ in self.notes.occurrences(word)):
                raise SidecarError(f"{self.path}: the sidecar does not find what was put into it; delete it")


def _settled(found: Found, row: _Row | None) -> bool:
    """Tell whether a file is surely the one that was read."""
    if row is None or (row.size, row.mtime) != (found.size, found.mtime):
        return False
    return row.checked - row.mtime > _UNSETTLED_NS


def facts_of(front: Front) -> str:
    """Return what search filters by, as a JSON object that leaves out what is empty."""
    every: dict[str, str | tuple[str, ...]]
    every = {"title": front.title, "tags": front.tags, "type": front.kind, "agent": front.agent}
    every |= {"invalid_at": front.invalid_at, "valid_until": front.valid_until}
    every |= {"project": front.project, "supersedes": front.supersedes}
    return json.dumps({key: value for key, value in every.items() if value}, ensure_ascii=False)


def _header(name: str, note: Note) -> str:
    """Return what a note is called, as a unit of its own before its text."""
    stem = name.rpartition("/")[2].removesuffix(".md")
    kind = _CALLED.get(note.front.kind.casefold(), "")
    return " \n".join((stem, note.front.title, kind, *note.front.tags))
