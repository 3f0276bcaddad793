"""`status`: one screen about a home: index, archive, record, guard, and what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass

from .. import edit, grammar, host, names, rules, store
from ..errors import MemoryShaperError
from ..model import Entry, Finding, Folder, Severity
from ..recall.quiet import quiet
from ..recall.vectors.state import state_of
from ..recall.word_lists import word_lists
from ..record import Beat, EventKind, Heartbeat, Record, RecordReadOnly, Topic
from ..settings import Settings
from .change import reading, unwritable
from .entries import entry_data
from .extracting import LAST, extract_data, extract_lines
from .packages import OPTIONAL, absent
from .ranking import ranking, ranking_lines
from .request import Json, Outcome, Request
from .screen import bar, counted, local, table, utc, visible

_SEEN = "status.seen"  # the newest event that a status has told
_UNTOLD = frozenset({EventKind.ASKED, EventKind.REPAIRED, EventKind.NOTED})
_SEEN_AS = {Beat.ENFORCED: "refusal kept", Beat.IGNORED: "NOT enforced, a refused call ran"}


@dataclass(frozen=True, slots=True)
class Remembered:
    """What the record says: `trouble` where it cannot be read, `None` numbers where there is no record yet."""

    events: int | None = None
    size_bytes: int = 0
    since: tuple[tuple[str, int], ...] = ()
    beats: tuple[Heartbeat, ...] = ()
    topics: tuple[Topic, ...] = ()
    unfinished: int = 0
    proposals: int = 0
    extracted: str = ""  # what the last look for facts came to, as JSON
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """All that a status tells about the files."""

    text: str
    findings: tuple[Finding, ...]
    entries: tuple[Entry, ...]
    archived: int
    archive_chars: int
    large: tuple[tuple[str, int], ...]
    copies: int


def status(request: Request) -> Outcome:
    """What there is, how it is, and who watches over it."""
    settings, faults = request.surveyed
    state = _state(request)
    remembered = _remember(request)
    gone = absent()
    lines = [request.place, *_index_lines(request, state), *_archive_lines(state), *_record_lines(request, remembered)]
    search = state_of(request.home, settings)
    lines += [_guard_line(remembered.beats), f"search: {visible(search.line)}"]
    lines += [*(f"config: {fault}" for fault in faults), *(f"note: {note}" for note in _notes(request, settings))]
    lines += [f"absent: {name} ({OPTIONAL[name]})" for name in gone]
    lines += [
        f"large: {visible(name)}, {size:,} bytes: too large for the journal to keep" for name, size in state.large
    ]
    lines += _table(state, remembered.topics)
    data = _data(request, state, remembered, gone)
    data["search"] = asdict(search)
    lines += extract_lines(str(settings["extract"]), remembered.extracted, remembered.proposals)
    data["extract"] = extract_data(str(settings["extract"]), remembered.extracted, remembered.proposals)
    data["ranking"] = None
    if request.flag("explain"):
        rows = ranking(request)
        lines += ranking_lines(rows)
        data["ranking"] = rows
    return Outcome("\n".join(lines), data, 2 if remembered.trouble or faults else 0)


def _state(request: Request) -> State:
    home = request.home
    folder = store.list_folder(home.memories)
    document, shelved = store.read_if_there(home.index), store.read_if_there(home.archive_index)
    scope = rules.Scope(document.text if document else "", folder, request.surveyed[0].cap)
    archived = grammar.parse(shelved.text) if shelved else None
    return State(
        scope.text,
        tuple(rules.check(scope)) if document else (),
        tuple(row.entry for row in scope.rows),
        sum(1 for _ in archived.entries()) if archived else 0,
        host.size(shelved.text) if shelved else 0,
        tuple(_large(request, folder)),
        sum(bool(names.conflict_copy_of(name, folder.files)) for name in folder.files),
    )


def _large(request: Request, folder: Folder) -> list[tuple[str, int]]:
    found = []
    for name in sorted(folder.files):
        if names.is_topic(name, folder.files):
            seen = store.identify(request.home.memories / name)
            if seen is not None and seen.size > edit.LARGEST_KEPT:
                found.append((name, seen.size))
    return found


def _remember(request: Request) -> Remembered:
    try:
        with reading(request.home) as record:
            return Remembered() if record is None else _remembered(request, record)
    except MemoryShaperError as error:
        return Remembered(trouble=str(error))


def _remembered(request: Request, record: Record) -> Remembered:
    newest = record.journal.newest(1)
    seen = int(record.counters.meta(_SEEN) or 0)
    counts = record.journal.counts(seen)
    since = tuple((kind.value, counts.get(kind, 0)) for kind in EventKind if kind not in _UNTOLD)
    if newest and not request.flag("json"):
        with suppress(RecordReadOnly):  # a status that cannot be noted is told again
            record.counters.set_meta(_SEEN, str(newest[0].id))
    return Remembered(
        record.journal.count(),
        record.used_bytes(),
        since,
        tuple(record.counters.beats()),
        tuple(record.uses.topics()),
        len(record.intents.unfinished()),
        len(record.proposals.list()),
        record.counters.meta(LAST) or "",
    )


def _index_lines(request: Request, state: State) -> list[str]:
    settings, size = request.surveyed[0], host.size(state.text)
    share = size / settings.cap
    gauge = f"{bar(share, request.flag('ascii'))} " if request.screen.terminal else ""
    line = f"index: {gauge}{size:,} of {settings.cap:,} characters, {share:.0%} (cap: {settings.cap_source})"
    if not request.home.index.exists():
        return ["index: there is none"]
    pinned, critical = (sum(entry.mark == mark for entry in state.entries) for mark in ("!", "!!"))
    marks = f"entries: {len(state.entries)} ({pinned} pinned, {critical} critical)"
    errors = sum(finding.severity is Severity.ERROR for finding in state.findings)
    found = f"findings: {counted(errors, 'error')}, {counted(len(state.findings) - errors, 'warning')}"
    found += "; see: memory-shaper verify" if state.findings else ""
    copies = f"conflict copies: {state.copies}; see: memory-shaper merge" if state.copies else ""
    if not grammar.is_index(grammar.parse(state.text)):  # what is wrong with its lines is that they are prose
        return [line, *filter(None, (copies, "this is not an index yet: memory-shaper migrate"))]
    return [line, marks, found, *filter(None, (copies,))]


def _archive_lines(state: State) -> list[str]:
    if not state.archive_chars:
        return ["archive: empty"]
    return [f"archive: {counted(state.archived, 'entry')}, {state.archive_chars:,} characters"]


def _record_lines(request: Request, known: Remembered) -> list[str]:
    if known.trouble:
        return [f"record: {known.trouble}"]
    if known.events is None:
        return [f"record: none yet (it will be {request.screen.path(request.home.data / 'record.db')})"]
    since = ", ".join(f"{number} {kind}" for kind, number in known.since if number) or "nothing blocked or changed"
    lines = [f"record: {counted(known.events, 'event')}, {known.size_bytes:,} bytes; since the last status: {since}"]
    if known.unfinished:
        lines.append(f"record: {counted(known.unfinished, 'unfinished change')}; the next changing verb repairs it")
    return lines


def _guard_line(beats: Sequence[Heartbeat]) -> str:
    """What was seen of the guard, and no more: that it is switched on in a config proves nothing."""
    surfaces: dict[str, list[str]] = {}
    for beat in reversed(beats):
        surfaces.setdefault(beat.surface or "?", []).append(
            f"{_SEEN_AS.get(beat.event, beat.event.value)} {local(beat.at)}"
        )
    if not surfaces:
        return "guard: never seen at work in this home"
    return "guard: " + "; ".join(f"{visible(surface)}: {', '.join(seen)}" for surface, seen in surfaces.items())


def _table(state: State, topics: Sequence[Topic]) -> list[str]:
    if not state.entries:
        return []
    known = {topic.name: topic for topic in topics}
    rows = [("", "topic", "first seen", "last read", "uses")]
    return ["", *table([*rows, *(_row(entry, known.get(entry.target)) for entry in state.entries)])]


def _row(entry: Entry, topic: Topic | None) -> tuple[str, ...]:
    first = local(topic.first_seen) if topic else "-"
    last = local(topic.last_used) if topic and topic.last_used else "never"
    return (entry.mark, visible(entry.target), first, last, str(topic.count if topic else 0))


def _data(request: Request, state: State, known: Remembered, gone: Sequence[str]) -> Json:
    topics = {topic.name: topic for topic in known.topics}
    errors = sum(finding.severity is Severity.ERROR for finding in state.findings)
    beats = [{"surface": beat.surface, "event": beat.event.value, "at": utc(beat.at)} for beat in known.beats]
    settings, faults = request.surveyed
    return {
        "home": str(request.home.path),
        "home_source": request.home.source,
        "chars": host.size(state.text),
        "cap": settings.cap,
        "cap_source": settings.cap_source,
        "entries": [entry_data(entry, topics.get(entry.target)) for entry in state.entries],
        "errors": errors,
        "warnings": len(state.findings) - errors,
        "archived": state.archived,
        "conflict_copies": state.copies,
        "record": {
            "events": known.events,
            "bytes": known.size_bytes,
            "since": dict(known.since),
            "trouble": known.trouble,
        },
        "guard": beats,
        "absent": list(gone),
        "large": [{"file": name, "bytes": size} for name, size in state.large],
        "notes": [*faults, *_notes(request, settings)],
    }


def _notes(request: Request, settings: Settings) -> list[str]:
    """What has to be said about settings, the lists kept by hand and the lock of recall."""
    path = unwritable(request.home)
    closed = f"{request.screen.path(path)} can only be read, so nothing can be changed" if path else ""
    told = (word_lists(request.home).trouble, quiet(request.home, edit.now()).told, closed)
    return [*settings.notes, *filter(None, told)]
