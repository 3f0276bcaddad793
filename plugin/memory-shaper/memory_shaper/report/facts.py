"""What the report tells, as values: the same for the page and for programs. Pure.

Times are moments in UTC or None for never; sizes are characters as the host counts them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Share:
    """One part of the index: what it is (heading, critical, pinned, unmarked, other, joins), its size, how many."""

    what: str
    chars: int
    count: int


@dataclass(frozen=True, slots=True)
class Budget:
    """How full the index is. `near` is where archiving begins, `goal` where it ends; `daily` is the growth in
    characters a day and `full_at` when the cap is met at that pace, None where too little is known."""

    chars: int
    cap: int
    cap_source: str
    near: int
    goal: int
    shares: tuple[Share, ...]
    daily: float | None = None
    full_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Used:
    """The use of a topic: reads in all and in each of the last weeks (the oldest first), the last one."""

    uses: int = 0
    weeks: tuple[int, ...] = ()
    first_seen: datetime | None = None
    last_read: datetime | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of the index or of the archive. `stays` says why it is not archived, "" where it may be."""

    mark: str
    target: str
    keywords: tuple[str, ...]
    chars: int
    used: Used
    score: float = 0.0
    why: str = ""
    stays: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """Keywords of the line for `owner` that lead to the one for `taker` first (`taken`), or touch it too (`shared`).

    The numbers count the lines of the index from 1.
    """

    owner: str
    owner_number: int
    taker: str
    taker_number: int
    taken: tuple[str, ...]
    shared: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of journal event: how many on each day of the span, in all, and the last one."""

    kind: str
    days: tuple[int, ...]
    total: int
    last: datetime


@dataclass(frozen=True, slots=True)
class Event:
    """One event of the journal: what happened to which file, by which rule and tool; never memory text."""

    id: int
    at: datetime
    kind: str
    file: str
    rule: str
    detail: str
    tool: str
    surface: str
    taken_back: bool


@dataclass(frozen=True, slots=True)
class Journal:
    """The journal: `days` names the days of the span (local), `events` are the newest ones."""

    days: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    events: tuple[Event, ...] = ()
    total: int = 0


@dataclass(frozen=True, slots=True)
class Week:
    """An ISO week: how many questions were asked, and how many of them no line matched."""

    week: str
    asked: int
    missed: int


@dataclass(frozen=True, slots=True)
class Missed:
    """A question that no line matched. `text` is "" where contents were not asked for."""

    at: datetime
    text: str = ""


@dataclass(frozen=True, slots=True)
class Questions:
    """What people asked in the host's sessions; the newest misses first. `trouble` says why that is not known."""

    asked: int = 0
    missed: int = 0
    weeks: tuple[Week, ...] = ()
    newest: tuple[Missed, ...] = ()
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A finding of verify; `source` is the faulty line where it is an entry, else "", since prose is content."""

    file: str
    line: int
    rule: str
    severity: str
    message: str
    fix: str
    source: str


@dataclass(frozen=True, slots=True)
class Run:
    """Something that the watchdog changed."""

    at: datetime
    kind: str
    detail: str


@dataclass(frozen=True, slots=True)
class Upkeep:
    """The watchdog: its last run, what it changed of late, what it would archive now and what it would take next.

    `held` says why nothing may be archived, "" where something may.
    """

    last_run: datetime | None = None
    runs: tuple[Run, ...] = ()
    held: str = ""
    now: tuple[str, ...] = ()
    next: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Text:
    """The content of a topic file; `cut` where only its beginning is here."""

    file: str
    text: str
    cut: bool


@dataclass(frozen=True, slots=True)
class Report:
    """All of it. `home` has the user's own folder as `~`; `weeks` names the weeks of every line's use."""

    home: str
    home_source: str
    version: str
    at: datetime
    with_content: bool
    weeks: tuple[str, ...]
    budget: Budget
    lines: tuple[Line, ...]
    pairs: tuple[Pair, ...]
    archive: tuple[Line, ...]
    journal: Journal
    questions: Questions
    findings: tuple[Found, ...]
    upkeep: Upkeep
    guard: tuple[str, ...]
    notes: tuple[str, ...]
    texts: tuple[Text, ...]
