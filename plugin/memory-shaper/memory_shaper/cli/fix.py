"""`fix`: repair what has one right answer."""

from __future__ import annotations

import os
from pathlib import Path

from .. import archive, edit, grammar, headings, names, rules, store
from ..edit import Edit
from ..errors import Missing, Refused
from ..fixes import fixed, with_heading
from ..model import Folder
from ..record import EventKind, Record
from ..settings import Home
from .change import Change, new_index, perform, unified, would
from .request import Json, Outcome, Request
from .room import check_room
from .screen import Screen, counted


def fix(request: Request) -> Outcome:
    """Repair FILE, or the index and the archive index of the home; or, if asked for, remove temporary files."""
    path = request.path("file")
    if request.flag("leftovers"):
        from . import leftovers

        return leftovers.remove(request)
    own = _own_files(request.home) if path is None else _own_name(request.home, path)
    if path is not None and not own:
        return _elsewhere(request, path)
    _ = request.settings  # an unreadable config stops every change before it begins
    if _begins(request) and names.INDEX in own and not request.dry_run:
        edit.make_folder(request.home, request.home.memories)
    return perform(request, lambda record: _change(request, own, record))


def _begins(request: Request) -> bool:
    """Whether `--heading` begins a memory; one that the record speaks of may lie on a disk that is not mounted."""
    home = request.home
    known = os.path.lexists(home.memories) or (home.data / "record.db").exists()
    return bool(request.text("heading")) and home.path.is_dir() and not known


def _own_files(home: Home) -> list[str]:
    return [names.INDEX, edit.ARCHIVE_INDEX] if home.archive_index.exists() else [names.INDEX]


def _own_name(home: Home, path: Path) -> list[str]:
    """The file as the record names it, none for one that is not of this home."""
    real = os.path.realpath(path)
    own = {os.path.realpath(home.index): names.INDEX, os.path.realpath(home.archive_index): edit.ARCHIVE_INDEX}
    return [own[real]] if real in own else []


def _change(request: Request, files: list[str], record: Record | None) -> Change:
    edits: list[Edit] = []
    notes: list[str] = []
    for file in files:
        data, before = _read(request, file)
        folder = Folder() if data is None and _begins(request) else store.list_folder(_folder(request, file))
        text = repaired(request, before, folder, file == names.INDEX, record)
        edits += new_index(data, text, file)
        notes += (
            _left(file, text, folder, request.settings.cap if file == names.INDEX else None)
            if _is_index(text)
            else [
                f"{file} is not an index yet, its texts stay as they are: `memory-shaper migrate` makes topics of them"
            ]
        )
    told = f"fixed {' and '.join(one.file for one in edits)}"
    return Change(edits, EventKind.CHANGED, "fix", told, notes=tuple(notes))


def _read(request: Request, file: str) -> tuple[bytes | None, str]:
    """The bytes and the text of a file; with `--heading` an index that is missing is one to be made."""
    path = request.home.memories / file
    heading = bool(request.text("heading")) and file == names.INDEX
    if heading and (path.parent.is_dir() or _begins(request)) and store.identify(path) is None:
        return None, ""
    try:
        document = store.read(path)
    except Missing as error:
        raise Missing(f"{error}; {_way_out(request)}") from error
    return document.data, document.text


def _way_out(request: Request) -> str:
    if not request.home.path.is_dir():
        return f"{request.home.path} is no folder: start Hermes once, or name the home with --home"
    if not request.home.memories.is_dir() and request.text("heading"):
        return "the memories folder is missing and was there before: is a disk not mounted?"
    return "to begin an index: memory-shaper fix --heading full"


def _folder(request: Request, file: str) -> Path:
    return (request.home.memories / file).parent


def repaired(request: Request, text: str, folder: Folder, live: bool, record: Record | None = None) -> str:
    """The text put right; a live index that is empty, or for which it was asked, gets the heading block.

    Raises Refused where the result would not fit the cap and the text did.
    """
    result = fixed(text, folder)
    size = request.text("heading")
    if live and (size or not grammar.parts(grammar.parse(result))):
        block = headings.heading(size or str(request.settings["heading"]), headings.shown(request.home))
        result = with_heading(result, block)
    elif size and not live:
        result = with_heading(result, archive.HEADING)
    if live:
        check_room(request.settings, text, result, record)
    return result


def _is_index(text: str) -> bool:
    return grammar.is_index(grammar.parse(text.removeprefix(grammar.BOM)))


def _left(file: str, text: str, folder: Folder, cap: int | None) -> list[str]:
    left = rules.check(rules.Scope(text, folder, cap))
    return (
        [f"{file}: {counted(len(left), 'finding')} left that need a decision; see: memory-shaper verify"]
        if left
        else []
    )


def _is_topic(home: Home, path: Path) -> bool:
    """Whether a file lies in the memories folder or below: a topic may well hold lines that look like entries."""
    return Path(os.path.realpath(home.memories)) in Path(os.path.realpath(path)).parents


def _elsewhere(request: Request, path: Path) -> Outcome:
    """A file that belongs to no record: the old text stays beside it as a copy."""
    document = store.read(path)
    folder = store.list_folder(path.parent)
    if _is_topic(request.home, path) or not (
        names.is_system(path.name) or grammar.is_index(grammar.parse(document.text))
    ):
        raise Refused(f"{path}: this is no index, and fix changes nothing else")
    live = names.same(path.name) != names.same(names.ARCHIVE_INDEX)
    after = repaired(request, document.text, folder, live).encode()
    if after == document.data:
        return _told(request, path, document.data, after, "fix: nothing to do")
    copy = archive.free_name(f"{path.name}.bak", set(map(names.same, folder.files | folder.folders)))
    told = f"fixed {path.name}; the old text is in {copy}"
    if request.dry_run:
        return _told(request, path, document.data, after, f"dry run, nothing was changed: {would(told)}")
    store.write(path.parent / copy, document.data, None)
    store.write(path, after, document.data)
    return _told(request, path, document.data, after, told)


def _told(request: Request, path: Path, before: bytes, after: bytes, talk: str) -> Outcome:
    different = after != before
    data: Json = {
        "home": None,
        "dry_run": request.dry_run,
        "changed": different and not request.dry_run,
        "events": [],
        "files": [{"file": str(path), "action": "write", "to": None}] if different else [],
        "diff": "\n".join(unified(path.name, before, after, Screen())),
        "notes": [],
    }
    return Outcome("\n".join(unified(path.name, before, after, request.screen)), data, 0, talk)
