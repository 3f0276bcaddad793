"""Changes of the memory that were thought of and not made: each waits for a word, and none is made twice.

A proposal holds memory text, so it lies in the record beside the journal's texts and never in a log.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from .database import Database, Row
from .times import moment, moment_or_none, stamp

# Of those that were closed so many stay, the newest; a rejected one that is dropped could be made again.
_CLOSED_STAY = 10_000


class State(StrEnum):
    """What became of a proposal."""

    OPEN = "open"
    APPLIED = "applied"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that waits for a word.

    `kind` says how `payload` (what JSON can hold) is to be read and carried out; `target` is the topic file it is
    about, `title` one line for people, without memory text where that is possible, `source` who proposed it. `digest`
    tells proposals apart ("": made from kind, target and payload). The last three are the record's to fill in.
    """

    kind: str
    at: datetime
    target: str = ""
    title: str = ""
    payload: Mapping[str, object] = field(default_factory=dict)
    source: str = ""
    digest: str = ""
    id: int = 0
    state: State = State.OPEN
    closed_at: datetime | None = None


def digest_of_proposal(kind: str, target: str, payload: Mapping[str, object]) -> str:
    """The name of a proposal by what it is about: SHA-256 in hex, the same whatever the order of the payload's keys."""
    text = json.dumps([kind, target, payload], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


_COLUMNS = "kind, at, target, title, payload, source, digest"


def _proposal(row: Row) -> Proposal:
    kind, at, target, title, payload, source, digest, number, state, closed_at = row
    value = json.loads(payload)
    if not isinstance(value, dict):
        raise ValueError("a payload is no object")
    closed = moment_or_none(closed_at)
    return Proposal(kind, moment(at), target, title, value, source, digest, number, State(state), closed)


class Proposals:
    """The proposals in a record."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, proposal: Proposal) -> int | None:
        """Store a proposal and return its number; None where an open or a rejected one says the same."""
        digest = proposal.digest or digest_of_proposal(proposal.kind, proposal.target, proposal.payload)
        payload = json.dumps(dict(proposal.payload), ensure_ascii=True)
        values = (proposal.kind, stamp(proposal.at), proposal.target, proposal.title, payload, proposal.source, digest)
        with self._database.transaction():
            known = "SELECT count(*) FROM proposals WHERE digest = ? AND state <> ?"
            if self._database.number(known, digest, State.APPLIED.value):
                return None
            return self._database.add(
                f"INSERT INTO proposals ({_COLUMNS}, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", *values, State.OPEN.value
            )

    def list(self, state: State | None = State.OPEN) -> list[Proposal]:
        """The proposals in one state, or all of them, the oldest first."""
        name = state.value if state else None
        sql = f"""SELECT {_COLUMNS}, id, state, closed_at FROM proposals
                  WHERE ? IS NULL OR state = ? ORDER BY id"""
        return [self._database.read(_proposal, row) for row in self._database.rows(sql, name, name)]

    def proposal(self, number: int) -> Proposal | None:
        """The proposal with this number, None where there is none."""
        sql = f"SELECT {_COLUMNS}, id, state, closed_at FROM proposals WHERE id = ?"
        row = self._database.row(sql, number)
        return self._database.read(_proposal, row) if row else None

    def close(self, number: int, state: State, now: datetime) -> bool:
        """Say that an open proposal was applied or rejected; False where it is not open (any more)."""
        sql = "UPDATE proposals SET state = ?, closed_at = ? WHERE id = ? AND state = ?"
        with self._database.transaction():
            if not self._database.run(sql, state.value, stamp(now), number, State.OPEN.value):
                return False
            self._database.run(
                """DELETE FROM proposals WHERE id IN
                   (SELECT id FROM proposals WHERE closed_at IS NOT NULL ORDER BY closed_at DESC, id DESC
                    LIMIT -1 OFFSET ?)""",
                _CLOSED_STAY,
            )
        return True

    def drop(self, number: int) -> bool:
        """Take a proposal out for good, text and all, whatever its state; False where there is none."""
        with self._database.transaction():
            return bool(self._database.run("DELETE FROM proposals WHERE id = ?", number))
