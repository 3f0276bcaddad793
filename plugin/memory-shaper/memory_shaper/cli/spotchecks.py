"""`search --test`: the questions of a file put to the search, compared with an earlier run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path

from .. import store
from ..errors import Refused, Unreadable, Usage
from ..recall import spotchecks
from ..recall.cases import Case
from ..recall.find import Found, finder
from ..recall.folder import list_notes
from ..recall.search import Scope
from ..recall.spotchecks import DEPTHS, MOST, BadSnapshot, Change, Dropped, Level, Ranks, Tried, Verdict
from ..recall.standing import keys_of
from ..settings import Home
from .change import must_be_home
from .recall import ask_of, troubles
from .request import Json, Outcome, Request
from .routing import cases_of
from .screen import counted, visible


@dataclass(frozen=True, slots=True)
class _Run:
    """What a run found: how many questions the file has, those put and dropped, each depth, `found` with what was
    amiss; `changes` by depth, empty without an earlier run."""

    tests: int
    tried: Sequence[Tried]
    dropped: Sequence[Dropped]
    levels: Sequence[Level]
    changes: Sequence[Change]
    found: Found


def tested(request: Request) -> Outcome:
    """Put the questions of a file, save the ranks where asked to, and compare them with earlier ones.

    Raises Unreadable for a file that cannot be understood, Refused where another file stands in the place of the
    snapshot to be saved.
    """
    if request.text("scope") == Scope.SESSIONS:
        raise Usage("memory-shaper search: --test looks for files, which --scope sessions does not search")
    cases, before, old = cases_of(request), _before(request), _replaceable(request)
    run = _run(request, cases, before)
    path = request.path("save")
    if path is not None:
        store.write(path, spotchecks.snapshot(run.tried).encode(), old)
    lost = any(change.verdict is Verdict.LOST for change in run.changes)
    return Outcome("\n".join(_lines(run)), _data(request, run), int(lost), "\n".join(_talk(request, run)))


def _before(request: Request) -> Ranks | None:
    """The ranks of the earlier run, None where no comparison is asked for."""
    path = request.path("against")
    if path is None:
        return None
    try:
        return spotchecks.read_snapshot(store.read(path).text)
    except BadSnapshot as error:
        raise Unreadable(f"{path}: {error}; make one with --save") from error


def _replaceable(request: Request) -> bytes | None:
    """The bytes of the snapshot that is to be replaced, None where there is none yet."""
    path = request.path("save")
    if path is None:
        return None
    if Path(os.path.realpath(path)).is_relative_to(os.path.realpath(request.home.memories)):
        raise Refused(f"{path}: the memories folder is for notes; save the snapshot elsewhere")
    old = store.read_bytes(path)
    if old is not None:
        try:
            spotchecks.read_snapshot(old.decode("utf-8", "replace"))
        except BadSnapshot as error:
            raise Refused(f"{path}: {error}, so it is not overwritten; choose another name") from error
    return old


def _run(request: Request, cases: Sequence[Case], before: Ranks | None) -> _Run:
    kept, dropped = spotchecks.sift(cases, dict(_store(request.home, cases)))
    tried, found = _tried(request, kept)
    levels = [spotchecks.level(tried, depth) for depth in DEPTHS]
    changes = [] if before is None else [spotchecks.changed(tried, before, one) for one in levels]
    return _Run(len(cases), tried, dropped, levels, changes, found)


def _store(home: Home, cases: Sequence[Case]) -> dict[str, frozenset[str]]:
    """The words of each expected file that there is, by its key: read from the files, whatever the sidecar holds."""
    expected = spotchecks.wanted(cases)
    try:
        notes = list_notes(home.memories).found
    except OSError as error:
        raise Unreadable(f"{home.memories}: the folder cannot be read ({error.strerror})") from error
    words: dict[str, frozenset[str]] = {}
    for note in notes:
        for key in keys_of(note.name) & expected:
            text = (store.read_bytes(Path(note.path)) or b"").decode("utf-8", "replace")
            words[key] = words.get(key, frozenset()) | spotchecks.words_of(note.name, text)
    return words


def _tried(request: Request, cases: Sequence[Case]) -> tuple[list[Tried], Found]:
    """The ranks of all wordings, and the first answer with which something was amiss. Raises Unreadable."""
    ask, now = ask_of(request, MOST), datetime.now(UTC)
    tried, amiss = [], Found()
    must_be_home(request.home)
    with finder(request.home, request.settings) as notes:
        for case in cases:
            wordings = (case.question, *case.paraphrases)
            answers = [notes.find(replace(ask, question=wording), request.settings, now) for wording in wordings]
            amiss = next((one for one in (amiss, *answers) if troubles(one)), amiss)
            if error := next((found.error for found in answers if found.error), ""):
                raise Unreadable(f"the questions could not be put: {error}")
            rank, *others = (spotchecks.rank_of(case, [one.hit.name for one in found.hits]) for found in answers)
            tried.append(Tried(case, rank, tuple(others)))
    return tried, amiss


def _lines(run: _Run) -> Iterator[str]:
    for one in run.tried:
        if one.rank is None:
            yield visible(f"not in the first {MOST}: {one.case.question} ({' or '.join(one.case.expect)})")
    for level, change in zip_longest(run.levels, run.changes):
        if change:
            yield from (visible(f"won in the first {level.depth}: {question}") for question in change.won)
            yield from (visible(f"lost in the first {level.depth}: {question}") for question in change.lost)
    for level, change in zip_longest(run.levels, run.changes):
        yield _summary(level, change, len(run.tried))


def _summary(level: Level, change: Change | None, asked: int) -> str:
    parts = [f"first {level.depth}: {level.hits} of {counted(asked, 'question')}"]
    if level.paired:
        worded = f"{float(level.worded):.3g} in other words"
        parts.append(
            f"of {level.paired} with paraphrases {level.plain} as asked, {worded}: floor {float(level.floor):.1%}"
        )
    if change:
        parts.append(f"won {len(change.won)}, lost {len(change.lost)} of {change.compared}: {change.verdict}")
    return "; ".join(parts)


def _talk(request: Request, run: _Run) -> Iterator[str]:
    yield request.place
    yield f"{counted(len(run.tried), 'question')} of {run.tests} put to the search"
    yield from (f"dropped, {one.why}: {visible(one.wording)}" for one in run.dropped)
    if any(not change.compared for change in run.changes):
        yield "no question of this run stands in the earlier one: nothing was compared"
    if not any(level.paired for level in run.levels):
        yield "no question has paraphrases, so the floor is 0: every change counts"
    path = request.path("save")
    if path is not None:
        yield f"saved to {request.screen.path(path)}"
    yield from troubles(run.found)


def _data(request: Request, run: _Run) -> Json:
    return {
        "home": str(request.home.path),
        "query": None,
        "hits": [],
        "tests": run.tests,
        "asked": [_tried_data(one) for one in run.tried],
        "dropped": [{"wording": one.wording, "why": one.why.value} for one in run.dropped],
        "levels": [_level_data(*pair) for pair in zip_longest(run.levels, run.changes)],
        "saved": request.text("save") or None,
        "stale": run.found.stale,
        "degraded": run.found.degraded,
        "error": "",
    }


def _tried_data(one: Tried) -> Json:
    case = one.case
    others = [{"wording": text, "rank": rank} for text, rank in zip(case.paraphrases, one.others, strict=True)]
    return {"question": case.question, "expect": list(case.expect), "rank": one.rank, "paraphrases": others}


def _level_data(level: Level, change: Change | None) -> Json:
    data: Json = {"depth": level.depth, "hits": level.hits, "paired": level.paired, "plain": level.plain}
    data |= {"worded": round(float(level.worded), 4), "floor": round(float(level.floor), 4)}
    won, lost = (list(change.won), list(change.lost)) if change else ([], [])
    data |= {"compared": change.compared if change else None, "won": won, "lost": lost}
    return data | {"verdict": change.verdict.value if change else None}
