"""The ranking of the entries as `status --explain` shows it: how much each is needed, why, and why it stays."""

from __future__ import annotations

from .. import edit
from .request import Json, Request
from .screen import table, visible


def ranking(request: Request) -> list[Json]:
    """The entries, the most needed first: `target`, `score`, `why` and `stays` ("" for one that may be archived).

    It is the ranking of the watchdog, which puts lines in order and picks what goes to the archive by it.
    """
    from ..watchdog import judging, look, rehearsal

    with rehearsal.copied(request.home) as record:
        situation = look.situation(request.home, request.settings, record, edit.now())
    return [
        {"target": one.entry.target, "score": round(one.score, 3), "why": one.why, "stays": one.stays}
        for one in judging.judge(situation)
    ]


def ranking_lines(rows: list[Json]) -> list[str]:
    """The ranking as a table."""
    head = ("score", "topic", "why", "stays")
    shown = [(str(row["score"]), visible(str(row["target"])), str(row["why"]), str(row["stays"])) for row in rows]
    return ["", "ranking, the most needed first:", *table([head, *shown])]
