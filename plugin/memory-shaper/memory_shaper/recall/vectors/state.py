"""How the search of a home stands: by words, or by words and meaning; asks no endpoint. Shell: reads the vault."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass

from ...outgoing.endpoint import EMBEDDINGS, Endpoint, NoAnswer, endpoint_of, is_configured
from ...settings import Home, Settings
from .vault import NAME, PASSAGES, QUESTION, Space, Vault

WORDS = "text"
BOTH = "text and meaning"
FILL = "memory-shaper index"


@dataclass(frozen=True, slots=True)
class State:
    """`mode` is text, or text and meaning; `host`, `model` and the `size` of its vectors (0: not known yet); how many
    `passages` there are and how many are `known` to the endpoint; `trouble` is "" where all is well."""

    mode: str = WORDS
    host: str = ""
    model: str = ""
    size: int = 0
    passages: int = 0
    known: int = 0
    trouble: str = ""

    @property
    def line(self) -> str:
        """The state in one line."""
        if self.mode == WORDS:
            return "by words; no endpoint for embeddings is set, nothing leaves the machine"
        size = f", {self.size} numbers" if self.size else ""
        line = f"by words and meaning ({self.model} at {self.host}{size}; {self.known} of {self.passages} passages)"
        return f"{line}; {self.trouble}" if self.trouble else line


def state_of(home: Home, settings: Settings, environ: Mapping[str, str] | None = None) -> State:
    """The state of a home's search; what cannot be read is told as trouble."""
    if not is_configured(settings, EMBEDDINGS):
        return State()
    try:
        endpoint = endpoint_of(settings, EMBEDDINGS, os.environ if environ is None else environ)
    except NoAnswer as error:
        return State(BOTH, "?", str(settings["embedding_model"]), trouble=str(error))
    try:
        return _kept(home, endpoint)
    except NoAnswer as error:
        return State(BOTH, endpoint.host, endpoint.model, trouble=str(error))


def _kept(home: Home, endpoint: Endpoint) -> State:
    if not (home.data / NAME).exists():
        return State(BOTH, endpoint.host, endpoint.model, trouble=f"there are no vectors yet; run: {FILL}")
    with Vault(home.data / NAME) as vault:
        space = vault.known_space(endpoint) or Space(0)
        passages, known = vault.counts(space)
        trouble = space.staleness or _failure(vault, space)
    if not trouble and (known < passages or not space.size):
        trouble = f"{passages - known} passages have no vector of this model yet; run: {FILL}"
    return State(BOTH, endpoint.host, endpoint.model, space.size, passages, known, trouble)


def _failure(vault: Vault, space: Space) -> str:
    """The last failure, where the endpoint is left alone because of it."""
    for task in (QUESTION, PASSAGES):
        breaker = vault.breaker(space, task)
        if breaker.is_open(time.time()):
            return f"{breaker.trouble}; it is left alone for {breaker.until - time.time():.0f} s"
    return ""
