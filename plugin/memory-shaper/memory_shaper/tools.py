"""The tools that the model is given: their schemas and what they do."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from . import edit
from .errors import MemoryShaperError
from .guard.guard import Guard
from .record import Source
from .remember import Note, remember
from .settings import load

# The first 60 characters are all that a host which lists tools on demand shows before it is asked.
REMEMBER: dict[str, Any] = {
    "name": "memory_remember",
    "description": (
        "Remember a text: writes a topic file and its index line. One call keeps both in step. Use it for anything "
        "longer than a line; the same topic again appends to its file."
    ),
    "parameters": {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "what to remember, in full"},
            "topic": {"type": "string", "description": "short file name, e.g. deploy-pipeline"},
            "keywords": {
                "type": "array",
                "items": {"type": "string"},
                "description": "5 to 20 words a user would say when this is needed",
            },
        },
        "required": ["text"],
    },
}


def remember_tool(guard: Guard, args: Any, session: str = "") -> str:
    """Answer a call of `memory_remember` with JSON: `success`, and `topic`, `path`, `line` or `error`."""
    note = _note(args)
    if isinstance(note, str):
        return _json(success=False, error=note)
    source = Source("memory_remember", session, "", "", os.getpid())
    try:
        settings = load(guard.home)
        with edit.open_record(guard.home, settings) as record:
            kept = remember(guard.home, record, settings, note, source)
        guard.watch.look(settings, source, topics=True)
    except MemoryShaperError as error:
        return _json(success=False, error=str(error))
    what = "Kept." if kept.changed else "This was kept already; nothing changed."
    path = str(guard.home.memories / kept.topic)
    return _json(success=True, message=what, topic=kept.topic, path=path, line=kept.line, created=kept.created)


def _note(args: Any) -> Note | str:
    if not isinstance(args, Mapping) or not isinstance(args.get("text"), str):
        return "text is missing: send what is to be remembered as text"
    topic, words = args.get("topic") or "", args.get("keywords") or []
    if isinstance(words, str):
        words = words.replace("，", ",").split(",")
    if not isinstance(topic, str) or not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        return "topic is text, and keywords a list of texts"
    return Note(args["text"], topic, tuple(words))


def _json(**fields: Any) -> str:
    return json.dumps(fields, ensure_ascii=False)
