"""What a rule is given, and how it says that something is wrong. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from .. import grammar, host, names
from ..model import Entry, Folder, Index, Kind, Line

_PLAIN = re.compile(r"[!-+\--@\[-~]+(?:,[!-+\--@\[-~]+)*")  # printable ASCII, no blank, no capital, none empty


@dataclass(frozen=True, slots=True)
class Row:
    """An entry line: its number and text, `words` its keywords in lower case and composed form; `plain` says that
    no keyword can be at fault in case or shape, which spares looking at each character."""

    number: int
    text: str
    entry: Entry
    words: tuple[str, ...]
    plain: bool


def _compared(keywords: tuple[str, ...]) -> tuple[tuple[str, ...], bool]:
    plain = _PLAIN.fullmatch(",".join(keywords)) is not None
    return (keywords if plain else tuple(map(lower, keywords))), plain


@dataclass(frozen=True)
class Scope:
    """One text to be checked with what the rules may know about its surroundings.

    `folder` is None where the folder is not to be looked at (a text that is not on disk), `cap` None where the
    text has no size limit (an archive index).
    """

    text: str
    folder: Folder | None = None
    cap: int | None = host.DEFAULT_CAP
    near: float = 0.95

    @cached_property
    def index(self) -> Index:
        return grammar.parse(self.text)

    @cached_property
    def size(self) -> int:
        """Code points as the host counts them."""
        return host.size(self.text)

    @cached_property
    def files_by_form(self) -> dict[str, list[str]]:
        """The names in the folder under the form in which spellings of one name are equal."""
        found: dict[str, list[str]] = {}
        for name in sorted(self.folder.files if self.folder else ()):
            found.setdefault(names.same(name), []).append(name)
        return found

    @cached_property
    def rows(self) -> list[Row]:
        """Every entry line, with its keywords in the form in which they are compared."""
        return [
            Row(number, line.text, line.entry, *_compared(line.entry.keywords))
            for number, line in enumerate(self.index.lines, 1)
            if line.kind is Kind.ENTRY and line.entry is not None
        ]

    def lines(self, *kinds: Kind) -> Iterator[tuple[int, Line]]:
        """(line number, line) of every line of these kinds."""
        return ((number, line) for number, line in enumerate(self.index.lines, 1) if line.kind in kinds)


@dataclass(frozen=True, slots=True)
class Fault:
    """What a rule reports: the place (line 0 = the whole file), the text it points at, the sentence and a fix."""

    line: int
    message: str
    fix: str = ""
    at: str = ""


Rule = Callable[[Scope], Iterator[Fault]]


def tidy(word: str) -> str:
    """A keyword as it should be written: NFC, lower case, without blanks, invisible and format-bearing characters."""
    return "".join(char for char in lower(word) if not unfit(char)).strip(",，§→") or ""


def lower(word: str) -> str:
    """NFC and lower case; `ß` stays, it is a letter and not a case."""
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", word).lower())


def unfit(char: str) -> bool:
    """Whether a character may not stand inside a keyword: blanks, control and format characters, `§` and `→`."""
    return not char.isalnum() and (char.isspace() or char in "§→" or unicodedata.category(char) in _INVISIBLE)


_INVISIBLE = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp"))


def corrected(entry: Entry) -> str:
    """The line an entry should have been: arrow, commas, case and repeats put right, nothing else changed."""
    words = list(dict.fromkeys(word for raw in entry.keywords if (word := hyphenated(raw))))
    return str(Entry(entry.mark, tuple(words), entry.target.strip()))


def hyphenated(word: str) -> str:
    """A keyword put right: inner blanks become hyphens, unfit characters vanish."""
    return tidy("-".join(word.split()))
