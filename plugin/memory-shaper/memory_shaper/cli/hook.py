"""`hook`: one call of a shell hook, for Hermes' shell hooks and for other hosts."""

from __future__ import annotations

import json
import sys

from ..settings import home_of_folder
from ..shellhook import answer, read_event
from .request import Outcome, Request


def hook(request: Request) -> Outcome:
    """Read one event on standard input and print the answer as JSON, nothing where there is nothing to say."""
    folder = request.path("memdir")
    if folder and not folder.is_dir():
        # Exit code 1 is an error that the host shows its user; 2 would stop every call.
        return Outcome(talk=f"memory-shaper hook: {folder}: there is no such folder, so nothing is guarded", code=1)
    event = read_event(sys.stdin.read())
    said = answer(event, home_of_folder(folder) if folder else request.home)
    return Outcome(json.dumps(said, ensure_ascii=False) if said else "", said)
