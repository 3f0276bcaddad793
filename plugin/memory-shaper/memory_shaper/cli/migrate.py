"""`migrate`: take over a prose memory, an older index or the export of another memory; a plan first."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from .. import edit, grammar, headings, host, names, rules, store
from ..archive import Plan as Shelving
from ..archive import Shelf
from ..edit import Edit, NewText
from ..errors import Usage
from ..migrate import sources
from ..migrate.memory import Aim, imported, is_index, plan_index, plan_prose
from ..migrate.parts import Plan, Sighting, Taken, Topic
from ..migrate.tally import FILE, Count, read_tally
from ..model import Folder
from ..record import EventKind, Record, Use, Watermark, digest_of
from ..secrets import masked
from .change import Change, must_exist, perform
from .request import Json, Outcome, Request
from .screen import counted, visible

_OTHER_VERBS = ("topic-orphan", "near-cap", "conflict-copy", "name-twins", "not-downloaded")
_LONGEST_FACT = 70  # characters of a text that are shown to know it by


def migrate(request: Request) -> Outcome:
    """Show the plan; with `--apply` carry it out, in one change that `undo` takes back."""
    if request.flag("apply") and request.dry_run:
        raise Usage("memory-shaper migrate: choose one of --apply and --dry-run")
    values = {**request.values, "dry_run": not request.flag("apply")}
    must_exist(request.home)
    source = request.path("source")
    kind = request.text("from") or sources.kind_of(request.home, source)
    if kind == sources.FOLDER and source is None:
        source = request.home.memories
    if kind in sources.EXPORTS and source is None:
        raise Usage(f"memory-shaper migrate: name the export: memory-shaper migrate --from {kind} FILE")
    if kind == sources.REFERENCE and source is not None:
        raise Usage("memory-shaper migrate: an index is put right where it lies; name its home with --home DIR")
    make = replace(request, values=values)
    return perform(make, lambda record: _change(make, kind, source, record))


def _change(request: Request, kind: str, source: Path | None, record: Record | None) -> Change:
    shelf, index, shelved = edit.shelf(request.home)
    aim = _aim(request, kind)
    counts, tally_note = _tally(request) if source is None else ([], "")
    if source is not None:
        taken = sources.take(kind, source, request.home)
        plan = imported(taken, shelf, aim, sources.known_lines(request.home))
    elif is_index(shelf.index, shelf.live):
        taken = Taken(())
        plan = plan_index(shelf, aim, _reads(counts, record))
    else:
        taken = Taken(())
        plan = plan_prose(shelf, aim)
    edits = _edits(request, plan, index, shelved)
    notes = (
        *plan.notes,
        *_sightings(plan.secrets),
        *_faults(taken),
        *_left(request, plan, shelf),
        *tally_note.split("\n"),
    )
    then = _counted_in(counts) if counts and edits else None
    told = f"migrated {kind}: {counted(len(plan.topics), 'topic file')}, {counted(_lines(plan), 'entry')} in the index"
    shown = _shown(request, plan, kind) if edits else ""
    next_step = () if request.flag("apply") or not edits else ("to do it, run the same with --apply",)
    return Change(
        edits, EventKind.CHANGED, "migrate", told, notes=tuple(filter(None, (*notes, *next_step))),
        extra=_data(request, plan, kind, taken), shown=shown, then=then,
    )  # fmt: skip


def _aim(request: Request, kind: str) -> Aim:
    block = headings.heading(str(request.settings["heading"]), headings.shown(request.home))
    return Aim(block, request.settings.cap, _segmenter(request), kind != sources.REFERENCE, request.settings.rules)


def _segmenter(request: Request) -> Callable[[str], list[str]]:
    """Chinese words from jieba, loaded at the first Chinese text; a dry run keeps no cache of its dictionary."""
    from ..recall.jieba_words import JiebaWords

    cut = JiebaWords(Path(os.devnull, "none") if request.dry_run else request.home.data / "jieba")
    return lambda run: list(cut(run))


def _tally(request: Request) -> tuple[list[Count], str]:
    document = store.read_if_there(request.home.memories / FILE)
    if document is None:
        return [], ""
    counts = read_tally(document.text)
    if counts is None:
        return [], f"{FILE} cannot be understood; it stays as it is and nothing is counted"
    return counts, f"{FILE}: the reads of {counted(len(counts), 'file')} are counted in the record"


def _reads(counts: list[Count], record: Record | None) -> dict[str, int]:
    known = {topic.name: topic.count for topic in record.uses.topics()} if record else {}
    return {**known, **{count.name: max(count.reads, known.get(count.name, 0)) for count in counts}}


def _counted_in(counts: list[Count]) -> Callable[[Record], None]:
    def count_in(record: Record) -> None:
        uses = [Use(one.name, one.last, FILE, str(number)) for one in counts for number in range(one.reads)]
        days = sorted(one.last for one in counts)
        mark = Watermark(FILE, digest_of(FILE.encode()), 1, days[0], days[-1], edit.now())
        record.uses.tally_batch(uses, mark)

    return count_in


def _edits(request: Request, plan: Plan, index: bytes | None, shelved: bytes | None) -> list[Edit]:
    """New files first, then moves and the archive index, the live index last."""
    folder = names.ARCHIVE_FOLDER
    made: list[Edit] = [
        NewText(f"{folder}/{one.name}" if one.archived else one.name, None, one.data)
        for one in plan.topics
        if not one.here
    ]
    if not plan.archive and shelved is None:
        rest = [NewText(names.INDEX, index, plan.index.encode())]
        return [*made, *(one for one in rest if one.before != one.after and (one.after or one.before))]
    moved = Shelving(plan.index, plan.archive, plan.moves)
    return made + edit.edits_to_archive(request.home, moved, index, shelved)


def _lines(plan: Plan) -> int:
    return sum(1 for _ in grammar.parse(plan.index).entries())


def _sightings(secrets: tuple[Sighting, ...]) -> list[str]:
    if not secrets:
        return []
    is_ = "is" if len(secrets) == 1 else "are"
    places = "".join(f"\n  {one.file or 'line'}{':' if one.file else ' '}{one.line}: {one.kind}" for one in secrets)
    return [
        f"{counted(len(secrets), 'part')} of the texts {is_} never kept and will be taken out of the new files: put "
        f"away safely what you still need before `--apply` (the journal has the old text for `undo`, until "
        f"`forget --purge`; files that are in the folder stay as they are):{places}"
    ]


def _faults(taken: Taken) -> list[str]:
    return [f"left out: {visible(masked(fault))}" for fault in taken.faults]


def _left(request: Request, plan: Plan, shelf: Shelf) -> list[str]:
    """What the rules will have to say about both indexes, but for hints that another verb is about."""
    gone, come = {old for old, _ in plan.moves}, {new for _, new in plan.moves}
    live = {names.INDEX, *(one.name for one in plan.topics if not one.archived)}
    shelved = come.union(one.name for one in plan.topics if one.archived)
    places = (
        (names.INDEX, plan.index, Folder((shelf.live.files | live) - gone), request.settings.cap),
        (names.ARCHIVE_INDEX, plan.archive, Folder(shelf.archived.files | shelved), None),
    )
    return [note for place in places if place[1].strip() for note in _findings(*place)]


def _findings(file: str, text: str, folder: Folder, cap: int | None) -> list[str]:
    found = rules.check(rules.Scope(text, folder, cap), ignore=_OTHER_VERBS)
    lines = "".join(f"\n  line {one.line}: {visible(masked(one.message))} ({one.rule})" for one in found)
    return [f"{file}: {counted(len(found), 'finding')} left that need a decision:{lines}"] if found else []


def _shown(request: Request, plan: Plan, kind: str) -> str:
    """The plan as text: each topic with where its texts come from, why they belong together, and its keywords."""
    rows = [f"plan for {request.screen.path(request.home.memories)} ({kind}):"]
    for one in plan.topics:
        rows += _topic_rows(one)
    rows += [f"{visible(old)} → {names.ARCHIVE_FOLDER}/{visible(new)}" for old, new in plan.moves]
    size, cap = host.size(plan.index), request.settings.cap
    archived = sum(1 for one in plan.topics if one.archived)
    rows.append(
        f"index: {counted(_lines(plan), 'entry')}, {size:,} of {cap:,} characters ({100 * size // cap} %); "
        f"{counted(archived, 'new topic file')} in the archive"
    )
    return "\n".join(rows)


def _topic_rows(one: Topic) -> list[str]:
    where = f"{names.ARCHIVE_FOLDER}/{one.name}" if one.archived else one.name
    pieces = one.group.pieces
    why = f" ({len(pieces)} texts that {one.group.why})" if one.group.why else ""
    texts = [f"    {_fact(piece.file) or piece.number}: {_fact(piece.text)}" for piece in pieces]
    return [f"  {visible(where)}{why}", f"    {','.join(one.keywords)}", *texts]


def _fact(text: str) -> str:
    words = " ".join(visible(masked(text)).split())
    return words if len(words) <= _LONGEST_FACT else words[: _LONGEST_FACT - 1] + "…"


def _data(request: Request, plan: Plan, kind: str, taken: Taken) -> Json:
    return {
        "source": kind,
        "topics": [
            {
                "file": one.name,
                "archived": one.archived,
                "keywords": list(one.keywords),
                "texts": [
                    {"number": piece.number, "line": piece.line, "file": masked(piece.file)}
                    for piece in one.group.pieces
                ],
                "why": one.group.why,
            }
            for one in plan.topics
        ],
        "secrets": [{"kind": one.kind, "line": one.line, "file": one.file} for one in plan.secrets],
        "left_out": [masked(fault) for fault in taken.faults],
        "chars": host.size(plan.index),
        "cap": request.settings.cap,
    }
