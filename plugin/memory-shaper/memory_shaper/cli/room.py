"""Room below the cap: numbers, and which entries could make some."""

from __future__ import annotations

from datetime import UTC, datetime

from .. import grammar, host
from ..errors import Refused
from ..record import Record, Topic
from ..settings import Settings

_SHOWN = 3
_EARLIEST = datetime.min.replace(tzinfo=UTC)


def check_room(settings: Settings, before: str, after: str, record: Record | None) -> None:
    """Raises Refused, with numbers and the least read entries, where a change grows an index beyond its cap."""
    size, old = host.size(after), host.size(before)
    if size <= settings.cap or size <= old:
        return
    lines = "".join(f"\n  {line} ({len(line) + len(host.DELIMITER)})" for line in coldest(before, record))
    could = f"; the entries that are read least:{lines}" if lines else ""
    raise Refused(
        f"no room: the index would have {size:,} of {settings.cap:,} characters (cap: {settings.cap_source}), it has "
        f"{old:,}; free {size - settings.cap:,} first: memory-shaper archive NAME{could}"
    )


def coldest(text: str, record: Record | None, count: int = _SHOWN) -> list[str]:
    """The lines of the unmarked entries that were used least lately, the coldest first."""
    known = {topic.name: topic for topic in record.uses.topics()} if record else {}
    index = grammar.parse(text)
    free = [(number, entry.target) for number, entry in index.entries() if not entry.mark]
    free.sort(key=lambda pair: _warmth(known.get(pair[1])))
    return [index.lines[number - 1].text.strip() for number, _ in free[:count]]


def _warmth(topic: Topic | None) -> tuple[int, datetime]:
    return (0, _EARLIEST) if topic is None else (topic.count, topic.last_used or topic.first_seen)
