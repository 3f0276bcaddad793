"""The tools that the model is given: their schemas, and what answers them. What they need is imported when called."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from . import edit
from .errors import MemoryShaperError
from .guard.guard import Guard
from .record import Source
from .remember import Kept, Note, remember
from .settings import Settings, load

_WORDS = {"type": "array", "items": {"type": "string"}}


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: the set it belongs to, the schema that the model sees, and what answers it (guard, arguments, session).

    The first 60 characters of a description are all that a host which lists tools on demand shows before it is asked.
    """

    toolset: str
    schema: Mapping[str, Any]
    answer: Callable[[Guard, Any, str], str]

    @property
    def name(self) -> str:
        return str(self.schema["name"])


def _schema(name: str, description: str, required: list[str], **properties: Mapping[str, Any]) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": required}
    return {"name": name, "description": description, "parameters": parameters}


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
    if not isinstance(topic, str) or words is None or tags is None:
        return "topic is text, keywords and tags are lists of texts"
    return Note(args["text"], topic, words, tags)


def listed(value: Any) -> tuple[str, ...] | None:
    """A list of texts, or one text with commas; None for anything else."""
    if isinstance(value, str):
        value = value.replace("，", ",").split(",")
    if value is None:
        return ()
    good = isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
    return tuple(value) if good else None


def _search(guard: Guard, args: Any, session: str) -> str:
    from .searching import search_tool

    return search_tool(guard, args)


def _feedback(guard: Guard, args: Any, session: str) -> str:
    from .searching import feedback_tool

    return feedback_tool(guard, args)


def _stats(guard: Guard, args: Any, session: str) -> str:
    from .searching import stats_tool

    return stats_tool(guard)


def _json(**fields: Any) -> str:
    return json.dumps(fields, ensure_ascii=False)


TOOLS: tuple[Tool, ...] = (
    Tool(
        "memory",
        _schema(
            "memory_remember",
            "Remember a text: writes a topic file and its index line. One call keeps both in step; the same topic "
            "again appends. No passwords or keys.",
            ["text"],
            text={"type": "string", "description": "what to remember, in full"},
            topic={"type": "string", "description": "short file name, e.g. deploy-pipeline"},
            keywords={**_WORDS, "description": "5 to 20 words a user would say when this is needed"},
            tags={**_WORDS, "description": "labels to filter searches by"},
        ),
        remember_tool,
    ),
    Tool(
        "memory-shaper",
        _schema(
            "memory_search",
            "Search all notes, the archive and past sessions by words. Use it when no index line fits, and before "
            "saying that nothing is known. Read a hit's file in full before answering from it.",
            ["query"],
            query={"type": "string", "description": "the question, or words, names, dates from it"},
            limit={"type": "integer", "minimum": 1, "maximum": 50, "default": 5},
            scope={"type": "string", "enum": ["all", "notes", "archive", "sessions"], "default": "all"},
            since={"type": "string", "description": "YYYY-MM-DD: nothing older"},
            tags={**_WORDS, "description": "notes with one of these"},
            session_id={"type": "string", "description": "only this past session"},
        ),
        _search,
    ),
    Tool(
        "memory-shaper",
        _schema(
            "memory_feedback",
            "Say whether a found note was useful, to rank it better.",
            ["id", "useful"],
            id={"type": "string", "description": "the hit's id"},
            useful={"type": "boolean"},
        ),
        _feedback,
    ),
    Tool(
        "memory-shaper",
        _schema("memory_stats", "Count notes, index size, archive and searches.", []),
        _stats,
    ),
)
