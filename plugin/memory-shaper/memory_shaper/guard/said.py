"""What the agent itself has said that is never kept: only that may be taken out of a file. Pure.

A secret in a topic file may be the owner's, moved, touched or saved while a call ran, and what is taken out of it is
gone for good. So nothing gives way but what stood in the arguments of a call of this process before. It is known by
its digest, and for a short while by the texts that held it, since a command is not the text that it writes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from itertools import islice

from ..privacy.rules import Rules
from ..privacy.screening import value_of, values

_MOST = 5_000  # digests; the oldest are forgotten
_TEXTS = 8
_LONGEST = 1_000_000  # characters of a text that are looked at
_DEEPEST = 20


class Said:
    """What was heard in the arguments of calls; False while that is nothing."""

    def __init__(self) -> None:
        self._digests: dict[str, None] = {}
        self._texts: deque[str] = deque(maxlen=_TEXTS)

    def __bool__(self) -> bool:
        return bool(self._digests)

    def hear(self, args: object, rules: Rules) -> None:
        """Take in the texts of a call's arguments."""
        for text in _texts(args, _DEEPEST):
            if found := values(text[:_LONGEST], rules):
                self._digests |= dict.fromkeys(found)
                self._texts.append(text[:_LONGEST])
        for old in list(islice(self._digests, max(0, len(self._digests) - _MOST))):
            del self._digests[old]

    def has(self, part: str) -> bool:
        """Whether a part of a text was said, as it stands or within another text."""
        return value_of(part) in self._digests or any(part in text for text in self._texts)


def _texts(args: object, deep: int) -> Iterator[str]:
    if isinstance(args, str):
        yield args
    elif deep and isinstance(args, Mapping):
        for value in args.values():
            yield from _texts(value, deep - 1)
    elif deep and isinstance(args, list | tuple):
        for value in args:
            yield from _texts(value, deep - 1)
