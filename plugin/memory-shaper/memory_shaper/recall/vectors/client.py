"""Texts in, vectors out. Shell: asks the endpoint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...outgoing.endpoint import EMBEDDINGS, Endpoint, NoAnswer, endpoint_of
from ...outgoing.post import post
from ...settings import Settings
from .answers import read_answer
from .maths import Vector


@dataclass(frozen=True, slots=True)
class Client:
    """Asks an endpoint: at most `batch` texts a request, `seconds` in all for one search."""

    endpoint: Endpoint
    batch: int
    seconds: float

    def embed(self, texts: Sequence[str], seconds: float) -> list[Vector]:
        """The vectors of some texts, in order, each of length one. Raises NoAnswer where there are none in time."""
        answer = post(self.endpoint, {"input": list(texts)}, seconds)
        try:
            return read_answer(answer, len(texts))
        except NoAnswer as error:
            raise NoAnswer(f"{self.endpoint.host}: {error}") from None


def client_of(settings: Settings, environ: Mapping[str, str]) -> Client:
    """The client for the endpoint of the settings. Raises NoAnswer, naming the setting, where nothing can be sent."""
    endpoint = endpoint_of(settings, EMBEDDINGS, environ)
    return Client(endpoint, int(settings.number("embedding_batch")), settings.number("embedding_seconds"))
