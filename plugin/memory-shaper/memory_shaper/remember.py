"""Keeping a text as a topic file with its index line: both or neither, through the same checks as any other edit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from . import archive, edit, grammar, headings, host, keywords, names, store
from .errors import Refused
from .frontmatter import with_tags
from .guard.memory import Policy, judge
from .guard.refusals import full
from .guard.room import make_room
from .model import CRITICAL, Answer, Draft, Entry, Folder, MemoryCall, Operation
from .record import Event, EventKind, Record, Source
from .secrets import secrets
from .settings import Home, Settings

_MORE = 8  # bytes of blank lines that a file may have beyond its text


@dataclass(frozen=True, slots=True)
class Note:
    """What is to be remembered; `topic` and `keywords` may be empty, they are proposed from the text then.

    `tags` are added to those that the topic file's front matter has.
    """

    text: str
    topic: str = ""
    keywords: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kept:
    """Where a note went: the topic file's name, its line, whether the file is new, and whether anything changed."""

    topic: str
    line: str
    created: bool
    changed: bool = True


def remember(home: Home, record: Record, settings: Settings, note: Note, source: Source) -> Kept:
    """Write a note into a topic file and its line into the index, under the host's lock.

    The caller holds no lock. Raises Refused with what to send instead, Busy, ReadOnly or Unreadable.
    """
    text = note.text.strip()
    if not any(char.isalnum() for char in text):
        raise Refused("text is empty: send what is to be remembered")
    _refuse_secrets(note)
    edit.make_folder(home, home.memories)
    note = replace(note, text=text)
    try:
        with store.locked(home.index):
            return _remember(home, record, settings, note, source)
    except _NoRoom as full_index:
        room = make_room(home, settings, record, full_index.draft)
        if not room.made:
            size = host.size(full_index.draft.before)
            raise Refused(full(full_index.need, size, settings.cap, room.coldest)) from full_index
    with store.locked(home.index):
        return _remember(home, record, settings, note, source)


def _refuse_secrets(note: Note) -> None:
    fields = (("text", note.text), ("topic", note.topic), ("keywords", ",".join(note.keywords)))
    for name, value in (*fields, ("tags", ",".join(note.tags))):
        if found := secrets(value):
            place = f"line {found[0].line} of the text" if name == "text" else f"`{name}`"
            raise Refused(
                f"{place} holds {found[0].kind}, which is never stored: keep it in a password manager and remember "
                f"where it is instead; nothing was written"
            )


class _NoRoom(Refused):
    """The line of a note does not fit."""

    def __init__(self, draft: Draft, need: int) -> None:
        super().__init__(f"{need} characters are missing")
        self.draft = draft
        self.need = need


def _remember(home: Home, record: Record, settings: Settings, note: Note, source: Source) -> Kept:
    edit.repair(home, record)
    shelf, index_bytes, _ = edit.shelf(home)
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
        return Kept(name, line, created=False, changed=False)
    start = shelf.index if shelf.index.strip() else headings.new_index(home, settings)
    folder = Folder(shelf.live.files | {name}, shelf.live.folders)
    new_index = _checked(start, line, entry, folder, settings, home).encode()
    texts = (edit.NewText(name, before, after), edit.NewText(names.INDEX, index_bytes, new_index))
    event = Event(EventKind.ACCEPTED, edit.now(), rule="remember", source=source)
    edit.carry_out(home, record, [text for text in texts if text.before != text.after], event)
    return Kept(name, line, created=before is None)


def _spelled(name: str, folder: Folder) -> str:
    """The name as a file of this name is spelled on disk already, in whatever case or Unicode form."""
    return next((known for known in sorted(folder.files) if names.same(known) == names.same(name)), name)


def _same_text(home: Home, entries: Sequence[Entry], text: str) -> str:
    """The name of the topic whose file holds just this text, "" where there is none."""
    data = text.encode("utf-8", "surrogateescape")
    for entry in entries:
        path = home.memories / entry.target
        identity = None if names.fault(entry.target) else store.identify(path)
        if identity and 0 <= identity.size - len(data) <= _MORE and (store.read_bytes(path) or b"").strip() == data:
            return entry.target
    return ""


def _appended(before: bytes | None, note: Note) -> bytes:
    known = (before or b"").decode("utf-8", "surrogateescape")
    after = known
    if note.text not in known:
        after = (known.rstrip("\n") + "\n\n" if before is not None else "") + note.text + "\n"
    return with_tags(after, note.tags).encode("utf-8", "surrogateescape")


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
        raise _NoRoom(judged.draft, judged.need)
    if judged.verdict.answer is not Answer.ALLOW or judged.draft is None:
        raise Refused(judged.verdict.message)
    return judged.draft.after
