"""The vectors of passages and questions, kept beside the sidecar. Shell: SQLite.

Vectors are derived, but each was asked for and maybe paid for. So they do not lie in sidecar.db, which may be deleted
at any time, and are known by what was sent, so that the same text of the same model is sent once.
"""

from __future__ import annotations

import hashlib
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...outgoing.endpoint import Endpoint, NoAnswer
from ..database import discard, is_damage
from .breaker import Breaker
from .maths import Vector
from .vaultfile import open_vectors

NAME = "vectors.db"
REBUILD = "memory-shaper index --rebuild"
# The two things that an endpoint is asked for, which fail on their own: many passages may take it too long.
QUESTION = "question"
PASSAGES = "passages"
# Vectors that belong to no passage any more, mostly those of questions.
_LOOSE = 2000


class VaultError(NoAnswer):
    """The vectors that are kept cannot be used."""


@dataclass(frozen=True, slots=True)
class Space:
    """All vectors of one model at one address: `size` numbers each, 0 where there are none yet; `answered` is the size
    of the last answer, another one where the model was changed behind its name."""

    id: int
    size: int = 0
    answered: int = 0

    @property
    def is_stale(self) -> bool:
        """Whether the vectors that are kept are not those of today's model."""
        return bool(self.size and self.answered and self.size != self.answered)

    @property
    def staleness(self) -> str:
        """Why the vectors are not used, "" where they are."""
        if not self.is_stale:
            return ""
        return f"the model answers with {self.answered} numbers where {self.size} are kept; run: {REBUILD}"


@dataclass(frozen=True, slots=True)
class Matrix:
    """The vectors of a space one behind the other in `rows`, and the (note, place) of each."""

    rows: Vector
    places: Sequence[tuple[str, int]]


class Vault:
    """An open vectors.db; an older or damaged one is made anew. Close it when done."""

    def __init__(self, path: Path) -> None:
        """Raises VaultError where the file cannot be made or opened."""
        self.path = path
        try:
            self._connection = open_vectors(path)
        except (OSError, sqlite3.Error) as error:
            reason = (isinstance(error, OSError) and error.strerror) or str(error)
            raise VaultError(f"{path.name} cannot be used ({reason})") from error

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Vault:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def writing(self, counts: bool = True) -> Iterator[None]:
        """One change, made whole or not at all; `counts` is for one that matters to who has read the vectors.

        Raises VaultError where another program writes for long.
        """
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                if counts:
                    self._run("UPDATE change SET number = number + 1")
                self._connection.execute("COMMIT")
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise self._failed(error) from error

    def _run(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Run a statement within `writing`."""
        return self._connection.execute(statement, values)

    def _rows(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        """The rows of a query, as SQLite types them."""
        try:
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise self._failed(error) from error

    def _failed(self, error: sqlite3.Error) -> VaultError:
        """Our error for one of SQLite's; a file that is not whole is thrown away, and the next search begins anew."""
        if not is_damage(error):
            return VaultError(f"{self.path.name} cannot be used ({error})")
        self._connection.close()
        discard(self.path)
        return VaultError(f"{self.path.name} was damaged and is made anew")

    @property
    def change(self) -> int:
        """A number that grows with every change of what the passages and their vectors are, by whomever."""
        return int(self._rows("SELECT number FROM change")[0][0])

    def known_space(self, endpoint: Endpoint) -> Space | None:
        """The space of a model at an address, None where it is new."""
        rows = self._rows("SELECT id, size, answered FROM space WHERE address = ? AND model = ?", _key(endpoint))
        return Space(*rows[0]) if rows else None

    def space(self, endpoint: Endpoint) -> Space:
        """The space of a model at an address, an empty one where it is new."""
        if (known := self.known_space(endpoint)) is not None:
            return known
        with self.writing(False):
            self._run("INSERT OR IGNORE INTO space(address, model) VALUES (?, ?)", _key(endpoint))
        row = self._rows("SELECT id FROM space WHERE address = ? AND model = ?", _key(endpoint))[0]
        return Space(row[0])

    def breaker(self, space: Space, task: str) -> Breaker:
        """What is known of an endpoint's failures at a task."""
        rows = self._rows("SELECT failures, until, trouble FROM breaker WHERE space = ? AND task = ?", (space.id, task))
        return Breaker(*rows[0]) if rows else Breaker()

    def set_breaker(self, space: Space, task: str, breaker: Breaker) -> None:
        """Keep what is known of an endpoint's failures, for the next search of any process."""
        if breaker == self.breaker(space, task):
            return
        with self.writing(False):
            self._run(
                "INSERT OR REPLACE INTO breaker(space, task, failures, until, trouble) VALUES (?, ?, ?, ?, ?)",
                (space.id, task, breaker.failures, breaker.until, breaker.trouble),
            )

    def notes(self) -> dict[str, bytes]:
        """The notes that are cut into passages, and the digest of each one's bytes."""
        return dict(self._rows("SELECT name, digest FROM note"))

    def put_note(self, name: str, digest: bytes, passages: Iterable[tuple[int, bytes]]) -> None:
        """Keep the (place, digest) of a note's passages in place of what was kept of it. Within `writing`."""
        self.remove_note(name)
        row = self._run("INSERT INTO note(name, digest) VALUES (?, ?)", (name, digest)).lastrowid
        for place, known in passages:
            self._run("INSERT INTO passage(note, place, digest) VALUES (?, ?, ?)", (row, place, known))

    def remove_note(self, name: str) -> None:
        """Forget the passages of a note; their vectors stay for a while. Within `writing`."""
        self._run("DELETE FROM passage WHERE note = (SELECT id FROM note WHERE name = ?)", (name,))
        self._run("DELETE FROM note WHERE name = ?", (name,))

    def missing(self, space: Space) -> dict[str, set[bytes]]:
        """The digests of the passages that have no vector yet, by note."""
        found: dict[str, set[bytes]] = {}
        rows = self._rows(
            "SELECT n.name, p.digest FROM passage p JOIN note n ON n.id = p.note WHERE NOT EXISTS "
            "(SELECT 1 FROM vector v WHERE v.space = ? AND v.digest = p.digest) ORDER BY n.id DESC, p.place",
            (space.id,),
        )
        for name, digest in rows:
            found.setdefault(name, set()).add(digest)
        return found

    def counts(self, space: Space) -> tuple[int, int]:
        """How many passages there are, and how many of them the endpoint has been asked for."""
        known = "EXISTS (SELECT 1 FROM vector v WHERE v.space = ? AND v.digest = p.digest)"
        row = self._rows(f"SELECT count(*), coalesce(sum({known}), 0) FROM passage p", (space.id,))[0]
        return row[0], row[1]

    def put(self, space: Space, vectors: Mapping[bytes, Vector], of_passages: bool = True) -> Space:
        """Keep vectors by the digests of their texts; an empty one says that the endpoint refuses the text.

        Vectors of another size than the space's are not kept; the space remembers that there were some.
        """
        answered = next((len(vector) for vector in vectors.values() if vector), space.answered)
        size = space.size or answered
        fitting = {digest: vector.tobytes() for digest, vector in vectors.items() if len(vector) in (0, size)}
        with self.writing(of_passages):
            for digest, value in fitting.items():
                self._run(
                    "INSERT OR REPLACE INTO vector(space, digest, value) VALUES (?, ?, ?)", (space.id, digest, value)
                )
            self._run("UPDATE space SET size = ?, answered = ? WHERE id = ?", (size, answered, space.id))
        return Space(space.id, size, answered)

    def vector(self, space: Space, digest: bytes) -> Vector | None:
        """The vector of a text, None where it is not known or not of today's model."""
        rows = self._rows(
            "SELECT value FROM vector WHERE space = ? AND digest = ? AND length(value) = ?",
            (space.id, digest, 4 * space.size),
        )
        return array("f", rows[0][0]) if rows and space.size else None

    def matrix(self, space: Space) -> Matrix:
        """All vectors of passages."""
        rows = self._rows(
            "SELECT n.name, p.place, v.value FROM passage p JOIN note n ON n.id = p.note "
            "JOIN vector v ON v.space = ? AND v.digest = p.digest WHERE length(v.value) = ?",
            (space.id, 4 * space.size),
        )
        return Matrix(array("f", b"".join(row[2] for row in rows)), [(row[0], row[1]) for row in rows])

    def renew(self, space: Space) -> Space:
        """Forget the vectors that are not of the size that the endpoint answers with now, and what it refused."""
        with self.writing():
            self._run("DELETE FROM vector WHERE space = ? AND length(value) <> ?", (space.id, 4 * space.answered))
            self._run("UPDATE space SET size = answered WHERE id = ?", (space.id,))
        return Space(space.id, space.answered, space.answered)

    def forget_others(self, space: Space) -> None:
        """Forget the vectors of every other model and address."""
        with self.writing():
            for table in ("vector", "breaker"):
                self._run(f"DELETE FROM {table} WHERE space <> ?", (space.id,))
            self._run("DELETE FROM space WHERE id <> ?", (space.id,))

    def tidy(self) -> None:
        """Forget vectors that belong to no passage, but for the newest two thousand."""
        with self.writing(False):
            self._run(
                "DELETE FROM vector WHERE id IN (SELECT v.id FROM vector v WHERE NOT EXISTS "
                "(SELECT 1 FROM passage p WHERE p.digest = v.digest) ORDER BY v.id DESC LIMIT -1 OFFSET ?)",
                (_LOOSE,),
            )


def _key(endpoint: Endpoint) -> tuple[bytes, str]:
    """What a space is known by; the address itself is not kept."""
    return hashlib.sha256(endpoint.url.encode()).digest(), endpoint.model
