"""What else a question may mean: synonyms of its words, and names that stand beside its names. Shell: SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence

from . import gathered
from .atoms import atoms
from .entities import Namer, entities, key_of
from .further import Expansion, Why
from .matching import Said
from .synonyms import Synonyms

LONGEST = 2000  # characters of a question that are looked at
_MOST = 12  # further words of one question
_MOST_JOINED = 3  # small words in a row that may be one name
_SHORTEST = 3  # letters of a name that is written small


def said(question: str) -> Said:
    """Return a question cut into its words with their places."""
    return Said(atoms(question[:LONGEST]))


def by_synonyms(question: Said, table: Synonyms, why: Why) -> list[Expansion]:
    """Return what a table of synonyms adds to a question."""
    found = [
        Expansion(other, heard.words, why, heard.places) for heard in table.heard(question) for other in heard.others
    ]
    return list(dict.fromkeys(found))[:_MOST]


def wider(question: Said, extra: Sequence[Expansion]) -> str:
    """Return a question with further words, synonyms in place of the words they stand for."""
    gone = frozenset().union(*(one.places for one in extra))
    kept = []
    for atom, first in zip(question.atoms, question.firsts, strict=True):
        if atom.dense:
            kept.append("".join(" " if first + place in gone else char for place, char in enumerate(atom.form)))
        elif first not in gone:
            kept.append(atom.form)
    return " ".join((*kept, *dict.fromkeys(one.term for one in extra)))


def by_names(connection: sqlite3.Connection, question: str, namer: Namer, most: int) -> list[Expansion]:
    """Return the names that stand in two or more notes beside a name of the question, `most` for each."""
    names = gathered.known_names(connection, _asked(question[:LONGEST], namer))
    found: dict[str, Expansion] = {}
    for name in names:
        for other in gathered.related(connection, name, most):
            if other not in names:
                found.setdefault(other, Expansion(other, name, Why.RELATED))
    return list(found.values())[:_MOST]


def _asked(question: str, namer: Namer) -> Iterator[str]:
    """Yield the keys of what may be a name in a question, in which names are often written small."""
    yield from map(key_of, entities([question], namer))
    words: Sequence[str] = [word.strip(".,;:!?()[]\"“”'") for word in question.split()]
    for first in range(len(words)):
        for last in range(first + 1, min(first + _MOST_JOINED, len(words)) + 1):
            key = key_of(" ".join(words[first:last]))
            if len(key) >= _SHORTEST and not any(atom.stop or atom.asking for atom in atoms(words[first])[:1]):
                yield key
