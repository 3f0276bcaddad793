"""Several topics as one, with no passage of any of them lost. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..frontmatter import with_field, with_tags
from ..model import Entry
from ..recall.notes import read_front
from ..rules import MOST
from ..rules.base import lower
from .passages import passages, said

SUMMARY = "summary"


def merged(text: str, others: Sequence[str]) -> str:
    """A topic with the passages of others that it does not have word for word behind it, and with their tags."""
    known = {said(one.text).key for one in passages(text)}
    parts = [text.rstrip("\n")]
    for other in others:
        added = []
        for one in passages(other):
            key = said(one.text).key
            if key not in known:
                known.add(key)
                added.append(one.text)
        parts += ["\n".join(_spaced(added))] if added else []
    whole = "\n\n".join(part for part in parts if part) + "\n"
    tags = [tag for other in others for tag in read_front(other).tags]
    return with_tags(whole, tags)


def _spaced(texts: Iterable[str]) -> Iterable[str]:
    """Prose parted by blank lines; list items stay beside each other."""
    before = ""
    for text in texts:
        item = text.lstrip().startswith(("-", "*", "+", "|"))
        if before and not (item and before == "item"):
            yield ""
        before = "item" if item else "prose"
        yield text


def grouped(title: str, topics: Sequence[tuple[str, str]], level: int) -> str:
    """One topic made of several (name, text), each whole below its name; `level` counts how often that was done."""
    parts = [f"# {title}"]
    tags: list[str] = []
    for name, text in topics:
        body = passages(text)
        parts.append(f"## {name}\n\n{text[body[0].start :].strip() if body else text.strip()}")
        tags += read_front(text).tags
    whole = "\n\n".join(parts) + "\n"
    names = ", ".join(name for name, _ in topics)
    for row, value in (("sources", f"[{names}]"), ("level", str(level)), ("type", SUMMARY)):
        whole = with_field(whole, row, value)
    return with_tags(whole, tags)


def joined_keywords(entries: Sequence[Entry]) -> tuple[tuple[str, ...], int]:
    """The keywords of several lines, those that most of them have first, and how many of them a line cannot hold."""
    counts: dict[str, int] = {}
    for entry in entries:
        for word in dict.fromkeys(map(lower, entry.keywords)):
            counts[word] = counts.get(word, 0) + 1
    first = {word: place for place, word in enumerate(counts)}
    ranked = sorted(counts, key=lambda word: (-counts[word], first[word]))
    return tuple(ranked[:MOST]), max(0, len(ranked) - MOST)
