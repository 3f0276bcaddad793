"""`undo`: take back a change, with all its files or not at all."""

from __future__ import annotations

from .. import edit, grammar, merging, names, store
from ..edit import Edit, NewText, Rename
from ..errors import Missing, Refused
from ..record import Event, EventKind, Intent, Move, Record, Step, Write, digest_of
from .change import Change, perform, reading
from .journal import _LOOKED_AT, changes, chosen
from .request import Outcome, Request
from .screen import counted

_INDEXES = (names.INDEX, edit.ARCHIVE_INDEX)
# What nobody takes back by accident: an undo is taken back by its number, and putting damage back is never right.
_NOT_BY_ITSELF = frozenset({EventKind.UNDONE, EventKind.RESTORED, EventKind.FORGOTTEN})


class _LaterEdit(Refused):
    """A file was changed after the change that is to be taken back, and the journal does not know how yet."""

    def __init__(self, file: str, told: str) -> None:
        super().__init__(f"{told}; without --dry-run that edit is noted, and the number to undo first is named")
        self.file = file
        self.told = told


def undo(request: Request) -> Outcome:
    """Take back the event ID and all that belongs to the same change, or the last change that still stands."""
    with reading(request.home) as record:
        if record is None:
            raise Missing(f"{request.home.data}: there is no record yet, so nothing to undo")
    if not request.dry_run and not request.text("id"):
        _see_what_changed(request)
    try:
        return perform(request, lambda record: _change(request, record))
    except _LaterEdit as error:
        if request.dry_run:
            raise
        raise Refused(f"{error.told}; {_noted(request, error.file)}") from error


def _see_what_changed(request: Request) -> None:
    """Journal what has changed from outside since: that is the last change then, and the one to take back first."""
    from ..watchdog import outside

    with edit.open_record(request.home, request.settings) as record:
        outside.settle(request.home, request.settings, record, edit.now())


def _noted(request: Request, file: str) -> str:
    """Journal how a file is now, so that it can be taken back; what to do next."""
    from ..watchdog import outside

    if file in _INDEXES:
        _see_what_changed(request)
    with edit.open_record(request.home, request.settings) as record:
        if file not in _INDEXES and not outside.note_topic(request.home, request.settings, record, file, edit.now()):
            return "the journal may keep no copy of that edit: save the file elsewhere and give it its old text first"
        return _first(record, file)


def _first(record: Record, file: str) -> str:
    """Which event of a file is to be taken back first: the one that made it what it is."""
    known = record.accepted.of(file)
    events = record.journal.newest(_LOOKED_AT, file) if known else []
    number = next((event.id for event in events if changes(event) and known and event.after == known.digest), None)
    if number is None:
        return "the journal no longer holds that edit: save the file elsewhere and give it its old text first"
    return f"that edit is event {number}, and its text is kept; take it back first: memory-shaper undo {number}"


def _change(request: Request, record: Record | None) -> Change:
    assert record is not None  # `undo` has looked
    group = _group(record, request.text("id"))
    first = group[0]
    if first.kind is EventKind.RESTORED:
        raise Refused(f"event {first.id} put damage right; undoing it would bring the damage back")
    back = [edit_ for step in _steps(record, group) if (edit_ := _taken_back(request, record, step)) is not None]
    told = f"took back event {first.id} ({first.kind.value}, {counted(len(back), 'file')})"
    return Change(back, EventKind.UNDONE, "undo", told, first.id)


def _group(record: Record, given: str) -> list[Event]:
    if not given:
        return chosen(record, str(_last_standing(record).id))
    group = chosen(record, given)
    by = next((event.reverted_by for event in group if event.reverted_by), None)
    if by is not None and _stands(record, by):
        raise Refused(f"event {group[0].id} was taken back already by event {by}; to bring it back: undo {by}")
    if not any(map(changes, group)):
        raise Refused(f"event {group[0].id} ({group[0].kind.value}) changed no file")
    return group


def _last_standing(record: Record) -> Event:
    for event in record.journal.newest(_LOOKED_AT):
        if not changes(event) or event.kind in _NOT_BY_ITSELF:
            continue
        if event.reverted_by is None or not _stands(record, event.reverted_by):
            return event
    raise Refused("there is no change left to undo; see: memory-shaper history")


def _stands(record: Record, number: int) -> bool:
    """Whether an event was not itself taken back, by one that stands; each is younger than the one it takes back."""
    stands = True
    event = record.journal.event(number)
    while event is not None and event.reverted_by is not None:
        stands = not stands
        event = record.journal.event(event.reverted_by)
    return stands


def _steps(record: Record, group: list[Event]) -> list[Step]:
    intent: Intent | None = record.intents.intent(group[0].intent) if group[0].intent is not None else None
    if intent is not None:
        return list(reversed(intent.steps))
    return [Write(event.file, event.before, event.after) for event in reversed(group)]


def _taken_back(request: Request, record: Record, step: Step) -> Edit | None:
    if isinstance(step, Move):
        return _moved_back(request, step)
    path = request.home.memories / step.file
    now = store.read_bytes(path)
    if _digest(now) == step.before:
        return None
    if _digest(now) == step.after:
        return NewText(step.file, now, _text(record, step.before))
    return NewText(step.file, now, _merged(record, step, now))


def _moved_back(request: Request, step: Move) -> Edit | None:
    memories = request.home.memories
    content = store.read_bytes(memories / step.target)
    if content is None:
        if store.read_bytes(memories / step.file) is not None:
            return None  # it went back by itself
        raise Refused(f"{step.target} is gone, so it cannot go back to {step.file}; see: memory-shaper history")
    if store.identify(memories / step.file) is not None:
        raise Refused(f"{step.file} exists again, so {step.target} cannot go back; rename one of them first")
    return Rename(step.target, step.file, content)


def _merged(record: Record, step: Write, now: bytes | None) -> bytes:
    """The file as it is now without what the change did. Raises Refused where a later edit would be lost."""
    if step.file not in _INDEXES or now is None:
        was, has = len(_text(record, step.after) or b""), len(now or b"")
        state = f"has {has:,} bytes now and had {was:,} then" if now is not None else "is gone"
        raise _later(record, step, now, f"{step.file} has changed since ({state})")
    base = _decoded(_text(record, step.after))
    # A file that the change made goes back to its heading only: later entries stay under it.
    theirs = _decoded(_text(record, step.before)) if step.before else grammar.heading(grammar.parse(base))
    merged = merging.three_way(base, _decoded(now), theirs)
    if merged.conflicts:
        shown = ", ".join(merged.conflicts[:5])
        places = f"in {counted(len(merged.conflicts), 'place')} that this change touched ({shown})"
        raise _later(record, step, now, f"{step.file} has changed since {places}")
    return merged.text.encode()


def _later(record: Record, step: Write, now: bytes | None, told: str) -> Refused:
    """The refusal for a file with a later edit: with the event to take back first, where the journal knows the edit."""
    told = f"{told}: undoing would lose the later edit"
    known = record.accepted.of(step.file)
    if known is None or known.digest != _digest(now):
        return _LaterEdit(step.file, told)
    return Refused(f"{told}; {_first(record, step.file)}")


def _decoded(data: bytes | None) -> str:
    try:
        return (data or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(
            f"byte {error.start} of a version is not UTF-8, so it cannot be merged; undo later ones first"
        ) from error


def _digest(data: bytes | None) -> str | None:
    return None if data is None else digest_of(data)


def _text(record: Record, digest: str | None) -> bytes | None:
    if digest is None:
        return None
    text = record.texts.text(digest)
    if text is None:
        raise Refused("the record no longer holds the text that this change replaced")
    return text
