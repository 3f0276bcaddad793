"""Rules about the file as a whole: its form, its size, its heading, and the folder beside it. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import chain, combinations

from .. import grammar, host, names
from ..model import Kind
from .base import Fault, Scope

ROUTING_WORDS = ("routing", "路由")
_MANY_LINES = 8  # a keyword in more lines than this says nothing about a pair of them
_MOST_SHARED = 0.6  # share of the smaller keyword set


def index_empty(scope: Scope) -> Iterator[Fault]:
    """A file with neither an entry nor a heading is no index: a lost one looks like this."""
    if not any(scope.lines(Kind.ENTRY, Kind.HEADING, Kind.STRAY, Kind.TEMPLATE)):
        yield Fault(
            0, "the file holds no entry and no heading", "memory-shaper undo, or memory-shaper fix for a new one"
        )


def form_newline_only(scope: Scope) -> Iterator[Fault]:
    """An entry that shares its host entry with other lines: one native replace or remove erases them all."""
    sharing = sum(len(part) for part in _host_parts(scope) if len(part) > 1 and Kind.ENTRY in part)
    if sharing:
        message = f"{sharing} lines share a host entry: one native replace or remove of a line would erase them all"
        yield Fault(0, message, "memory-shaper fix")


def _host_parts(scope: Scope) -> Iterator[list[Kind]]:
    # As the host splits: "\n§\n" takes the line ends on both sides, so a `§` line behind another one is text.
    part: list[Kind] = []
    free = False
    for line in scope.index.lines:
        if line.text == "§" and line.ending and free:
            yield part
            part, free = [], False
            continue
        free = True
        if line.kind is not Kind.BLANK:
            part.append(line.kind)
    yield part


def form_drift(scope: Scope) -> Iterator[Fault]:
    """A form that the host refuses to edit: blanks beside a `§` line, a trailing one, or an entry over the cap."""
    if scope.cap is not None and any(scope.lines(Kind.ENTRY)) and host.drifts(scope.text, scope.cap):
        yield Fault(0, "the host refuses to replace or remove entries of a file in this form", "memory-shaper fix")


def form_bom(scope: Scope) -> Iterator[Fault]:
    """A byte order mark in front of the first line: some hosts count it, some drop it."""
    if scope.index.bom:
        yield Fault(1, "the file begins with a byte order mark", "memory-shaper fix")


def over_cap(scope: Scope) -> Iterator[Fault]:
    """Over the cap the host refuses every addition."""
    if scope.cap is not None and scope.size > scope.cap:
        message = f"over the cap: the host refuses every addition until {scope.size - scope.cap} characters are free"
        cold = "archive what is cold: scripts/dynmem-watchdog.py, or remove entries"
        yield Fault(0, message, cold if grammar.is_index(scope.index) else "make topics of it: memory-shaper migrate")


def near_cap(scope: Scope) -> Iterator[Fault]:
    """Close to the cap the next entry may not fit."""
    if scope.cap is not None and scope.near * scope.cap < scope.size <= scope.cap:
        yield Fault(0, f"{scope.cap - scope.size} characters are left below the cap of {scope.cap}")


def heading_without_routing_rule(scope: Scope) -> Iterator[Fault]:
    """The rule that a touched line means reading its file is resident only if the heading says it."""
    if any(scope.lines(Kind.ENTRY)) and not any(
        word in grammar.heading(scope.index).casefold() for word in ROUTING_WORDS
    ):
        yield Fault(
            0, "the heading does not say that the lines are a routing table", "memory-shaper fix --heading full"
        )


def lines_compete(scope: Scope) -> Iterator[Fault]:
    """Two entries that share most of their keywords steal each other's questions."""
    often = Counter(chain.from_iterable(row.words for row in scope.rows))
    telling = {word for word, count in often.items() if 1 < count <= _MANY_LINES}
    holders: dict[str, list[int]] = defaultdict(list)
    for row in scope.rows:
        for word in telling.intersection(row.words):
            holders[word].append(row.number)
    shared = Counter(pair for word in sorted(telling) for pair in combinations(holders[word], 2))
    sizes = {row.number: len(set(row.words)) for row in scope.rows} if shared else {}
    for (earlier, later), count in sorted(shared.items()):
        if count >= _MOST_SHARED * min(sizes[later], sizes[earlier]):
            yield Fault(later, f"shares {count} keywords with line {earlier}: the two lines compete")


def topic_orphan(scope: Scope) -> Iterator[Fault]:
    """A topic file that no line names is never read."""
    if scope.folder is None or not grammar.is_index(scope.index):
        return
    exact = {row.entry.target for row in scope.rows}
    loose = {names.same(target) for target in exact}
    for name in sorted(scope.folder.files - exact):
        if names.is_topic(name, scope.folder.files) and names.same(name) not in loose:
            fix = f"keyword,keyword,keyword,keyword,keyword → {name}"
            yield Fault(0, f'topic file "{_clean(name)}" has no entry', fix)


def conflict_copy(scope: Scope) -> Iterator[Fault]:
    """A sync service left a second version of a file beside it."""
    for name in sorted(scope.folder.files if scope.folder else ()):
        if original := names.conflict_copy_of(name, scope.folder.files if scope.folder else ()):
            fix = f"memory-shaper merge '{_clean(original)}'"
            yield Fault(0, f'"{_clean(name)}" is a conflict copy of "{_clean(original)}"', fix)


def name_twins(scope: Scope) -> Iterator[Fault]:
    """Two files whose names differ in case or Unicode form only: other systems can hold just one of them."""
    for twins in scope.files_by_form.values():
        if len(twins) > 1:
            yield Fault(0, f"{', '.join(map(_clean, twins))} differ in case or Unicode form only")


def not_downloaded(scope: Scope) -> Iterator[Fault]:
    """A cloud drive keeps only a placeholder of a file here."""
    for name in sorted(scope.folder.files if scope.folder else ()):
        if name.startswith(".") and name.endswith(".md.icloud"):
            yield Fault(0, f'"{_clean(name[1:-7])}" is not downloaded, only its placeholder is here')


def _clean(name: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in name)
