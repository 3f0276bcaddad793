"""`index`: the sidecar in step with the files, and what is gathered from the notes."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from ..recall import gathered
from ..recall.company import find_likely
from ..recall.find import Finder, finder
from ..recall.gathering import gather, settle_words
from ..recall.likeness import Pair
from ..recall.sessions import refresh_sessions
from ..recall.sidecar import Report, Sidecar
from ..recall.word_lists import Lists, word_lists
from .change import must_be_home
from .request import Json, Outcome, Request
from .screen import counted, visible

if TYPE_CHECKING:
    from ..recall.vectors.meaning import Built


def index(request: Request) -> Outcome:
    """Bring the sidecar in step, or build it anew; gather names and new words; find likely synonyms."""
    lists = word_lists(request.home)
    must_be_home(request.home)
    with finder(request.home) as notes:
        sidecar = notes.sidecar
        if request.flag("rebuild"):
            sidecar.rebuild_file("built anew")
        report = sidecar.refresh()
        sessions = 0 if request.home.folder else refresh_sessions(sidecar, request.home.path / "state.db")
        more, likely = _gathered(sidecar, lists), _likely(request, sidecar, lists)
        built = _vectors(request, notes)
    rows = [f"{pair.word}, {pair.other}" for pair in likely]
    talk = [request.place, *report.notes, *(f"{visible(one.name)}: {one.reason}" for one in report.skipped)]
    talk += [f"left out: {fault}" for fault in lists.faults]
    if request.flag("synonyms"):
        talk.append(f"{counted(len(likely), 'pair')} of likely synonyms; paste into synonyms.txt what is right")
    if built and built.trouble:
        talk.append(f"embeddings: {built.trouble}")
    data: Json = {"home": str(request.home.path)} | _data(report, sessions) | more
    data |= {"synonyms": [_pair(pair) for pair in likely], "vectors": asdict(built) if built else None}
    text = "\n".join([_summary(report, sessions, built), *map(visible, rows)])
    return Outcome(text, data, 1 if built and built.trouble else 0, "\n".join(talk))


def _vectors(request: Request, notes: Finder) -> Built | None:
    """Give every passage its vector; None where no endpoint is set."""
    if not request.settings["embedding_url"]:
        return None
    return notes.meaning.build(notes.sidecar.files(), request.settings, request.flag("rebuild"))


def _gathered(sidecar: Sidecar, lists: Lists) -> Json:
    done = gather(sidecar)
    settled = settle_words(sidecar, lists.words)
    words = list(gathered.project_words(sidecar.connection))
    return {"gathered": done.notes, "words": words, "recut": settled.recut}


def _likely(request: Request, sidecar: Sidecar, lists: Lists) -> list[Pair]:
    if not request.flag("synonyms"):
        return []
    return find_likely(sidecar, int(request.settings.number("synonym_min_notes")), lists.synonyms)


def _pair(pair: Pair) -> Json:
    return {"word": pair.word, "other": pair.other, "shared": pair.shared, "jaccard": pair.jaccard}


def _data(report: Report, sessions: int) -> Json:
    return {
        "added": report.added,
        "changed": report.changed,
        "removed": report.removed,
        "kept": report.kept,
        "sessions": sessions,
        "skipped": [{"name": one.name, "reason": one.reason} for one in report.skipped],
        "notes": report.notes,
    }


def _summary(report: Report, sessions: int, built: Built | None) -> str:
    embedded = f"; {built.embedded} passages embedded, {built.known} of {built.passages} in all" if built else ""
    return (
        f"{len(report.added)} added, {len(report.changed)} changed, {len(report.removed)} removed, {report.kept} kept; "
        f"{counted(sessions, 'new message')} of past sessions{embedded}"
    )
