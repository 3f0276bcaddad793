"""One line in the host's log when recall is first used in a process: counts, mode and limits, never a text. Shell."""

from __future__ import annotations

import logging
import threading

from .. import grammar, store
from ..errors import MemoryShaperError
from ..settings import Home, Settings

log = logging.getLogger("memory_shaper")
_told: set[str] = set()
_telling = threading.Lock()


def announce(home: Home, settings: Settings) -> None:
    """Log what recall has to work with, once for each home in a process."""
    with _telling:
        if str(home.path) in _told:
            return
        _told.add(str(home.path))
    log.info(
        "memory-shaper: recall over %s entries and %s archived; mode %s, hints %s; top_k %s, hint_budget %s, "
        "search_seconds %s",
        _entries(home, archived=False),
        _entries(home, archived=True),
        "text and meaning" if settings["embedding_url"] else "text",
        *(settings[name] for name in ("hints", "top_k", "hint_budget", "search_seconds")),
    )


def _entries(home: Home, archived: bool) -> str:
    """How many entries an index has, "?" where it cannot be read."""
    try:
        document = store.read_if_there(home.archive_index if archived else home.index)
    except MemoryShaperError:
        return "?"
    return str(sum(1 for _ in grammar.parse(document.text).entries())) if document else "0"
