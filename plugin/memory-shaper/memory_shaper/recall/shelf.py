"""One shelf of the sidecar: texts as terms, put, removed and looked up. Shell: SQLite.

There are two shelves, notes and sessions, so that neither weighs on the other's word counts.
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate

from .analyser import Terms
from .score import Closer, Means
from .standing import Claim, claim_from

# Dictionary words carry a sign, so that they never count as pairs of characters.
EXTRA = "="


@dataclass(frozen=True, slots=True)
class Text:
    """A text to be put: `units` are its terms, `places` what each unit is for the reader (offsets or row numbers).

    `name` is unique on the shelf, `day` the ordinal of the text's own date, `facts` a JSON object for the reader,
    `segmented` whether a segmenter was at hand, or the text has no use for one.
    """

    name: str
    kind: str
    day: int | None
    units: Sequence[Terms]
    places: Sequence[int]
    facts: str = "{}"
    segmented: bool = True


@dataclass(frozen=True, slots=True)
class Card:
    """What the shelf knows of a text without its terms."""

    id: int
    name: str
    kind: str
    day: int | None
    places: Sequence[int]
    facts: str


class Shelf:
    """The texts of one kind in an open sidecar; `prefix` is "note" or "session".

    `lengths` and `extra_lengths` tell how many words and extra words each text has, as of the last `load`.
    """

    def __init__(self, connection: sqlite3.Connection, prefix: str) -> None:
        self._connection = connection
        self._prefix = prefix
        self._seen = -1
        self.lengths: Mapping[int, int] = {}
        self.extra_lengths: Mapping[int, int] = {}
        self._days: list[tuple[int, int]] = []
        self._kinds: dict[int, str] = {}
        self._facts: dict[int, str] = {}
        self._day: dict[int, int] = {}
        self._claims: dict[int, Claim] | None = None
        self._telling: tuple[Claim, ...] = ()
        self._means = Means(0, 1, 1, 1, 1)
        self._counts: dict[str, int] = {}

    def _run(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        return self._connection.execute(statement.replace("{}", self._prefix), values)

    def put(self, text: Text) -> None:
        """Store a text in place of the one of the same name."""
        self.remove(text.name)
        words = [word for unit in text.units for word in unit.words]
        forms = [form for unit in text.units for form in unit.forms]
        extra = [EXTRA + word for unit in text.units for word in unit.extra]
        starts = _starts(len(unit.words) for unit in text.units)
        extra_starts = _starts(len(unit.extra) for unit in text.units)
        marks = _starts(sum(len(form) + 1 for form in unit.forms) for unit in text.units)
        row = self._run(
            "INSERT INTO {}_text(name, kind, day, segmented, length, units, extra, extra_units, starts, extra_starts, "
            "marks, places, facts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(text.name, text.kind, text.day, text.segmented, len(words), len(text.units), len(extra)),
                *(len(text.units) if extra else 0, starts, extra_starts, marks, _packed(text.places), text.facts),
            ),
        )
        self._run(
            "INSERT INTO {}_terms(rowid, words, extra, forms) VALUES (?, ?, ?, ?)",
            (row.lastrowid, " ".join(words), " ".join(extra), " ".join(forms)),
        )

    def remove(self, name: str) -> None:
        """Remove the text of that name, where there is one."""
        found = self._run("SELECT id FROM {}_text WHERE name = ?", (name,)).fetchone()
        if found:
            self._run("DELETE FROM {}_terms WHERE rowid = ?", found)
            self._run("DELETE FROM {}_text WHERE id = ?", found)

    def names(self) -> dict[str, bool]:
        """Return every name, with whether the text was cut with a segmenter."""
        return {name: bool(flag) for name, flag in self._run("SELECT name, segmented FROM {}_text")}

    def last_places(self, start: str, end: str) -> Sequence[int]:
        """Return the places of the last text with a name from `start` up to `end`, none where there is none."""
        found = self._run(
            "SELECT places FROM {}_text WHERE name >= ? AND name < ? ORDER BY name DESC LIMIT 1", (start, end)
        ).fetchone()
        return _unpacked(found[0]) if found else ()

    def load(self) -> None:
        """Read lengths and days again where the file has changed since."""
        changes = self._connection.execute("PRAGMA data_version").fetchone()[0] * 2**32 + self._connection.total_changes
        if changes == self._seen:
            return
        rows = self._run("SELECT id, length, extra, day, units, extra_units, kind, facts FROM {}_text").fetchall()
        self.lengths = {row[0]: row[1] for row in rows}
        self.extra_lengths = {row[0]: row[2] for row in rows}
        self._day = {row[0]: row[3] for row in rows if row[3] is not None}
        self._days = sorted((day, text) for text, day in self._day.items())
        self._kinds = {row[0]: row[6] for row in rows}
        self._facts = {row[0]: row[7] for row in rows if row[7] != "{}"}
        length, extra, units, extra_units = (sum(row[i] for row in rows) for i in (1, 2, 4, 5))
        texts, segmented = len(rows), sum(1 for row in rows if row[2])
        self._means = Means(
            texts, length / (texts or 1), length / (units or 1), extra / (segmented or 1), extra / (extra_units or 1)
        )
        self._counts.clear()
        self._claims = None
        self._seen = changes

    @property
    def means(self) -> Means:
        return self._means

    @property
    def days(self) -> Sequence[tuple[int, int]]:
        """The ordinals of the texts' days with the texts, in order."""
        return self._days

    def day(self, text: int) -> int | None:
        """Return the ordinal of a text's own date."""
        return self._day.get(text)

    def kind(self, text: int) -> str:
        """Return the kind that a text was put with."""
        return self._kinds[text]

    def facts(self, text: int) -> str:
        """Return the facts that a text was put with, "{}" where there are none."""
        return self._facts.get(text, "{}")

    def claim(self, text: int) -> Claim:
        """Return what a text says of itself."""
        return self._claimed()[text]

    @property
    def telling(self) -> Sequence[Claim]:
        """The claims that bear on other texts: a project's, and those that replace others."""
        self._claimed()
        return self._telling

    def _claimed(self) -> dict[int, Claim]:
        if self._claims is None:
            rows = self._run("SELECT id, name, day, facts FROM {}_text").fetchall()
            self._claims = {row[0]: _claim(*row[1:]) for row in rows}
            self._telling = tuple(one for one in self._claims.values() if one.project or one.supersedes)
        return self._claims

    @property
    def has_facts(self) -> bool:
        """Whether any text was put with facts."""
        return bool(self._facts)

    def holding(self, term: str) -> int:
        """Return how many texts hold a term."""
        if term not in self._counts:
            found = self._run("SELECT doc FROM {}_counts WHERE term = ?", (term,)).fetchone()
            self._counts[term] = found[0] if found else 0
        return self._counts[term]

    def occurrences(self, term: str) -> list[tuple[int, int]]:
        """Return where a term stands, as (text, place in its field)."""
        return self._run("SELECT doc, offset FROM {}_spots WHERE term = ?", (term,)).fetchall()

    def beginning_with(self, character: str) -> list[str]:
        """Return the terms that begin with a character."""
        rows = self._run(
            "SELECT term FROM {}_counts WHERE term >= ? AND term < ?", (character, character + "\U0010ffff")
        )
        return [term for (term,) in rows]

    def starts(self, texts: Iterable[int]) -> dict[int, tuple[Sequence[int], Sequence[int]]]:
        """Return where the units of some texts begin, among their words and among their extra words."""
        found: dict[int, tuple[Sequence[int], Sequence[int]]] = {}
        for chunk in _chunks(texts):
            marks = ",".join("?" * len(chunk))
            rows = self._run(f"SELECT id, starts, extra_starts FROM {{}}_text WHERE id IN ({marks})", chunk)
            found |= {row[0]: (_unpacked(row[1]), _unpacked(row[2])) for row in rows}
        return found

    def closer(self, texts: Iterable[int]) -> dict[int, Closer]:
        """Return the words and forms of some texts."""
        found: dict[int, Closer] = {}
        for chunk in _chunks(texts):
            marks = ",".join("?" * len(chunk))
            units = dict(self._run(f"SELECT id, marks FROM {{}}_text WHERE id IN ({marks})", chunk).fetchall())
            rows = self._run(f"SELECT rowid, words, forms FROM {{}}_terms WHERE rowid IN ({marks})", chunk)
            found |= {row[0]: Closer(f" {row[1]} ", f" {row[2]} ", _unpacked(units[row[0]])) for row in rows}
        return found

    def cards(self, texts: Iterable[int]) -> dict[int, Card]:
        """Return the cards of some texts."""
        found: dict[int, Card] = {}
        for chunk in _chunks(texts):
            marks = ",".join("?" * len(chunk))
            rows = self._run(f"SELECT id, name, kind, day, places, facts FROM {{}}_text WHERE id IN ({marks})", chunk)
            found |= {row[0]: Card(row[0], row[1], row[2], row[3], _unpacked(row[4]), row[5]) for row in rows}
        return found


def _claim(name: str, day: int | None, facts: str) -> Claim:
    return claim_from(name, date.fromordinal(day) if day else None, {} if facts == "{}" else json.loads(facts))


def _starts(sizes: Iterable[int]) -> bytes:
    return _packed([0, *accumulate(sizes)][:-1])


def _packed(numbers: Iterable[int]) -> bytes:
    return array("q", numbers).tobytes()


def _unpacked(data: bytes) -> Sequence[int]:
    numbers = array("q")
    numbers.frombytes(data)
    return numbers


def _chunks(texts: Iterable[int]) -> Iterator[list[int]]:
    every = list(texts)
    for start in range(0, len(every), 500):
        yield every[start : start + 500]
