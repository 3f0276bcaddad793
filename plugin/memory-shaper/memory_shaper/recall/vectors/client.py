"""One request to an endpoint, within its time, to its own host only. Shell: the network."""

from __future__ import annotations

import json
import queue
import ssl
import threading
import time
from collections.abc import Sequence
from http.client import HTTPException, HTTPResponse
from urllib.error import HTTPError, URLError
from urllib.request import (
    BaseHandler,
    HTTPRedirectHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    build_opener,
    getproxies,
)

from .answers import read_answer
from .endpoint import EmbeddingError, Endpoint
from .maths import Vector

_LARGEST = 64_000_000  # bytes of an answer
_PIECE = 65_536
# What an endpoint says to a text that it does not take, such as one that is too long for its model.
_REFUSALS = (400, 413, 422)
_HINTS = {
    401: "is the key the right one? see embedding_key_env",
    403: "is the key the right one? see embedding_key_env",
    404: "is there such an address and such a model? see embedding_url and embedding_model",
    429: "it wants to be asked less often, or the account is used up",
}


def embed(endpoint: Endpoint, texts: Sequence[str], seconds: float) -> list[Vector]:
    """The vectors of some texts, in their order, each of length one.

    Raises EmbeddingError where there are none within `seconds`: whatever the network does, this returns by then.
    """
    answers: queue.SimpleQueue[bytes | EmbeddingError] = queue.SimpleQueue()
    deadline = time.monotonic() + seconds

    def ask() -> None:
        try:
            answers.put(_post(endpoint, texts, deadline))
        except EmbeddingError as error:
            answers.put(error)
        except (OSError, HTTPException, ValueError) as error:
            answers.put(_unreached(endpoint, error))

    # A thread of its own, since a slow name server or an answer in drops keeps no time limit of a socket.
    threading.Thread(target=ask, name="memory-shaper-embedding", daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except queue.Empty:
        raise _late(endpoint) from None
    if isinstance(answer, EmbeddingError):
        raise answer
    try:
        return read_answer(answer, len(texts))
    except EmbeddingError as error:
        raise EmbeddingError(f"{endpoint.host}: {error}") from None


def _post(endpoint: Endpoint, texts: Sequence[str], deadline: float) -> bytes:
    body = json.dumps({"model": endpoint.model, "input": list(texts)}).encode("ascii")
    headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "memory-shaper"}
    if endpoint.key:
        headers["Authorization"] = f"Bearer {endpoint.key}"
    request = Request(endpoint.url, body, headers, method="POST")
    try:
        with _opener(endpoint).open(request, timeout=max(deadline - time.monotonic(), 0.01)) as answer:
            return _read(endpoint, answer, deadline)
    except HTTPError as error:
        with error:
            raise _told(endpoint, error.code) from None


def _read(endpoint: Endpoint, answer: HTTPResponse, deadline: float) -> bytes:
    pieces, size = [], 0
    while piece := answer.read1(_PIECE):
        pieces.append(piece)
        size += len(piece)
        if time.monotonic() > deadline:
            raise _late(endpoint)
        if size > _LARGEST:
            raise EmbeddingError(f"{endpoint.host} sends more than {_LARGEST:,} bytes")
    return b"".join(pieces)


def _opener(endpoint: Endpoint) -> OpenerDirector:
    """What opens connections: no redirects, and a proxy only where all it sees is encrypted."""
    secure = endpoint.url.startswith("https:") and not endpoint.local
    proxies = {name: proxy for name, proxy in getproxies().items() if secure and name in ("https", "no")}
    handlers: list[BaseHandler] = [_Straight(), ProxyHandler(proxies)]
    return build_opener(*handlers)


class _Straight(HTTPRedirectHandler):
    """Follows no redirect: it would carry texts and key to where the settings do not say."""

    def redirect_request(self, *_: object) -> None:
        return None


def _told(endpoint: Endpoint, status: int) -> EmbeddingError:
    """What a status means. What the endpoint says besides is not repeated: it may quote the key or the text."""
    if 300 <= status < 400:
        text = "it sends us elsewhere, where nothing is sent; is embedding_url its full address?"
    else:
        text = _HINTS.get(status, "it failed" if status >= 500 else "it does not take the request")
    return EmbeddingError(f"{endpoint.host} answered {status}: {text}", refused=status in _REFUSALS)


def _late(endpoint: Endpoint) -> EmbeddingError:
    return EmbeddingError(f"{endpoint.host} gave no answer within {endpoint.seconds:g} s")


def _unreached(endpoint: Endpoint, error: BaseException) -> EmbeddingError:
    """What went wrong in the words of the system, without any text that was sent."""
    if isinstance(error, URLError) and isinstance(error.reason, BaseException):
        error = error.reason
    if isinstance(error, TimeoutError):
        return _late(endpoint)
    if isinstance(error, ssl.SSLCertVerificationError):
        return EmbeddingError(
            f"{endpoint.host} cannot be reached (its certificate is not good: {error.verify_message})"
        )
    reason = (isinstance(error, OSError) and error.strerror) or type(error).__name__
    return EmbeddingError(f"{endpoint.host} cannot be reached ({reason})")
