"""`search`, `hits`, `timeline`, `feedback` and `index`: the notes by their texts."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, date, datetime
from itertools import repeat
from typing import TYPE_CHECKING

from .. import edit, store
from ..errors import Missing, Usage
from ..recall.analyser import analyse_query
from ..recall.find import MOST, Ask, Finder, Found, finder
from ..recall.notes import Front, read_note
from ..recall.placing import Ranked
from ..recall.search import Scope
from ..recall.standing import key_of, keys_of
from ..searching import note_named
from ..settings import Home
from .change import must_be_home
from .request import Json, Outcome, Request
from .screen import counted, visible

if TYPE_CHECKING:
    pass

_SHOWN = 160  # characters of a snippet in a line


def search(request: Request) -> Outcome:
    """The hits for a question, or the outcome of a file of spot checks."""
    asked, tested = request.values.get("question") is not None, bool(request.text("test"))
    if asked == tested:
        raise Usage("memory-shaper search: give either a question or --test FILE")
    if tested:
        from . import spotchecks

        return spotchecks.tested(request)
    if request.text("save") or request.text("against"):
        raise Usage("memory-shaper search: --save and --against go with --test FILE")
    limit = min(request.count("limit") or 10, MOST)
    return _answered(request, limit, request.flag("explain"))


def hits(request: Request) -> Outcome:
    """The five best hits with all their scores."""
    return _answered(request, 5, explain=True)


def _answered(request: Request, limit: int, explain: bool) -> Outcome:
    found = found_for(request, ask_of(request, limit))
    rows = [line for one in found.hits for line in hit_lines(request, one, explain)]
    data: Json = {"home": str(request.home.path), "query": request.text("question")} | found_data(found)
    talk = [request.place, counted(len(found.hits), "hit"), *troubles(found)]
    return Outcome("\n".join(rows), data, 1 if found.error else 0, "\n".join(talk))


def ask_of(request: Request, limit: int) -> Ask:
    """The question of a request. Raises Usage for a day that is none."""
    scope = Scope(request.text("scope") or "notes")
    return Ask(
        request.text("question"),
        limit,
        scope,
        day_of(request, "since"),
        tags_of(request.text("tags")),
        expired=request.flag("expired"),
        as_of=day_of(request, "as_of"),
        project=request.text("project"),
        folder=here(),
        meaning=True,
    )


def day_of(request: Request, name: str) -> date | None:
    """The day that an option gives, None where it was not given. Raises Usage for one that is none."""
    text = request.text(name)
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        option = name.replace("_", "-")
        raise Usage(f"memory-shaper {request.verb}: --{option}: {text[:20]!r} is no day such as 2026-01-31") from error


def here() -> str:
    """The folder that the command is run in, "" where it is gone."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def tags_of(text: str) -> tuple[str, ...]:
    """The tags of a filter such as "c, d"."""
    return tuple(tag for part in text.replace("，", ",").split(",") if (tag := part.strip()))


def found_for(request: Request, ask: Ask) -> Found:
    """What a question finds in the home of a request."""
    must_be_home(request.home)
    with finder(request.home, request.settings) as notes:
        return notes.find(ask, request.settings, datetime.now(UTC))


def troubles(found: Found) -> list[str]:
    """What has to be said about an answer."""
    named = (("stale", found.stale), ("degraded", found.degraded), ("error", found.error))
    return [f"{name}: {text}" for name, text in named if text]


def hit_lines(request: Request, one: Ranked, explain: bool) -> list[str]:
    """A hit as lines: name, score and what it says, and how the score came about."""
    place = visible(one.hit.name) + (f" › {visible(one.hit.section)}" if one.hit.section else "")
    day = f"  ({one.hit.day})" if one.hit.day else ""
    lines = [f"{request.screen.paint(place, 'bold')}  {one.score:.2f}{day}"]
    if one.via:
        lines.append(f"    holds {visible(', '.join(map(str, one.via)))}")
    if one.hit.snippet:
        lines.append(f"    {visible(' '.join(one.hit.snippet.split()))[:_SHOWN]}")
    if explain:
        product = " × ".join(
            [f"text {one.hit.score:.4f}", *(f"{name} {value:g}" for name, value in one.factors.items())]
        )
        parts = ", ".join(f"{name} {value:.2f}" for name, value in one.hit.parts.items())
        lines += [f"    {product} = {one.total:.4f}", f"    text from {parts}; words: {' '.join(one.hit.evidence)}"]
    return lines


def found_data(found: Found) -> Json:
    """An answer for JSON."""
    hits = [hit_data(one) for one in found.hits]
    return {"hits": hits, "stale": found.stale, "degraded": found.degraded, "error": found.error}


def hit_data(one: Ranked) -> Json:
    """A hit for JSON."""
    return {
        "name": one.hit.name,
        "kind": one.hit.kind,
        "score": round(one.score, 4),
        "section": one.hit.section,
        "snippet": one.hit.snippet,
        "date": one.hit.day.isoformat() if one.hit.day else None,
        "mode": one.hit.mode,
        "evidence": list(one.hit.evidence),
        "via": [{"term": word.term, "word": word.word, "why": word.why.value} for word in one.via],
        "text_score": one.hit.score,
        "factors": dict(one.factors),
        "total": round(one.total, 6),
    }


def timeline(request: Request) -> Outcome:
    """All that holds every word of a name, newest first, with what replaced what."""
    name = request.text("name")
    must_be_home(request.home)
    ask = Ask(name, MOST, Scope.ALL, expired=True, project=request.text("project"), folder=here())
    with finder(request.home, request.settings) as notes:
        found = notes.find(ask, request.settings, datetime.now(UTC))
        newer = {} if found.error else _newer(notes)
    wanted = set(analyse_query(name).words)
    holding = [one for one in found.hits if wanted <= set(one.hit.evidence)]
    newest = sorted(holding, key=lambda one: one.hit.day or date.min, reverse=True)
    events: list[Json] = [_event(request.home, one, newer) for one in newest]
    data: Json = {"home": str(request.home.path), "query": name, "events": events}
    data |= {"stale": found.stale, "degraded": found.degraded, "error": found.error}
    talk = "\n".join([request.place, counted(len(events), "note"), *troubles(found)])
    return Outcome("\n".join(map(_event_line, events)), data, 1 if found.error else 0, talk)


def _newer(notes: Finder) -> dict[str, list[str]]:
    """The names of the notes that say they replace another, by the key of that one."""
    found: dict[str, list[str]] = {}
    with notes.sidecar.guard:
        for claim in notes.sidecar.notes.telling:
            for old in claim.supersedes:
                found.setdefault(key_of(old), []).append(claim.name)
    return found


def _event(home: Home, one: Ranked, newer: Mapping[str, list[str]]) -> Json:
    front = Front() if one.hit.kind == "session" else _front(home, one.hit.name)
    day = one.hit.day.isoformat() if one.hit.day else None
    replaced = {name for key in keys_of(one.hit.name) for name in newer.get(key, ())}
    return {
        "date": day,
        "name": one.hit.name,
        "kind": one.hit.kind,
        "snippet": one.hit.snippet,
        "invalid_at": front.invalid_at,
        "valid_until": front.valid_until,
        "replaces": list(front.supersedes),
        "replaced_by": [] if one.hit.kind == "session" else sorted(replaced),
    }


def _front(home: Home, name: str) -> Front:
    data = store.read_bytes(home.memories / name)
    return read_note(data.decode("utf-8", "replace")).front if data else Front()


def _event_line(event: Json) -> str:
    over = " ".join(filter(None, map(_over, ("invalid_at", "valid_until", "replaced_by", "replaces"), repeat(event))))
    snippet = visible(" ".join(str(event["snippet"]).split()))[:_SHOWN]
    return f"{event['date'] or '          '}  {visible(str(event['name']))}{over and ' ' + over}: {snippet}"


def _over(key: str, event: Json) -> str:
    """A remark on an event, "" where there is none."""
    value = event[key]
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    words = {"invalid_at": "until", "valid_until": "until the end of"}.get(key, key.replace("_", " "))
    return f"({words} {visible(text)})" if text else ""


def feedback(request: Request) -> Outcome:
    """Count one word of feedback on a note."""
    name = note_named(request.home, request.text("name"))
    if not name:
        raise Missing(f'there is no note "{request.text("name")[:80]}"; name a file as search shows it')
    with edit.open_record(request.home, request.settings) as record:
        record.counters.rate(name, request.text("word") == "useful", edit.now())
        row = next(row for row in record.counters.feedback() if row.name == name)
    data: Json = {"home": str(request.home.path), "name": name, "up": row.up, "down": row.down}
    return Outcome(f"{visible(name)}: {row.up} useful, {row.down} useless", data, 0, request.place)
