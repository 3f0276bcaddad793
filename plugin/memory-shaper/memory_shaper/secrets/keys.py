"""Keys, tokens, passwords and connection strings in a text. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

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
    ("a GitLab token", r"(?<![\w-])glpat-[A-Za-z0-9_-]{20,}"),
    ("a Stripe key", r"(?<![A-Za-z0-9_])[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    ("a package registry token", r"(?<![A-Za-z0-9_])(?:npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{40,})"),
    ("a Hugging Face token", r"(?<![A-Za-z0-9_])hf_[A-Za-z0-9]{30,}"),
    ("a Slack token", r"(?<![A-Za-z0-9])xox[abprs]-[A-Za-z0-9-]{10,}"),
    ("a Google key", r"(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}"),
    ("a JSON web token", r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}"),
    ("a bearer token", r"(?i:(?<![A-Za-z])bearer)[ \t]+[A-Za-z0-9._~+/=-]{16,}"),
    ("a password in a URL", r"(?<![A-Za-z0-9])[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{0,100}:[^\s/@]{1,200}@(?=[^\s/])"),
    (
        "a password in a connection string",
        r"(?i:(?<![A-Za-z])(?:server|host|data source|user id|uid|user|database)[ \t]*=[^;\n]{1,200};"
        r"(?:[^;\n]{0,200};){0,8}?[ \t]*(?:password|pwd)[ \t]*=[ \t]*)(?P<connection>[^\s;'\"\[]{3,})",
    ),
    (
        "a password",
        rf"(?i:(?<![A-Za-z])(?:password|passwd|passphrase|pwd)|密码|口令){_IS}(?P<password>{_VALUE}{{6,}})",
    ),
    (
        "a key or token",
        rf"(?i:(?:api|access|secret|account|shared[_-]?access)[_-]?key|(?<![A-Za-z])(?:token|secret)|密钥|令牌){_IS}(?P<token>{_VALUE}{{12,}})",
    ),
)
KINDS = tuple(kind for kind, _ in _ROWS)
# One of these is in every secret; most texts hold none and are done with quickly.
_SIGNS = re.compile(
    r"(?i)sk-|gh[pousr]_|github_pat_|A[KS]IA|xox|AIza|eyJ|bearer|://|passw|passphrase|pwd|密码|口令|key|token|secret"
    r"|密钥|令牌|-----BEGIN|glpat-|[rs]k_|npm_|pypi-|hf_"
)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Compiled when a text first shows a sign: most commands never meet one."""
    return tuple((kind, re.compile(pattern)) for kind, pattern in _ROWS)


def found(text: str) -> Iterator[tuple[int, int, str]]:
    """Where each is, and its kind; those of different kinds may overlap."""
    if not _SIGNS.search(text):
        return
    for kind, pattern in _patterns():
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
    "a GitLab token": _is_bearer,
    "a Hugging Face token": _is_bearer,
    "a package registry token": _is_bearer,
}
