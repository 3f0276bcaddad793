"""Gathering names and new words from the notes of a sidecar, after these are searchable. Shell: disk and SQLite.

    waiting notes → names and words that the dictionary lacks → tables
    words of two notes and more, and those of `words.txt` → the segmenter → the notes that hold one are read again

It goes on where it stopped, so a search spends a moment on it and `memory-shaper index` as long as it takes.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..errors import Busy
from . import gathered
from .cut import dense_runs, has_han, normal
from .database import DAMAGED, explain, is_damage
from .entities import BOUNDS, entities, key_of
from .gathered import Kind
from .mending import mending
from .notes import read_note
from .reading import note_text
from .sidecar import Sidecar
from .word_lists import is_dictionary_word

LEAST_NOTES = 2
"""Notes in which a new word has to stand."""

MOST_WORDS = 2000
_MOST_NEW = 40  # new words of one note
_BATCH_SECONDS = 0.2  # of one transaction, so that others never wait for long
_FEW = 30  # notes that a search may cut again
_LARGEST = 500_000  # characters of a note that are looked through
_QUOTED = re.compile(r"[《「『“]([^《》「」『』“”\n]{2,16})[》」』”]")


@dataclass(slots=True)
class Gathered:
    """What was done: notes looked through, notes left for the next time, words that are new for the segmenter, notes
    that were cut again for them."""

    notes: int = 0
    left: int = 0
    words: int = 0
    recut: int = 0


def gather(sidecar: Sidecar, seconds: float | None = None) -> Gathered:
    """Gather from the notes that are new or changed, for as long as is given; None takes the time it needs.

    Another program that builds is not waited for. Raises SidecarError.
    """
    done = Gathered()
    with sidecar.guard:
        try:
            _gather(sidecar, done, None if seconds is None else time.monotonic() + seconds)
        except Busy:
            done.left = max(done.left, 1)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise explain(sidecar.path, error) from error
            sidecar.rebuild_file(DAMAGED)
            done.left = 1
    return done


def _gather(sidecar: Sidecar, done: Gathered, until: float | None) -> None:
    if not gathered.is_made(sidecar.connection):
        with sidecar.writing(0.0):
            gathered.make(sidecar.connection)
    waiting = gathered.waiting(sidecar.connection)
    notes = list(waiting.notes)
    done.left = len(notes)
    if waiting.gone:
        with sidecar.writing(0.0):
            for name in waiting.gone:
                gathered.remove(sidecar.connection, name)
    while notes and (until is None or time.monotonic() < until):
        end = time.monotonic() + _BATCH_SECONDS
        with sidecar.writing(0.0):
            while notes and time.monotonic() < end:
                name, digest = notes.pop()
                gathered.put(sidecar.connection, name, digest, _of_note(sidecar, name))
                done.notes += 1
    done.left = len(notes)


def _of_note(sidecar: Sidecar, name: str) -> list[tuple[Kind, str]]:
    """The names and new words of a note."""
    text = note_text(sidecar, name, _LARGEST)
    note = read_note(text)
    units = [note.front.title, *(text[start:end] for start, end in note.units)]
    names = [(Kind.NAME, key_of(found)) for found in entities(units, sidecar.words.names)]
    return [*names, *((Kind.NEW, word) for word in _new(sidecar, units, note.front.tags))]


def _new(sidecar: Sidecar, units: Sequence[str], tags: Sequence[str]) -> list[str]:
    """The words of a note that the dictionary lacks: guessed, quoted, or a tag."""
    text = normal("\n".join(units))
    if not has_han(text):
        return []
    found = (word.strip(BOUNDS) for word in (*tags, *_QUOTED.findall(text), *_guessed(sidecar, text)))
    return list(dict.fromkeys(word for word in found if is_dictionary_word(word)))[:_MOST_NEW]


def _guessed(sidecar: Sidecar, text: str) -> Iterator[str]:
    for run in dense_runs(text):
        yield from sidecar.words.unknown(run)


def settle_words(sidecar: Sidecar, by_hand: Sequence[str], cheaply: bool = False) -> Gathered:
    """Give the segmenter the words of two notes and more and those kept by hand, and cut the notes that hold a changed
    one again; `cheaply` leaves out what would take a look at all notes or at many.

    Raises Busy, SidecarError, OSError.
    """
    done = Gathered()
    with sidecar.guard, mending(sidecar):
        if not gathered.is_made(sidecar.connection) or sidecar.words.available is False:
            return done
        before = gathered.project_words(sidecar.connection)
        found = gathered.new_words(sidecar.connection, LEAST_NOTES, MOST_WORDS)
        hand = [word for word in by_hand if word in set(before)] if cheaply else by_hand
        wanted = tuple(dict.fromkeys((*hand, *found)))
        changed = set(wanted) ^ set(before)
        names = _notes_of(sidecar, changed, cheaply) if changed else None
        if names is None:
            return done
        with sidecar.writing(0.0 if cheaply else 2.0):
            gathered.set_project_words(sidecar.connection, wanted)
            gathered.read_again(sidecar.connection, names)
        done.words = len(wanted)
        done.recut = len(sidecar.refresh().changed)
    return done


def _notes_of(sidecar: Sidecar, words: set[str], cheaply: bool) -> list[str] | None:
    """The notes that hold one of some words; None where there are too many for a moment."""
    if cheaply:
        known = sorted(gathered.notes_with(sidecar.connection, words))
        return known if len(known) <= _FEW else None
    pattern = re.compile("|".join(map(re.escape, sorted(words, key=len, reverse=True))))
    names = [name for (name,) in sidecar.connection.execute("SELECT name FROM file")]
    return [name for name in names if pattern.search(normal(note_text(sidecar, name, _LARGEST)))]
