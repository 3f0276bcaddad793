"""Brace expansion: `a{b,c}d` and `{1..3}`."""

from __future__ import annotations

import re
from itertools import product
from typing import TypeAlias

from .tree import Part, Text, Word

MAX_ALTERNATIVES = 1_000
"""Words that the braces of one word may make; more leave the word as it stands."""

_TOKEN = re.compile(r"[{},]|[^{},]+")
_RANGE = re.compile(r"(-?[0-9]{1,6})\.\.(-?[0-9]{1,6})|([A-Za-z])\.\.([A-Za-z])")

MAX_LETTERS, MAX_PARTS = 4_000, 200
"""Bare letters and parts of a word whose braces are still followed."""

Options: TypeAlias = list[Word]


def alternatives(word: Word) -> list[Word]:
    """The words that the braces of a word stand for, at least the word itself."""
    bare = [part.text for part in word if isinstance(part, Text) and not part.quoted]
    if not any("{" in text for text in bare):
        return [word]
    if sum(map(len, bare)) > MAX_LETTERS or len(word) > MAX_PARTS:
        return [word]
    braces = _Braces()
    read = braces.read(word)
    return [word] if braces.full else read


class _Braces:
    """A stack of open braces; each holds its options, each option a list of choices still to be multiplied."""

    def __init__(self) -> None:
        self._open: list[list[Options]] = [[[()]]]
        self.full = False

    def read(self, word: Word) -> list[Word]:
        for part in word:
            if isinstance(part, Text) and not part.quoted:
                for found in _TOKEN.finditer(part.text):
                    self._sign(found.group())
            else:
                self._append([(part,)])
        while len(self._open) > 1:
            self._literal(self._open.pop(), "")
        return self._open[0][0]

    def _sign(self, sign: str) -> None:
        if sign == "{":
            self._open.append([[()]])
        elif sign == "," and len(self._open) > 1:
            self._open[-1].append([()])
        elif sign == "}" and len(self._open) > 1:
            self._close(self._open.pop())
        else:
            self._append([(Text(sign, False),)])

    def _append(self, choices: Options) -> None:
        options = self._open[-1]
        if len(options[-1]) * len(choices) > MAX_ALTERNATIVES:
            self.full = True
        else:
            options[-1] = [left + right for left, right in product(options[-1], choices)]

    def _close(self, options: list[Options]) -> None:
        if len(options) > 1:
            self._append([choice for option in options for choice in option])
            return
        text = _bare(options[0])
        found = _RANGE.fullmatch(text) if text else None
        if found:
            self._append(_between(found))
        else:
            self._literal(options, "}")

    def _literal(self, options: list[Options], end: str) -> None:
        """Braces that are none: what stood in them stays, signs and all."""
        self._append([(Text("{", False),)])
        for number, option in enumerate(options):
            self._append([(Text(",", False),)] if number else [()])
            self._append(option)
        self._append([(Text(end, False),)] if end else [()])


def _bare(option: Options) -> str:
    parts: list[Part] = list(option[0]) if len(option) == 1 else []
    return "".join(part.text for part in parts if isinstance(part, Text) and not part.quoted)


def _between(found: re.Match[str]) -> Options:
    low, high, first, last = found.groups()
    start, stop = (int(low), int(high)) if low is not None else (ord(first), ord(last))
    step = 1 if stop >= start else -1
    numbers = range(start, stop + step, step)[:MAX_ALTERNATIVES]
    return [(Text(str(number) if low is not None else chr(number), True),) for number in numbers]
