"""The text of a note for what is gathered from it: without what may not be kept. Shell: reads one file."""

from __future__ import annotations

from ..privacy.screening import blanked
from .sidecar import Sidecar


def note_text(sidecar: Sidecar, name: str, most: int) -> str:
    """Return up to `most` characters of a note, "" where it cannot be read: the next refresh notices."""
    try:
        text = (sidecar.memories / name).read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    return blanked(text[:most], sidecar.rules)
