"""One request to an endpoint, within its time, to its own host only. Shell: the network."""

from __future__ import annotations

import json
import queue
import ssl
import threading
import time
from collections.abc import Mapping
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

from .endpoint import Endpoint, NoAnswer

_PIECE = 65_536  # bytes
# What an endpoint says to a text that it does not take, such as one that is too long for its model.
_REFUSALS = (400, 413, 422)


def post(endpoint: Endpoint, body: Mapping[str, object], seconds: float) -> bytes:
    """What an endpoint answers to a body of JSON, to which the name of its model is added.

    Raises NoAnswer where there is none within `seconds`: whatever the network does, this returns by then. Only where
    Python starts no thread any more, at the very end of a process, `seconds` limit each wait of the connection.
    """
    answers: queue.SimpleQueue[bytes | NoAnswer] = queue.SimpleQueue()
    deadline = time.monotonic() + seconds

    def ask() -> None:
        try:
            answers.put(_answer(endpoint, json.dumps({"model": endpoint.model, **body}).encode("ascii"), deadline))
        except NoAnswer as error:
            answers.put(error)
        except TimeoutError:
            answers.put(_late(endpoint, seconds))
        except (OSError, HTTPException, ValueError) as error:
            answers.put(_unreached(endpoint, error))

    # A thread of its own, since a slow name server or an answer in drops keeps no time limit of a socket.
    try:
        threading.Thread(target=ask, name="memory-shaper-request", daemon=True).start()
    except RuntimeError:  # the process is ending, as at a session's end: Python 3.12 starts none then
        ask()
    try:
        answer = answers.get(timeout=max(deadline - time.monotonic(), 0.0))
    except queue.Empty:
        answer = _late(endpoint, seconds)
    if isinstance(answer, NoAnswer):
        raise answer
    return answer


def _answer(endpoint: Endpoint, body: bytes, deadline: float) -> bytes:
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
    except URLError as error:
        raise (error.reason if isinstance(error.reason, OSError) else error) from None


def _read(endpoint: Endpoint, answer: HTTPResponse, deadline: float) -> bytes:
    pieces, size = [], 0
    while piece := answer.read1(_PIECE):
        pieces.append(piece)
        size += len(piece)
        if time.monotonic() > deadline:
            raise TimeoutError
        if size > endpoint.service.largest:
            raise NoAnswer(f"{endpoint.host} sends more than {endpoint.service.largest:,} bytes")
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


def _told(endpoint: Endpoint, status: int) -> NoAnswer:
    """What a status means. What the endpoint says besides is not repeated: it may quote the key or the text."""
    service = endpoint.service
    hints = {
        401: f"is the key the right one? see {service.key_env}",
        403: f"is the key the right one? see {service.key_env}",
        404: f"is there such an address and such a model? see {service.url} and {service.model}",
        429: "it wants to be asked less often, or the account is used up",
    }
    if 300 <= status < 400:
        text = f"it sends us elsewhere, where nothing is sent; is {service.url} its full address?"
    else:
        text = hints.get(status, "it failed" if status >= 500 else "it does not take the request")
    return NoAnswer(f"{endpoint.host} answered {status}: {text}", refused=status in _REFUSALS)


def _late(endpoint: Endpoint, seconds: float) -> NoAnswer:
    return NoAnswer(f"{endpoint.host} gave no answer within {round(seconds, 1):g} s")


def _unreached(endpoint: Endpoint, error: BaseException) -> NoAnswer:
    """What went wrong in the words of the system, without any text that was sent."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return NoAnswer(f"{endpoint.host} cannot be reached (its certificate is not good: {error.verify_message})")
    reason = (isinstance(error, OSError) and error.strerror) or type(error).__name__
    return NoAnswer(f"{endpoint.host} cannot be reached ({reason})")
