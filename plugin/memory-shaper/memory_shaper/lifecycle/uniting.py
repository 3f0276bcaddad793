"""Planning what unites topics: a merge, a group, a passage that was corrected. Shell: reads topic files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from .. import archive, edit, grammar, host, keywords, names, rules, store
from ..archive import Plan, Shelf
from ..errors import Refused
from ..model import CRITICAL, Entry, Folder
from .joining import grouped, joined_keywords, merged
from .scene import Made, Scene, entry_of, leaving, text, words

_LEVEL = re.compile(r"^level[ \t]*:[ \t]*(\d{1,3})[ \t]*\r?$", re.MULTILINE)
_AROUND = "\n\r"


def merge(at: Scene, payload: Mapping[str, object]) -> Made:
    """One topic takes in the passages and keywords of others, which go to the archive whole."""
    keeper = entry_of(at, text(payload, "into"))
    old = leaving(at, words(payload, "from"))
    _not_critical(keeper)
    if not old or any(names.same(name) == names.same(keeper.target) for name in old):
        raise Refused("there is nothing to merge into it")
    before = _read(at, keeper.target)
    after = merged(before, [_read(at, name) for name in old])
    entries = _entries(at, [keeper.target, *old])
    line, left = joined_keywords(entries)
    kept = Entry(keeper.mark, line if set(line) != set(keeper.keywords) else keeper.keywords, keeper.target)
    index = _with_line(archive.put_away(at.shelf, old).index, keeper, kept)
    told = f"{keeper.target} took in {', '.join(old)}" + (f"; {left} keywords did not fit its line" if left else "")
    return Made(_edits(at, old, index, keeper.target, before, after), told)


def group(at: Scene, payload: Mapping[str, object]) -> Made:
    """Several topics become one, each whole below its name; the files go to the archive."""
    old = leaving(at, words(payload, "from"))
    texts = [(name, _read(at, name)) for name in old]
    taken = {names.same(name) for name in at.shelf.live.files | at.shelf.live.folders | names.SYSTEM}
    name = archive.free_name(keywords.file_name(text(payload, "topic"), text(payload, "topic")), taken)
    level = 1 + max([1, *(int(found[1]) for _, one in texts if (found := _LEVEL.search(one[:2000])))])
    after = grouped(name.removesuffix(".md").replace("-", " "), texts, level)
    line, left = joined_keywords(_entries(at, old))
    index = archive.put_away(at.shelf, old).index
    index = grammar.render(grammar.append_entry(grammar.parse(index), str(Entry("", line, name))))
    told = f"{name} holds {', '.join(old)} now" + (f"; {left} keywords did not fit its line" if left else "")
    return Made(_edits(at, old, index, name, None, after), told)


def correct(at: Scene, payload: Mapping[str, object]) -> Made:
    """A passage that a later one of the same topic corrects is taken out; it stays in the history."""
    entry = entry_of(at, text(payload, "topic"))
    _not_critical(entry)
    before, passage = _read(at, entry.target), text(payload, "replaces")
    if not passage or before.count(passage) != 1:
        raise Refused("the corrected passage no longer stands in the topic file just once; nothing was changed")
    start = before.index(passage)
    head, tail = before[:start], before[start + len(passage) :]
    after = head.rstrip(_AROUND) + tail if not tail.strip() else head + tail.lstrip(_AROUND)
    data = (one.encode("utf-8", "surrogateescape") for one in (before, after))
    return Made((edit.NewText(entry.target, *data),), f"{entry.target} no longer holds the passage that it corrects")


def _not_critical(entry: Entry) -> None:
    if entry.mark == CRITICAL:
        raise Refused(f"{entry.target} is critical (`!!`): clear the mark first")


def _read(at: Scene, name: str) -> str:
    data = store.read_bytes(at.home.memories / name)
    if data is None:
        raise Refused(f"{name} is gone; reject the proposal")
    return data.decode("utf-8", "surrogateescape")


def _entries(at: Scene, wanted: Sequence[str]) -> list[Entry]:
    return [entry_of(at, name) for name in wanted]


def _with_line(text_: str, old: Entry, new: Entry) -> str:
    index = grammar.parse(text_)
    for number, entry in list(index.entries()):
        if entry.target == old.target and entry != new:
            index = grammar.replace_line(index, number, archive.written(new))
    return grammar.render(index)


def _edits(
    at: Scene, old: Sequence[str], index: str, name: str, before: str | None, after: str
) -> tuple[edit.Edit, ...]:
    """The topic first, then the old files, the archive index, and the live index last."""
    away = archive.put_away(at.shelf, old)
    _check(at, away, index, name)
    was = None if before is None else before.encode("utf-8", "surrogateescape")
    topic = edit.NewText(name, was, after.encode("utf-8", "surrogateescape"))
    plan = Plan(index, away.archive, away.moves)
    moves = edit.edits_to_archive(at.home, plan, at.index, at.shelved)
    return (*([topic] if topic.before != topic.after else []), *moves)


def _check(at: Scene, away: Plan, index: str, name: str) -> None:
    """Raises Refused where the index would have an error that it does not have now, or would not fit."""
    gone = {moved for moved, _ in away.moves}
    live = at.shelf.live
    after = Shelf(index, away.archive, Folder((live.files - gone) | {name}, live.folders), at.shelf.archived)
    old = rules.check(rules.Scope(at.shelf.index, live, at.settings.cap))
    new = rules.check(rules.Scope(after.index, after.live, at.settings.cap))
    if fresh := rules.new_errors(old, new):
        raise Refused(f"{fresh[0].message} ({fresh[0].rule}); the index would have {host.size(index):,} characters")
