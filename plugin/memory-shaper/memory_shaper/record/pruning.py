"""Keeping the record small: the oldest events beyond a number, the oldest texts beyond a size, never what is needed.

Needed are, whatever the limits: the last accepted text of each watched file, its newest accepted versions, the texts of
an unfinished intent, of an open promise and of a `keep`, and every text that another one leans on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from .database import Database

_NEWEST = """SELECT id, after FROM (SELECT id, after, row_number() OVER (PARTITION BY file ORDER BY id DESC) AS place
             FROM events WHERE accepts) WHERE place <= ?"""
_NEEDED = f"""
    SELECT digest FROM accepted UNION SELECT digest FROM kept UNION SELECT after FROM ({_NEWEST})
    UNION SELECT before FROM steps JOIN intents ON steps.intent = intents.id WHERE finished_at IS NULL
    UNION SELECT after FROM steps JOIN intents ON steps.intent = intents.id WHERE finished_at IS NULL
    UNION SELECT before FROM promises WHERE done_at IS NULL
    UNION SELECT after FROM drafts JOIN promises ON drafts.promise = promises.id WHERE done_at IS NULL
"""


# A text frees more than its own bytes, since pages are never quite full: so half of what is too much goes at a time,
# and what is below this many bytes at once.
_AT_ONCE = 65_536


@dataclass(frozen=True, slots=True)
class Limits:
    """How large the record may grow: bytes in all, events, and how many accepted versions of a file always stay."""

    total_bytes: int = 20_000_000
    events: int = 10_000
    newest: int = 10


@dataclass(frozen=True, slots=True)
class Pruned:
    """How many events and texts were dropped."""

    events: int
    texts: int


def prune(database: Database, limits: Limits) -> Pruned:
    """Bring the record within its limits as far as that is possible without dropping what is needed."""
    with database.transaction():
        return Pruned(_drop_events(database, limits), _drop_texts(database, limits))


def used_bytes(database: Database) -> int:
    """The size of the record in use; the file may be larger by free pages, which are used again."""
    pages = database.number("PRAGMA page_count") - database.number("PRAGMA freelist_count")
    return pages * database.number("PRAGMA page_size")


def _drop_events(database: Database, limits: Limits) -> int:
    beyond = database.row("SELECT id FROM events ORDER BY id DESC LIMIT 1 OFFSET ?", max(0, limits.events))
    if beyond is None:
        return 0
    sql = f"DELETE FROM events WHERE id <= ? AND id NOT IN (SELECT id FROM ({_NEWEST}))"
    dropped = database.run(sql, beyond[0], max(1, limits.newest))
    database.run(
        """DELETE FROM intents WHERE finished_at IS NOT NULL
           AND id NOT IN (SELECT intent FROM events WHERE intent IS NOT NULL)"""
    )
    database.run("DELETE FROM steps WHERE intent NOT IN (SELECT id FROM intents)")
    return dropped


def _drop_texts(database: Database, limits: Limits) -> int:
    dropped = 0
    while (excess := used_bytes(database) - limits.total_bytes) > 0:
        doomed = _oldest(database, limits, max(excess // 2, min(excess, _AT_ONCE)))
        if not doomed:
            break
        for digest in doomed:
            database.run("DELETE FROM texts WHERE digest = ?", digest)
        dropped += len(doomed)
    return dropped


def _oldest(database: Database, limits: Limits, excess: int) -> list[str]:
    """The digests of the oldest texts that may go, enough of them to free `excess` bytes."""
    needed = {row[0] for row in database.rows(_NEEDED, max(1, limits.newest))}
    rows = database.rows("SELECT digest, base, size FROM texts ORDER BY at, rowid")
    return list(_doomed(rows, needed, excess))


def _doomed(rows: list[tuple[str, str | None, int]], needed: set[str], excess: int) -> Iterable[str]:
    sizes = {digest: size for digest, _, size in rows}
    leaning = Counter(base for _, base, _ in rows if base)
    waiting: set[str] = set()  # Their turn came while another text still leaned on them.
    for digest, base, size in rows:
        if excess <= 0:
            return
        if digest in needed:
            continue
        if leaning[digest]:
            waiting.add(digest)
            continue
        yield digest
        excess -= size
        if base:
            leaning[base] -= 1
            if base in waiting and not leaning[base]:
                yield base
                excess -= sizes[base]
