"""What answers `memory_search`, `memory_feedback` and `memory_stats`. Shell; imported when a tool is called."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

from . import edit, grammar, host, names, store
from .errors import MemoryShaperError
from .guard.guard import Guard
from .recall.announcing import announce
from .recall.find import MOST, Ask, Finder, Found
from .recall.placing import Ranked
from .recall.search import Scope
from .recall.sessions import session_of
from .settings import Home, load
from .tools import listed

_LIMIT = 5
_WITH_EVIDENCE = 3
_finders: dict[str, Finder] = {}
_opening = threading.Lock()


@dataclass(slots=True)
class _Timing:
    """How many searches this process has answered, and in how many seconds together."""

    searches: int = 0
    seconds: float = 0.0


_timing = _Timing()


def finder_of(home: Home) -> Finder:
    """The finder of a home, kept open for the life of the process."""
    with _opening:
        return _finders.setdefault(str(home.path), Finder(home))


def close_finders() -> None:
    """Close every finder."""
    with _opening:
        for finder in _finders.values():
            finder.close()
        _finders.clear()


def search_tool(guard: Guard, args: Any, session: str = "") -> str:
    """Answer a call of `memory_search` with JSON: `notes`, `sessions`; where needed `stale`, `degraded`, `error`."""
    ask = _ask(args, guard.folder_of(session) or "")
    if isinstance(ask, str):
        return _json(notes=[], sessions=[], error=ask)
    begun = time.perf_counter()
    try:
        settings = load(guard.home)
        announce(guard.home, settings)
        seconds = settings.number("search_seconds")
        found = finder_of(guard.home).find(ask, settings, datetime.now(UTC), seconds)
    except MemoryShaperError as error:
        found = Found(error=str(error))
    _timing.searches += 1
    _timing.seconds += time.perf_counter() - begun
    return _answer(guard.home, ask, found)


def _ask(args: Any, folder: str) -> Ask | str:
    """The question of a call, or what is wrong with it."""
    if not isinstance(args, Mapping) or not isinstance(args.get("query"), str):
        return "query is missing: send a question or words as text"
    limit, since, tags = args.get("limit", _LIMIT), args.get("since") or "", listed(args.get("tags"))
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        return f"limit is a whole number from 1 to {MOST}"
    scope, session, project = args.get("scope") or "all", args.get("session_id") or "", args.get("project") or ""
    if scope not in list(Scope) or tags is None or not isinstance(session, str) or not isinstance(project, str):
        return "scope is all, notes, archive or sessions; tags is a list of texts; session_id and project are texts"
    try:
        day, as_of = (date.fromisoformat(text) if text else None for text in (since, args.get("as_of") or ""))
    except (TypeError, ValueError):
        return "since and as_of are days such as 2026-01-31"
    wanted = tuple(tag for one in tags for part in one.split(",") if (tag := part.strip()))
    place = Scope.SESSIONS if session else Scope(scope)
    asked = Ask(args["query"], min(limit, MOST), place, day, wanted, session, meaning=True)
    return replace(asked, as_of=as_of, project=project, folder=folder)


def _answer(home: Home, ask: Ask, found: Found) -> str:
    notes = [one for one in found.hits if one.hit.kind != "session"]
    said = [one for one in found.hits if one.hit.kind == "session"]
    fields: dict[str, Any] = {
        "notes": [_note(home, one, place) for place, one in enumerate(notes)],
        "sessions": [_session(one, place) for place, one in enumerate(said)],
    }
    trouble = {"stale": found.stale, "degraded": found.degraded, "error": found.error}
    fields |= {name: text for name, text in trouble.items() if text}
    if not found.hits and not found.error:
        fields["searched"] = ask.scope.value
    return _json(**fields)


def _note(home: Home, one: Ranked, place: int) -> dict[str, Any]:
    where = {"id": one.hit.name, "path": str(home.memories / one.hit.name), "kind": one.hit.kind}
    section = {"section": one.hit.section} if one.hit.section else {}
    return where | section | _found(one, place)


def _session(one: Ranked, place: int) -> dict[str, Any]:
    return {"session_id": session_of(one.hit.name), "message": one.hit.section} | _found(one, place)


def _found(one: Ranked, place: int) -> dict[str, Any]:
    fields: dict[str, Any] = {"score": round(one.score, 3), "mode": one.hit.mode, "snippet": one.hit.snippet}
    if one.hit.day:
        fields["time"] = one.hit.day.isoformat()
    if one.via:
        fields["via"] = [str(word) for word in one.via]
    if place < _WITH_EVIDENCE:
        fields["evidence"] = list(one.hit.evidence)
    return fields


def feedback_tool(guard: Guard, args: Any) -> str:
    """Answer a call of `memory_feedback` with JSON: `success`, and the counts or `error`."""
    if not isinstance(args, Mapping) or not isinstance(args.get("id"), str) or not isinstance(args.get("useful"), bool):
        return _json(success=False, error="send the id of a hit as text, and useful as true or false")
    try:
        name = note_named(guard.home, args["id"])
        if not name:
            return _json(success=False, error="there is no note of this id; send the id of a hit of memory_search")
        with edit.open_record(guard.home, load(guard.home)) as record:
            record.counters.rate(name, args["useful"], edit.now())
            row = next(row for row in record.counters.feedback() if row.name == name)
    except MemoryShaperError as error:
        return _json(success=False, error=str(error))
    return _json(success=True, id=name, useful=row.up, useless=row.down)


def note_named(home: Home, name: str) -> str:
    """The file name of a live or archived note, as it is spelled on disk, its `.md` given or not; "" for others."""
    bare = name.strip().rpartition("/")[2]
    for wanted in (names.same(bare), names.same(f"{bare}.md")):
        for folder in (home.memories, home.archive):
            files = store.list_folder(folder).files if folder.is_dir() else frozenset()
            for known in sorted(files):
                if names.same(known) == wanted and names.is_topic(known, files):
                    return known
    return ""


def stats_tool(guard: Guard) -> str:
    """Answer a call of `memory_stats` with JSON."""
    from .recall.vectors.state import state_of

    home = guard.home
    try:
        settings = load(home)
        texts = {path: store.read_if_there(path) for path in (home.index, home.archive_index)}
        entries = [_entries(document.text) if document else 0 for document in texts.values()]
        index = texts[home.index]
        sidecar = finder_of(home).sidecar
        with sidecar.guard:
            sidecar.notes.load()
            sidecar.sessions.load()
            notes, said = sidecar.notes.means.texts, sidecar.sessions.means.texts
    except MemoryShaperError as error:
        return _json(error=str(error))
    mean = round(1000 * _timing.seconds / _timing.searches, 1) if _timing.searches else None
    return _json(
        entries=entries[0],
        archived=entries[1],
        index_chars=host.size(index.text) if index else 0,
        cap=settings.cap,
        searchable={"notes": notes, "session_parts": said},
        searches=_timing.searches,
        mean_search_ms=mean,
        mode=state_of(home, settings).mode,
    )


def _entries(text: str) -> int:
    return sum(1 for _ in grammar.parse(text).entries())


def _json(**fields: Any) -> str:
    return json.dumps(fields, ensure_ascii=False)
