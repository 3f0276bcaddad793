"""Commands that change what only the user may change: ours and the host's. Pure."""

from __future__ import annotations

from collections.abc import Sequence

# Verbs of ours that only read, or repair without losing anything.
FREE = frozenset(
    (
        "verify",
        "fix",
        "status",
        "doctor",
        "list",
        "history",
        "diff",
        "route",
        "search",
        "hits",
        "timeline",
        "report",
        "watch",
        "completion",
        "backup",  # a new file beside the memory; it overwrites none
    )
)
# Verbs of ours that only read without one of these options.
_FREE_WITHOUT = {
    "proposals": frozenset({"--apply", "--reject"}),
    "forget": frozenset({"--yes", "--purge"}),
}
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
_HELP = frozenset({"-h", "--help"})
_HARMLESS = _HELP | {"--dry-run"}


def asks_first(runs: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The first command that needs the human's word, () where there is none."""
    for words in runs:
        if words and _needs_word(words):
            return tuple(words)
    return ()


def _needs_word(words: Sequence[str]) -> bool:
    command = words[0].replace("\\", "/").rpartition("/")[2]
    rest = list(words[1:])
    if command.startswith(("python", "pypy")):
        command, rest = _module(rest)
    command = command.removesuffix(".exe")
    if command in ("memory-shaper", "memory_shaper", "memory_shaper.cli"):
        return _ours(rest)
    if command in ("hermes", "hermes_cli", "hermes_cli.main"):
        return any(_hosts(verbs, rest) for verbs in _readings(rest))
    return False


def _module(rest: Sequence[str]) -> tuple[str, list[str]]:
    """The module that `python -m NAME` or `-mNAME` runs, and the words behind it; ("", []) where there is none."""
    for at, word in enumerate(rest):
        if word == "-m":
            return "".join(rest[at + 1 : at + 2]), list(rest[at + 2 :])
        if word.startswith("-m"):
            return word[2:], list(rest[at + 1 :])
        if word == "-c":
            break
    return "", []


def _ours(rest: Sequence[str]) -> bool:
    return any(not _reads(verbs[0], rest) for verbs in _readings(rest)[:1]) and not _only_tells(rest, _HARMLESS)


def _reads(verb: str, rest: Sequence[str]) -> bool:
    changing = _FREE_WITHOUT.get(verb)
    if changing is None:
        return verb in FREE
    return changing.isdisjoint(word.partition("=")[0] for word in rest)


def _only_tells(rest: Sequence[str], options: frozenset[str]) -> bool:
    return "--" not in rest and not options.isdisjoint(rest)


def _hosts(verbs: Sequence[str], rest: Sequence[str]) -> bool:
    if verbs[0] == "memory-shaper":
        return _ours(rest[rest.index("memory-shaper") + 1 :])
    if verbs[0] not in _HOST or _only_tells(rest, _HELP):
        return False
    free = _HOST[verbs[0]]
    return not free or (len(verbs) > 1 and verbs[1] not in free)


def _readings(words: Sequence[str]) -> list[list[str]]:
    """The words without options, once for each word that can be the command.

    A word behind an option may be its value or the command itself: both are tried, since the options of a program
    change with its version.
    """
    plain: list[str] = []
    starts: list[int] = []
    behind_option, sure = "", False
    for word in words:
        if word.startswith("-"):
            behind_option = "" if "=" in word else word
            continue
        if behind_option not in _WITH_VALUE:
            if not sure:
                starts.append(len(plain))
            sure = sure or not behind_option
            plain.append(word)
        behind_option = ""
    return [plain[start:] for start in starts]
