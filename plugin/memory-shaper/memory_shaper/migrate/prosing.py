"""The way back: an index and its topic files as a native prose memory. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from .. import grammar, host
from ..model import Kind

_LONE_DELIMITER = re.compile(r"(?m)^[ \t]*§[ \t]*$")


@dataclass(frozen=True, slots=True)
class Prose:
    """A prose memory: its text, how many entries it has, its size as the host counts it, the targets without a file,
    and the topics with a `§` line of their own, which the host will take for several entries."""

    text: str
    entries: int
    size: int
    missing: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()


def to_prose(index_text: str, read: Callable[[str], str | None]) -> Prose:
    """Each topic in the order of the index as one entry, and what in the index is neither entry nor heading.

    `read` gives the text of a topic file, None where there is none.
    """
    index = grammar.parse(index_text)
    entries = [text for part in _strays(index_text) if (text := part.strip())]
    missing: list[str] = []
    cut: list[str] = []
    for target in dict.fromkeys(entry.target for _, entry in index.entries()):
        content = read(target)
        if content is None:
            missing.append(target)
            continue
        if _LONE_DELIMITER.search(content):
            cut.append(target)
        entries.append(content.removeprefix(grammar.BOM).strip())
    text = host.join(dict.fromkeys(filter(None, entries)))
    final = "\n" if text else ""
    return Prose(text + final, len(host.entries(text)), host.size(text), tuple(missing), tuple(cut))


def _strays(index_text: str) -> list[str]:
    index = grammar.parse(index_text)
    parts: list[str] = [""]
    for line in index.lines:
        if line.kind in (Kind.ENTRY, Kind.DELIMITER):
            parts.append("")
        elif line.kind is Kind.STRAY:
            parts[-1] += line.raw
    return parts
