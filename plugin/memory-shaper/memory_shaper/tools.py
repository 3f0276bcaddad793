"""What answers the tools that the model is given; what they need is imported when they are called."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Any

from . import edit
from .errors import MemoryShaperError
from .guard.guard import Guard
from .record import Source
from .remember import Kept, Note, remember
from .settings import Settings, load

_TYPES = ("profile", "project", "history", "fact")


def remember_tool(guard: Guard, args: Any, session: str = "") -> str:
    """Answer a call of `memory_remember` with JSON: `success`, and `topic`, `path`, `line` or `error`."""
    note = _note(args)
    if isinstance(note, str):
        return _json(success=False, error=note)
    source = Source("memory_remember", session, "", "", os.getpid())
    try:
        settings = load(guard.home)
        kept = _kept(guard, settings, note, source)
        guard.watch.look(settings, source, topics=True)
    except MemoryShaperError as error:
        return _json(success=False, error=str(error))
    what = "Kept." if kept.changed else "This was kept already; nothing changed."
    path = str(guard.home.memories / kept.topic)
    return _json(success=True, message=what, topic=kept.topic, path=path, line=kept.line, created=kept.created)


def _kept(guard: Guard, settings: Settings, note: Note, source: Source) -> Kept:
    """Keep a note, and count what it is about as talked about."""
    from .recall.emotion import intensity, mood
    from .recall.find import strengths
    from .recall.mentions import mention

    with edit.open_record(guard.home, settings) as record:
        kept = remember(guard.home, record, settings, note, source)
        if kept.changed:
            words = kept.line.lstrip("!").partition(" → ")[0].split(",")
            felt = (intensity(note.text), mood(note.text))
            mention(record, words, *felt, edit.now(), strengths(settings))
    return kept


def _note(args: Any) -> Note | str:
    if not isinstance(args, Mapping) or not isinstance(args.get("text"), str):
        return "text is missing: send what is to be remembered as text"
    topic, words, tags = args.get("topic") or "", listed(args.get("keywords")), listed(args.get("tags"))
    front = tuple((name, value) for name in ("type", "project") if (value := args.get(name)))
    if not isinstance(topic, str) or words is None or tags is None:
        return "topic is text, keywords and tags are lists of texts"
    if not all(isinstance(value, str) and value.isprintable() for _, value in front):
        return "type is profile, project, history or fact; project is a name"
    if dict(front).get("type", _TYPES[0]) not in _TYPES:
        return "type is profile, project, history or fact"
    return Note(args["text"], topic, words, tags, front)


def listed(value: Any) -> tuple[str, ...] | None:
    """A list of texts, or one text with commas; None for anything else."""
    if isinstance(value, str):
        value = value.replace("，", ",").split(",")
    if value is None:
        return ()
    good = isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
    return tuple(value) if good else None


def search(guard: Guard, args: Any, session: str) -> str:
    """Answer a call of `memory_search`."""
    from .searching import search_tool

    return search_tool(guard, args, session)


def feedback(guard: Guard, args: Any, session: str) -> str:
    """Answer a call of `memory_feedback`."""
    from .searching import feedback_tool

    return feedback_tool(guard, args)


def stats(guard: Guard, args: Any, session: str) -> str:
    """Answer a call of `memory_stats`."""
    from .searching import stats_tool

    return stats_tool(guard)


def _json(**fields: Any) -> str:
    return json.dumps(fields, ensure_ascii=False)


ANSWERS: dict[str, Callable[[Guard, Any, str], str]] = {
    "remember": remember_tool,
    "search": search,
    "feedback": feedback,
    "stats": stats,
}
