"""The smallest pieces of keywords and utterances that routing compares. Pure.

Keywords and utterances are cut alike, so that `release-notes`, "release notes" and "releasenotes" come to the same key,
while `c++` stays apart from `c` and `.net` from "net".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .cut import Piece, is_lone, normal, pieces, root
from .forms import STOP_CHINESE, STOP_ENGLISH

# Words that ask for something rather than name it; alone they touch no line.
_ASKING = frozenset(
    """
    continue explain explained explains find give gives help helped list look make makes mean meaning means name names
    need needs repeat run say show shows start tell tells thank thanks think translate want wants write
    """.split()
)
_JOINTS = re.compile(r"[-./\\@:&~_]+|\+(?=\w)")


@dataclass(frozen=True, slots=True)
class Atom:
    """A word without joints, or a run of a script that is written without blanks (`dense`).

    `form` is the word in lower case, `root` its stem; `stop` says that it tells nothing about a subject; `inside` that
    it is only a part of a larger word.
    """

    form: str
    root: str
    stop: bool
    dense: bool = False
    inside: bool = False

    @property
    def asking(self) -> bool:
        """Whether it asks for something rather than names it."""
        return self.form in _ASKING

    @property
    def width(self) -> int:
        """How many places it takes: one for a word, one for each character of a dense run."""
        return len(self.form) if self.dense else 1


def atoms(text: str) -> list[Atom]:
    """Return the atoms of a text in order.

    >>> [atom.form for atom in atoms("the Node.js 部署 of C++")]
    ['the', 'node', 'js', '部署', 'of', 'c++']
    """
    return [atom for piece in pieces(normal(text)) for atom in _of_piece(piece)]


def _of_piece(piece: Piece) -> Iterator[Atom]:
    if not piece.forms:  # a lone "_" is no word
        return
    if piece.tail or is_lone(piece.forms[0]):
        run = "".join(form[0] for form in piece.forms) + piece.tail
        yield Atom(run, run, all(piece.stop), dense=True)
        return
    whole = piece.forms[0]
    parts = _parts(whole, piece.forms[1:])
    for part in parts:
        yield Atom(part, root(part), piece.stop[0] and len(parts) == 1, inside=len(parts) > 1)


def _parts(whole: str, forms: Sequence[str]) -> list[str]:
    """Cut a word at its joints, or at its capitals where the analyser saw some; a dot in front stays."""
    if forms and "".join(forms) == whole:
        return list(forms)
    parts = [part for part in _JOINTS.split(whole) if part]
    if whole.startswith(".") and parts:
        parts[0] = "." + parts[0]
    return parts or [whole]


@dataclass(frozen=True, slots=True)
class Key:
    """A keyword as routing compares it: `exact` as written but without joints, `root` by its stems, and its atoms."""

    keyword: str
    exact: str
    root: str
    atoms: tuple[Atom, ...]

    @property
    def telling(self) -> bool:
        """Whether the keyword says something about a subject."""
        return any(not atom.stop for atom in self.atoms)


@lru_cache(maxsize=65536)
def key_of(keyword: str) -> Key | None:
    """Return the key of a keyword, None for one without a letter or digit."""
    if keyword.isascii() and keyword.isalpha() and keyword.islower():  # as most are
        found: tuple[Atom, ...] = (Atom(keyword, root(keyword), keyword in STOP_ENGLISH),)
    else:
        found = tuple(atoms(keyword))
    if not found:
        return None
    return Key(keyword, "".join(atom.form for atom in found), "".join(atom.root for atom in found), found)


def is_stop_char(char: str) -> bool:
    """Tell whether a dense character says nothing about a subject."""
    return char in STOP_CHINESE
