"""The sidecar: built from the notes, kept in step with them, proved by a search. Shell: disk and SQLite.

Everything in it can be made again from the files, so it is never repaired and never synced.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ..errors import Busy, ReadOnly
from ..privacy.rules import NO_RULES, Rules
from ..privacy.screening import blanked, rules_digest
from .analyser import Terms, analyse
from .database import DAMAGED, SidecarError, changes, discard, explain, is_damage, open_in_memory, open_sidecar
from .folder import Found, Listing, Skipped, list_notes
from .gathered import project_words
from .jieba_words import JiebaWords
from .shelf import Shelf
from .shelving import shelved

# A file changed this shortly before it was read may change again within the same tick of its clock.
_UNSETTLED_NS = 2_000_000_000
# Texts cut without the segmenter that one refresh cuts anew.
_CUT_ANEW = 200


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


class _Row(NamedTuple):
    size: int
    mtime: int
    checked: int
    digest: bytes


class Sidecar:
    """An open sidecar file. One object may be used by several threads, one at a time; close it when done."""

    def __init__(
        self, path: Path, memories: Path, roots: Sequence[Path] = (), rules: Rules = NO_RULES, apart: str = ""
    ) -> None:
        """Open or make the sidecar at `path` for a memories folder; links may lead into it and into `roots`.

        What `rules` and the detectors keep out of the memory is blanked out; under other rules it is built anew.
        Where the file cannot be made the sidecar lives in memory and says so in its note; `apart` is a reason to leave
        the file alone and do so at once.
        Raises SidecarError where the file is locked.
        """
        self.path = path
        self.memories = memories
        self.roots = tuple(roots)
        self.rules = rules
        self._apart = apart
        self.words = JiebaWords(path.parent / "jieba")
        self.guard = threading.RLock()
        self._open()

    def _open(self) -> None:
        self.in_memory = bool(self._apart)
        try:
            opened = open_in_memory(self._apart) if self._apart else open_sidecar(self.path)
        except ReadOnly as error:
            self.in_memory = True
            opened = open_in_memory(f"{error}; it is built in memory")
        self.connection = opened.connection
        self._inode = self._place()
        self.note = opened.note
        self.notes = Shelf(self.connection, "note")
        self.sessions = Shelf(self.connection, "session")
        self._files: dict[str, _Row] = {}
        self._files_at = -1
        self._keep_to_the_rules()

    def _keep_to_the_rules(self) -> None:
        """Throw away what was built under other rules about what may be kept."""
        built = rules_digest(self.rules)
        row = self.connection.execute("SELECT value FROM state WHERE key = 'rules'").fetchone()
        if row is not None and row[0] == built:
            return
        if row is not None and not self.in_memory:
            self.rebuild_file("the rules about what is kept have changed, so the sidecar is built again")
            return
        with suppress(sqlite3.OperationalError):  # another process is building; the next opening notes it
            self.connection.execute("INSERT OR REPLACE INTO state(key, value) VALUES ('rules', ?)", (built,))

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
                self.words.learn(project_words(self.connection))
                return self._refresh(listing, only, wait)
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise explain(self.path, error) from error
                self.rebuild_file(DAMAGED)
                return self._refresh(list_notes(self.memories, self.roots), None, wait)

    def files(self) -> dict[str, bytes]:
        """Return the notes as of the last refresh, each with the digest of its bytes. Raises SidecarError."""
        with self.guard:
            try:
                return dict(self.connection.execute("SELECT name, digest FROM file").fetchall())
            except sqlite3.DatabaseError as error:
                raise explain(self.path, error) from error

    def rebuild_file(self, note: str) -> None:
        """Throw the file away and open an empty one."""
        self.connection.close()
        discard(self.path)
        self._open()
        self.note = note

    def tidy(self) -> int:
        """Give free pages back; the bytes the file is smaller by.

        No answer changes. Raises Busy where another process holds the file.
        """
        with self.guard:
            before = self._size()
            try:
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
        known = self._known(only)
        if not self._new(listing, known) and not known.keys() - {found.name for found in listing.found}:
            report.kept = len(listing.found)
            return report
        with self.writing(wait):
            known = self._known(only)
            new = self._new(listing, known)
            report.kept = len(listing.found) - len(new)
            for found in new:
                self._take(found, known.get(found.name), report)
            for name in known.keys() - {found.name for found in listing.found}:
                self._forget(name, known[name], report)
        self._files_at = changes(self.connection)
        self._prove(report)
        return report

    def _new(self, listing: Listing, known: Mapping[str, _Row]) -> list[Found]:
        """Return the files that have to be read: those not surely known, and some that want cutting anew."""
        old = set(self.notes.unsegmented(_CUT_ANEW)) if self.words.can_be_had() else ()
        return [
            found
            for found in listing.found
            if (row := known.get(found.name)) is None
            or row.size != found.size
            or row.mtime != found.mtime
            or row.checked - row.mtime <= _UNSETTLED_NS
            or found.name in old
        ]

    def _known(self, only: Collection[str] | None) -> Mapping[str, _Row]:
        """Return what is known of the files; a look at some of them says nothing about the others."""
        now = changes(self.connection)
        if now != self._files_at:
            rows = self.connection.execute("SELECT name, size, mtime, checked, digest FROM file")
            self._files = {row[0]: _Row._make(row[1:]) for row in rows}
            self._files_at = now
        if only is None:
            return self._files
        return {name: row for name in only if (row := self._files.get(name))}

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
        shelves = (self.notes, self.sessions)
        try:
            yield
            for shelf in shelves:
                shelf.flush()
            self.connection.execute("COMMIT")
        except BaseException:
            for shelf in shelves:
                shelf.drop()
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read one state of the file, whatever other processes write meanwhile."""
        self.connection.execute("BEGIN")
        try:
            yield
        finally:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")

    def _take(self, found: Found, row: _Row | None, report: Report) -> None:
        """Read one file and put it, unless its bytes are known and were cut as they would be now."""
        now = time.time_ns()
        try:
            with open(found.path, "rb") as file:
                data = file.read()
            text = data.decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = "is not UTF-8" if isinstance(error, UnicodeDecodeError) else f"cannot be read ({error.strerror})"
            report.skipped.append(Skipped(found.name, reason))
            self._forget(found.name, row, report)
            return
        digest = hashlib.sha256(data).digest()
        if row and row.digest == digest and not self._wants_cutting(found.name):
            report.kept += 1
        else:
            self.notes.put(shelved(found, blanked(text, self.rules), self.words))
            (report.changed if row else report.added).append(found.name)
        self._files[found.name] = _Row(found.size, found.mtime, now, digest)
        self.connection.execute(
            "INSERT OR REPLACE INTO file(name, size, mtime, checked, digest) VALUES (?, ?, ?, ?, ?)",
            (found.name, *self._files[found.name]),
        )

    def _wants_cutting(self, name: str) -> bool:
        return self.words.can_be_had() and self.notes.is_unsegmented(name)

    def cut(self, text: str) -> Terms:
        """Return the terms of a text, Chinese words included where jieba can be had."""
        return analyse(text, self.words)

    def _forget(self, name: str, row: _Row | None, report: Report) -> None:
        if row is not None:
            self.notes.remove(name)
            self.connection.execute("DELETE FROM file WHERE name = ?", (name,))
            self._files.pop(name, None)
            report.removed.append(name)

    def _prove(self, report: Report) -> None:
        """Find the last file that was put by a word of its own; a build that cannot is no build."""
        put = report.changed or report.added
        if put and not self.notes.finds(put[-1]):
            raise SidecarError(f"{self.path}: the sidecar does not find what was put into it; delete it")
