"""Over many sessions: how often was a topic routed, searched, or not looked at? Pure.

The topics of a session are those whose lines a message of the user surely touches, and those that were read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..watchdog.topics import Topics
from ..watchdog.uses import ReadCall
from .hints import SURE
from .retrieval import Row, Verdict, judge, reads
from .route import Router

MOST_TOPICS = 50
"""Topics of one session that are judged."""


@dataclass(frozen=True, slots=True)
class Counted:
    """One session: its id, the Unix time of its last message, and the topics by how it came to them."""

    session: str
    at: float | None
    routed: tuple[str, ...] = ()
    searched: tuple[str, ...] = ()
    not_looked: tuple[str, ...] = ()

    @property
    def topics(self) -> int:
        return len(self.routed) + len(self.searched) + len(self.not_looked)


def count(session: str, rows: Sequence[Row], router: Router, topics: Topics, read_call: ReadCall) -> Counted:
    """Judge each topic of a session by its rows, which are in order."""
    wanted = dict.fromkeys((*_touched(rows, router), *reads(rows, topics, read_call)))
    verdicts = {name: judge(rows, name, topics, read_call).verdict for name in list(wanted)[:MOST_TOPICS]}
    by = {kind: tuple(name for name, verdict in verdicts.items() if verdict is kind) for kind in Verdict}
    times = [row.at for row in rows if row.at is not None]
    return Counted(
        session,
        max(times, default=None),
        by[Verdict.ROUTED],
        by[Verdict.SEARCHED],
        by[Verdict.NOT_LOOKED],
    )


def _touched(rows: Sequence[Row], router: Router) -> Iterator[str]:
    for row in rows:
        if row.role == "user" and row.content:
            yield from (one.entry.target for one in router.route(row.content) if one.confidence >= SURE)
