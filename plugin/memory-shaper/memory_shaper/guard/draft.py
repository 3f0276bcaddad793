"""Playing a `memory` call on the index as the host's store would. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .. import grammar, host, names
from ..model import Draft, Entry, Index, Kind, Line, MemoryCall, Operation
from .memory_call import CHANGING


@dataclass(frozen=True, slots=True)
class Change:
    """What one operation does to one host entry: the text before ("" for an add) and after ("" for a removal)."""

    number: int
    operation: Operation
    before: str
    after: str

    @property
    def old(self) -> Line | None:
        return _line(self.before)

    @property
    def new(self) -> Line | None:
        return _line(self.after)


def _line(text: str) -> Line | None:
    lines = grammar.parse(text).lines
    return lines[0] if len(lines) == 1 else None


class CannotPlay(Exception):
    """The host would refuse the operation, or could take it otherwise than meant; `places` are what it matches."""

    def __init__(self, number: int, reason: str, places: Sequence[str] = ()) -> None:
        super().__init__(reason)
        self.number = number
        self.reason = reason
        self.places = tuple(places)


def play(call: MemoryCall, index: Index) -> tuple[Draft, list[Change]]:
    """The draft of a call on the canonical form of an index, and each change on the way to it.

    Raises CannotPlay for the first operation that the host would not carry out as it stands.
    """
    before = list(dict.fromkeys(grammar.parts(index)))
    working = list(before)
    changes = [
        change
        for number, operation in enumerate(call.operations, 1)
        if (change := _play_one(working, number, operation)) is not None
    ]
    return _draft(before, working), changes


def _play_one(working: list[str], number: int, operation: Operation) -> Change | None:
    content = (operation.content or "").strip()
    if operation.action not in CHANGING:
        raise CannotPlay(number, f"there is no action {operation.action[:40]!r}")
    if operation.action == "add":
        if not content:
            raise CannotPlay(number, "content is missing")
        if content in working:
            return None
        working.append(content)
        return Change(number, operation, "", content)
    return _edit(working, number, operation, content)


def _edit(working: list[str], number: int, operation: Operation, content: str) -> Change:
    old_text = operation.old_text or ""
    if not old_text.strip():
        raise CannotPlay(number, "old_text is missing")
    if operation.action != "remove" and not content:
        raise CannotPlay(number, "content is missing; use remove to take a line out")
    try:
        at = host.find(working, old_text if operation.action == "patch" else old_text.strip())
        before = working[at]
        if operation.action == "remove":
            del working[at]
            return Change(number, operation, before, "")
        working[at] = _patched(before, operation) if operation.action == "patch" else content
    except host.Ambiguous as error:
        raise CannotPlay(number, "ambiguous", [working[i] for i in error.places]) from error
    except host.NoMatch as error:
        raise CannotPlay(number, "no match", closest(working, old_text)) from error
    except host.HostRefuses as error:
        raise CannotPlay(number, str(error), [before]) from error
    return Change(number, operation, before, working[at])


def _patched(before: str, operation: Operation) -> str:
    after = host.patch(before, operation.old_text or "", operation.content or "")
    if after != after.strip():
        raise host.HostRefuses("the patched entry would begin or end with a blank")
    return after


def closest(entries: Sequence[str], old_text: str, most: int = 3) -> list[str]:
    """The entries that share the most words with a text that matched none."""
    words = set(grammar.words(old_text)) - {"md"}
    scored = [(len(words.intersection(grammar.words(entry))), -i, entry) for i, entry in enumerate(entries)]
    return [entry for score, _, entry in sorted(scored, reverse=True)[:most] if score]


def _draft(before: list[str], after: list[str]) -> Draft:
    old, new = _entries(before), _entries(after)
    kept = {names.same(entry.target) for entry in new}
    known = {names.same(entry.target) for entry in old}
    dropped = tuple(entry for entry in old if names.same(entry.target) not in kept)
    added = tuple(entry for entry in new if names.same(entry.target) not in known)
    return Draft(host.join(before), host.join(after), dropped, added)


def _entries(parts: Sequence[str]) -> list[Entry]:
    lines = [grammar.parse_line(part) for part in parts if "\n" not in part]
    return [line.entry for line in lines if line.kind is Kind.ENTRY and line.entry is not None]
