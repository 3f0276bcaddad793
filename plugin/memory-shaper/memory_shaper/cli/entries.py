"""`list`, `mark` and `add`: the lines of the index."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from .. import grammar, headings, names, rules, store
from ..errors import Refused, Usage
from ..model import CRITICAL, PINNED, Entry
from ..record import EventKind, Record, RecordError, Topic
from .change import Change, index_text, must_exist, named, new_index, perform, reading
from .request import Json, Outcome, Request
from .room import check_room
from .screen import counted, local, table, utc, visible

MARKS = {"pinned": PINNED, "critical": CRITICAL, "none": ""}
_MARK = re.compile(r"\s*(?:!{1,2}|！{1,2})?\s*")
_NEVER = datetime.min.replace(tzinfo=UTC)


def list_(request: Request) -> Outcome:
    """The entries of the index, or of the archive."""
    path = request.home.archive_index if request.flag("archive") else request.home.index
    document = store.read_if_there(path) if request.flag("archive") else store.read(path)
    entries = [entry for _, entry in grammar.parse(document.text if document else "").entries()]
    known, trouble = _uses(request)
    if request.flag("recent"):
        entries.sort(key=lambda entry: _last_used(known.get(entry.target)), reverse=True)
    rows = [_row(entry, known.get(entry.target), request.flag("recent")) for entry in entries]
    data: Json = {
        "home": str(request.home.path),
        "archive": request.flag("archive"),
        "entries": [entry_data(entry, known.get(entry.target)) for entry in entries],
    }
    talk = f"{request.place}, {counted(len(entries), 'entry')}{trouble}"
    return Outcome("\n".join(table(rows)) if rows else "", data, 0, talk)


def _uses(request: Request) -> tuple[dict[str, Topic], str]:
    """What is known of the use of each topic; a record that cannot be read is told, and the list still given."""
    try:
        with reading(request.home) as record:
            return {topic.name: topic for topic in record.uses.topics()} if record else {}, ""
    except RecordError as error:
        return {}, f"\nuses are not known: {error}"


def _last_used(topic: Topic | None) -> datetime:
    return (topic.last_used if topic else None) or _NEVER


def _row(entry: Entry, topic: Topic | None, recent: bool) -> tuple[str, ...]:
    row: tuple[str, ...] = (entry.mark or " ", visible(entry.target))
    if recent:
        row += (local(topic.last_used) if topic and topic.last_used else "never read", str(topic.count if topic else 0))
    return (*row, visible(",".join(entry.keywords)))


def entry_data(entry: Entry, topic: Topic | None) -> Json:
    """An entry for JSON, with what is known of its use."""
    return {
        "target": entry.target,
        "keywords": list(entry.keywords),
        "mark": next(word for word, sign in MARKS.items() if sign == entry.mark),
        "first_seen": utc(topic.first_seen) if topic else None,
        "last_read": utc(topic.last_used) if topic else None,
        "uses": topic.count if topic else 0,
    }


def mark(request: Request) -> Outcome:
    """Set or clear the mark of entries."""
    *wanted, word = request.words("name")
    if word not in MARKS or not wanted:
        raise Usage("memory-shaper mark: write the names, then one of: pinned, critical, none")
    return perform(request, lambda record: _marked(request, wanted, word, record))


def _marked(request: Request, wanted: list[str], word: str, record: Record | None) -> Change:
    text, data = index_text(request.home)
    index = grammar.parse(text)
    known = [entry.target for _, entry in index.entries()]
    chosen = {names.same(named(name, known, "the index")) for name in wanted}
    for number, entry in list(index.entries()):
        if names.same(entry.target) in chosen and entry.mark != MARKS[word]:
            line = _MARK.sub(MARKS[word], index.lines[number - 1].text, count=1)
            index = grammar.replace_line(index, number, line)
    after = grammar.render(index)
    check_room(request.settings, text, after, record)
    told = f"marked {counted(len(chosen), 'entry')} {word}"
    return Change(new_index(data, after), EventKind.MARKED, word, told)


def add(request: Request) -> Outcome:
    """Add one line to the index."""
    return perform(request, lambda record: _added(request, record))


def _added(request: Request, record: Record | None) -> Change:
    line = grammar.parse_line(request.text("line").strip())
    if line.entry is None or "\n" in line.text or "\r" in line.text:
        raise Refused("this is not an entry of the form keyword,keyword,… → file.md; text belongs into a topic file")
    must_exist(request.home)
    document = store.read_if_there(request.home.index)
    text = document.text if document else ""
    if text.strip() and not grammar.is_index(grammar.parse(text)):
        raise Refused("MEMORY.md is not an index yet; run first: memory-shaper migrate")
    if not text.strip():
        text = headings.new_index(request.home, request.settings)
    after = grammar.render(grammar.append_entry(grammar.parse(text), line.text))
    _check(request, text, after)
    check_room(request.settings, text, after, record)
    edits = new_index(document.data if document else None, after)
    return Change(edits, EventKind.CHANGED, "add", "added 1 entry")


def _check(request: Request, before: str, after: str) -> None:
    """Raises Refused where the new text has an error that the old one had not; the cap is judged with numbers."""
    folder = store.list_folder(request.home.memories)
    old, new = (
        rules.check(rules.Scope(text, folder, request.settings.cap), ignore=("over-cap",)) for text in (before, after)
    )
    if fresh := rules.new_errors(old, new):
        first = fresh[0]
        raise Refused(f"{first.message} ({first.rule})" + (f"\nhint: {first.fix}" if first.fix else ""))
