"""What the changing verbs share: the lock, the record, all edits or none, and how a change is shown."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from .. import edit, names, store
from ..edit import Edit, NewText, Rename
from ..errors import Missing, Refused
from ..record import Event, EventKind, Record, RecordReadOnly, Source
from ..secrets import masked
from ..settings import Home
from .request import Json, Outcome, Request
from .screen import Screen, visible

_LONGEST_DIFF = 2_000_000  # characters of both sides; a larger change is told in numbers


@dataclass(frozen=True, slots=True)
class Change:
    """What a verb is going to do: the edits, how the journal calls them, and what the user is told.

    `edits` is empty where nothing is to be done. Every change is journaled, so every change can be taken back.
    `shown` is what is printed in place of the diff; `then` is done to the record once the files are changed.
    """

    edits: Sequence[Edit]
    kind: EventKind
    rule: str
    told: str
    undo_of: int | None = None
    notes: tuple[str, ...] = ()
    extra: Json = field(default_factory=dict)
    shown: str = ""
    then: Callable[[Record], None] | None = None


Planner = Callable[[Record | None], Change]


def perform(request: Request, plan: Planner) -> Outcome:
    """Plan a change and carry it out under the host's lock; with `--dry-run` only plan it.

    It is planned again once the lock is held, so nothing can come between. Where there is nothing to do, or the plan
    is refused, neither lock nor record is made; only what a killed process left half-done is repaired before a plan.
    """
    settings = request.settings  # an unreadable config stops every change before it begins
    with reading(request.home) as record:
        if request.dry_run or record is None or not record.intents.unfinished():
            change = plan(record)
            if request.dry_run or not change.edits:
                return _outcome(request, change, [])
    with store.locked(request.home.index), edit.open_record(request.home, settings) as record:
        edit.repair(request.home, record)
        change = plan(record)
        source = Source(tool=request.verb, surface="cli", pid=os.getpid())
        event = Event(change.kind, edit.now(), rule=change.rule, source=source, undo_of=change.undo_of)
        events = edit.carry_out(request.home, record, change.edits, event) if change.edits else []
        if events and change.then:
            change.then(record)
        return _outcome(request, change, events)


@contextmanager
def reading(home: Home) -> Iterator[Record | None]:
    """The record for reading, None where there is none yet: looking never makes one."""
    path = home.data / "record.db"
    if not path.exists():
        yield None
        return
    with _opened(home, path) as record:
        yield record


@contextmanager
def _opened(home: Home, path: Path) -> Iterator[Record]:
    """The record; where it may only be read, a copy of it."""
    try:
        opened = Record.open(path)
    except RecordReadOnly:
        from ..watchdog.rehearsal import copied

        with copied(home) as copy:
            yield copy
        return
    with opened as record:
        yield record


def unwritable(home: Home) -> Path | None:
    """The folder or record of a home that this user may only read, None where all can be written."""
    places = (home.memories, home.data, home.data / "record.db")
    return next((place for place in places if place.exists() and not os.access(place, os.W_OK)), None)


def _outcome(request: Request, change: Change, events: list[int]) -> Outcome:
    edits = [masked_edit(one) for one in change.edits]
    shown = "\n".join(line for one in edits for line in shown_edit(one, Screen()))
    data: Json = {
        "home": str(request.home.path),
        "dry_run": request.dry_run,
        "changed": bool(events),
        "events": events,
        "files": [_file_data(one) for one in edits],
        "diff": shown,
        "notes": list(change.notes),
    }
    text = change.shown or "\n".join(line for one in edits for line in shown_edit(one, request.screen))
    return Outcome(text, data | change.extra, 0, "\n".join((*change.notes, _told(request, change, events))))


def masked_edit(one: Edit) -> Edit:
    """The edit as it is shown: what is a secret in a text is named, not repeated."""
    if isinstance(one, Rename):
        return one
    return NewText(one.file, _masked_text(one.before), _masked_text(one.after))


def _masked_text(data: bytes | None) -> bytes | None:
    return None if data is None else masked(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def _told(request: Request, change: Change, events: list[int]) -> str:
    if not change.edits:
        return f"{request.verb}: nothing to do"
    if not events:
        return f"dry run, nothing was changed: {would(change.told)}"
    return f"{change.told}; to take it back: memory-shaper undo {events[0]}"


_PLAIN = {
    "wrote": "write", "took": "take", "made": "make", "fixed": "fix", "added": "add", "marked": "mark",
    "migrated": "migrate", "appended": "append", "replaced": "replace", "joined": "join", "forgot": "forget",
}  # fmt: skip


def would(told: str) -> str:
    """What was done, told of what would be done: `added 1 entry` → `would add 1 entry`.

    >>> would("archived a.md"), would("took back event 3"), would("3 files")
    ('would archive a.md', 'would take back event 3', '3 files')
    """
    word, _, rest = told.partition(" ")
    plain = _PLAIN.get(word) or (word.removesuffix("d") if word.endswith("ed") else "")
    return f"would {plain} {rest}" if plain else told


def _file_data(one: Edit) -> Json:
    if isinstance(one, Rename):
        return {"file": one.file, "action": "move", "to": one.target}
    action = "create" if one.before is None else "remove" if one.after is None else "write"
    return {"file": one.file, "action": action, "to": None}


def shown_edit(one: Edit, screen: Screen) -> list[str]:
    """An edit as the lines of a unified diff, or of a move."""
    if isinstance(one, Rename):
        return [screen.paint(f"rename {visible(one.file)} → {visible(one.target)}", "bold")]
    return unified(one.file, one.before, one.after, screen)


def unified(file: str, before: bytes | None, after: bytes | None, screen: Screen) -> list[str]:
    """The lines of a unified diff of two contents (None: absent), safe to print."""
    old, new = _lines(before), _lines(after)
    if len(before or b"") + len(after or b"") > _LONGEST_DIFF:
        return [f"{visible(file)}: {len(before or b''):,} bytes before, {len(after or b''):,} after"]
    import difflib

    names_ = ("/dev/null" if before is None else f"a/{file}", "/dev/null" if after is None else f"b/{file}")
    lines = difflib.unified_diff(old, new, *names_, n=2, lineterm="")
    return [_painted(visible(line), screen) for line in lines]


def _lines(data: bytes | None) -> list[str]:
    # Lines end where the index's do; a missing last newline or other line ends are no difference to show.
    text = (data or b"").decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return text.removesuffix("\n").split("\n") if text else []


def _painted(line: str, screen: Screen) -> str:
    colour = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")
    return screen.paint(line, "bold" if line[:3] in ("+++", "---") else colour) if colour else line


def index_text(home: Home) -> tuple[str, bytes]:
    """The index as text and as bytes. Raises Missing, Unreadable."""
    document = store.read(home.index)
    return document.text, document.data


def new_index(before: bytes | None, text: str, file: str = names.INDEX) -> list[Edit]:
    """The edit that gives the index a new text, none where it has it already."""
    after = text.encode()
    return [] if after == before else [NewText(file, before, after)]


def named(name: str, known: Sequence[str], where: str) -> str:
    """The one of the known targets that is meant: in any case or Unicode form, with or without `.md`.

    Raises Refused, with the nearest name.
    """
    for wanted in (name, f"{name}.md"):
        for target in known:
            if names.same(target) == names.same(wanted):
                return target
    from . import nearest

    raise Refused(f'"{visible(name[:80])}" is not in {where}{nearest(name, known)}')


def must_exist(home: Home) -> None:
    """Raises Missing where the memories folder is not there: an unmounted one is never made anew."""
    if not home.memories.is_dir():
        raise Missing(f"{home.memories}: there is no such folder")


def must_be_home(home: Home) -> None:
    """Raises Missing where there is neither memory, session nor record: a mistyped home is not an empty one."""
    if not (home.memories.is_dir() or (home.path / "state.db").is_file() or (home.data / "record.db").exists()):
        raise Missing(f"{home.memories}: there is no such folder; name the home with --home or HERMES_HOME")
