"""`merge`: the copies that sync services leave behind, and merge markers in the index."""

from __future__ import annotations

from dataclasses import dataclass

from .. import edit, fixes, merging, names, rules, store
from ..edit import Edit, NewText
from ..errors import Refused
from ..record import EventKind, Record
from ..settings import Home
from .change import Change, perform, unified
from .driver import drive
from .request import Json, Outcome, Request
from .room import check_room
from .screen import Screen, counted, visible

TAKES = ("ours", "theirs", "both")
_INDEXES = (names.INDEX, edit.ARCHIVE_INDEX)


@dataclass(frozen=True, slots=True)
class Copy:
    """A conflict copy and the file it is a copy of, both relative to the memories folder."""

    file: str
    original: str


def merge(request: Request) -> Outcome:
    """List the conflict copies, or merge those of NAME into it; or merge two versions for git."""
    if request.words("driver"):
        return drive(request)
    copies = conflict_copies(request.home)
    name = request.text("name")
    if not name:
        return _listed(request, copies)
    original = _original(name, copies)
    mine = [copy for copy in copies if copy.original == original and name in (original, _bare(original), copy.file)]
    mine = mine or [copy for copy in copies if copy.original == original]
    if original in _INDEXES:
        return perform(request, lambda record: _merged_index(request, original, mine, record))
    if not mine:
        raise Refused(f'"{visible(name[:80])}" has no conflict copy; see: memory-shaper merge')
    if not request.text("take"):
        return _compared(request, mine)
    return perform(request, lambda record: _taken(request, original, mine))


def conflict_copies(home: Home) -> list[Copy]:
    """The conflict copies in the memories folder and in the archive."""
    found = [Copy(name, original) for name, original in _copies_in(store.list_folder(home.memories).files)]
    if home.archive.is_dir():
        pairs = _copies_in(store.list_folder(home.archive).files)
        found += [Copy(f"{names.ARCHIVE_FOLDER}/{one}", f"{names.ARCHIVE_FOLDER}/{two}") for one, two in pairs]
    return found


def _copies_in(files: frozenset[str]) -> list[tuple[str, str]]:
    pairs = ((name, names.conflict_copy_of(name, files)) for name in sorted(files))
    return [(name, original) for name, original in pairs if original]


def _bare(file: str) -> str:
    return file.rpartition("/")[2]


def _original(name: str, copies: list[Copy]) -> str:
    for copy in copies:
        if name in (copy.file, _bare(copy.file), copy.original):
            return copy.original
    same = [copy.original for copy in copies if names.same(_bare(copy.original)) == names.same(name)]
    known = {names.same(_bare(file)): file for file in _INDEXES}
    return same[0] if same else known.get(names.same(name), name)


def _listed(request: Request, copies: list[Copy]) -> Outcome:
    lines = [f'"{visible(copy.file)}" is a conflict copy of "{visible(copy.original)}"' for copy in copies]
    lines += [f"  memory-shaper merge '{visible(name)}'" for name in dict.fromkeys(copy.original for copy in copies)]
    data = _unchanged(request, copies, "")
    return Outcome("\n".join(lines), data, 0, f"{request.place}, {counted(len(copies), 'conflict copy')}")


def _unchanged(request: Request, copies: list[Copy], diff: str) -> Json:
    """The fields of a change that was not made, with the copies."""
    return {
        "home": str(request.home.path),
        "dry_run": request.dry_run,
        "changed": False,
        "events": [],
        "files": [],
        "diff": diff,
        "notes": [],
        "copies": [{"file": copy.file, "original": copy.original} for copy in copies],
    }


def _merged_index(request: Request, original: str, copies: list[Copy], record: Record | None) -> Change:
    document = store.read(request.home.memories / original)
    text = document.text
    if marked := merging.sides(text):
        text = merging.union(*marked, rules.MOST)
    edits: list[Edit] = []
    for copy in copies:
        other = store.read(request.home.memories / copy.file)
        text = merging.union(text, other.text, rules.MOST)
        edits.append(NewText(copy.file, other.data, None))
    if text != document.text:
        text = fixes.fixed(text)
        if original == names.INDEX:
            check_room(request.settings, marked[0] if marked else document.text, text, record)
        edits.insert(0, NewText(original, document.data, text.encode()))
    left = set(merging.targets(text)) - store.list_folder(document.path.parent).files
    notes = (
        (f"{counted(len(left), 'entry')} without a file came with the merge; see: memory-shaper verify",)
        if left
        else ()
    )
    told = f"merged {counted(len(copies), 'copy')} into {original}; the texts are in the journal"
    return Change(edits, EventKind.CHANGED, "merge", told, notes=notes)


def _compared(request: Request, copies: list[Copy]) -> Outcome:
    """Both texts side by side; nothing is decided here."""
    both = (request.screen, Screen())
    texts = ["\n".join(line for copy in copies for line in _difference(request.home, copy, one)) for one in both]
    data = _unchanged(request, copies, texts[1])
    name = visible(copies[0].original)
    talk = f"both texts were kept; to decide: memory-shaper merge '{name}' --take ours|theirs|both\n"
    talk += f"(ours is {name}, theirs the copy; the other text goes to the journal)"
    return Outcome(texts[0], data, 0, talk)


def _difference(home: Home, copy: Copy, screen: Screen) -> list[str]:
    ours, theirs = (store.read_bytes(home.memories / file) for file in (copy.original, copy.file))
    return unified(copy.file, ours, theirs, screen)


def _taken(request: Request, original: str, copies: list[Copy]) -> Change:
    take = request.text("take")
    if take == "theirs" and len(copies) > 1:
        raise Refused(f"{counted(len(copies), 'copy')} of {original}: name the copy whose text is to be taken")
    before = store.read_bytes(request.home.memories / original)
    text = before or b""
    held = {b"", _bare_text(text)}
    edits: list[Edit] = []
    for copy in copies:
        other = store.read(request.home.memories / copy.file)
        if take == "both" and _bare_text(other.data) not in held:
            held.add(_bare_text(other.data))
            text = text.rstrip() + f"\n\n## From {_bare(copy.file)}\n\n".encode() + other.data
        text = other.data if take == "theirs" or before is None else text
        edits.append(NewText(copy.file, other.data, None))
    if text != before:
        edits.insert(0, NewText(original, before, text))
    told = f"merged {counted(len(copies), 'copy')} into {original} ({take}); the texts are in the journal"
    return Change(edits, EventKind.CHANGED, "merge", told)


def _bare_text(data: bytes) -> bytes:
    """A text without what two copies of it may differ in and still say the same: line ends, blanks at both ends."""
    return data.replace(b"\r\n", b"\n").strip()
