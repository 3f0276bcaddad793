"""One shelf of the sidecar: texts as terms, put, removed and looked up. Shell: SQLite.

There are two shelves, notes and sessions, so that neither weighs on the other's word counts.
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate
from typing import NamedTuple

from .analyser import Terms
from .database import changes
from .postings import BLOCK, Postings
from .score import Closer, Means, slowness
from .standing import Claim, claim_from

# Dictionary words carry a sign, so that they never count as pairs of characters.
EXTRA = "="
# Texts that are read at once, and terms whose rows are kept; the cards of more texts are read with all the others.
_MANY = 500


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


class Card(NamedTuple):
    """What the shelf knows of a text without its terms: how many words and extra words it has, and units of each."""

    id: int
    name: str
    kind: str
    day: int | None
    length: int
    extra: int
    units: int
    extra_units: int
    facts: str


@dataclass(frozen=True, slots=True)
class Field:
    """The terms of one field of a text between blanks, the first character and the first term of every unit."""

    terms: str
    marks: Sequence[int]
    starts: Sequence[int]


class Shelf:
    """The texts of one kind in an open sidecar; `prefix` is "note" or "session".

    `cards`, `slow` and `extra_slow` (what BM25 adds to a count for the words and extra words of each text), `days`
    (ordinals with texts, in order) and `means` are as of the last `load`.
    """

    def __init__(self, connection: sqlite3.Connection, prefix: str) -> None:
        self._connection = connection
        self._prefix = prefix
        self._postings = Postings(connection, prefix)
        self._seen = -1
        self._stamps: frozenset[tuple[int, int]] = frozenset()
        self._rows: dict[str, Mapping[int, bytes]] = {}
        self.cards: dict[int, Card] = {}
        self.slow: Mapping[int, float] = {}
        self.extra_slow: Mapping[int, float] = {}
        self.days: Sequence[tuple[int, int]] = ()
        self.means = Means(0, 1, 1, 1, 1)
        self.has_facts = False
        self._telling: tuple[Claim, ...] | None = None

    def _run(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        return self._connection.execute(statement.replace("{}", self._prefix), values)

    def put(self, text: Text) -> None:
        """Store a text in place of the one of the same name; it is found after `flush`."""
        words = " ".join(word for unit in text.units for word in unit.words)
        forms = " ".join(form for unit in text.units for form in unit.forms)
        extra = " ".join(EXTRA + word for unit in text.units for word in unit.extra)
        counts = _counts(words, extra)
        known = self._run("SELECT id, stamp FROM {}_text WHERE name = ?", (text.name,)).fetchone()
        before = self._counts_of(known[0]) if known else {}
        length, more = sum(len(unit.words) for unit in text.units), sum(len(unit.extra) for unit in text.units)
        number = self._run(
            "INSERT OR REPLACE INTO {}_text(id, stamp, name, kind, day, segmented, length, extra, units, extra_units, "
            "facts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *((known[0], known[1] + 1) if known else (None, 0)),
                *(text.name, text.kind, text.day, text.segmented, length, more, len(text.units)),
                *(len(text.units) if more else 0, text.facts),
            ),
        ).lastrowid
        assert number is not None
        self._run(
            "INSERT OR REPLACE INTO {}_body(id, places, cuts, words, extra, forms) VALUES (?, ?, ?, ?, ?, ?)",
            (number, array("q", text.places).tobytes(), _cuts(text.units), words, extra, forms),
        )
        if known:
            self._postings.change(number, before, counts)
        else:
            self._postings.add(number, counts)

    def remove(self, name: str) -> None:
        """Remove the text of that name, where there is one."""
        found = self._run("SELECT id FROM {}_text WHERE name = ?", (name,)).fetchone()
        if found:
            self._postings.change(found[0], self._counts_of(found[0]), {})
            self._run("DELETE FROM {}_body WHERE id = ?", found)
            self._run("DELETE FROM {}_text WHERE id = ?", found)

    def _counts_of(self, text: int) -> Mapping[str, int]:
        found = self._run("SELECT words, extra FROM {}_body WHERE id = ?", (text,)).fetchone()
        if found is None:
            raise sqlite3.DatabaseError("a text of the sidecar has no words")
        return _counts(*found)

    def flush(self) -> None:
        """Write what `put` and `remove` have left to be written; a change ends with it."""
        self._postings.flush()

    def drop(self) -> None:
        """Forget what `put` and `remove` have left to be written, as after a change that was rolled back."""
        self._postings.drop()

    def names(self) -> list[str]:
        """Return the name of every text."""
        return [name for (name,) in self._run("SELECT name FROM {}_text")]

    def unsegmented(self, most: int) -> list[str]:
        """Return the names of some texts that were put without the segmenter they have a use for."""
        return [name for (name,) in self._run("SELECT name FROM {}_text WHERE segmented = 0 LIMIT ?", (most,))]

    def is_unsegmented(self, name: str) -> bool:
        """Tell whether a text was put without the segmenter that it has a use for."""
        return self._run("SELECT 1 FROM {}_text WHERE name = ? AND segmented = 0", (name,)).fetchone() is not None

    def finds(self, name: str) -> bool:
        """Tell whether the text of that name is found by its first word; one without words is not looked for."""
        row = self._run("SELECT id, words FROM {}_body WHERE id = (SELECT id FROM {}_text WHERE name = ?)", (name,))
        text, words = row.fetchone() or (0, "")
        block, low = divmod(text, BLOCK)
        return not words or low in self._postings.rows(words.split()[0]).get(block, b"")[::2]

    def places_of(self, name: str) -> Sequence[int]:
        """Return the places of the text of that name, none where there is none."""
        return self._places("name = ?", (name,))

    def last_places(self, start: str, end: str) -> Sequence[int]:
        """Return the places of the last text with a name from `start` up to `end`, none where there is none."""
        return self._places("name >= ? AND name < ? ORDER BY name DESC LIMIT 1", (start, end))

    def _places(self, which: str, values: Sequence[object]) -> Sequence[int]:
        found = self._run(
            f"SELECT places FROM {{}}_body WHERE id = (SELECT id FROM {{}}_text WHERE {which})", values
        ).fetchone()
        return _unpacked("q", found[0]) if found else ()

    def load(self) -> None:
        """Read again what changed in the file since the last time."""
        now = changes(self._connection)
        if now == self._seen:
            return
        stamps = frozenset(self._run("SELECT id, stamp FROM {}_text"))
        for text, _ in self._stamps - stamps:
            del self.cards[text]
        self.cards |= {card.id: card for card in self._read_cards([text for text, _ in stamps - self._stamps])}
        self._stamps, self._seen = stamps, now
        self._rows.clear()
        self._telling = None
        self._sum_up()

    def _read_cards(self, texts: Sequence[int]) -> Iterator[Card]:
        columns = "SELECT id, name, kind, day, length, extra, units, extra_units, facts FROM {}_text"
        if len(texts) > _MANY:
            yield from map(Card._make, self._run(columns))
            return
        for text in texts:
            yield from map(Card._make, self._run(f"{columns} WHERE id = ?", (text,)))

    def _sum_up(self) -> None:
        cards = self.cards.values()
        self.days = sorted((card.day, card.id) for card in cards if card.day is not None)
        self.has_facts = any(card.facts != "{}" for card in cards)
        length, extra = sum(card.length for card in cards), sum(card.extra for card in cards)
        units, extra_units = sum(card.units for card in cards), sum(card.extra_units for card in cards)
        segmented = sum(1 for card in cards if card.extra)
        self.means = Means(
            *(len(cards), length / (len(cards) or 1), length / (units or 1)),
            *(extra / (segmented or 1), extra / (extra_units or 1)),
        )
        self.slow = {card.id: slowness(card.length, self.means.text) for card in cards}
        self.extra_slow = {card.id: slowness(card.extra, self.means.extra) for card in cards}

    def claim(self, text: int) -> Claim:
        """Return what a text says of itself."""
        return _claim(self.cards[text])

    @property
    def telling(self) -> Sequence[Claim]:
        """The claims that bear on other texts: a project's, and those that replace others."""
        if self._telling is None:
            claims = (_claim(card) for card in self.cards.values() if card.facts != "{}")
            self._telling = tuple(claim for claim in claims if claim.project or claim.supersedes)
        return self._telling

    def holding(self, term: str) -> int:
        """Return how many texts hold a term."""
        return sum(len(row) for row in self.rows(term).values()) // 2

    def rows(self, term: str) -> Mapping[int, bytes]:
        """Return the texts that hold a term, as `Postings.rows` gives them, as of the last `load`."""
        rows = self._rows.get(term)
        if rows is None:
            if len(self._rows) >= _MANY:
                self._rows.clear()
            rows = self._rows[term] = self._postings.rows(term)
        return rows

    def beginning_with(self, character: str) -> list[str]:
        """Return the terms that begin with a character."""
        return self._postings.beginning_with(character)

    def fields(self, texts: Iterable[int]) -> dict[int, tuple[Field, Field]]:
        """Return the words and the extra words of some texts."""
        found = {}
        for text, cuts, words, extra in self._bodies("cuts, words, extra", texts):
            starts, marks, extra_starts, extra_marks, _ = _lists(cuts)
            found[text] = (Field(f" {words} ", marks, starts), Field(f" {extra} ", extra_marks, extra_starts))
        return found

    def closer(self, texts: Iterable[int]) -> dict[int, Closer]:
        """Return the words and forms of some texts."""
        rows = self._bodies("cuts, words, forms", texts)
        return {text: Closer(f" {words} ", f" {forms} ", _lists(cuts)[4]) for text, cuts, words, forms in rows}

    def places(self, texts: Iterable[int]) -> dict[int, Sequence[int]]:
        """Return the places of some texts."""
        return {text: _unpacked("q", places) for text, places in self._bodies("places", texts)}

    def _bodies(self, columns: str, texts: Iterable[int]) -> Iterator[tuple]:  # type: ignore[type-arg]
        every = list(texts)
        for start in range(0, len(every), _MANY):
            chunk = every[start : start + _MANY]
            marks = ",".join("?" * len(chunk))
            yield from self._run(f"SELECT id, {columns} FROM {{}}_body WHERE id IN ({marks})", chunk).fetchall()


def _claim(card: Card) -> Claim:
    facts = {} if card.facts == "{}" else json.loads(card.facts)
    return claim_from(card.name, date.fromordinal(card.day) if card.day else None, facts)


def _counts(words: str, extra: str) -> Mapping[str, int]:
    return Counter(f"{words} {extra}".split())


def _cuts(units: Sequence[Terms]) -> bytes:
    """Pack where units begin: first word, its first character, the same of extra words, first character of forms."""
    sizes = (
        [len(unit.words) for unit in units],
        [sum(map(len, unit.words)) + len(unit.words) for unit in units],
        [len(unit.extra) for unit in units],
        [sum(map(len, unit.extra)) + (1 + len(EXTRA)) * len(unit.extra) for unit in units],
        [sum(map(len, unit.forms)) + len(unit.forms) for unit in units],
    )
    return b"".join(array("I", [0, *accumulate(every)][:-1]).tobytes() for every in sizes)


def _lists(cuts: bytes) -> list[Sequence[int]]:
    numbers = _unpacked("I", cuts)
    size = len(numbers) // 5
    return [numbers[i * size : (i + 1) * size] for i in range(5)]


def _unpacked(kind: str, data: bytes) -> Sequence[int]:
    numbers: array[int] = array(kind)
    numbers.frombytes(data)
    return numbers
