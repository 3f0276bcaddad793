"""Searching by meaning: hits in, the same hits with likeness in their scores and a few more out. Shell.

Whatever goes wrong here is told in half a sentence, and the hits stay what words made of them.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...outgoing.endpoint import NoAnswer
from ...settings import Home, Settings
from ..hit import Hit
from ..search import Wish
from ..standing import View
from .breaker import Breaker
from .client import Client, client_of
from .keeping import Notes, cut_notes, embed_passages
from .maths import Vector, cosines
from .mixing import Best, mixed
from .passages import digest_of, sendable
from .vault import NAME, PASSAGES, QUESTION, Matrix, Space, Vault, VaultError

_LONGEST_QUESTION = 2000
# What fills the vault may take longer for one request than a search may in all.
_PATIENCE = 30.0
# A text that is asked for to see whether the endpoint answers, and with how many numbers.
_PROBE = "memory"


@dataclass(frozen=True, slots=True)
class Built:
    """What `build` did: passages in all, those with an answer now, those that got it just now, what was amiss."""

    passages: int = 0
    known: int = 0
    embedded: int = 0
    trouble: str = ""


class Meaning:
    """Finds by meaning in the notes of one home; keeps the vectors in memory between questions."""

    def __init__(self, home: Home, environ: Mapping[str, str] | None = None) -> None:
        self._memories = home.memories
        self._path = home.data / NAME
        self._environ = os.environ if environ is None else environ
        self._lock = threading.Lock()
        self._loaded: tuple[tuple[int, int, int], Matrix] | None = None

    def fused(
        self,
        question: str,
        wish: Wish,
        view: View,
        hits: Sequence[Hit],
        files: Mapping[str, bytes],
        settings: Settings,
    ) -> tuple[list[Hit], str]:
        """The hits with meaning in their scores, and what was amiss, "" where all is well.

        `files` are the notes with the digests of their bytes. Hits of sessions stay as they are, and no hit is lost.
        """
        asked = sendable(question[:_LONGEST_QUESTION], settings.rules)
        if not asked:
            return list(hits), ""
        try:
            with self._lock:
                best, trouble = self._best(asked, Notes(self._memories, files, settings.rules), settings)
        except NoAnswer as error:
            return list(hits), f"embeddings: {error}; found by words only"
        return mixed(self._memories, best, wish, view, hits, settings), trouble

    def build(self, files: Mapping[str, bytes], settings: Settings, rebuild: bool = False) -> Built:
        """Give every passage its vector, however long it takes; what is amiss ends it and is told.

        With `rebuild` the vectors of other models are forgotten, and all where the model is another one by now.
        """
        try:
            client = replace(client_of(settings, self._environ), seconds=_PATIENCE)
            with self._lock, Vault(self._path) as vault:
                return _built(vault, client, Notes(self._memories, files, settings.rules), rebuild)
        except NoAnswer as error:
            return Built(trouble=str(error))

    def _best(self, question: str, notes: Notes, settings: Settings) -> tuple[Best, str]:
        """The best passage of every note, and what is amiss. Raises NoAnswer where nothing can be told."""
        client = client_of(settings, self._environ)
        until = time.monotonic() + client.seconds
        with Vault(self._path) as vault:
            space = vault.space(client.endpoint)
            # The question comes first: cutting many new notes may take all of the time.
            vector, space = _vector_of(vault, space, client, question, until)
            cut_notes(vault, notes, until)
            space, trouble = _filled(vault, space, client, notes, until)
            return _compared(self._matrix(vault, space), vector), trouble

    def _matrix(self, vault: Vault, space: Space) -> Matrix:
        """The vectors of a space, read again where they have changed."""
        key = (_place(self._path), space.id, vault.change)
        if self._loaded is None or self._loaded[0] != key:
            self._loaded = (key, vault.matrix(space))
        return self._loaded[1]


def _built(vault: Vault, client: Client, notes: Notes, rebuild: bool) -> Built:
    space = vault.space(client.endpoint)
    cut_notes(vault, notes, float("inf"))
    before, trouble = vault.counts(space)[1], ""
    try:
        probe = {digest_of(_PROBE): client.embed([_PROBE], _PATIENCE)[0]}
        space = vault.put(space, probe, of_passages=False)
        if rebuild:
            space = vault.renew(space)
            vault.forget_others(space)
            before = vault.counts(space)[1]
        space = embed_passages(vault, space, client, notes, float("inf"))
        for task in (QUESTION, PASSAGES):
            vault.set_breaker(space, task, Breaker())
        vault.tidy()
    except NoAnswer as error:
        trouble = str(error)
    every, known = vault.counts(space)
    return Built(every, known, max(known - before, 0), trouble or space.staleness)


def _vector_of(vault: Vault, space: Space, client: Client, question: str, until: float) -> tuple[Vector, Space]:
    """The vector of a question, kept or asked for. Raises NoAnswer where there is none in time."""
    digest = digest_of(question)
    if (known := vault.vector(space, digest)) is not None:
        return known, space
    breaker, now = vault.breaker(space, QUESTION), time.time()
    if breaker.is_open(now):
        raise NoAnswer(f"{breaker.trouble}; next try in {breaker.until - now:.0f} s")
    try:
        vector = client.embed([question], max(until - time.monotonic(), 0.0))[0]
    except NoAnswer as error:
        if not error.refused:  # That is about this question alone, and was quick.
            vault.set_breaker(space, QUESTION, breaker.failed(str(error), now))
        raise
    vault.set_breaker(space, QUESTION, Breaker())
    space = vault.put(space, {digest: vector}, of_passages=False)
    if space.is_stale:
        raise VaultError(space.staleness)
    return vector, space


def _filled(vault: Vault, space: Space, client: Client, notes: Notes, until: float) -> tuple[Space, str]:
    """Ask for the vectors of some passages that lack one, and tell how many still do."""
    every, known = vault.counts(space)
    if known == every:
        return space, ""
    breaker, trouble = vault.breaker(space, PASSAGES), ""
    if not breaker.is_open(time.time()):
        try:
            space = embed_passages(vault, space, client, notes, until)
            vault.set_breaker(space, PASSAGES, Breaker())
            vault.tidy()
        except NoAnswer as error:
            trouble = f" ({error})"
            vault.set_breaker(space, PASSAGES, breaker.failed(str(error), time.time()))
    every, known = vault.counts(space)
    told = f"embeddings: {every - known} of {every} passages have no vector yet{trouble}; run: memory-shaper index"
    return space, told if known < every else ""


def _compared(matrix: Matrix, vector: Vector) -> Best:
    """The cosine and the place of the passage of each note that is most like a question."""
    try:
        values = cosines(matrix.rows, vector)
    except ImportError:
        wanted = "install numpy to compare so many: pip install 'memory-shaper[vectors]'"
        raise VaultError(f"{len(matrix.places):,} vectors are kept; {wanted}") from None
    best: dict[str, tuple[float, int]] = {}
    for (name, place), value in zip(matrix.places, values, strict=True):
        if name not in best or value > best[name][0]:
            best[name] = (value, place)
    return best


def _place(path: Path) -> int:
    """What tells the file from another one in its place."""
    try:
        return path.stat().st_ino
    except OSError:
        return 0
