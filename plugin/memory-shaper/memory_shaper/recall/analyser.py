"""The one analyser of memory-shaper: keywords, topics, queries, sessions and routing all see text through it. Pure.

What is found does not depend on the process, the machine or the clock: no order of a set or hash enters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .cut import Piece, char_terms, has_han, is_lone, normal, piece, runs
from .forms import STOP_CHINESE

# Cuts a run of Chinese into dictionary words; handed in, since it needs a library and a folder for its cache.
Segmenter = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Terms:
    """What search sees of a text, in the order of the text.

    `words`: stems, technical words whole and in parts, pairs of dense characters with the last character of each run;
    `forms`: the same before stemming. `extra`: dictionary words of Chinese, empty without a segmenter.
    """

    words: tuple[str, ...]
    forms: tuple[str, ...]
    extra: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """What search looks for, each term once, in the order of the text.

    `words` and `extra` hold no stop words unless nothing else was there; `pairs` are the neighbours as written, stop
    words included; `chars` what to look for among forms joined by blanks; `lone` dense characters that stand alone.
    """

    words: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    chars: tuple[str, ...]
    extra: tuple[str, ...]
    lone: tuple[str, ...]


def analyse(text: str, segment: Segmenter | None = None) -> Terms:
    """Return the search terms of a text.

    >>> analyse("Node.js 部署").words
    ('node.js', 'node', 'js', '部署', '署')
    """
    text = normal(text)
    words: list[str] = []
    forms: list[str] = []
    cuts = runs(text)
    for dense, word in cuts:
        cut = piece(dense, word)
        words += cut.words
        forms += cut.forms
        if cut.tail:
            words.append(cut.tail)
            forms.append(cut.tail)
    return Terms(tuple(words), tuple(forms), _extra(cuts, segment))


def analyse_query(text: str, segment: Segmenter | None = None) -> Query:
    """Return what to look for; every sign in the text means itself.

    >>> analyse_query("where is the deploy guide?").words
    ('deploy', 'guid')
    """
    text = normal(text)
    cuts = runs(text)
    found = tuple(piece(dense, word) for dense, word in cuts)
    every = [word for cut in found for word in cut.words]
    telling = [word for cut in found for word, stop in zip(cut.words, cut.stop, strict=True) if not stop]
    extra = _extra(cuts, segment)
    return Query(
        words=tuple(dict.fromkeys(telling or every)),
        pairs=tuple(dict.fromkeys(pairwise(every))),
        chars=tuple(dict.fromkeys(_chars(found))),
        extra=tuple(dict.fromkeys(word for word in extra if word not in STOP_CHINESE)),
        lone=tuple(dict.fromkeys(word for word in telling or every if is_lone(word))),
    )


def _chars(found: tuple[Piece, ...]) -> Iterator[str]:
    for cut in found:
        if not all(cut.stop):
            for form, stop in zip(cut.forms, cut.stop, strict=True):
                yield from char_terms(form) if cut.tail or not stop else ()
            if cut.tail:
                yield from char_terms(cut.tail)


def _extra(cuts: Sequence[tuple[str, str]], segment: Segmenter | None) -> tuple[str, ...]:
    """Return the dictionary words of a text with Chinese in it."""
    dense = [run for run, _ in cuts if run]
    if segment is None or not any(map(has_han, dense)):
        return ()
    return tuple(word for run in dense for word in segment(run) if len(word) > 1)
