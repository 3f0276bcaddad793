"""Cutting a program of an unknown kind into words, strings and signs. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache

MAX_SOURCE = 1_000_000
"""Characters of a program that are looked at."""


class Kind(Enum):
    """What a token is: a name, a quoted text, a text in which names are filled in, or anything else."""

    WORD = auto()
    TEXT = auto()
    FILLED = auto()
    SIGN = auto()
    LINE = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """One token; of a string, the text between the quotes with the common escapes read."""

    kind: Kind
    text: str


_HASH = ("ruby", "perl", "php", "r", "python")
_FILLING = {"node": "`", "ruby": '"', "perl": '"', "php": '"'}
_RAW = {"ruby": "'", "perl": "'", "php": "'", "powershell": "'"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))", re.DOTALL)


@cache
def _pattern(language: str) -> re.Pattern[str]:
    comments = {
        "lua": r"--\[\[.*?\]\]|--[^\n]*",
        "node": r"//[^\n]*|/\*.*?\*/",
        "php": r"(?:#(?!\[)|//)[^\n]*|/\*.*?\*/",
    }.get(language, r"#[^\n]*" if language in _HASH else r"(?!)")
    word = r"[A-Za-z_][\w.]*" if language == "r" else r"[$@]?[A-Za-z_]\w*[!?]?"
    text = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`"
    return re.compile(
        rf"(?P<skip>{comments}|[ \t\r]+)|(?P<text>{text})|(?P<word>{word})|(?P<line>[\n;])|(?P<sign>.)", re.DOTALL
    )


def tokens(source: str, language: str) -> list[Token]:
    """The tokens of a program, comments left out."""
    found = []
    for hit in _pattern(language).finditer(source[:MAX_SOURCE]):
        if hit.lastgroup == "text":
            found.append(_string(hit[0], language))
        elif hit.lastgroup != "skip":
            found.append(Token(Kind[str(hit.lastgroup).upper()], hit[0]))
    return found


def _string(quoted: str, language: str) -> Token:
    quote, inner = quoted[0], quoted[1:-1]
    if _RAW.get(language) == quote:
        return Token(Kind.TEXT, inner.replace("\\" + quote, quote).replace("\\\\", "\\"))
    kind = Kind.FILLED if _FILLING.get(language) == quote else Kind.TEXT
    return Token(kind, _ESCAPE.sub(_unescape, inner))


def _unescape(hit: re.Match[str]) -> str:
    code = hit[1] or hit[2]
    return chr(int(code, 16)) if code else _ESCAPES.get(hit[3], hit[3])
