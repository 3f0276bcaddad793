"""Asking a model: the host's own, or an OpenAI-compatible address that the user has set. Shell: the network.

Nothing leaves the machine unless one of the two is there and `extract` is switched on.
"""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from typing import IO, Any, Protocol

from ..errors import MemoryShaperError
from ..settings import Settings

_LARGEST = 1_000_000  # bytes of an answer
_MOST_TOKENS = 4000


class NoAnswer(MemoryShaperError):
    """The model gave no answer; the text says why, without a word of what was asked."""


class Ask(Protocol):
    """A question to a model: what it is told first, what it is asked, how many seconds it has. Raises NoAnswer."""

    def __call__(self, told: str, asked: str, seconds: float, /) -> str: ...


Handle = Callable[[], Any]  # gives the host's handle on its model, when it is called


def model_of(settings: Settings, handle: Handle | None, environ: Mapping[str, str] | None = None) -> Ask | None:
    """The model that is to be asked, None where there is none."""
    if url := str(settings["model_url"]).strip():
        env = os.environ if environ is None else environ
        key = env.get(str(settings["model_key"]), "") if settings["model_key"] else ""
        return _Endpoint(url, str(settings["model_name"]), key)
    return _Host(handle) if handle is not None else None


class _Host:
    """The host's own model, with its login, its limits and its costs."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    def __call__(self, told: str, asked: str, seconds: float, /) -> str:
        messages = [{"role": "system", "content": told}, {"role": "user", "content": asked}]
        try:
            done = self._handle().complete(
                messages, temperature=0, max_tokens=_MOST_TOKENS, timeout=seconds, purpose="memory-shaper: facts"
            )
            return str(done.text or "")
        except Exception as error:  # whatever a host's client raises is no answer to us
            raise NoAnswer(f"the host's model did not answer ({type(error).__name__})") from error


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """An address that sends us elsewhere is not followed: the talk and the key were meant for the one that was set."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> None:
        return None


class _Endpoint:
    def __init__(self, url: str, model: str, key: str) -> None:
        base = url.rstrip("/")
        self._url = base if base.endswith("/chat/completions") else f"{base}/chat/completions"
        self._model = model
        self._key = key

    def __call__(self, told: str, asked: str, seconds: float, /) -> str:
        if not self._url.startswith(("http://", "https://")):
            raise NoAnswer("model_url is no http address")
        body = {
            "model": self._model,
            "messages": [{"role": "system", "content": told}, {"role": "user", "content": asked}],
            "temperature": 0,
        }
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self._key}"} if self._key else {})
        request = urllib.request.Request(self._url, json.dumps(body).encode(), headers)
        try:
            with urllib.request.build_opener(_NoRedirect).open(request, timeout=seconds) as answer:
                return _text(answer.read(_LARGEST))
        except urllib.error.HTTPError as error:
            error.close()
            raise NoAnswer(f"the endpoint answered {error.code}") from error
        except (OSError, ValueError) as error:
            raise NoAnswer(f"the endpoint did not answer ({type(error).__name__})") from error


def _text(data: bytes) -> str:
    try:
        return str(json.loads(data)["choices"][0]["message"]["content"] or "")
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise NoAnswer("the endpoint's answer is not that of a chat model") from error
