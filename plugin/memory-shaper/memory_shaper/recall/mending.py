"""Using the tables of an open sidecar where a damaged one must not end the program. Shell: SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from .database import DAMAGED, explain, is_damage
from .sidecar import Sidecar


@contextmanager
def mending(sidecar: Sidecar) -> Iterator[None]:
    """Use the file; where it proves damaged an empty one takes its place, which the next refresh fills.

    Raises SidecarError then, and for what else SQLite says.
    """
    try:
        yield
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            sidecar.rebuild_file(DAMAGED)
        raise explain(sidecar.path, error) from error
