"""File name patterns, matched against the names that a folder has."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol, TypeAlias

from . import paths

Piece: TypeAlias = tuple[str, bool]
"""A run of letters and whether it was quoted."""

MAX_STARS = 12
"""Stars in one part of a pattern; more are not followed."""

MAX_PATHS = 4_000
"""Paths that one pattern may stand for; of more, none is followed."""

_SIGNS = re.compile(r"[*?\[]|[@!+]\(")
_EXTENDED = re.compile(r"([@!*?+])\(([^()]*)\)")


class Folders(Protocol):
    """The folders that patterns are matched in."""

    @property
    def cwd(self) -> str | None:
        """The present folder."""

    def names(self, folder: str) -> Sequence[str]:
        """The names in a folder, sorted."""


def is_pattern(field: Sequence[Piece]) -> bool:
    """Whether the field holds an unquoted sign of a pattern."""
    return any(not quoted and _SIGNS.search(text) for text, quoted in field)


def plain(field: Sequence[Piece]) -> str:
    """The letters of the field."""
    return "".join(text for text, _ in field)


def matches(field: Sequence[Piece], folders: Folders) -> tuple[str, ...]:
    """The paths that the pattern stands for, or the pattern itself where there are none, as in bash."""
    text = plain(field)
    if "\0" in text:
        return (text,)
    found = [""]
    rest = _split(field)
    for number, part in enumerate(rest):
        last = number == len(rest) - 1
        found = _step(found, part, folders, last)
        if not found:
            return (text,)
    return tuple(found)


def _split(field: Sequence[Piece]) -> list[list[Piece]]:
    """The parts of the pattern between slashes."""
    parts: list[list[Piece]] = [[]]
    for text, quoted in field:
        for number, piece in enumerate(text.split("/")):
            if number:
                parts.append([])
            parts[-1].append((piece, quoted))
    return parts


def _step(found: list[str], part: list[Piece], folders: Folders, last: bool) -> list[str]:
    slash = "" if last else "/"
    if not is_pattern(part):
        return [path + plain(part) + slash for path in found]
    hidden = plain(part).startswith(".")
    out: list[str] = []
    for path in found:
        folder = paths.absolute(path or ".", folders.cwd)
        names = folders.names(folder) if folder else ()
        matcher = compiled(part) if names else None
        if matcher is None:
            continue
        out.extend(path + name + slash for name in names if (hidden or name[0] != ".") and matcher.match(name))
        if len(out) > MAX_PATHS:
            return []
    return out


def compiled(part: Sequence[Piece]) -> re.Pattern[str] | None:
    """A regular expression for one part of a pattern, None where it is too much to follow."""
    source = "".join(re.sub(r"([*?\[])", r"[\1]", text) if quoted else text for text, quoted in part)
    return _compiled(source)


@lru_cache(maxsize=256)
def _compiled(source: str) -> re.Pattern[str] | None:
    if source.count("*") > MAX_STARS or len(source) > 1000:
        return None
    try:
        return re.compile(_regex(source))
    except re.error:
        return None


def matching(pattern: str) -> re.Pattern[str] | None:
    """A regular expression for an unquoted pattern, as `find -name` takes it."""
    return compiled(((pattern, False),))


def _regex(source: str) -> str:
    source = source.replace("[^", "[!")
    found = _EXTENDED.search(source)
    if not found:
        return fnmatch.translate(source)
    before, after = source[: found.start()], source[found.end() :]
    inner = "|".join(_bare(option) for option in found.group(2).split("|"))
    tail = _bare(after)
    forms = {"!": f"(?!(?:{inner}){tail}\\Z).*", "@": f"(?:{inner})", "*": f"(?:{inner})*", "?": f"(?:{inner})?"}
    return _bare(before) + forms.get(found.group(1), f"(?:{inner})+") + tail + r"\Z"


def _bare(source: str) -> str:
    """`fnmatch.translate` without the flags and the end that it puts round its result."""
    return fnmatch.translate(source).removeprefix("(?s:").removesuffix(r")\Z")
