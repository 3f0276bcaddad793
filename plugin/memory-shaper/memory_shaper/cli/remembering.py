"""`remember`: keep a text as a topic with its line, of a type, in a project, in place of older topics."""

from __future__ import annotations

from .. import edit
from ..errors import Usage
from ..lifecycle import applying
from ..lifecycle.scene import scene
from ..record import EventKind, Proposal
from .change import Change, must_exist, perform
from .recall import tags_of
from .request import Outcome, Request


def remember(request: Request) -> Outcome:
    """Write a text into a topic file and its line into the index."""
    must_exist(request.home)
    text = request.text("text")
    if not text.strip():
        raise Usage("memory-shaper remember: give the text")
    payload: dict[str, object] = {
        "text": text,
        "topic": request.text("topic"),
        "keywords": list(tags_of(request.text("keywords"))),
        "tags": list(tags_of(request.text("tags"))),
        "type": request.text("type"),
        "project": request.text("project"),
        "supersedes": list(tags_of(request.text("supersedes"))),
    }
    return perform(request, lambda record: _kept(request, payload))


def _kept(request: Request, payload: dict[str, object]) -> Change:
    made = applying.plan(scene(request.home, request.settings), Proposal("remember", edit.now(), payload=payload))
    return Change(made.edits, EventKind.CHANGED, "remember", made.told)
