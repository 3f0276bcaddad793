"""Likely synonyms: the words of a sidecar's notes that keep the same company. Shell: disk and SQLite.

They are proposals. Nobody but the reader puts them into `synonyms.txt`, and a search uses them only where the setting
`discovered_synonyms` says so.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from . import gathered
from .cut import has_han, normal, pieces
from .forms import STOP_CHINESE, STOP_ENGLISH
from .likeness import Pair, pairs
from .mending import mending
from .reading import note_text
from .sidecar import Sidecar
from .synonyms import Synonyms

_SHORTEST = 3  # letters of a word
_LARGEST = 200_000  # characters of a note that are looked through


def find_likely(sidecar: Sidecar, least_notes: int, by_hand: Synonyms) -> list[Pair]:
    """Find likely synonyms in the notes of a sidecar, store them there in place of the last ones, and return them.

    Pairs that the table kept by hand has already are left out. Raises Busy, SidecarError.
    """
    notes: dict[str, set[str]] = {}
    shown: dict[str, Counter[str]] = defaultdict(Counter)
    with sidecar.guard, mending(sidecar):
        for (name,) in sidecar.connection.execute("SELECT name FROM file").fetchall():
            words = dict(_words(sidecar, normal(note_text(sidecar, name, _LARGEST))))
            for root, form in words.items():
                shown[root][form] += 1
            notes[name] = set(words)
        spelled = {root: min(forms, key=lambda form: (-forms[form], form)) for root, forms in shown.items()}
        found = [
            Pair(spelled[pair.word], spelled[pair.other], pair.shared, pair.jaccard)
            for pair in pairs(notes, least_notes)
            if not by_hand.knows(spelled[pair.word], spelled[pair.other])
        ]
        with sidecar.writing(2.0):
            gathered.make(sidecar.connection)
            gathered.set_likely_synonyms(sidecar.connection, found)
    return found


def _words(sidecar: Sidecar, text: str) -> Iterator[tuple[str, str]]:
    """Yield the words of a text that tell something, as (stem, form); of Chinese the words of the dictionary."""
    for piece in pieces(text):
        word, form = piece.words[0], piece.forms[0]
        if not piece.tail and len(form) >= _SHORTEST and form.isalpha() and form not in STOP_ENGLISH:
            yield word, form
    if has_han(text):
        for word in dict.fromkeys(sidecar.cut(text).extra):
            if word not in STOP_CHINESE:
                yield word, word
