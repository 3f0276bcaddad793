"""What `status` says about the look for facts at the end of sessions."""

from __future__ import annotations

import json

from ..extract import LAST
from .request import Json
from .screen import counted

__all__ = ["LAST", "extract_data", "extract_lines"]


def extract_data(mode: str, last: str, waiting: int) -> Json:
    """The last look as JSON; `last` is the record's note of it."""
    known = json.loads(last) if last else {}
    found: Json = {name: known.get(name, default) for name, default in _LAST.items()}
    return {"mode": mode, **found, "open": waiting}


_LAST: Json = {"at": None, "proposed": 0, "applied": 0, "why": ""}


def extract_lines(mode: str, last: str, waiting: int) -> list[str]:
    """A line about the look for facts, where it is switched on, and one about what waits for the user's word."""
    known = extract_data(mode, last, waiting)
    lines = []
    if mode != "off":
        told = f"{known['proposed']} proposed, {known['applied']} kept" if known["at"] else "not yet looked"
        lines.append(f"facts: {mode}, {told}" + (f"; stopped: {known['why']}" if known["why"] else ""))
    if waiting:
        lines.append(f"proposals: {counted(waiting, 'proposal')} open; see: memory-shaper proposals")
    return lines
