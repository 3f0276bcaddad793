"""Secrets in a text: keys, tokens, passwords, cards, identity numbers, told from the words about them. Pure.

A secret is never stored and never repeated: whoever reports one names its kind and line and masks the value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from . import keys, numbers

__all__ = ["KINDS", "Secret", "masked", "secrets", "without"]

KINDS = (*keys.KINDS, *numbers.KINDS)  # all kinds that are told apart


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret in a text: its kind in words ("a GitHub token"), its line from 1, and where it starts and ends."""

    kind: str
    line: int
    start: int
    end: int


def secrets(text: str) -> list[Secret]:
    """Return the secrets of a text in order.

    >>> [secret.kind for secret in secrets("token ghp_0123456789abcdefghij0123456789abcdef")]
    ['a GitHub token']
    >>> secrets("the token bucket algorithm of sk-learn, password policy, 8a1c2f3e4d5b6a7988776655443322110a1b2c3d")
    []
    """
    kept: list[Secret] = []
    line, end = 1, 0
    found = [*keys.found(text), *numbers.found(text)]
    for start, stop, kind in sorted(found, key=lambda one: (one[0], -one[1])):
        if start >= end:
            line += text.count("\n", kept[-1].start if kept else 0, start)
            kept.append(Secret(kind, line, start, stop))
            end = stop
    return kept


def masked(text: str) -> str:
    """Return the text with every secret replaced by its kind; doing it twice changes nothing more.

    >>> masked("use postgres://bob:hunter22@db/shop")
    'use postgres://bob:[a password in a URL]@db/shop'
    """
    parts, end = [], 0
    for secret in secrets(text):
        parts += [text[end : secret.start], f"[{secret.kind}]"]
        end = secret.end
    return "".join((*parts, text[end:]))


def without(text: str) -> str:
    """Return the text with a blank for every secret, and for every mask that was put in place of one.

    >>> without("use ghp_0123456789abcdefghij0123456789abcdef or [a password]")
    'use   or  '
    """
    return _marks().sub(" ", masked(text))


@cache
def _marks() -> re.Pattern[str]:
    return re.compile(r"\[(?:" + "|".join(map(re.escape, KINDS)) + r")\]")
