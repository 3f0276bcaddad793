"""Whether what is written can be found: the sidecar in step, keywords that their topics still speak of. Shell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ... import edit, grammar, names, store
from ...errors import MemoryShaperError
from ...headings import collapsed
from ...model import Entry
from ..screen import counted, visible
from .base import Diagnosis, Patient, note, ok

_SHOWN = 5  # names
_SIGNS = re.compile(r"[\W_]+")


def sidecar(patient: Patient) -> Iterator[Diagnosis]:
    """The sidecar: there, and in step with the notes."""
    from ...recall.freshness import behind

    path = patient.home.data / "sidecar.db"
    try:
        late = behind(path, patient.home.memories) if patient.home.memories.is_dir() else None
    except (MemoryShaperError, OSError) as error:
        yield note("sidecar", str(error), patient.ours("index", "--rebuild"))
        return
    if late is None:
        told = f"there is no sidecar yet; the first search makes {collapsed(str(path))}"
        yield note("sidecar", told, patient.ours("index"))
    elif late:
        told = f"the sidecar is {counted(late, 'note')} behind the files; the next search brings it in step"
        yield note("sidecar", told, patient.ours("index"))
    else:
        yield ok("sidecar", "the sidecar is in step with the notes")


def keywords(patient: Patient) -> Iterator[Diagnosis]:
    """Topics in whose text none of their keywords occurs any more: a question may be led to the wrong file."""
    try:
        document = store.read_if_there(patient.home.index)
    except MemoryShaperError:  # told as the index
        return
    entries = [entry for _, entry in grammar.parse(document.text).entries()] if document else []
    strange = [entry.target for entry in entries if _speaks_of_nothing(patient, entry)]
    if strange:
        shown = ", ".join(map(visible, strange[:_SHOWN])) + (" …" if len(strange) > _SHOWN else "")
        told = f"{counted(len(strange), 'topic')} without a single one of their keywords in the text: {shown}"
        yield note("keywords", told, patient.ours("history", strange[0]))
    elif entries:
        yield ok("keywords", "every topic speaks of at least one of its keywords")


def _speaks_of_nothing(patient: Patient, entry: Entry) -> bool:
    if names.fault(entry.target):
        return False
    path = patient.home.memories / entry.target
    try:
        seen = store.identify(path)
        if seen is None or seen.size > edit.LARGEST_KEPT:
            return False
        text = _pressed(store.read(path).text)
    except MemoryShaperError:  # told as the index's error
        return False
    return not any(_pressed(keyword).removesuffix("s") in text for keyword in entry.keywords)


def _pressed(text: str) -> str:
    """A text by its letters and digits alone, in one case: `garbage collection` holds `garbagecollection`."""
    return _SIGNS.sub("", names.nfc(text).casefold())
