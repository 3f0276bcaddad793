"""Commands that change what only the user may change: ours and the host's. Pure."""

from __future__ import annotations

import os
from collections.abc import Sequence

# Verbs of ours that only read, or repair without losing anything.
FREE = frozenset(
    ("verify", "fix", "status", "doctor", "list", "history", "diff", "route", "search", "hits", "timeline", "report")
)
# What the host's own command may do to the memory, to plugins and to approvals: verb, and the words that only read.
_HOST: dict[str, frozenset[str]] = {
    "plugins": frozenset({"list", "ls", "doctor", "validate", "info", "search"}),
    "config": frozenset({"show", "path", "env-path", "check", "get"}),
    "memory": frozenset({"status", "list", "show", "pending"}),
    "profile": frozenset({"list", "show", "current"}),
    "uninstall": frozenset(),
    "import": frozenset(),
    "setup": frozenset(),
}
_WITH_VALUE = frozenset({"-p", "--profile", "--home", "--memdir"})
_HELP = frozenset({"-h", "--help", "--version", "--dry-run"})


def asks_first(runs: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The first command that needs the human's word, () where there is none."""
    for words in runs:
        if words and _needs_word(words):
            return tuple(words)
    return ()


def _needs_word(words: Sequence[str]) -> bool:
    command = os.path.basename(words[0])
    rest = list(words[1:])
    if command.startswith(("python", "pypy")) and "-m" in rest:
        at = rest.index("-m")
        command, rest = ".".join(rest[at + 1 : at + 2]), rest[at + 2 :]
    command = command.removesuffix(".exe")
    if command in ("memory-shaper", "memory_shaper", "memory_shaper.cli"):
        return _ours(rest)
    if command in ("hermes", "hermes_cli", "hermes_cli.main"):
        return _hosts(_plain(rest))
    return False


def _ours(rest: Sequence[str]) -> bool:
    verbs = _plain(rest)
    return bool(verbs) and verbs[0] not in FREE and _HELP.isdisjoint(rest)


def _hosts(verbs: Sequence[str]) -> bool:
    if verbs and verbs[0] == "memory-shaper":
        return len(verbs) > 1 and verbs[1] not in FREE
    if not verbs or verbs[0] not in _HOST:
        return False
    return len(verbs) == 1 if not _HOST[verbs[0]] else len(verbs) > 1 and verbs[1] not in _HOST[verbs[0]]


def _plain(words: Sequence[str]) -> list[str]:
    """The words that are no options and no values of options."""
    found: list[str] = []
    skip = False
    for word in words:
        if not skip and not word.startswith("-"):
            found.append(word)
        skip = not skip and word in _WITH_VALUE
    return found
