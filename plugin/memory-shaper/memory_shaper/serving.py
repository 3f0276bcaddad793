"""The tools for agents that speak MCP: what they are called, and what answers them. Shell; knows no SDK.

The answers of memory_search and memory_remember are those that a Hermes host gets.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import edit, grammar, names, schemas, store
from .errors import MemoryShaperError
from .guard.guard import Guard
from .model import Entry
from .recall.fronts import Fronts
from .recall.fuzzy import near_words
from .recall.matching import Routed
from .recall.route import LEAST, Router
from .recall.standing import Viewer
from .searching import search_tool
from .settings import Home, load
from .tools import remember_tool

SESSION = "mcp"  # what the journal calls the session of such an agent
LARGEST = 1_000_000  # bytes of a topic that is handed out whole
INSTRUCTIONS = (
    "A memory of topic files behind an index. Before answering anything about the user, their machines or their work: "
    "call route with the message, read_topic every sure target in full; if none is sure, memory_search. Say that "
    "nothing is known only after that. Keep what is worth keeping with memory_remember."
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a tool says, and whether it failed."""

    text: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Served:
    """A tool as a client sees it: a JSON schema of its arguments, whether it only reads, what answers it.

    None of them destroys anything, and each may be called again with the same arguments: a text that is kept already
    is not kept twice.
    """

    name: str
    description: str
    schema: Mapping[str, Any]
    answer: Callable[[Guard, Mapping[str, Any]], Reply]
    reads: bool = True


def call(guard: Guard, name: str, args: Mapping[str, Any]) -> Reply:
    """Answer a call; whatever is wrong with it is a reply that says what to do."""
    tool = next((one for one in SERVED if one.name == name), None)
    if tool is None:
        return Reply(f"there is no tool of this name; there are {', '.join(one.name for one in SERVED)}", True)
    try:
        return tool.answer(guard, args)
    except (MemoryShaperError, OSError) as error:
        told = str(error) if isinstance(error, MemoryShaperError) else error.strerror or type(error).__name__
        return Reply(f"{told}; memory-shaper doctor tells more", True)


def _search(guard: Guard, args: Mapping[str, Any]) -> Reply:
    return _judged(search_tool(guard, args, SESSION))


def _remember(guard: Guard, args: Mapping[str, Any]) -> Reply:
    return _judged(remember_tool(guard, args, SESSION))


def _judged(text: str) -> Reply:
    """An answer in JSON, which failed where it has an error; what it says beside that is kept."""
    answer = json.loads(text)
    return Reply(text, bool(answer.get("error")))


def _route(guard: Guard, args: Mapping[str, Any]) -> Reply:
    message = args.get("message")
    if not isinstance(message, str):
        return Reply("message is missing: send the user's message as text", True)
    routes = [_routed(one) for one in Router(_standing(guard), near_words()).route(message)]
    fields: dict[str, Any] = {"routes": routes}
    if not any(route["sure"] for route in routes):
        fields["next"] = "no line surely matches: call memory_search"
    return Reply(json.dumps(fields, ensure_ascii=False))


def _standing(guard: Guard) -> list[Entry]:
    """The entries of the index whose topics stand today, for this agent in this folder."""
    settings = load(guard.home)
    folder = guard.folder_of(SESSION) or ""
    viewer = Viewer(str(settings["agent"]), str(settings["project"]), folder, edit.now().date())
    entries = grammar.parse(store.read(guard.home.index).text).entries()
    return Fronts(guard.home.memories).shown([entry for _, entry in entries], viewer)


def _routed(one: Routed) -> dict[str, Any]:
    words = [match.keyword for match in one.matches]
    sure = one.confidence >= LEAST
    return {"topic": one.entry.target, "confidence": round(one.confidence, 3), "sure": sure, "keywords": words}


def _read_topic(guard: Guard, args: Mapping[str, Any]) -> Reply:
    name = args.get("name")
    if not isinstance(name, str):
        return Reply("name is missing: send the file name of a topic, e.g. deploy-pipeline.md", True)
    path = _topic(guard.home, name.strip())
    if path is None:
        told = (
            "there is no topic of this name, live or archived; send a bare file name as route and memory_search give it"
        )
        return Reply(told, True)
    return _text(guard.home, path)


def _topic(home: Home, name: str) -> Path | None:
    """The file of a topic by its bare name, the live one before the archived one; None for any other name."""
    shelved = name.startswith(names.ARCHIVE_FOLDER + "/")
    bare = name.removeprefix(names.ARCHIVE_FOLDER + "/")
    if "/" in bare or "\\" in bare:
        return None
    wanted = {names.same(bare), names.same(bare + ".md")}
    for folder in (home.archive,) if shelved else (home.memories, home.archive):
        files = store.list_folder(folder).files if folder.is_dir() else frozenset()
        for known in sorted(files):
            if names.same(known) in wanted and names.is_topic(known, files):
                return folder / known
    return None


def _text(home: Home, path: Path) -> Reply:
    """The text of a topic, if it is a file inside the memories folder and not too large to be handed out."""
    real = Path(os.path.realpath(path))
    if not real.is_relative_to(os.path.realpath(home.memories)):
        return Reply("this topic is a link that leads out of the memories folder, and is not followed", True)
    status = real.stat()
    if not stat.S_ISREG(status.st_mode):
        return Reply("this topic is no regular file", True)
    if status.st_size > LARGEST:
        return Reply(f"this topic has {status.st_size:,} bytes: find the part you need with memory_search", True)
    return Reply(store.read(real).text)


def _borrowed(name: str) -> tuple[str, str, Mapping[str, Any]]:
    """Name, description and arguments of a tool as Hermes hosts see it."""
    schema = next(tool.schema for tool in schemas.TOOLS if tool.name == name)
    return name, str(schema["description"]), schema["parameters"]


def _one_text(argument: str, description: str) -> Mapping[str, Any]:
    properties = {argument: {"type": "string", "description": description}}
    return {"type": "object", "properties": properties, "required": [argument]}


SERVED: tuple[Served, ...] = (
    Served(
        "route",
        "Which topics does a message touch? By the keywords of the index, without a model. Call it first.",
        _one_text("message", "the user's message, as it stands"),
        _route,
    ),
    Served(
        "read_topic",
        "Read a topic file in full, live or archived, by its bare name.",
        _one_text("name", "e.g. deploy-pipeline.md"),
        _read_topic,
    ),
    Served(*_borrowed("memory_search"), _search),
    Served(*_borrowed("memory_remember"), _remember, reads=False),
)
