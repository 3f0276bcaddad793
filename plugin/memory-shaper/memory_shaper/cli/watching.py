"""`maintain` and `watch`: the watchdog's day of work, and looking on while the memory is worked on."""

from __future__ import annotations

import json
from pathlib import Path

from .. import edit
from ..errors import MemoryShaperError
from ..recall.find import finder
from ..recall.gathering import gather, settle_words
from ..recall.word_lists import word_lists
from ..settings import Home
from ..watchdog import door, live
from .request import Outcome, Request
from .screen import utc


def maintain(request: Request) -> Outcome:
    """Tally, order, archive what is cold; or say what would be done."""
    home, settings = request.home, request.settings
    report, explain = request.flag("report"), request.flag("explain")
    if report or request.dry_run or explain:
        said = door.rehearsed(home, settings, report, explain)
    else:
        said = door.done(home, settings, request.flag("json"))
    if said is None:
        return Outcome(talk=f"{request.place}: no memories folder, nothing to do")
    data = dict(said.data) if request.flag("json") else {}
    return Outcome(said.text, data, talk="" if said.text else "nothing to say: all is in order")


def watch(request: Request) -> Outcome:
    """Say what changes in the memories folder until the user interrupts."""
    as_json = request.flag("json")

    def say(line: str) -> None:
        print(json.dumps({"at": utc(edit.now()), "said": line}, ensure_ascii=False) if as_json else line, flush=True)

    def refresh() -> None:
        try:
            in_step(request.home)
        except (MemoryShaperError, OSError) as error:
            say(f"the sidecar is behind the files: {error}")

    shown = Path(request.screen.path(request.home.memories))
    code = live.watch(request.home, request.settings, request.flag("poll"), say, refresh=refresh, shown=str(shown))
    return Outcome(code=code)


def in_step(home: Home) -> None:
    """Bring the sidecar in step with all files that a search looks at. Raises Busy, SidecarError, OSError."""
    with finder(home) as notes:
        notes.sidecar.refresh()
        gather(notes.sidecar)
        settle_words(notes.sidecar, word_lists(home).words)
