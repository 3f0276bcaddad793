"""The vectors kept in step with the notes, as far as the time goes. Shell: reads notes, asks the endpoint."""

from __future__ import annotations

import hashlib
import time
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from ...outgoing.endpoint import NoAnswer
from ...privacy.rules import Rules
from ...privacy.screening import rules_digest
from .client import Client
from .maths import Vector
from .passages import Passage, passages
from .vault import Space, Vault


@dataclass(frozen=True, slots=True)
class Notes:
    """The notes of a folder: `files` are their names with the digests of their bytes, `rules` what is never sent."""

    memories: Path
    files: Mapping[str, bytes]
    rules: Rules

    @property
    def digests(self) -> dict[str, bytes]:
        """What tells a note and the rules that it was cut by from others."""
        rules = rules_digest(self.rules).encode()
        return {name: hashlib.sha256(digest + rules).digest() for name, digest in self.files.items()}

    def passages(self, name: str) -> list[Passage]:
        """The passages of a note as it is now, none where it cannot be read; a changed one is cut again next time."""
        text = read_note_text(self.memories, name)
        return passages(name, text, self.rules) if text else []


# Notes that are cut within one change of the file, so that other programs are not kept waiting.
_AT_ONCE = 50
# A request with less time than this to go is not begun.
_LEAST_SECONDS = 0.2


def cut_notes(vault: Vault, notes: Notes, until: float) -> None:
    """Bring the passages of a vault in step with the notes, until that time is up.

    Times are of the monotonic clock. What was not cut in time is cut the next time.
    """
    known, digests = vault.notes(), notes.digests
    gone = [name for name in known if name not in digests]
    changed = [name for name, digest in digests.items() if known.get(name) != digest]
    if gone:
        with vault.writing():
            for name in gone:
                vault.remove_note(name)
    for start in range(0, len(changed), _AT_ONCE):
        if time.monotonic() > until:
            return
        some = {name: notes.passages(name) for name in changed[start : start + _AT_ONCE]}
        with vault.writing():
            for name, cut in some.items():
                vault.put_note(name, digests[name], ((one.place, one.digest) for one in cut))


def embed_passages(vault: Vault, space: Space, client: Client, notes: Notes, until: float) -> Space:
    """Ask for the vectors that passages lack, the newest notes first, until that time is up.

    Raises NoAnswer where the endpoint cannot be asked; what it gave before is kept.
    """
    waiting = _texts(notes, vault.missing(space))
    while not space.is_stale and (some := list(islice(waiting, client.batch))):
        left = until - time.monotonic()
        if left < _LEAST_SECONDS:
            break
        space = vault.put(space, _asked(client, some, min(left, client.seconds)))
    return space


def _asked(client: Client, some: Sequence[Passage], seconds: float) -> dict[bytes, Vector]:
    """The vectors of a few passages; where the endpoint refuses them it is asked for each half, down to the one text
    that it refuses, which has an empty vector from then on."""
    until = time.monotonic() + seconds
    try:
        vectors = client.embed([one.text for one in some], seconds)
        return {one.digest: vector for one, vector in zip(some, vectors, strict=True)}
    except NoAnswer as error:
        left = until - time.monotonic()
        if not error.refused or left < _LEAST_SECONDS:
            raise
        if len(some) == 1:
            return {some[0].digest: array("f")}
    half = len(some) // 2
    first = _asked(client, some[:half], left)
    return first | _asked(client, some[half:], max(until - time.monotonic(), _LEAST_SECONDS))


def _texts(notes: Notes, missing: Mapping[str, Collection[bytes]]) -> Iterator[Passage]:
    """Yield the passages of these digests, each text once."""
    seen: set[bytes] = set()
    for name, digests in missing.items():
        for one in notes.passages(name):
            if one.digest in digests and one.digest not in seen:
                seen.add(one.digest)
                yield one


def read_note_text(memories: Path, name: str) -> str:
    """A note byte for byte, "" where it vanished or is no text; the sidecar says so."""
    try:
        return (memories / name).read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
