"""The tools as the model sees them. Pure, and imported at load: it takes nothing from the rest of the package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

_WORDS = {"type": "array", "items": {"type": "string"}}


class Tool(NamedTuple):
    """A tool: the set it belongs to, the schema that the model sees, and the name of what answers it in `tools`.

    The first 60 characters of a description are all that a host which lists tools on demand shows before it is asked.
    """

    toolset: str
    schema: Mapping[str, Any]
    answer: str

    @property
    def name(self) -> str:
        return str(self.schema["name"])


def _schema(name: str, description: str, required: list[str], **properties: Mapping[str, Any]) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": required}
    return {"name": name, "description": description, "parameters": parameters}


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
            type={"type": "string", "enum": ["profile", "project", "history", "fact"]},
            project={"type": "string", "description": "only for work on this one"},
        ),
        "remember",
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
            project={"type": "string", "description": "notes of this project; all = of every one"},
            as_of={"type": "string", "description": "YYYY-MM-DD: what held then"},
        ),
        "search",
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
        "feedback",
    ),
    Tool(
        "memory-shaper",
        _schema("memory_stats", "Count notes, index size, archive and searches.", []),
        "stats",
    ),
)
