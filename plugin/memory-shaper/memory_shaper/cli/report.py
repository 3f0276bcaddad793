"""`report`: writes the page about a home, and shows it where that is asked for."""

from __future__ import annotations

import os
from pathlib import Path

from .. import edit, store
from ..errors import Refused
from ..report.data import data
from ..report.facts import Report
from ..report.gather import gather
from ..report.page import SIGN, render
from ..settings import Home
from .change import must_exist
from .request import Outcome, Request

_NAME = "report.html"
_STYLE = Path(__file__).parents[1] / "report" / "style.css"


def report(request: Request) -> Outcome:
    """Gather, render, write; with `--json` the data, and a file only where one is named."""
    must_exist(request.home)
    facts = gather(request.home, request.settings, edit.now(), request.flag("with_content"))
    named = request.path("output")
    path = None
    if named or request.flag("open") or not request.flag("json"):
        path = named or request.home.data / _NAME
        _write(request, path, facts)
    talk = [request.place]
    if path and request.flag("open") and not _opened(path):
        talk.append("no browser could be started; open the file by hand")
    shown = request.screen.path(path) if path else ""
    return Outcome(shown, data(facts) | {"file": shown or None}, 0, "\n".join(talk))


def _write(request: Request, path: Path, facts: Report) -> None:
    before = _may_replace(request.home, path, request.flag("force"))
    if path.parent == request.home.data:
        edit.make_folder(request.home, path.parent)
    page = render(facts, _STYLE.read_text(encoding="utf-8"))
    store.write(path, page.encode(), before)
    if path.parent == request.home.data:
        path.chmod(0o600)


def _may_replace(home: Home, path: Path, force: bool) -> bytes | None:
    """What the file holds now. Raises Refused where it is not to be replaced."""
    if path.is_dir():
        raise Refused(f"{path}: this is a folder; name a file in it")
    real = Path(os.path.realpath(path))
    if real.is_relative_to(os.path.realpath(home.memories)):
        raise Refused(f"{path}: the memories folder holds memories only; choose another place")
    before = store.read_bytes(path)
    if before is None or before.startswith(SIGN.encode()):
        return before
    if real.is_relative_to(os.path.realpath(home.path)):
        raise Refused(f"{path}: a file of the home that is no report; choose another name")
    if not force:
        raise Refused(f"{path}: the file exists and is no report; choose another name, or add --force")
    return before


def _opened(path: Path) -> bool:
    import webbrowser

    return webbrowser.open(path.absolute().as_uri())
