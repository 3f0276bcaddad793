"""The two lists that people keep by hand beside the record: `words.txt` and `synonyms.txt`. Shell: reads them.

They are read again where their size or time of change moved. A line that cannot be used is left out and named.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from ..settings import Home
from .cut import has_han, normal
from .synonyms import NONE, Synonyms, read_rows

WORDS, SYNONYMS = "words.txt", "synonyms.txt"
MOST_WORDS = 5000
_LARGEST = 1_000_000  # bytes of a list
_LONGEST = 16


@dataclass(frozen=True, slots=True)
class Fault:
    """A line of a list that cannot be used; line 0 is the whole file."""

    file: str
    line: int
    why: str

    def __str__(self) -> str:
        return f"{self.file}{f':{self.line}' if self.line else ''}: {self.why}"


@dataclass(frozen=True, slots=True)
class Lists:
    """The words and synonyms kept by hand, and what of them cannot be used."""

    words: tuple[str, ...] = ()
    synonyms: Synonyms = NONE
    faults: tuple[Fault, ...] = ()

    @property
    def trouble(self) -> str:
        """What cannot be used in one sentence, "" where all can."""
        if not self.faults:
            return ""
        more = f" and {len(self.faults) - 1} more" if len(self.faults) > 1 else ""
        return f"left out: {self.faults[0]}{more}"


@dataclass(frozen=True, slots=True)
class _Stamp:
    size: int = -1
    mtime: int = field(default=0)


def word_lists(home: Home) -> Lists:
    """Return the lists of a home as they are now; missing files are empty lists."""
    return _read(home.data, *(_stamp(home.data / name) for name in (WORDS, SYNONYMS)))


def _stamp(path: Path) -> _Stamp:
    try:
        seen = path.stat()
    except OSError:
        return _Stamp()
    return _Stamp(seen.st_size, seen.st_mtime_ns)


@lru_cache(maxsize=16)
def _read(folder: Path, words: _Stamp, synonyms: _Stamp) -> Lists:
    """Read both lists; the stamps only tell one reading from the next."""
    faults: list[Fault] = []
    known = _words(_text(folder / WORDS, words, faults), faults)
    rows, bad = read_rows(_text(folder / SYNONYMS, synonyms, faults))
    faults += (Fault(SYNONYMS, row.line, row.why) for row in bad)
    return Lists(known, Synonyms(rows) if rows else NONE, tuple(faults))


def _text(path: Path, stamp: _Stamp, faults: list[Fault]) -> str:
    if stamp.size < 0:
        return ""
    if stamp.size > _LARGEST:
        faults.append(Fault(path.name, 0, f"is larger than {_LARGEST:,} bytes"))
        return ""
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        faults.append(Fault(path.name, 0, "is not UTF-8"))
    except OSError as error:
        faults.append(Fault(path.name, 0, f"cannot be read ({error.strerror})"))
    return ""


def _words(text: str, faults: list[Fault]) -> tuple[str, ...]:
    """Read one word a line; only Chinese has words that need a dictionary."""
    words: dict[str, None] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        word = normal(line.strip())
        if not word or word.startswith("#"):
            continue
        if not is_dictionary_word(word):
            why = f"a word for the dictionary is a run of 2 to {_LONGEST} Chinese characters; others need none"
            faults.append(Fault(WORDS, number, why))
        elif len(words) >= MOST_WORDS:
            faults.append(Fault(WORDS, number, f"only the first {MOST_WORDS} words are read"))
        else:
            words[word] = None
    return tuple(words)


def is_dictionary_word(word: str) -> bool:
    """Tell whether a word may be one for the segmenter."""
    return 1 < len(word) <= _LONGEST and all(has_han(char) for char in word)
