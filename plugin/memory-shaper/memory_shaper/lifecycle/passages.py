"""A topic's text in passages, and what each says: its words, values, negations, order. Pure.

A passage is a paragraph, a list item, a heading, a table row or a whole block of code; joined with what stands between
them they give the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from ..recall.cut import normal, pieces

_FRONT = re.compile(r"\A\ufeff?---[ \t]*\r?\n.*?^(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")
_ALONE = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)]|#{1,6}|\||>)[ \t]*")
_SIGN = r"[A-Za-z\d_.:/%-]"
_VALUE = re.compile(rf"(?<!{_SIGN}){_SIGN}*\d{_SIGN}*")  # looked for once a word, however long it is
_DIGIT = re.compile(r"\d")
_NEGATION = re.compile(
    r"\b(?:not|never|no|none|neither|nor|without|cannot|hardly|barely|scarcely|rarely|seldom"
    r"|(?:ca|wo|do|does|did|is|are|was|were|should|must|have|has|had|would|could|need)n't)\b|[不没無无别勿未非]",
    re.IGNORECASE,
)
_SPACE = re.compile(r"\s+")
_END = " .,;:…。，、；："  # what may end a statement and tells nothing
_MARKER = re.compile(r"[ \t]*(?:[-*+•>]|#{1,6})[ \t]+(?![\d$€£¥])")  # "- 5" and "> 5" may be a value
_NUMBER = re.compile(r"[ \t]*\d{1,3}[.)][ \t]+")
_TELLING = r"[+#%‰°<>≤≥=≠±~^$€£¥\u2600-\u27bf\U0001f300-\U0001faff]"
_SIGNED = re.compile(rf"\A\[[ x]\]|(?<!\w)(?:\w+(?:{_TELLING}+|-(?!\w))|-\d)|{_TELLING}+\w*")
_GLUE = frozenset(
    "a an the this that these those is are was were be been being am do does did has have had of in on at for by and "
    "it its as so then also there here which who".split()
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a text from `start` to `end`, without the blank lines around it; `loose` says that it is prose."""

    start: int
    end: int
    text: str
    loose: bool = True


def passages(text: str) -> list[Passage]:
    """The passages of a topic in order, its front matter left out."""
    found = _FRONT.match(text)
    return list(_cut(text, found.end() if found else 0))


def _cut(text: str, start: int) -> Iterator[Passage]:
    begun: int | None = None
    fence, place = "", start
    for line in text[start:].splitlines(keepends=True):
        end = place + len(line)
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence):
                yield from _passage(text, begun, end, loose=False)
                begun, fence = None, ""
        elif mark:
            yield from _passage(text, begun, place)
            begun, fence = place, mark[1]
        elif not line.strip():
            yield from _passage(text, begun, place)
            begun = None
        elif _ALONE.match(line):
            yield from _passage(text, begun, place)
            begun = place
        elif begun is None:
            begun = place
        place = end
    yield from _passage(text, begun, place, loose=not fence)


def _passage(text: str, begun: int | None, end: int, loose: bool = True) -> Iterator[Passage]:
    if begun is not None and (piece := text[begun:end].rstrip()):
        yield Passage(begun, begun + len(piece), piece, loose and not piece.lstrip().startswith(("#", "|")))


@dataclass(frozen=True, slots=True)
class Said:
    """What a text says: `key` is the text without case, blanks, its list marker and the stop at its end, code as it
    stands; `frame` its telling words without values and negations; `order` which of them are neighbours; `values` all
    with a digit in it; `denials` how often it negates; `signs` the signs that tell something, each with the word it
    stands at; `turns` the small words that turn a sense, such as "before" and "all"."""

    key: str
    frame: frozenset[str]
    order: frozenset[tuple[str, str]]
    values: frozenset[str]
    denials: int
    signs: frozenset[str]
    turns: frozenset[str]

    @property
    def size(self) -> int:
        """How much it says, in words and values."""
        return len(self.frame) + len(self.values)


def said(text: str) -> Said:
    """Read what a text says.

    >>> said("The API port is not 8080.") == said("the api port is never  8080")
    False
    >>> sorted(said("The API port is not 8080.").frame), sorted(said("v1.2 on 2026-03-01").values)
    (['api', 'port'], ['2026-03-01', 'v1.2'])
    """
    key = _key(text)
    plain = _SPACE.sub(" ", normal(_NUMBER.sub("", _without_marker(text), count=1))).strip()
    values = frozenset(found.strip(".:/-_") for found in _VALUE.findall(plain))
    stripped, denials = _NEGATION.subn("", _VALUE.sub("", plain))
    words = [pair for piece in pieces(stripped) for pair in zip(piece.words, piece.stop, strict=True)]
    telling = [word for word, stop in words if word and not stop and not _DIGIT.search(word)]
    turns = frozenset(word for word, stop in words if stop and word.isascii() and word not in _GLUE)
    signs = frozenset(_SIGNED.findall(plain.casefold()))
    return Said(key, frozenset(telling), frozenset(pairwise(telling)), values, denials, signs, turns)


def _key(text: str) -> str:
    if _FENCE.match(text):
        return text.strip()  # in code case and blanks tell something
    return _SPACE.sub(" ", normal(_without_marker(text))).strip().casefold().rstrip(_END)


def _without_marker(text: str) -> str:
    found = _MARKER.match(text)
    return text[found.end() :] if found else text
