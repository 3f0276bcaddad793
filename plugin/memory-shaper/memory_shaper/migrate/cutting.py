"""Cutting prose into pieces: at the host's `§` lines, and one long text at headings, blank lines and bullets. Pure.

No piece is changed: each is a run of whole lines with the white space around it taken off, as the host does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from .. import grammar
from ..model import Kind
from .parts import Piece, Taken

_LONGEST_SECTION = 1500  # characters; a longer section is cut at its blank lines
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_HEADING = re.compile(r"#{1,6}[ \t]+\S")
_BULLET = re.compile(r"(?:[-*+•]|\d{1,3}[.)、])\s")
_SENTENCE_END = re.compile(r"[.!?。！？；;][\"'”’)）]*\Z")
_FEWEST_SENTENCES = 3

Row = tuple[int, str]  # the number of a line, and the line with its ending
Span = tuple[int, int]  # rows from, up to


def cut(text: str) -> Taken:
    """The pieces of a prose memory; a text without a `§` line is cut at headings, blank lines and bullets."""
    runs = list(_runs(text))
    return numbered(runs if len(runs) != 1 else [[*runs[0][start:stop]] for start, stop in _cut_one(runs[0])])


def numbered(runs: Iterable[Sequence[Row]]) -> Taken:
    """Runs of lines as pieces with numbers; what is there word for word already is counted, not repeated."""
    found: dict[str, Piece] = {}
    repeats = 0
    for run in runs:
        if text := "".join(raw for _, raw in run).strip():
            line = next(number for number, raw in run if raw.strip())
            repeats += text in found
            found.setdefault(text, Piece(text, len(found) + 1, line))
    return Taken(tuple(found.values()), repeats)


def _runs(text: str) -> Iterator[list[Row]]:
    run: list[Row] = []
    for number, line in enumerate(grammar.parse(text).lines, 1):
        if line.kind is not Kind.DELIMITER:
            run.append((number, line.raw))
            continue
        if _has_text(run):
            yield run
        run = []
    if _has_text(run):
        yield run


def _has_text(run: Sequence[Row]) -> bool:
    return any(raw.strip() for _, raw in run)


def _cut_one(rows: Sequence[Row]) -> list[Span]:
    blocks = _blocks(rows)
    if any(_HEADING.match(rows[start][1]) for start, _ in blocks):
        return [span for section in _sections(rows, blocks) for span in _whole_or_parts(rows, section)]
    led = list(_led(rows, blocks))
    return [span for block in led for span in _items(rows, block, alone=len(led) == 1)]


def _blocks(rows: Sequence[Row]) -> list[Span]:
    """Runs of rows between blank ones; a heading begins a new one, a fence is never cut."""
    cuts = [0]
    fenced = False
    for place, (_, raw) in enumerate(rows):
        if _FENCE.match(raw):
            fenced = not fenced
        elif not fenced and not raw.strip():
            cuts += [place, place + 1]
        elif not fenced and _HEADING.match(raw):
            cuts.append(place)
    return [(start, stop) for start, stop in pairwise([*cuts, len(rows)]) if _has_text(rows[start:stop])]


def _sections(rows: Sequence[Row], blocks: list[Span]) -> Iterator[list[Span]]:
    """A heading with all below it up to the next one; headings with nothing below go with what follows."""
    section: list[Span] = []
    has_body = False
    for block in blocks:
        if has_body and _HEADING.match(rows[block[0]][1]):
            yield section
            section, has_body = [], False
        section.append(block)
        has_body = has_body or not _is_bare(rows, block)
    yield section


def _is_bare(rows: Sequence[Row], block: Span) -> bool:
    start, stop = block
    return stop - start == 1 and _HEADING.match(rows[start][1]) is not None


def _whole_or_parts(rows: Sequence[Row], section: list[Span]) -> Iterator[Span]:
    first, last = section[0][0], section[-1][1]
    if sum(len(raw) for _, raw in rows[first:last]) <= _LONGEST_SECTION:
        yield first, last
        return
    for start, stop in section:
        if not _is_bare(rows, (start, stop)):
            yield first, stop
            first = stop
    if first < last:
        yield first, last


def _led(rows: Sequence[Row], blocks: list[Span]) -> Iterator[Span]:
    """The blocks, a list joined to the line with a colon that leads into it."""
    first = None
    for start, stop in blocks:
        first = start if first is None else first
        if not rows[stop - 1][1].rstrip().endswith((":", "：")):
            yield first, stop
            first = None
    if first is not None:
        yield first, blocks[-1][1]


def _items(rows: Sequence[Row], block: Span, alone: bool) -> Iterator[Span]:
    """A list as its items, lines that are sentences of their own as lines, else the block."""
    start, stop = block
    lines = [raw for _, raw in rows[start:stop]]
    starts = [start + place for place, raw in enumerate(lines) if _BULLET.match(raw)]
    if not starts and len(lines) >= _FEWEST_SENTENCES and _is_flat(lines) and (alone or _are_sentences(lines)):
        starts = list(range(start, stop))
    if starts[:1] == [start]:
        yield from pairwise([*starts, stop])
    else:
        yield block


def _are_sentences(lines: Sequence[str]) -> bool:
    return all(_SENTENCE_END.search(raw.rstrip()) for raw in lines)


def _is_flat(lines: Sequence[str]) -> bool:
    # A line that goes on in the next one (a comma, a small letter) or belongs to code is no sentence of its own.
    goes_on = (raw.rstrip().endswith((",", "，", "、")) for raw in lines)
    begins = (raw[:1].isspace() or raw[:1].islower() or _FENCE.match(raw) for raw in lines)
    return not any(goes_on) and not any(begins)
