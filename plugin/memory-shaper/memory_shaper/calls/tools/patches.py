"""The files that a patch names, in the two forms that tools take. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..effects import Act

_BLOCK = re.compile(r"^\*\*\*[ \t]*(Update|Add|Delete|Move)[ \t]+(File|to):[ \t]*(\S[^\r\n]*)", re.MULTILINE)
_UNIFIED = re.compile(r"^--- ([^\r\n]+)\r?\n\+\+\+ ([^\r\n]+)", re.MULTILINE)
_RENAMED = re.compile(r"^rename (from|to) ([^\r\n]+)", re.MULTILINE)


def patched_paths(text: str) -> Iterator[tuple[Act, str]]:
    """What happens to which path of a patch: V4A blocks (`*** Update File: x`), unified diffs (`+++ b/x`)."""
    yield from _blocks(text)
    for hit in _UNIFIED.finditer(text):
        old, new = (name.partition("\t")[0].strip() for name in hit.groups())
        for name in _both(old if new == "/dev/null" else new):
            yield (Act.DELETE if new == "/dev/null" else Act.WRITE), name
    for hit in _RENAMED.finditer(text):
        yield (Act.DELETE if hit[1] == "from" else Act.WRITE), hit[2].strip()


def _blocks(text: str) -> Iterator[tuple[Act, str]]:
    last = ""
    for verb, word, name in _BLOCK.findall(text):
        old, arrow, new = name.partition("->")
        if verb == "Move" and word == "File" and arrow:
            yield Act.DELETE, old.strip()
            yield Act.WRITE, new.strip()
        elif verb == "Move":
            if last:
                yield Act.DELETE, last
            yield Act.WRITE, name.strip()
        else:
            yield (Act.DELETE if verb == "Delete" else Act.WRITE), name.strip()
        last = name.strip()


def _both(name: str) -> tuple[str, ...]:
    """The name as it stands, and without the `a/` or `b/` that git puts before it."""
    return (name, name[2:]) if name.startswith(("a/", "b/")) else (name,)
