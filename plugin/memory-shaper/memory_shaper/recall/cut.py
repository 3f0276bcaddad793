"""Cutting text into search terms where scripts, punctuation and case change. Pure.

Scripts written without blanks become overlapping pairs of characters; everything else becomes words, and a technical
word (`node.js`, `x86-64`, `camelCase`) is kept whole and also given in its parts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from .forms import IRREGULAR, STOP_CHINESE, STOP_ENGLISH
from .stem import stem
from .variants import to_simplified

# Han, kana, Hangul, Thai to Myanmar, Khmer: runs of these hold no blanks between words (or, in Korean, long endings).
_HAN_RANGES = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_DENSE = f"々〇\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\uac00-\ud7af{_HAN_RANGES}"
_WORD = rf"[^\W{_DENSE}]"
_PIECE = re.compile(
    rf"(?P<dense>[{_DENSE}]+)|(?P<word>(?:(?<!\w)\.)?{_WORD}+(?:[-./\\@:&+'~]{_WORD}+)*(?:\+\+|\+(?!\w)|#(?!\w))?)"
)
_DENSE_START = re.compile(f"[{_DENSE}]")
_HAN = re.compile(f"[{_HAN_RANGES}]")
_STEP = re.compile(r"[/\\\\@:&]+")
_JOINT = re.compile(r"[-.+~_#]+")
_CASE_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_PLAIN = (("’", "'"), ("‘", "'"), ("ʼ", "'"), ("\0", " "))
_LONGEST = 64


@dataclass(frozen=True, slots=True)
class Piece:
    """One run of text cut off at a change of script.

    `words` are its search terms in order, `forms` the same before stemming; `stop` tells of each of them whether it
    says nothing about a subject; `tail` is the last character of a run of dense script that was cut into pairs, so that
    first characters and tail together are the run.
    """

    words: tuple[str, ...]
    forms: tuple[str, ...]
    stop: tuple[bool, ...]
    tail: str = ""


def normal(text: str) -> str:
    """Return the text in NFKC with plain apostrophes and simplified characters; case is kept for `camelCase`.

    >>> normal("Ｃ＋＋ 過敏")
    'C++ 过敏'
    """
    if text.isascii():
        return text.replace("\0", " ")
    text = unicodedata.normalize("NFKC", text)
    for sign, plain in _PLAIN:
        text = text.replace(sign, plain)
    return to_simplified(text)


def whole(text: str) -> str:
    """Return the text with half characters (lone surrogates, which have no UTF-8 form) as U+FFFD; two halves are one.

    >>> whole("a\\ud800b \\ud83d\\ude00") == "a\\ufffdb \\U0001f600"
    True
    """
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def has_han(text: str) -> bool:
    """Tell whether a text holds a Chinese character."""
    return _HAN.search(text) is not None


def is_lone(word: str) -> bool:
    """Tell whether a search term is one dense character."""
    return len(word) == 1 and _DENSE_START.match(word) is not None


def pieces(text: str) -> Iterator[Piece]:
    """Yield the pieces of a text that `normal` returned.

    >>> [piece.words for piece in pieces("修改youer服务端")]
    [('修改',), ('youer',), ('服务', '务端')]
    """
    return (piece(dense, word) for dense, word in runs(text))


def runs(text: str) -> list[tuple[str, str]]:
    """Return the runs of a text that `normal` returned, in order: of dense script and "", or "" and a word.

    >>> runs("修改youer")
    [('修改', ''), ('', 'youer')]
    """
    return _PIECE.findall(text)


def dense_runs(text: str) -> list[str]:
    """Return the runs of dense script in a text that `normal` returned."""
    return [dense for dense, _ in runs(text) if dense]


def piece(dense: str, word: str) -> Piece:
    """Cut one of the `runs` of a text."""
    return _word(word) if word else _dense(dense)


def char_terms(word: str) -> tuple[str, ...]:
    """Return what to look for in forms that are joined by blanks: every four characters of a word in a row with the
    blanks around it, the first character of a dense word behind its blank.

    >>> char_terms("deploy")
    (' dep', 'depl', 'eplo', 'ploy', 'loy ')
    >>> char_terms("部署")
    (' 部',)
    """
    if _DENSE_START.match(word):
        return (" " + word[0],)
    padded = f" {word} "
    return tuple(padded[i : i + 4] for i in range(len(padded) - 3)) or (padded,)


@lru_cache(maxsize=16384)
def _dense(run: str) -> Piece:
    if len(run) == 1:
        return Piece((run,), (run,), (run in STOP_CHINESE,))
    words = tuple(run[i : i + 2] for i in range(len(run) - 1))
    return Piece(words, words, tuple(_is_stop_dense(word) for word in words), run[-1])


def _is_stop_dense(word: str) -> bool:
    return word in STOP_CHINESE or all(char in STOP_CHINESE for char in word)


@lru_cache(maxsize=65536)
def _word(raw: str) -> Piece:
    """Cut one word: itself first, then its parts, none of them twice."""
    raw = raw.removesuffix("'s")
    whole = raw.casefold()[:_LONGEST]
    if raw.isalpha() and (raw[1:].islower() or raw.isupper() or len(raw) == 1):
        return Piece((root(whole),), (whole,), (whole in STOP_ENGLISH,))
    names = dict.fromkeys((whole.strip("_'~"), *_parts(raw)))
    forms = {root(name): name for name in reversed(names) if name}
    words = tuple(reversed(forms))
    return Piece(words, tuple(forms[word] for word in words), tuple(forms[word] in STOP_ENGLISH for word in words))


def _parts(raw: str) -> Iterator[str]:
    """Yield the parts of a technical word; a lone letter or digit says too little to be one."""
    for step in _STEP.split(raw):
        for name in (step, *_JOINT.split(step)):
            for part in (name, *_CASE_PART.findall(name)):
                if len(part) > 1 and "'" not in raw:
                    yield part.casefold()[:_LONGEST]


@lru_cache(maxsize=65536)
def root(word: str) -> str:
    """Reduce an English form to its base form and stem; any other word stays as it is."""
    return stem(IRREGULAR.get(word, word)) if word.isascii() and word.isalpha() else word
