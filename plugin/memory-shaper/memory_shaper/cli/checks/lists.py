"""The lists kept by hand for recall, and the lock that keeps it quiet. Shell: reads the folder of the record."""

from __future__ import annotations

from collections.abc import Iterator

from ... import edit
from ...headings import collapsed
from ...recall.quiet import LOCK, quiet
from ...recall.word_lists import word_lists
from ..screen import counted
from .base import Diagnosis, Patient, note, ok


def lists(patient: Patient) -> Iterator[Diagnosis]:
    """`words.txt` and `synonyms.txt`: each line that cannot be used."""
    found = word_lists(patient.home)
    for fault in found.faults:
        yield note("word-lists", f"{collapsed(str(patient.home.data))}/{fault}; it is left out")
    if not found.faults:
        table = "a table of synonyms" if found.synonyms else "no synonyms"
        yield ok("word-lists", f"{counted(len(found.words), 'word')} and {table} are kept by hand")


def lock(patient: Patient) -> Iterator[Diagnosis]:
    """The lock by which a workflow keeps hints away."""
    found = quiet(patient.home, edit.now())
    if found.told:
        yield note("recall-lock", found.told, f"rm {collapsed(str(patient.home.data / LOCK))}")
