"""`forget`: a topic goes to the archive on the user's word, or with `--purge` out of every place for good."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace

from .. import archive as plans
from .. import edit, grammar, names, store
from ..archive import Shelf
from ..errors import Refused
from ..model import Entry
from ..purge import carrying
from ..purge.carrying import Place
from ..purge.stripping import Doomed
from ..record import EventKind, Source
from .change import Change, named, perform, reading
from .request import Json, Outcome, Request
from .screen import counted, visible

_SHOWN = 10
_LONGEST = 5_000_000  # bytes of a topic file that is searched for a word


def forget(request: Request) -> Outcome:
    """Show what a word matches and move it to the archive on `--yes`; with `--purge` erase one topic for good."""
    if request.flag("purge"):
        return _purged(request)
    sure = _sure(request)
    done = perform(replace(request, values={**request.values, "dry_run": not sure}), lambda record: _away(request))
    if sure or not done.data["files"]:
        return done
    matches = done.data["matches"]
    several = isinstance(matches, list) and len(matches) > 1
    asked = _ask(request, "move all of them to the archive" if several else "move it to the archive", several)
    talk = "\n".join((*done.talk.splitlines()[:-1], asked))
    return replace(done, talk=talk)


def _sure(request: Request) -> bool:
    return request.flag("yes") and not request.dry_run


def _away(request: Request) -> Change:
    shelf, index, shelved = edit.shelf(request.home)
    found = list(_matches(request, shelf))
    targets = [entry.target for entry, _ in found]
    if not targets:
        raise Refused(f'nothing in the index matches "{visible(request.text("word"))[:80]}"')
    _must_be_plain(request, found)
    for entry, _ in found:
        _unmarked(entry)
    plan = plans.put_away(shelf, targets)
    edits = edit.edits_to_archive(request.home, plan, index, shelved)
    would = "" if _sure(request) else "would go to the archive: "
    shown = "\n".join(f"{would}{visible(entry.target)}: {why}" for entry, why in found)
    told = f"forgot {counted(len(targets), 'topic')}: {', '.join(targets)}"
    return Change(edits, EventKind.ARCHIVED, "forget", told, shown=shown, extra=_extra(targets))


def _must_be_plain(request: Request, found: Sequence[tuple[Entry, str]]) -> None:
    """Raises Refused where a word that is no name means several topics, and not all of them are asked for."""
    if len(found) < 2 or request.flag("all") or not _sure(request):
        return
    shown = "".join(f"\n  {visible(entry.target)}: {why}" for entry, why in found[:_SHOWN])
    more = f"\n  … and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    raise Refused(
        f'"{visible(request.text("word"))[:80]}" means {counted(len(found), "topic")}:{shown}{more}\n'
        "nothing was changed; give the name of one, or add --all for all of them"
    )


def _extra(targets: list[str]) -> Json:
    return {"matches": targets, "proof": []}


def _matches(request: Request, shelf: Shelf) -> Iterator[tuple[Entry, str]]:
    """The entries that a word means, each with why: by name, else by line, else by the text of the file."""
    word = request.text("word")
    entries = [entry for _, entry in grammar.parse(shelf.index).entries()]
    exact = [entry for entry in entries if names.same(entry.target) in (names.same(word), names.same(f"{word}.md"))]
    low = names.same(word.strip())
    for entry in exact:
        yield entry, ",".join(entry.keywords)
    if exact or not low:
        return
    by_line = [entry for entry in entries if low in names.same(str(entry))]
    for entry in by_line or entries:
        if by_line:
            yield entry, ",".join(entry.keywords)
        elif line := _line_with(request, entry, low):
            yield entry, f"line {line} of its file"


def _line_with(request: Request, entry: Entry, low: str) -> int:
    """The first line of an entry's file that holds a word, 0 where none does."""
    path = request.home.memories / entry.target
    found = None if names.fault(entry.target) else store.identify(path)
    if found is None or found.size > _LONGEST:
        return 0
    text = (store.read_bytes(path) or b"").decode("utf-8", "replace")
    return next((number for number, line in enumerate(text.splitlines(), 1) if low in names.same(line)), 0)


def _unmarked(entry: Entry) -> None:
    if entry.mark:
        raise Refused(
            f"{entry.target} is marked {entry.mark} and never goes; clear the mark first: "
            f"memory-shaper mark {entry.target} none"
        )


def _ask(request: Request, what: str, several: bool = False) -> str:
    word = request.text("word")
    quoted = f'"{visible(word)}"' if " " in word else visible(word)
    flag = "--purge --yes" if request.flag("purge") else "--all --yes" if several else "--yes"
    return f"nothing was changed; to {what}: memory-shaper forget {quoted} {flag}"


def _purged(request: Request) -> Outcome:
    request.settings  # noqa: B018  an unreadable config stops every change before it begins
    target = _one(request)
    if request.dry_run or not request.flag("yes"):
        with reading(request.home) as record:
            what = carrying.doomed(request.home, record, target)
        return _would(request, target, what)
    with store.locked(request.home.index), edit.open_record(request.home, request.settings) as record:
        edit.repair(request.home, record)
        what = carrying.doomed(request.home, record, target)
        source = Source(request.verb, surface="cli", pid=os.getpid())
        places = carrying.purge(request.home, record, what, source)
    return _done(request, target, places)


def _one(request: Request) -> str:
    """The one topic that is meant, live or archived. Raises Refused for any other word and for a marked line."""
    shelf, _, _ = edit.shelf(request.home)
    live = {entry.target: entry for _, entry in grammar.parse(shelf.index).entries()}
    archived = [entry.target for _, entry in grammar.parse(shelf.archive).entries()]
    loose = [name for folder in (shelf.live, shelf.archived) for name in folder.files if names.is_topic(name)]
    known = list(dict.fromkeys((*live, *archived, *sorted(loose))))
    target = named(request.text("word"), known, "the memory; --purge takes the name of one topic")
    if target in live:
        _unmarked(live[target])
    return target


def _would(request: Request, target: str, what: Doomed) -> Outcome:
    here = [file for file in sorted(what.files) if (request.home.memories / file).is_file()]
    rows = [f"would be erased: {visible(file)}" for file in here]
    rows.append("with its lines in both indexes, its history, counts, proposals, and the sidecar, which is built again")
    return Outcome("\n".join(rows), _data(request, target, here, []), 0, _ask(request, "erase it for good"))


def _done(request: Request, target: str, places: list[Place]) -> Outcome:
    rows = [f"{'clean' if place.clean else 'LEFT'}  {_shown(request, place)}" for place in places]
    left = sum(not place.clean for place in places)
    told = f"{target} is erased and cannot come back; the host's own sessions (state.db) are not ours to touch"
    talk = f"{told}; {counted(left, 'place')} left" if left else told
    return Outcome("\n".join(rows), _data(request, target, [], places), 1 if left else 0, talk)


def _shown(request: Request, place: Place) -> str:
    what = request.screen.path(place.what) if place.what.startswith(os.sep) else place.what
    return f"{visible(what)}: {visible(place.note)}" if place.note else visible(what)


def _data(request: Request, target: str, files: list[str], places: list[Place]) -> Json:
    return {
        "home": str(request.home.path),
        "dry_run": not places,
        "changed": bool(places),
        "events": [],
        "files": [{"file": file, "action": "remove", "to": None} for file in files],
        "diff": "",
        "notes": [],
        "matches": [target],
        "proof": [{"place": place.what, "clean": place.clean, "note": place.note} for place in places],
    }
