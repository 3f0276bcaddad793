"""`route`: which lines of the index does a question touch?"""

from __future__ import annotations

from dataclasses import replace

from .. import edit, grammar, store, yamlfile
from ..errors import Unreadable, Usage
from ..model import Entry
from ..recall.cases import BadCases, Case, read_cases, run_cases, surely
from ..recall.cases import Outcome as Tried
from ..recall.find import Ask
from ..recall.fronts import Fronts
from ..recall.fuzzy import near_words
from ..recall.matching import How, Routed
from ..recall.route import LEAST, Router
from ..recall.standing import Viewer
from ..recall.word_lists import word_lists
from .recall import day_of, found_data, found_for, here, hit_lines, troubles
from .request import Json, Outcome, Request
from .screen import counted, table, visible

_HITS = 3
_NO_TROUBLE: Json = {"stale": "", "degraded": "", "error": ""}


def route(request: Request) -> Outcome:
    """The lines that an utterance touches, or the outcome of a file of tests."""
    document = store.read(request.home.index)
    router = Router(_standing(request, document.text), near_words(), word_lists(request.home).synonyms)
    if request.text("test"):
        return _tested(request, router)
    if "utterance" not in request.values or request.values["utterance"] is None:
        raise Usage("memory-shaper route: give a question, or --test FILE")
    return _routed(request, router.route(request.text("utterance")))


def _standing(request: Request, text: str) -> list[Entry]:
    """The entries whose topics stand for the user; with --test all of them, since that is about the lines."""
    entries = [entry for _, entry in grammar.parse(text).entries()]
    if request.text("test"):
        return entries
    day, settings = day_of(request, "as_of"), request.settings
    project = request.text("project") or str(settings["project"])
    viewer = Viewer(str(settings["agent"]), project, here(), day or edit.now().date(), day is not None)
    return Fronts(request.home.memories).shown(entries, viewer)


def _routed(request: Request, routes: list[Routed]) -> Outcome:
    sure = surely(routes)
    data: Json = {"home": str(request.home.path), "utterance": request.text("utterance")}
    data |= {"routes": [_route_data(one) for one in routes]}
    lines = table([_row(one, request.flag("explain")) for one in routes]) if routes else []
    if sure:
        talk = [request.place]
        if all(match.how is How.SYNONYM for match in sure.matches):
            talk.append("0 literal matches: only synonyms kept by hand lead to this line")
        return Outcome("\n".join(lines), data | {"hits": []} | _NO_TROUBLE, 0, "\n".join(talk))
    asked = Ask(request.text("utterance"), _HITS, project=request.text("project"), folder=here())
    found = found_for(request, replace(asked, as_of=day_of(request, "as_of")))
    why = "no line surely matches" if routes else "no line matches: 0 literal matches"
    talk = [request.place, f"{why}; the sidecar finds {counted(len(found.hits), 'note')}", *troubles(found)]
    lines += [line for one in found.hits for line in hit_lines(request, one, request.flag("explain"))]
    return Outcome("\n".join(lines), data | found_data(found), 1 if found.error else 0, "\n".join(talk))


def _row(one: Routed, explain: bool) -> tuple[str, ...]:
    sure = "" if one.confidence >= LEAST else "(unsure)"
    row = (visible(one.entry.target), f"{one.confidence:.2f}", sure)
    return (*row, visible(one.why)) if explain else row


def _route_data(one: Routed) -> Json:
    matches = [
        {"keyword": match.keyword, "words": match.words, "how": match.how.value, "worth": match.worth}
        for match in one.matches
    ]
    return {
        "target": one.entry.target,
        "keywords": list(one.entry.keywords),
        "score": one.score,
        "confidence": one.confidence,
        "sure": one.confidence >= LEAST,
        "matches": matches,
    }


def _tested(request: Request, router: Router) -> Outcome:
    cases = cases_of(request)
    tried = run_cases(router, cases)
    failures = [one for one in tried if not one.right]
    right = len(tried) - len(failures)
    data: Json = {
        "home": str(request.home.path),
        "utterance": None,
        "routes": [],
        "hits": [],
        "tests": len(tried),
        "right": right,
        "failures": [_failure_data(one) for one in failures],
        **_NO_TROUBLE,
    }
    lines = [_failure_line(one) for one in failures]
    lines.append(f"{right} of {counted(len(tried), 'question')} routed as expected")
    return Outcome("\n".join(lines), data, 1 if failures else 0, request.place)


def cases_of(request: Request) -> list[Case]:
    """The questions of the file that `--test` names. Raises Missing or Unreadable."""
    path = request.path("test")
    document = store.read(path) if path else None
    try:
        return read_cases(yamlfile.parse(document.text if document else "", frozenset({"tests"})))
    except yamlfile.BadYaml as error:
        place = f":{error.line}" if error.line else ""
        raise Unreadable(f"{request.text('test')}{place}: {error}") from error
    except BadCases as error:
        raise Unreadable(f"{request.text('test')}: {error}") from error


def _failure_data(one: Tried) -> Json:
    return {
        "question": one.case.question,
        "expect": list(one.case.expect),
        "got": one.got.entry.target if one.got else None,
        "why": one.got.why if one.got else "",
    }


def _failure_line(one: Tried) -> str:
    expect = " or ".join(one.case.expect) or "no line"
    got = f"{one.got.entry.target} by {one.got.why}" if one.got else "no line"
    return visible(f"{one.case.question}: expected {expect}, got {got}")
