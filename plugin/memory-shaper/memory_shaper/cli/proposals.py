"""`proposals`: what was thought of and waits for a word; shown, applied, rejected."""

from __future__ import annotations

import os
from collections.abc import Iterable

from .. import edit
from ..errors import MemoryShaperError, Refused, Usage
from ..lifecycle import applying
from ..lifecycle.scene import scene, words
from ..record import Proposal, Record, Source, State
from ..secrets import masked
from .change import masked_edit, must_be_home, reading, shown_edit
from .request import Json, Outcome, Request
from .screen import Screen, counted, local, table, utc, visible

_ALL = "all"


def proposals(request: Request) -> Outcome:
    """List the open proposals, show one, or apply or reject some."""
    must_be_home(request.home)
    apply, reject = request.words("apply"), request.words("reject")
    if bool(apply) + bool(reject) + bool(request.text("number")) > 1:
        raise Usage("memory-shaper proposals: give a number, --apply or --reject, one of them")
    if apply:
        return _rehearsed(request, apply) if request.dry_run else _applied(request, apply)
    if reject:
        return _rejected(request, reject)
    return _shown(request, request.text("number")) if request.text("number") else _listed(request)


def _listed(request: Request) -> Outcome:
    with reading(request.home) as record:
        state = None if request.flag("every") else State.OPEN
        found = record.proposals.list(state) if record else []
    rows = [_row(one) for one in found]
    text = "\n".join(table(rows)) if rows else ""
    hint = "; to see one: memory-shaper proposals N; to decide: --apply N… or --reject N…" if rows else ""
    return Outcome(text, _data(request, found), 0, f"{request.place}, {counted(len(found), 'proposal')}{hint}")


def _row(one: Proposal) -> tuple[str, ...]:
    return (f"{one.id}", local(one.at), one.kind, visible(one.title or one.target), _state(one))


def _state(proposal: Proposal) -> str:
    return "" if proposal.state is State.OPEN else proposal.state.value


def _shown(request: Request, number: str) -> Outcome:
    with reading(request.home) as record:
        one = _chosen(record, [number])[0]
    diff = _diff(request, one, request.screen)
    head = f"proposal {one.id}: {one.kind}, {visible(one.title or one.target)}, from {one.source or 'unknown'}"
    data = _data(request, [one]) | {"diff": "\n".join(_diff(request, one, Screen()))}
    return Outcome("\n".join(diff), data, 0, "\n".join(filter(None, (head, _state(one)))))


def _diff(request: Request, proposal: Proposal, screen: Screen) -> list[str]:
    """What applying would change, or why it cannot be applied, with the passages it is about."""
    try:
        made = applying.plan(scene(request.home, request.settings), proposal)
    except Refused as error:
        passages = words(proposal.payload, "passages")
        return [*(visible(f"> {line}") for passage in passages for line in masked(passage).splitlines()), str(error)]
    return [line for one in made.edits for line in shown_edit(masked_edit(one), screen)]


def _rehearsed(request: Request, numbers: Iterable[str]) -> Outcome:
    with reading(request.home) as record:
        found = _chosen(record, numbers)
    lines = [line for one in found for line in (f"proposal {one.id}:", *_diff(request, one, request.screen))]
    plain = [line for one in found for line in _diff(request, one, Screen())]
    data = _data(request, found) | {"diff": "\n".join(plain)}
    return Outcome("\n".join(lines), data, 0, f"dry run, nothing was changed: {counted(len(found), 'proposal')}")


def _applied(request: Request, numbers: Iterable[str]) -> Outcome:
    settings = request.settings
    with edit.open_record(request.home, settings) as record:
        found = _chosen(record, numbers)
        source = Source(tool=request.verb, surface="cli", pid=os.getpid())
        done: dict[int, list[int]] = {}
        refused: dict[int, MemoryShaperError] = {}
        for one in found:
            try:
                done[one.id] = applying.apply(request.home, record, settings, one, source)
            except Refused as error:  # the others may stand all the same
                refused[one.id] = error
    told = [f"applied {number}{_undo(events)}" for number, events in done.items()]
    told += [f"{number} was not applied: {error}" for number, error in refused.items()]
    data = _data(request, found) | {
        "applied": [{"id": number, "events": events} for number, events in done.items()],
        "refused": [{"id": number, "why": str(error)} for number, error in refused.items()],
    }
    return Outcome("", data, Refused.code if refused else 0, "\n".join(told) or "proposals: nothing to do")


def _undo(events: list[int]) -> str:
    return f"; to take it back: memory-shaper undo {events[0]}" if events else ": all was as it wants"


def _rejected(request: Request, numbers: Iterable[str]) -> Outcome:
    with edit.open_record(request.home, request.settings) as record:
        found = _chosen(record, numbers)
        if not request.dry_run:
            for one in found:
                record.proposals.close(one.id, State.REJECTED, edit.now())
    told = f"rejected {counted(len(found), 'proposal')}, none of them is made again"
    data = _data(request, found) | {"rejected": [] if request.dry_run else [one.id for one in found]}
    return Outcome("", data, 0, f"dry run, nothing was changed: {told}" if request.dry_run else told)


def _chosen(record: Record | None, numbers: Iterable[str]) -> list[Proposal]:
    """The proposals meant by numbers or by `all`. Raises Refused for one that is not open."""
    wanted = [part for number in numbers for part in number.split(",") if part]
    if wanted == [_ALL]:
        return record.proposals.list() if record else []
    return [_by_number(record, one) for one in dict.fromkeys(wanted)]


def _by_number(record: Record | None, given: str) -> Proposal:
    digits = given.lstrip("#")
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 18 else 0
    found = record.proposals.proposal(number) if record and number else None
    if found is None:
        raise Refused(f'there is no proposal "{visible(given[:20])}"; see: memory-shaper proposals')
    if found.state is not State.OPEN:
        raise Refused(f"proposal {number} was {found.state.value} already")
    return found


def _data(request: Request, found: Iterable[Proposal]) -> Json:
    rows = [
        {
            "id": one.id,
            "at": utc(one.at),
            "kind": one.kind,
            "target": one.target,
            "title": one.title,
            "state": one.state.value,
            "source": one.source,
        }
        for one in found
    ]
    empty: Json = {"diff": "", "applied": [], "refused": [], "rejected": []}
    return {"home": str(request.home.path), "dry_run": request.dry_run, "proposals": rows} | empty
