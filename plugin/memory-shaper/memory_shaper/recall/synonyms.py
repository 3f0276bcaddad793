"""Words that mean the same: rows of a table, and where an utterance holds one of them. Pure.

table = { row }
row   = blank | "#" text | term { "," term }      ; the terms of a row mean the same, in both directions
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .atoms import key_of
from .matching import Said

MOST_TERMS = 32
"""Terms of one row."""

MOST_ROWS = 5000
LONGEST = 64
_MOST_JOINED = 4  # words in a row that are looked up as one term


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that is left out: its line, from 1, and why."""

    line: int
    why: str


@dataclass(frozen=True, slots=True)
class Heard:
    """A term that an utterance holds: its words there, their places, and what else may be meant by them."""

    words: str
    places: frozenset[int]
    others: tuple[str, ...]


class Synonyms:
    """The rows of a table, ready to be asked."""

    def __init__(self, groups: Iterable[Sequence[str]] = ()) -> None:
        self._others: dict[str, dict[str, str]] = {}
        for group in groups:
            keys = {key.root: term for term in group if (key := key_of(term))}
            for root in keys:
                self._others.setdefault(root, {}).update({other: keys[other] for other in keys if other != root})
        self._longest = max((len(root) for root in self._others), default=0)

    def __bool__(self) -> bool:
        return bool(self._others)

    def heard(self, said: Said) -> Iterator[Heard]:
        """Yield the terms that an utterance holds as whole words, or as a part of a run without blanks."""
        if not self._others:
            return
        for first, atom in enumerate(said.atoms):
            if atom.dense:
                yield from self._in_run(atom.form, said.firsts[first])
            for last in range(first + 1, min(first + _MOST_JOINED, len(said.atoms)) + 1):
                group = said.atoms[first:last]
                others = self._others.get("".join(one.root for one in group))
                if others and not (len(group) == 1 and (atom.inside or atom.dense)):
                    words = " ".join(one.form for one in group)
                    yield Heard(words, said.places(first, last), tuple(others.values()))

    def _in_run(self, run: str, start: int) -> Iterator[Heard]:
        for first in range(len(run)):
            for last in range(first + 1, min(first + self._longest, len(run)) + 1):
                if others := self._others.get(run[first:last]):
                    places = frozenset(range(start + first, start + last))
                    yield Heard(run[first:last], places, tuple(others.values()))

    def knows(self, word: str, other: str) -> bool:
        """Tell whether the table says that two words mean the same."""
        keys = [key_of(word), key_of(other)]
        return all(keys) and keys[1].root in self._others.get(keys[0].root, {})  # type: ignore[union-attr]


NONE = Synonyms()


def read_rows(text: str) -> tuple[list[tuple[str, ...]], list[BadRow]]:
    """Read a table; return its rows and those that are left out.

    >>> read_rows("setup, install, 安装\\nlonely\\n# a remark")
    ([('setup', 'install', '安装')], [BadRow(line=2, why='a row needs two terms or more, parted by commas')])
    """
    rows: list[tuple[str, ...]] = []
    bad: list[BadRow] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        terms = tuple(dict.fromkeys(term for part in content.replace("，", ",").split(",") if (term := part.strip())))
        why = _fault(terms) if len(rows) < MOST_ROWS else f"only the first {MOST_ROWS} rows are read"
        if why:
            bad.append(BadRow(number, why))
        else:
            rows.append(terms)
    return rows, bad


def _fault(terms: Sequence[str]) -> str:
    """Return why terms are no row, "" where they are one."""
    if len(terms) < 2:
        return "a row needs two terms or more, parted by commas"
    if len(terms) > MOST_TERMS:
        return f"a row holds {MOST_TERMS} terms at most"
    keys: Mapping[str, object] = {term: key_of(term) for term in terms if len(term) <= LONGEST and term.isprintable()}
    if len(keys) < len(terms):
        return f"a term has {LONGEST} characters at most and no control characters"
    if not all((key := key_of(term)) and key.telling for term in terms):
        return "a term needs a word that says something"
    if len({key.root for term in terms if (key := key_of(term))}) < len(terms):
        return "two of its terms are the same word"
    return ""
