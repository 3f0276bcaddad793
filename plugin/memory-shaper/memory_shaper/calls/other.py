"""Languages that are not read in full: paths that stand next to a writing word. Pure."""

from __future__ import annotations

from .effects import Reading, World


def read_other(language: str, source: str, world: World) -> Reading:
    """x"""
    return Reading(opaque=True)
