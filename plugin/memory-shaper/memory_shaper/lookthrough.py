"""What stands in the files of a memories folder and should not be in a memory. Shell: reads the folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from . import names, store
from .errors import MemoryShaperError
from .privacy.rules import Rules
from .privacy.screening import Reason, spans

_LARGEST = 5_000_000  # bytes
_INDEXES = frozenset(map(names.same, (names.INDEX, names.ARCHIVE_INDEX)))


def reasons(folder: Path, rules: Rules) -> Iterator[tuple[str, Reason]]:
    """Each file below the folder, by its name from there, with the kind and line of what should not be in it.

    Both indexes are left out, `verify` reads them itself; so is a file that cannot be read.
    """
    for path in sorted(_markdown(folder)):
        try:
            data = store.read_bytes(path) or b""
        except MemoryShaperError:
            continue
        for one in spans(data.decode("utf-8", "surrogateescape"), rules):
            yield path.relative_to(folder).as_posix(), Reason(one.kind, one.line)


def _markdown(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            path = Path(place, name)
            if names.same(name).endswith(".md") and names.same(name) not in _INDEXES and _is_small(path):
                yield path


def _is_small(path: Path) -> bool:
    try:
        return path.stat().st_size <= _LARGEST
    except OSError:
        return False
