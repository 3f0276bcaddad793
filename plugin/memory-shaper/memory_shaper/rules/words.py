"""Word lists of the rules: generic keywords, and what the host's scanner hides from the prompt. Pure."""

from __future__ import annotations

import re
import unicodedata

GENERIC = frozenset(
    word
    for line in (
        "a about all an and any are as at be data detail details doc docs entry etc file files for from general help",
        "how important in info information is it item items keyword keywords list memo memory misc miscellaneous new",
        "note notes of on or other others stuff text the thing things this to topic topics various was what with",
        "记忆 其他 其它 笔记 信息 内容 文件 东西 重要 资料 杂项 备忘 事情 相关 一般",
    )
    for word in line.split()
)

# What keyword lines are known to trip over; the host's own list is longer and moves with its versions.
_HIDDEN_WORDS = re.compile(
    r"authorized_keys|\b(?:cobalt\s*strike|sliver|havoc|mythic|metasploit|brainworm)\b|(?:\$HOME|~)/\.hermes/\.env"
    r"|(?:\$HOME|~)/\.ssh|<!--[^<>]{0,512}?(?:ignore|override|system|secret|hidden)[^<>]{0,512}?-->"
    r"|ignore\s+(?:\w+\s+){0,8}?(?:previous|all|above|prior)\s+(?:\w+\s+){0,8}?instructions|system\s+prompt\s+override"
    r"|disregard\s+(?:\w+\s+){0,8}?(?:your|all|any)\s+(?:\w+\s+){0,8}?(?:instructions|rules|guidelines)"
    r"|do\s+not\s+(?:\w+\s+){0,8}?tell\s+(?:\w+\s+){0,8}?the\s+user|\bcommand\s+and\s+control\b|\bc2\s+server\b",
    re.IGNORECASE,
)
_INVISIBLE = frozenset(
    "\u200b\u200c\u200d\u2060\u2062\u2063\u2064\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_SCANNED = 65_536  # characters; the host looks no further


_NEEDLES = (
    "authorized_keys", "cobalt", "sliver", "havoc", "mythic", "metasploit", "brainworm", "/.hermes/.env", "/.ssh",
    "<!--",
    "ignore", "override", "disregard", "do not", "do\t", "command and", "command\tand", "c2 ", "c2\t",
)  # fmt: skip


def may_be_hidden(text: str) -> bool:
    """Whether a text can hold anything that `hidden_by_host` finds; one cheap look at a whole file."""
    folded = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).lower()
    return not _INVISIBLE.isdisjoint(text) or any(needle in folded for needle in _NEEDLES)


def hidden_by_host(text: str) -> str:
    """What in a text makes the host's scanner hide it, as it should be shown; "" where nothing is known to."""
    if not text.isascii():
        for char in text[:_SCANNED]:
            if char in _INVISIBLE:
                return f"U+{ord(char):04X}"
        text = unicodedata.normalize("NFKC", text[:_SCANNED])
    match = _HIDDEN_WORDS.search(text[:_SCANNED])
    return match.group() if match else ""
