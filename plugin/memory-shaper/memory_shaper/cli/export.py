"""`export`: the memory as native prose again. Nothing that exists is ever overwritten."""

from __future__ import annotations

import os
from pathlib import Path

from .. import names, store
from ..errors import Refused, Usage
from ..migrate.prosing import Prose, to_prose
from .change import must_exist
from .request import Json, Outcome, Request
from .screen import counted, visible


def export(request: Request) -> Outcome:
    """The index and its topic files as `§` entries, on stdout or into a new file."""
    if not request.flag("native"):
        raise Usage("memory-shaper export: say in which form: memory-shaper export --native")
    must_exist(request.home)
    made = to_prose(store.read(request.home.index).text, lambda target: _topic(request, target))
    path = request.path("output")
    if path is not None:
        _write_new(path, made.text)
    talk = [
        f"{request.place}, {counted(made.entries, 'prose entry')}, {made.size:,} characters",
        *_warnings(request, made),
    ]
    if path is not None:
        talk.append(f"written to {request.screen.path(path)}")
    return Outcome("" if path is not None else made.text, _data(request, made, path), 0, "\n".join(talk))


def _topic(request: Request, target: str) -> str | None:
    """The text of a topic file; a target that is no bare name leads nowhere."""
    if names.fault(target):
        return None
    document = store.read_if_there(request.home.memories / _on_disk(request, target))
    return document.text if document else None


def _on_disk(request: Request, target: str) -> str:
    files = store.list_folder(request.home.memories).files
    if target in files:
        return target
    return next((name for name in sorted(files) if names.same(name) == names.same(target)), target)


def _write_new(path: Path, text: str) -> None:
    if os.path.lexists(path):
        raise Refused(f"{path}: the file exists, and export overwrites nothing; choose another name")
    store.write(path, text.encode(), None)


def _warnings(request: Request, made: Prose) -> list[str]:
    found = []
    if made.size > request.settings.cap:
        over = made.size - request.settings.cap
        found.append(f"warning: {over:,} characters over the host's limit of {request.settings.cap:,}")
    if made.missing:
        found.append(f"warning: without a file, so left out: {', '.join(map(visible, made.missing))}")
    if made.cut:
        found.append(f"warning: with a § line inside, which the host cuts at: {', '.join(map(visible, made.cut))}")
    return found


def _data(request: Request, made: Prose, path: Path | None) -> Json:
    return {
        "home": str(request.home.path),
        "file": str(path) if path is not None else None,
        "entries": made.entries,
        "chars": made.size,
        "cap": request.settings.cap,
        "over_cap": made.size > request.settings.cap,
        "missing": list(made.missing),
        "cut": list(made.cut),
        "text": made.text,
    }
