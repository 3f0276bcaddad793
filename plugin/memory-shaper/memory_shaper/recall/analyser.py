"""The one analyser of memory-shaper: keywords, topics, queries, sessions and routing all see text through it. Pure.

What is found does not depend on the process, the machine or the clock: no order of a set or hash enters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .cut import dense_runs, has_han, normal, pieces

# Cuts a run of Chinese into dictionary words; handed in, since it needs a library and a folder for its cache.
Segmenter = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Terms:
    """What search sees of a text, in the order of the text.

    `words`: stems, technical words whole and in parts, pairs of dense characters. `chars`: four letters in a row,
    single dense characters. `extra`: dictionary words of Chinese, empty without a segmenter.
    """

    words: tuple[str, ...]
    chars: tuple[str, ...]
    extra: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """What search looks for.

    `words` and `extra` hold no stop words unless nothing else was there, each term once; `pairs` are the neighbours in
    the text as written, stop words included; `chars` hold no characters of stop words.
    """

    words: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    chars: tuple[str, ...]
    extra: tuple[str, ...]


def analyse(text: str, segment: Segmenter | None = None) -> Terms:
    """Return the search terms of a text.

    >>> analyse("Node.js 部署").words
    ('node.js', 'node', 'js', '部署')
    """
    text = normal(text)
    words: list[str] = []
    chars: list[str] = []
    for piece in pieces(text):
        words.extend(piece.words)
        chars.extend(piece.chars)
    return Terms(tuple(words), tuple(chars), _extra(text, segment))


def analyse_query(text: str, segment: Segmenter | None = None) -> Query:
    """Return what to look for; every sign in the text means itself.

    >>> analyse_query("where is the deploy guide?").words
    ('deploy', 'guid')
    """
    text = normal(text)
    found = [(word, stop) for piece in pieces(text) for word, stop in zip(piece.words, piece.stop, strict=True)]
    every = [word for word, _ in found]
    telling = [word for word, stop in found if not stop] or every
    chars = dict.fromkeys(char for piece in pieces(text) if not all(piece.stop) for char in piece.chars)
    pairs = dict.fromkeys(zip(every, every[1:], strict=False))
    return Query(tuple(dict.fromkeys(telling)), tuple(pairs), tuple(chars), _distinct_extra(text, segment))


def _extra(text: str, segment: Segmenter | None) -> tuple[str, ...]:
    if segment is None or not has_han(text):
        return ()
    return tuple(word for run in dense_runs(text) for word in segment(run) if len(word) > 1)


def _distinct_extra(text: str, segment: Segmenter | None) -> tuple[str, ...]:
    from .forms import STOP_CHINESE

    return tuple(dict.fromkeys(word for word in _extra(text, segment) if word not in STOP_CHINESE))
