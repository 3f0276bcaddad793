"""One pass over state.db: the uses since the last pass, and where the next one begins.

with the file open read-only:
    is this still the database of the last pass?  else begin anew (the uses that are known already stay one use)
    look back a little, so that a turn that was open at the last pass is whole
    stream the new rows through the tally
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from .rows import Row, State, Window, open_state
from .stamps import moment
from .topics import Topics
from .uses import ReadCall, Tally, Use

LOOK_BACK = 2000
"""Rows before the watermark that are read again, silently, for turns that were open at the last pass."""

NAMED_ROWS = 20
"""Broken rows that a note names; the rest is a number."""


@dataclass(frozen=True, slots=True)
class Watermark:
    """Where the last pass ended: the highest row seen, what it looked like, and the span of all rows seen (UTC)."""

    last_id: int = 0
    fingerprint: str = ""
    earliest: datetime | None = None
    latest: datetime | None = None


@dataclass(frozen=True, slots=True)
class Scan:
    """What one pass found; `span` of the new watermark says since when uses could be seen at all."""

    uses: tuple[Use, ...]
    watermark: Watermark
    notes: tuple[str, ...]
    rows: int
    begun_anew: bool


def scan(path: Path, watermark: Watermark, topics: Topics, read_call: ReadCall) -> Scan:
    """The uses in rows above the watermark, and the new watermark.

    After a fresh start uses of earlier passes come again, with the keys that they had then.
    Raises DatabaseMissing, DatabaseUnreadable or DatabaseBusy; nothing is known then, and the old watermark stays.
    """
    with open_state(path) as state:
        change = _change(state, watermark)
        since = Watermark(earliest=watermark.earliest) if change else watermark
        return _pass(state, since, Tally(state, topics, read_call, since.last_id), change)


def _pass(state: State, since: Watermark, tally: Tally, change: str) -> Scan:
    uses: list[Use] = []
    seen = _Seen()
    for window in state.windows(max(0, since.last_id - LOOK_BACK), since.last_id):
        uses += _taken(state, tally, window)  # of these only calls whose result came later
    for window in state.windows(since.last_id):
        uses += _taken(state, tally, window)
        seen.take(window)
    notes = tuple(note for note in (change, _broken(tally.broken)) if note)
    return Scan(tuple(uses), _moved(since, seen, state.last(seen.last)), notes, seen.rows, bool(change))


def _taken(state: State, tally: Tally, window: Window) -> list[Use]:
    uses: list[Use] = []
    for message in window.messages:
        uses += tally.take(message)
        state.rest()
    return uses


@dataclass(slots=True)
class _Seen:
    """What the windows of a pass add up to."""

    last: int = 0
    rows: int = 0
    first_at: float = math.inf
    last_at: float = -math.inf

    def take(self, window: Window) -> None:
        times = [window.first_at, window.last_at, *(message.at for message in window.messages)]
        known = [at for at in times if at is not None]
        self.first_at = min([self.first_at, *known])
        self.last_at = max([self.last_at, *known])
        self.last, self.rows = window.last, self.rows + window.rows


def _moved(since: Watermark, seen: _Seen, end: Row | None) -> Watermark:
    if not seen.rows or end is None:
        return since
    mark = replace(since, last_id=seen.last, fingerprint=end.fingerprint if end.id == seen.last else "")
    if seen.last_at < seen.first_at:  # not one row told a time
        return mark
    first, last = moment(seen.first_at), moment(seen.last_at)
    return replace(mark, earliest=min(mark.earliest or first, first), latest=max(mark.latest or last, last))


def _change(state: State, watermark: Watermark) -> str:
    """Why this cannot be the database of the last pass, empty where it can.

    A host never uses an id twice, so what stands at or below the watermark was there at the last pass: the row itself
    unchanged, or, where it was pruned, no row that is younger than anything seen then.
    """
    if not watermark.last_id:
        return ""
    highest, near = state.last(), state.last(watermark.last_id)
    if highest is None or highest.id < watermark.last_id:
        return "the database ends before the row where the last pass ended: counted from its beginning"
    if near is None:
        return ""
    other = near.id == watermark.last_id and near.fingerprint != watermark.fingerprint
    younger = near.at is not None and watermark.latest is not None and moment(near.at) > watermark.latest
    return "the database is not the one of the last pass: counted from its beginning" if other or younger else ""


def _broken(rows: list[int]) -> str:
    if not rows:
        return ""
    more = f" and {len(rows) - NAMED_ROWS} more" if len(rows) > NAMED_ROWS else ""
    return f"unreadable tool calls skipped in row {', '.join(map(str, rows[:NAMED_ROWS]))}{more}"
