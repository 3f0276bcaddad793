"""Bringing two versions of an index together, entry by entry: with their common ancestor, or without one. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from . import grammar, host, names
from .model import Entry, Kind

Key = tuple[str, str, int]
_OURS, _BASE, _MIDDLE, _THEIRS = "<<<<<<<", "|||||||", "=======", ">>>>>>>"
_HEADING: Key = ("heading", "", 0)


@dataclass(frozen=True, slots=True)
class Merged:
    """The merged text, and what both sides changed in different ways: names of targets, or the first words of a text;
    the text is meaningless where there is any."""

    text: str
    conflicts: tuple[str, ...] = ()


def three_way(base: str, ours: str, theirs: str) -> Merged:
    """The text `ours` with what changed between `base` and `theirs`; entries are told apart by their target.

    Order: that of `theirs` where ours still has the order of the base, else that of ours.
    """
    return _brought_together(base, ours, theirs, lambda _was, _here, there: there)


def settled(base: str, ours: str, theirs: str, most: int) -> Merged:
    """Like `three_way`, but what both sides changed is settled and the text is whole; `conflicts` names those places.

    A line that both changed has the keywords that either added, without those that either took out (at most `most`,
    ours first), and the mark of the side that changed it. What one side changed and the other removed stays. Of two
    headings ours stays.
    """

    def settle(was: str | None, here: str | None, there: str | None) -> str | None:
        if here is None or there is None:
            return here or there
        return _rejoined(was, here, there, most)

    return _brought_together(base, ours, theirs, settle)


Settle = Callable[[str | None, str | None, str | None], str | None]


def _brought_together(base: str, ours: str, theirs: str, settle: Settle) -> Merged:
    old, mine, other = _keyed(base), _keyed(ours), _keyed(theirs)
    values: dict[Key, str] = {}
    conflicts: list[str] = []
    for key in {**mine, **other}:
        was, here, there = old.get(key), mine.get(key), other.get(key)
        value = here if was == there else there
        if here not in (was, there) and was != there:
            conflicts.append(key[1][:40] or key[0])
            value = settle(was, here, there)
        if value is not None:
            values[key] = value
    still = [key for key in mine if key in old] == [key for key in old if key in mine]
    first, second = (other, mine) if still else (mine, other)
    order = _woven([key for key in first if key in values], second, values)
    return Merged(_written((values[key] for key in order), ours), tuple(conflicts))


def union(ours: str, theirs: str, most: int) -> str:
    """Both texts in one: every line of ours, then what only theirs has, at its place; one line a target.

    Two lines for one target become one with the keywords of both (ours first, at most `most`) and the stronger mark.
    """
    mine, other = _single(ours, most), _single(theirs, most)
    values = {**other, **mine}
    for key in mine.keys() & other.keys():
        values[key] = _joined(mine[key], other[key], most)
    return _written((values[key] for key in _woven(list(mine), other, values)), ours)


def _single(text: str, most: int) -> dict[Key, str]:
    """The host entries of a text like `_keyed`, with one line a target."""
    found: dict[Key, str] = {}
    for (kind, name, number), part in _keyed(text).items():
        key = (kind, name, 1 if kind == "entry" else number)
        found[key] = _joined(found[key], part, most) if key in found else part
    return found


def sides(text: str) -> tuple[str, str] | None:
    """The two versions in a text with the merge markers of a version control system, None where it has none."""
    ours: list[str] = []
    theirs: list[str] = []
    into: tuple[list[str], ...] = (ours, theirs)
    marked = False
    for line in text.splitlines(keepends=True):
        turn = {_OURS: (ours,), _BASE: (), _MIDDLE: (theirs,), _THEIRS: (ours, theirs)}.get(line[:7])
        if turn is not None and (marked or line.startswith(_OURS)):
            into, marked = turn, True
            continue
        for side in into:
            side.append(line)
    return ("".join(ours), "".join(theirs)) if marked else None


def _keyed(text: str) -> dict[Key, str]:
    """The host entries of a text in order, each under what makes it the same entry in another version."""
    found: dict[Key, str] = {}
    times: dict[tuple[str, str], int] = {}
    for place, part in enumerate(grammar.parts(grammar.parse(text))):
        kind, name = _identity(part)
        if place == 0 and part.startswith("#"):
            found[_HEADING] = part
            continue
        times[kind, name] = times.get((kind, name), 0) + 1
        found[kind, name, times[kind, name]] = part
    return found


def _identity(part: str) -> tuple[str, str]:
    line = grammar.parse_line(part) if "\n" not in part else None
    if line is not None and line.kind is Kind.ENTRY and line.entry is not None:
        return "entry", names.same(line.entry.target)
    return "text", part


def _woven(order: list[Key], reference: Iterable[Key], values: Mapping[Key, str]) -> list[Key]:
    """The keys in order, with those that only the reference has behind the key that they follow there."""
    known = set(order)
    followers: dict[Key | None, list[Key]] = {}
    last: Key | None = None
    for key in reference:
        if key in known:
            last = key
        elif key in values:
            followers.setdefault(last, []).append(key)
    woven = list(followers.get(None, ()))
    if order and order[0] == _HEADING:
        woven = [_HEADING, *followers.get(_HEADING, ()), *woven]
        order = order[1:]
    for key in order:
        woven += [key, *followers.get(key, ())]
    return woven


def _joined(one: str, two: str, most: int) -> str:
    mine, other = grammar.parse_line(one).entry, grammar.parse_line(two).entry
    if one == two or "\n" in one or mine is None or other is None:
        return one
    words = tuple(dict.fromkeys((*mine.keywords, *other.keywords)))[: max(most, len(mine.keywords))]
    mark = max(mine.mark, other.mark, key=len)
    if (mark, words) == (mine.mark, mine.keywords):
        return one
    return str(replace(mine, mark=mark, keywords=words))


def _rejoined(was: str | None, one: str, two: str, most: int) -> str:
    """A line that both sides made of the line `was`; too few keywords left, and none is taken out."""
    old, mine, other = (grammar.parse_line(part).entry if part else None for part in (was, one, two))
    if old is None or mine is None or other is None or "\n" in one + two:
        return _joined(one, two, most)
    kept = [word for word in mine.keywords if word not in old.keywords or word in other.keywords]
    added = [word for word in other.keywords if word not in old.keywords and word not in kept]
    words = tuple([*kept, *added][: max(most, len(mine.keywords))])
    if len(words) < min(len(mine.keywords), len(other.keywords)):
        return _joined(one, two, most)
    marks = {mine.mark, other.mark} - {old.mark}
    return str(replace(mine, mark=max(marks, key=len, default=old.mark), keywords=words))


def _written(parts: Iterable[str], like: str) -> str:
    index = grammar.parse(like)
    end = grammar.newline(index)
    final = end if index.lines and index.lines[-1].ending else ""
    text = host.join(parts).replace("\n", end)
    return index.bom + text + (final if text else "")


def targets(text: str) -> list[str]:
    """The targets of a text's entries, in order."""
    return [entry.target for _, entry in grammar.parse(text).entries()]


def entry_for(text: str, target: str) -> Entry | None:
    """The first entry of a text for a target, in any spelling of its name."""
    found = (entry for _, entry in grammar.parse(text).entries() if names.same(entry.target) == names.same(target))
    return next(found, None)
