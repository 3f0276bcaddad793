"""Past sessions, read from the host's state.db for search: read-only, in short batches, new rows only. Shell: SQLite.

What people and the agent said is kept, not what tools returned. A text of the shelf is up to forty messages in a row
of one session; its name is the session and its first message, its places are the numbers of the messages.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ..privacy.screening import blanked
from .analyser import Terms
from .cut import has_han
from .database import SidecarError
from .shelf import Text
from .sidecar import Sidecar

SESSION = "session"
BLOCK = 40
# Texts cut without the segmenter that one refresh cuts anew.
_CUT_ANEW = 50
# Rows that one read takes; each read is a transaction of its own, so that the host's commits never wait for long.
_BATCH = 1000
_BUSY_SECONDS = 1.0
_LONGEST = 8000
_JSON_SIGN = "\0json:"
_SAID = "role IN ('user', 'assistant') AND content IS NOT NULL AND content != ''"


@dataclass(frozen=True, slots=True)
class Said:
    """One message: its row number, session, Unix time and text."""

    id: int
    session: str
    at: float
    text: str


def refresh_sessions(sidecar: Sidecar, state: Path, wait: float = 2.0) -> int:
    """Take over the messages that were written since the last time; return how many.

    A database that was pruned, replaced or reset is noticed and read from the start. No state.db means no sessions.
    Raises Busy where another process builds, SidecarError where the database cannot be read.
    """
    with sidecar.guard:
        if not state.exists():
            return 0
        try:
            with closing(open_state(state)) as host:
                return _refresh(sidecar, host, wait)
        except sqlite3.DatabaseError as error:
            raise SidecarError(f"{state}: past sessions cannot be read ({error})") from error


def message_texts(state: Path, messages: Sequence[int]) -> dict[int, str]:
    """Return the texts of some messages as the host holds them, without those that are gone."""
    if not messages or not state.exists():
        return {}
    try:
        with closing(open_state(state)) as host:
            return {said.id: said.text for said in _messages(host, messages)}
    except sqlite3.DatabaseError as error:
        raise SidecarError(f"{state}: past sessions cannot be read ({error})") from error


def asked(state: Path, since: float, most: int) -> list[Said]:
    """Return the newest messages of people since a Unix time, at most so many, the oldest first.

    No state.db means none. Raises SidecarError where the database cannot be read.
    """
    if not state.exists():
        return []
    try:
        with closing(open_state(state)) as host:
            rows = host.execute(
                f"SELECT id, session_id, timestamp, content FROM messages WHERE {_SAID} AND role = 'user' "
                "ORDER BY id DESC LIMIT ?",
                (most,),
            ).fetchall()
    except sqlite3.DatabaseError as error:
        raise SidecarError(f"{state}: past sessions cannot be read ({error})") from error
    return [said for said in map(_said, reversed(rows)) if said.at >= since]


def open_state(state: Path) -> sqlite3.Connection:
    """Open the host's database strictly for reading."""
    return sqlite3.connect(
        f"{state.absolute().as_uri()}?mode=ro", uri=True, timeout=_BUSY_SECONDS, isolation_level=None
    )


def _refresh(sidecar: Sidecar, host: sqlite3.Connection, wait: float) -> int:
    old = sidecar.words.can_be_had() and bool(sidecar.sessions.unsegmented(1))
    if not old and not _pending(sidecar, host):
        return 0
    taken = 0
    with sidecar.writing(wait):
        last = _known(sidecar, host)
        gone = sidecar.sessions.names() if last == 0 else _deleted(sidecar, host)
        for name in gone:
            sidecar.sessions.remove(name)
        if old:
            _cut_anew(sidecar, host)
        for batch in _batches(host, last):
            for block in _blocks(sidecar, host, batch):
                _put(sidecar, block)
            taken += len(batch)
            last = batch[-1].id
        value = json.dumps([last, _mark(host, last)])
        sidecar.connection.execute("INSERT OR REPLACE INTO state(key, value) VALUES ('sessions', ?)", (value,))
    return taken


def _pending(sidecar: Sidecar, host: sqlite3.Connection) -> bool:
    last = _known(sidecar, host)
    return bool(next(_batches(host, last, 1), None) or _deleted(sidecar, host))


def _known(sidecar: Sidecar, host: sqlite3.Connection) -> int:
    """Return the last message taken over, 0 where none was, or from another database."""
    row = sidecar.connection.execute("SELECT value FROM state WHERE key = 'sessions'").fetchone()
    last, mark = json.loads(row[0]) if row else (0, "")
    return int(last) if last and _mark(host, last) == mark else 0


def _deleted(sidecar: Sidecar, host: sqlite3.Connection) -> list[str]:
    """Return the texts of sessions that the host no longer has."""
    names = sidecar.sessions.names()
    kept = {row[0] for row in host.execute("SELECT id FROM sessions")} if names else set()
    return [name for name in names if session_of(name) not in kept]


def _mark(host: sqlite3.Connection, message: int) -> str:
    """Return what tells a message from one of the same number in another database."""
    row = host.execute("SELECT session_id, timestamp FROM messages WHERE id = ?", (message,)).fetchone()
    return f"{row[0]} {row[1]}" if row else ""


def _batches(host: sqlite3.Connection, last: int, size: int = _BATCH) -> Iterator[list[Said]]:
    while True:
        rows = host.execute(
            f"SELECT id, session_id, timestamp, content FROM messages WHERE id > ? AND {_SAID} ORDER BY id LIMIT ?",
            (last, size),
        ).fetchall()
        if not rows:
            return
        yield [_said(row) for row in rows]
        last = rows[-1][0]


def _blocks(sidecar: Sidecar, host: sqlite3.Connection, batch: Sequence[Said]) -> Iterator[list[Said]]:
    """Yield the messages of a batch as blocks of one session, the last block of each session begun again."""
    sessions: dict[str, list[Said]] = {}
    for said in batch:
        sessions.setdefault(said.session, []).append(said)
    for session, new in sessions.items():
        every = [*_open_block(sidecar, host, session), *new]
        for start in range(0, len(every), BLOCK):
            yield every[start : start + BLOCK]


def _open_block(sidecar: Sidecar, host: sqlite3.Connection, session: str) -> list[Said]:
    """Return the messages of a session's last block, where there is room in it."""
    numbers = sidecar.sessions.last_places(f"{session}/", f"{session}0")
    return _messages(host, numbers) if len(numbers) < BLOCK else []


def _cut_anew(sidecar: Sidecar, host: sqlite3.Connection) -> None:
    """Cut again some texts that were cut while the segmenter was missing; the next refresh takes more of them."""
    for name in sidecar.sessions.unsegmented(_CUT_ANEW):
        block = _messages(host, sidecar.sessions.places_of(name))
        if not block or _name(block) != name:
            sidecar.sessions.remove(name)
        if block:
            _put(sidecar, block)


def _messages(host: sqlite3.Connection, numbers: Sequence[int]) -> list[Said]:
    """Return messages by their row numbers, in order, without those that are gone."""
    marks = ",".join("?" * len(numbers))
    rows = host.execute(
        f"SELECT id, session_id, timestamp, content FROM messages WHERE id IN ({marks}) ORDER BY id", tuple(numbers)
    )
    return [_said(row) for row in rows.fetchall()]


def _put(sidecar: Sidecar, block: Sequence[Said]) -> None:
    first = block[0]
    units: list[Terms] = [sidecar.cut(blanked(said.text[:_LONGEST], sidecar.rules)) for said in block]
    sidecar.sessions.put(
        Text(
            name=_name(block),
            kind=SESSION,
            day=datetime.fromtimestamp(first.at, UTC).date().toordinal() if first.at > 0 else None,
            units=units,
            places=[said.id for said in block],
            segmented=sidecar.words.available is not False or not any(has_han(said.text) for said in block),
        )
    )


def _name(block: Sequence[Said]) -> str:
    return f"{block[0].session}/{block[0].id:012d}"


def session_of(name: str) -> str:
    """Return the session that a text of the shelf belongs to."""
    return name.rpartition("/")[0]


def _said(row: tuple[int, str | None, float | None, object]) -> Said:
    at = row[2] if isinstance(row[2], int | float) and 0 < row[2] < 1e11 else 0.0
    return Said(row[0], str(row[1] or ""), float(at), plain_text(row[3]))


def plain_text(content: object) -> str:
    """Return the words of a message; of one in parts only its text parts."""
    text = content if isinstance(content, str) else ""
    if not text.startswith(_JSON_SIGN):
        return text
    try:
        parts = json.loads(text.removeprefix(_JSON_SIGN))
    except (ValueError, RecursionError):
        return ""
    found = (part.get("text") for part in parts if isinstance(part, dict)) if isinstance(parts, list) else ()
    return "\n".join(part for part in found if isinstance(part, str))
