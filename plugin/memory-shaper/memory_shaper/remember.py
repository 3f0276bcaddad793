"""Keeping a text as a topic file with its index line: both or neither, through the same checks as any other edit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from . import archive, edit, grammar, headings, host, keywords, names, store
from .errors import Refused
from .frontmatter import front_of, with_field, with_tags
from .guard.memory import Policy, judge
from .guard.refusals import full
from .guard.room import make_room
from .model import CRITICAL, Answer, Draft, Entry, Folder, MemoryCall, Operation
from .privacy.rules import Rules
from .privacy.screening import Reason, screen
from .record import Event, EventKind, Record, Source
from .settings import Home, Settings


@dataclass(frozen=True, slots=True)
class Note:
    """What is to be remembered; `topic` and `keywords` may be empty, they are proposed from the text then.

    `tags` are added to those that the topic file's front matter has, `front` are further rows of it (name, value),
    written where the file has none of that name; `replaces` is a passage that the text takes the place of.
    """

    text: str
    topic: str = ""
    keywords: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    front: tuple[tuple[str, str], ...] = ()
    replaces: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """Where a note went: the topic file's name, its line, whether the file is new, whether anything changed, and the
    ids of the journal's events."""

    topic: str
    line: str
    created: bool
    changed: bool = True
    events: tuple[int, ...] = ()


def remember(home: Home, record: Record, settings: Settings, note: Note, source: Source) -> Kept:
    """Write a note into a topic file and its line into the index, under the host's lock.

    The caller holds no lock. Raises Refused with what to send instead, Busy, ReadOnly or Unreadable.
    """
    note = admitted(note, settings.rules)
    edit.make_folder(home, home.memories)
    try:
        with store.locked(home.index):
            return _remember(home, record, settings, note, source)
    except NoRoom as full_index:
        room = make_room(home, settings, record, full_index.draft)
        if not room.made:
            size = host.size(full_index.draft.before)
            raise Refused(full(full_index.need, size, settings.cap, room.coldest)) from full_index
    with store.locked(home.index):
        return _remember(home, record, settings, note, source)


def admitted(note: Note, rules: Rules) -> Note:
    """The note as it may be kept, redacted in every field.

    Raises Refused for an empty one, for one that brings front matter of its own, which could hide other topics, and for
    one with what is never kept in it: its kind and place, not the value.
    """
    if not any(char.isalnum() for char in note.text):
        raise Refused("text is empty: send what is to be remembered")
    if front_of(note.text.strip()):
        raise Refused("text begins with front matter (`---`): send the text below it alone")

    def kept(name: str, value: str) -> str:
        answer = screen(value, rules)
        if answer.reason is not None:
            raise Refused(_why_not(name, answer.reason))
        return answer.text

    text, topic = kept("text", note.text.strip()), kept("topic", note.topic)
    kept("keywords", ",".join(note.keywords))
    front = tuple((name, " ".join(value.split())) for name, value in note.front)  # a row is one line
    kept("front", "\n".join(value for _, value in front))
    words, tags = ([kept(name, one) for one in values] for name, values in
                   (("keywords", note.keywords), ("tags", note.tags)))  # fmt: skip
    return replace(note, text=text, topic=topic, keywords=tuple(words), tags=tuple(tags), front=front)


def _why_not(field: str, reason: Reason) -> str:
    place = f"line {reason.line} of the text" if field == "text" else f"`{field}`"
    advice = (
        "the user wants nothing like it kept"
        if reason.is_rule
        else "keep it in a password manager and remember where it is instead"
    )
    return f"{place} holds {reason.kind}, which is never stored: {advice}; nothing was written"


class NoRoom(Refused):
    """The line of a note does not fit."""

    def __init__(self, draft: Draft, need: int) -> None:
        super().__init__(f"{need} characters are missing")
        self.draft = draft
        self.need = need


def _remember(home: Home, record: Record, settings: Settings, note: Note, source: Source) -> Kept:
    edit.repair(home, record)
    shelf, index_bytes, _ = edit.shelf(home)
    made = planned(home, settings, note, shelf, index_bytes)
    event = Event(EventKind.ACCEPTED, edit.now(), rule="remember", source=source)
    events = edit.carry_out(home, record, made.edits, event) if made.edits else []
    return replace(made.kept, events=tuple(events))


@dataclass(frozen=True, slots=True)
class Planned:
    """What keeping a note comes to: the edits, none where all of it is there already, and what is told of it."""

    kept: Kept
    edits: tuple[edit.Edit, ...] = ()
    index: str = ""


def planned(home: Home, settings: Settings, note: Note, shelf: archive.Shelf, index_bytes: bytes | None) -> Planned:
    """Plan the keeping of a note whose text is stripped; `index_bytes` is what the file of the index holds.

    Changes nothing. Raises Refused with what to send instead, NoRoom where the line does not fit.
    """
    index = grammar.parse(shelf.index)
    if shelf.index.strip() and not grammar.is_index(index):
        raise Refused("MEMORY.md is no index yet: use the memory tool, or ask the user to run `memory-shaper migrate`")
    entries = [entry for _, entry in index.entries()]
    name = _same_text(home, entries, note.text) or _spelled(keywords.file_name(note.text, note.topic), shelf.live)
    if fault := names.fault(name):
        raise Refused(f'the topic "{name}" {fault}; give another topic')
    entry = next((known for known in entries if names.same(known.target) == names.same(name)), None)
    if entry is not None and entry.mark == CRITICAL:
        raise Refused(f"{name} is critical (`!!`): it changes only with the user's word; choose another topic")
    before = store.read_bytes(home.memories / name)
    after = _appended(before, note)
    line = _line(home, note, name, entry, entries)
    if entry is not None and after == before and line == str(entry):
        return Planned(Kept(name, line, created=False, changed=False), index=shelf.index)
    start = shelf.index if shelf.index.strip() else headings.new_index(home, settings)
    folder = Folder(shelf.live.files | {name}, shelf.live.folders)
    new_index = _checked(start, line, entry, folder, settings, home)
    texts = (edit.NewText(name, before, after), edit.NewText(names.INDEX, index_bytes, new_index.encode()))
    edits = tuple(text for text in texts if text.before != text.after)
    return Planned(Kept(name, line, created=before is None), edits, new_index)


def _spelled(name: str, folder: Folder) -> str:
    """The name as a file of this name is spelled on disk already, in whatever case or Unicode form."""
    return next((known for known in sorted(folder.files) if names.same(known) == names.same(name)), name)


def _same_text(home: Home, entries: Sequence[Entry], text: str) -> str:
    """The name of the topic that holds just this text, as its whole or between line ends; "" where there is none."""
    data = text.encode("utf-8", "surrogateescape")
    for entry in entries:
        path = home.memories / entry.target
        identity = None if names.fault(entry.target) else store.identify(path)
        if identity is None or not len(data) <= identity.size <= edit.LARGEST_KEPT:
            continue
        held = b"\n" + (store.read_bytes(path) or b"").replace(b"\r\n", b"\n").strip() + b"\n"
        if b"\n" + data + b"\n" in held:
            return entry.target
    return ""


def _appended(before: bytes | None, note: Note) -> bytes:
    known = (before or b"").decode("utf-8", "surrogateescape")
    after = known
    if note.replaces:
        after = _replaced(known, note)
    elif note.text not in known:
        after = (known.rstrip("\n") + "\n\n" if before is not None else "") + note.text + "\n"
    if front_of(after) != front_of(known):
        raise Refused("the text would change the front matter of the topic file; nothing was changed")
    for name, value in note.front:
        after = with_field(after, name, value)
    return with_tags(after, note.tags).encode("utf-8", "surrogateescape")


def _replaced(known: str, note: Note) -> str:
    """The text of the file with the passage replaced. Raises Refused where it is not there exactly once."""
    if known.count(note.replaces) != 1:
        where = "no longer stands" if note.replaces not in known else "stands more than once"
        raise Refused(f"the passage that is to be replaced {where} in the topic file; nothing was changed")
    return known.replace(note.replaces, note.text)


def _line(home: Home, note: Note, name: str, entry: Entry | None, entries: Sequence[Entry]) -> str:
    if entry is None:
        cut = _segmenter(home.data)
        words = keywords.propose(note.text, entries, note.keywords, segment=cut)
        if len(words) < keywords.FEWEST:
            words = keywords.propose(f"{note.text} {name.removesuffix('.md')}", entries, note.keywords, segment=cut)
        if len(words) < keywords.FEWEST:
            raise Refused(f"the text gives only {len(words)} keywords: send at least {keywords.FEWEST} in `keywords`")
        return str(Entry("", tuple(words), name))
    words = keywords.propose("", entries, [*entry.keywords, *note.keywords], most=len(entry.keywords))
    return str(Entry(entry.mark, tuple(words), entry.target))


@lru_cache(maxsize=4)
def _segmenter(data: Path) -> Callable[[str], Sequence[str]]:
    """Chinese words; nothing is loaded before a text has Chinese in it."""
    from .recall.jieba_words import JiebaWords

    return JiebaWords(data / "jieba")


def _checked(start: str, line: str, entry: Entry | None, folder: Folder, settings: Settings, home: Home) -> str:
    """The index with the line in it, judged like a call of the memory tool; room is made where it has to be."""
    index = grammar.parse(start)
    if entry is not None and str(entry) == line:
        return start
    operation = Operation("replace", line, archive.written(entry)) if entry else Operation("add", line)
    judged = judge(MemoryCall((operation,)), index, folder, Policy(settings.cap, str(home.memories)))
    if judged.need and judged.draft is not None:
        raise NoRoom(judged.draft, judged.need)
    if judged.verdict.answer is not Answer.ALLOW or judged.draft is None:
        raise Refused(judged.verdict.message)
    return judged.draft.after
