"""The host's view of MEMORY.md: how its store splits, counts and edits a text. Pure.

Facts read off and run against Hermes 0.19 and 0.22; where the two differ the function says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

DELIMITER = "\n§\n"
DEFAULT_CAP = 2200

_QUOTES_AND_DASHES = str.maketrans({**dict.fromkeys('"`‘’‚‛“”„‟', "'"), **dict.fromkeys("‐‑‒–—―−", "-")})


class HostRefuses(Exception):
    """The host's store would not carry this operation out; the text says why."""


class NoMatch(HostRefuses):
    """No host entry contains the old text."""


class Ambiguous(HostRefuses):
    """Several different host entries contain the old text; `places` are their positions."""

    def __init__(self, message: str, places: Sequence[int]) -> None:
        super().__init__(message)
        self.places = tuple(places)


def universal(text: str) -> str:
    """The text with CRLF and lone CR as LF, as the host's text-mode read gives it."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parts(text: str) -> list[str]:
    """The host entries of a text: split at lone `§` lines, stripped, empty ones left out, repeats kept."""
    return [part for piece in universal(text).split(DELIMITER) if (part := piece.strip())]


def open_part(text: str) -> str:
    """What stands behind the last delimiter of a text: a line written after the text would become a part of it."""
    return universal(text).split(DELIMITER)[-1].strip()


def entries(text: str) -> list[str]:
    """The host entries as the store loads them: `parts` with repeats dropped, the first one kept."""
    return list(dict.fromkeys(parts(text)))


def join(host_entries: Iterable[str]) -> str:
    """The text the store would write for these entries."""
    return DELIMITER.join(host_entries)


def size(text: str) -> int:
    """The size of a text in code points exactly as the store counts it, joins and heading included.

    Hermes 0.19 counts a byte order mark, 0.22 drops it: the larger count is given.
    """
    return len(join(entries(text)))


def drifts(text: str, cap: int) -> bool:
    """Whether a store refuses to edit: rejoining does not give the text back (0.19), or one entry is over the cap."""
    found = parts(text)
    return universal(text).strip() != join(found) or any(len(part) > cap for part in found)


def find(host_entries: Sequence[str], old_text: str) -> int:
    """The position of the entry that `old_text` selects; the host strips it first, except for a patch.

    Whole-entry equality first, then an exact substring, then a substring with quotes, dashes and blanks folded
    (0.22). 0.19 knows the middle step only: where it matters it refuses, it never picks another entry.
    Raises NoMatch or Ambiguous.
    """
    matches = [i for i, entry in enumerate(host_entries) if entry == old_text]
    matches = matches or [i for i, entry in enumerate(host_entries) if old_text in entry]
    matches = matches or _folded_matches(host_entries, old_text)
    if not matches:
        raise NoMatch("no entry contains old_text")
    if len({host_entries[i] for i in matches}) > 1:
        raise Ambiguous(f"old_text occurs in {len(matches)} entries", matches)
    return matches[0]


def _folded_matches(host_entries: Sequence[str], old_text: str) -> list[int]:
    needle = _fold(old_text)
    if not any(char.isalnum() for char in needle):
        return []
    return [i for i, entry in enumerate(host_entries) if needle in _fold(entry)]


def _fold(text: str) -> str:
    return " ".join(text.replace("\\n", " ").translate(_QUOTES_AND_DASHES).split())


def patch(entry: str, old_text: str, new_text: str) -> str:
    """The entry with the one span `old_text` changed (0.22; the span is not stripped).

    Raises HostRefuses where the span does not occur exactly once, or nothing would change.
    """
    at = entry.find(old_text)
    if at < 0:
        raise HostRefuses("old_text does not occur word for word in the entry, and a patch needs the exact span")
    if entry.find(old_text, at + 1) >= 0:
        raise HostRefuses("old_text occurs more than once in the entry, and a patch needs exactly one span")
    if new_text == old_text:
        raise HostRefuses("the patch changes nothing")
    return entry[:at] + new_text + entry[at + len(old_text) :]
