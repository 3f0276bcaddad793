"""The tables of what is gathered from notes beside their terms: names, new words, likely synonyms. Shell: SQLite.

They live in the sidecar's file, are made where they are missing, and go with it.
Names that stand in the same notes are found by joining the table with itself when they are asked for, so that nothing
has to be counted per pair, and a note that changes or goes takes along what it added.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from .likeness import Pair

# Raised with every change of the tables or of what is gathered from a text.
_VERSION = "1"
_TABLES = """
CREATE TABLE IF NOT EXISTS gathered(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, digest BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS gathered_word(
    kind TEXT NOT NULL, word TEXT NOT NULL, note INTEGER NOT NULL, PRIMARY KEY(kind, word, note)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS gathered_by_note ON gathered_word(note, kind, word);
CREATE TABLE IF NOT EXISTS likely_synonym(
    word TEXT NOT NULL, other TEXT NOT NULL, shared INTEGER NOT NULL, jaccard REAL NOT NULL, PRIMARY KEY(word, other)
) WITHOUT ROWID;
"""
NAMES = ("gathered", "gathered_word", "likely_synonym")
_MOST_NOTES = 500
"""Notes with a name that are looked at for its neighbours, the newest first."""


class Kind(StrEnum):
    """What a gathered word is: a name, or a word that the segmenter's dictionary lacks."""

    NAME = "name"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Waiting:
    """Notes that are to be gathered from, with their digests, and those that are gone."""

    notes: Sequence[tuple[str, bytes]]
    gone: Sequence[str]


def make(connection: sqlite3.Connection) -> None:
    """Make the tables where they are missing; those of another version are emptied."""
    found = connection.execute("SELECT value FROM state WHERE key = 'gathered'").fetchone()
    if found and found[0] == _VERSION:
        return
    for name in NAMES:
        connection.execute(f"DROP TABLE IF EXISTS {name}")
    for statement in _TABLES.split(";\n"):
        connection.execute(statement)
    connection.execute("INSERT OR REPLACE INTO state(key, value) VALUES ('gathered', ?)", (_VERSION,))


def is_made(connection: sqlite3.Connection) -> bool:
    """Tell whether the tables are there."""
    found = connection.execute("SELECT value FROM state WHERE key = 'gathered'").fetchone()
    return bool(found) and found[0] == _VERSION


def waiting(connection: sqlite3.Connection) -> Waiting:
    """Return what of the sidecar's notes is not gathered as it now stands."""
    notes = connection.execute(
        "SELECT f.name, f.digest FROM file f LEFT JOIN gathered g ON g.name = f.name WHERE g.digest IS NOT f.digest"
    ).fetchall()
    gone = connection.execute("SELECT name FROM gathered WHERE name NOT IN (SELECT name FROM file)").fetchall()
    return Waiting(notes, [name for (name,) in gone])


def put(connection: sqlite3.Connection, name: str, digest: bytes, words: Iterable[tuple[Kind, str]]) -> None:
    """Store what was gathered from a note in place of what was gathered before."""
    remove(connection, name)
    note = connection.execute("INSERT INTO gathered(name, digest) VALUES (?, ?)", (name, digest)).lastrowid
    connection.executemany(
        "INSERT OR IGNORE INTO gathered_word(kind, word, note) VALUES (?, ?, ?)",
        [(kind.value, word, note) for kind, word in words],
    )


def remove(connection: sqlite3.Connection, name: str) -> None:
    """Remove what was gathered from a note."""
    found = connection.execute("SELECT id FROM gathered WHERE name = ?", (name,)).fetchone()
    if found:
        connection.execute("DELETE FROM gathered_word WHERE note = ?", found)
        connection.execute("DELETE FROM gathered WHERE id = ?", found)


def known_names(connection: sqlite3.Connection, names: Iterable[str]) -> list[str]:
    """Return those of some keys that are names in any note."""
    query = "SELECT 1 FROM gathered_word WHERE kind = 'name' AND word = ? LIMIT 1"
    return [name for name in dict.fromkeys(names) if connection.execute(query, (name,)).fetchone()]


def related(connection: sqlite3.Connection, name: str, most: int, least: int = 2) -> list[str]:
    """Return the names that stand in `least` or more notes together with a name, the closest first.

    Closeness is the share of the notes with either that have both (Jaccard).
    """
    rows = connection.execute(
        "SELECT b.word, count(*) AS both FROM (SELECT note FROM gathered_word WHERE kind = 'name' AND word = ? "
        "ORDER BY note DESC LIMIT ?) a JOIN gathered_word b ON b.note = a.note AND b.kind = 'name' AND b.word != ? "
        "GROUP BY b.word HAVING both >= ? ORDER BY both DESC, b.word LIMIT 100",
        (name, _MOST_NOTES, name, least),
    ).fetchall()
    own = _holding(connection, name)
    near = {word: both / (own + _holding(connection, word) - both) for word, both in rows if not _overlap(word, name)}
    return sorted(near, key=lambda word: (-near[word], word))[:most]


def _holding(connection: sqlite3.Connection, name: str) -> int:
    query = "SELECT count(*) FROM (SELECT 1 FROM gathered_word WHERE kind = 'name' AND word = ? LIMIT ?)"
    return int(connection.execute(query, (name, _MOST_NOTES)).fetchone()[0])


def _overlap(word: str, name: str) -> bool:
    """Whether one of two names is a part of the other, as "Lovelace" is of "Ada Lovelace"."""
    return f" {word} " in f" {name} " or f" {name} " in f" {word} "


def new_words(connection: sqlite3.Connection, least: int, most: int) -> list[str]:
    """Return the new words that stand in `least` or more notes, those of most notes first."""
    rows = connection.execute(
        "SELECT word FROM gathered_word WHERE kind = 'new' GROUP BY word HAVING count(*) >= ? "
        "ORDER BY count(*) DESC, word LIMIT ?",
        (least, most),
    )
    return [word for (word,) in rows]


def notes_with(connection: sqlite3.Connection, words: Collection[str]) -> set[str]:
    """Return the notes from which some new words were gathered."""
    query = "SELECT g.name FROM gathered_word w JOIN gathered g ON g.id = w.note WHERE w.kind = 'new' AND w.word = ?"
    return {name for word in words for (name,) in connection.execute(query, (word,))}


def project_words(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return the words with which the notes of the sidecar were cut."""
    found = connection.execute("SELECT value FROM state WHERE key = 'words'").fetchone()
    return _words(found[0]) if found else ()


@lru_cache(maxsize=4)
def _words(value: str) -> tuple[str, ...]:
    return tuple(json.loads(value))


def set_project_words(connection: sqlite3.Connection, words: Sequence[str]) -> None:
    """Store the words with which notes and questions are cut from now on."""
    value = json.dumps(list(words), ensure_ascii=False)
    connection.execute("INSERT OR REPLACE INTO state(key, value) VALUES ('words', ?)", (value,))


def read_again(connection: sqlite3.Connection, names: Iterable[str]) -> None:
    """Let the next refresh read some notes again, though their files are as they were."""
    connection.executemany("UPDATE file SET checked = 0, digest = x'' WHERE name = ?", [(name,) for name in names])


def set_likely_synonyms(connection: sqlite3.Connection, pairs: Iterable[Pair]) -> None:
    """Store likely synonyms in place of those found before."""
    connection.execute("DELETE FROM likely_synonym")
    connection.executemany(
        "INSERT OR IGNORE INTO likely_synonym(word, other, shared, jaccard) VALUES (?, ?, ?, ?)",
        [(pair.word, pair.other, pair.shared, pair.jaccard) for pair in pairs],
    )


def likely_synonyms(connection: sqlite3.Connection) -> list[Pair]:
    """Return the likely synonyms that were last found, the closest first."""
    rows = connection.execute(
        "SELECT word, other, shared, jaccard FROM likely_synonym ORDER BY jaccard DESC, word, other"
    )
    return [Pair(*row) for row in rows]
