"""Asking a model: the host's own, or an OpenAI-compatible address that the user has set. Shell: the network.

Nothing leaves the machine unless one of the two is there and `extract` is switched on.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import partial
from typing import Any, Protocol

from ..outgoing.endpoint import CHAT, NoAnswer, endpoint_of, is_configured
from ..outgoing.post import post
from ..settings import Settings

_MOST_TOKENS = 4000


class Ask(Protocol):
    """A question to a model: what it is told first, what it is asked, how many seconds it has. Raises NoAnswer."""

    def __call__(self, told: str, asked: str, seconds: float, /) -> str: ...


def model_of(settings: Settings, context: Any, environ: Mapping[str, str] | None = None) -> Ask | None:
    """The model that is to be asked, None where there is none.

    `context` is what the host handed to the plugin, None outside of a host.
    """
    if is_configured(settings, CHAT):
        return partial(_ask_endpoint, settings, os.environ if environ is None else environ)
    # The class is looked at: of the object it would load the host's client.
    return partial(_ask_host, context) if hasattr(type(context), "llm") else None


def _ask_host(context: Any, told: str, asked: str, seconds: float, /) -> str:
    """Ask the host's own model, with its login, its limits and its costs."""
    try:
        done = context.llm.complete(
            _messages(told, asked),
            temperature=0,
            max_tokens=_MOST_TOKENS,
            timeout=seconds,
            purpose="memory-shaper: facts",
        )
        return str(done.text or "")
    except Exception as error:  # whatever a host's client raises is no answer to us, and may quote what was asked
        raise NoAnswer(f"the host's model did not answer ({type(error).__name__})") from None


def _ask_endpoint(settings: Settings, environ: Mapping[str, str], told: str, asked: str, seconds: float, /) -> str:
    endpoint = endpoint_of(settings, CHAT, environ)
    answer = post(endpoint, {"messages": _messages(told, asked), "temperature": 0}, seconds)
    try:
        return str(json.loads(answer)["choices"][0]["message"]["content"] or "")
    except (ValueError, LookupError, TypeError, RecursionError):
        raise NoAnswer(f"{endpoint.host}: the answer is not that of a chat model") from None


def _messages(told: str, asked: str) -> list[dict[str, str]]:
    return [{"role": "system", "content": told}, {"role": "user", "content": asked}]
