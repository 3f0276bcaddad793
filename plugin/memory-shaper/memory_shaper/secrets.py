"""Secrets in a text: keys, tokens, passwords, told from the words about them. Pure.

A secret is never stored and never repeated: whoever reports one names its kind and line and masks the value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_VALUE = r"[^\s,;。，；、'\"<>(){}\[\]]"
_IS = r"[ \t]*(?:[:：=]|是|为)[ \t]*['\"]?"
_ROWS: tuple[tuple[str, str], ...] = (
    (
        "a private key",
        r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:[^-]{0,8000}-----END [A-Z0-9 ]{0,40}-----)?",
    ),
    ("an API key (sk-…)", r"(?<![\w-])sk-[A-Za-z0-9_-]{16,}"),
    ("a GitHub token", r"(?<![A-Za-z0-9_])(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})"),
    ("an AWS access key", r"(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("a Slack token", r"(?<![A-Za-z0-9])xox[abprs]-[A-Za-z0-9-]{10,}"),
    ("a Google key", r"(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}"),
    ("a JSON web token", r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}"),
    ("a bearer token", r"(?i:(?<![A-Za-z])bearer)[ \t]+[A-Za-z0-9._~+/=-]{16,}"),
    ("a password in a URL", r"(?<![A-Za-z0-9])[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{0,100}:[^\s/@]{1,200}@(?=[^\s/])"),
    (
        "a password",
        rf"(?i:(?<![A-Za-z])(?:password|passwd|passphrase|pwd)|密码|口令){_IS}(?P<password>{_VALUE}{{6,}})",
    ),
    (
        "a key or token",
        rf"(?i:(?:api|access|secret)[_-]?key|(?<![A-Za-z])(?:token|secret)|密钥|令牌){_IS}(?P<token>{_VALUE}{{12,}})",
    ),
)
_PATTERNS = tuple((kind, re.compile(pattern)) for kind, pattern in _ROWS)
# One of these is in every secret; most texts hold none and are done with quickly.
_SIGNS = re.compile(
    r"(?i)sk-|gh[pousr]_|github_pat_|A[KS]IA|xox|AIza|eyJ|bearer|://|passw|passphrase|pwd|密码|口令|key|token|secret"
    r"|密钥|令牌|-----BEGIN"
)


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
    if not _SIGNS.search(text):
        return []
    kept: list[Secret] = []
    line, end = 1, 0
    for start, stop, kind in sorted(_found(text), key=lambda found: (found[0], -found[1])):
        if start >= end:
            line += text.count("\n", kept[-1].start if kept else 0, start)
            kept.append(Secret(kind, line, start, stop))
            end = stop
    return kept


def masked(text: str) -> str:
    """Return the text with every secret replaced by its kind; doing it twice changes nothing more.

    >>> masked("use postgres://bob:hunter22@db/shop")
    'use [a password in a URL]db/shop'
    """
    parts, end = [], 0
    for secret in secrets(text):
        parts += [text[end : secret.start], f"[{secret.kind}]"]
        end = secret.end
    return "".join((*parts, text[end:]))


def _found(text: str) -> Iterator[tuple[int, int, str]]:
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            group = match.lastgroup or 0
            if _CHECKS.get(kind, _any)(match[group]):
                yield (*match.span(group), kind)


def _any(_: str) -> bool:
    return True


def _is_key(value: str) -> bool:
    """`sk-` is also how some names begin (sk-learn-pipeline-helper): a key has a long part that is no word."""
    parts = re.split(r"[-_]", value[3:])
    return any(len(part) >= 16 or (len(part) >= 8 and re.search(r"\d", part)) for part in parts)


def _is_random(value: str) -> bool:
    """Letters and digits mixed; no path, variable, placeholder, address, and none of the words about secrets."""
    if value.startswith(("/", "~", "$", "%", "http", "*")) or re.fullmatch(r"[\d.:/-]+", value):
        return False
    return re.search(r"[A-Za-z]", value) is not None and re.search(r"\d", value) is not None


def _is_bearer(value: str) -> bool:
    return re.search(r"\d", value) is not None


_CHECKS: dict[str, Callable[[str], bool]] = {
    "an API key (sk-…)": _is_key,
    "a password": _is_random,
    "a key or token": _is_random,
    "a bearer token": _is_bearer,
}
