"""The reader of calls that the tally uses."""

from __future__ import annotations

from .uses import ReadCall


def bound() -> ReadCall:
    """The function that reads any call; imported here, since a run without new rows needs none."""
    from ..calls.reader import read_call

    return read_call
