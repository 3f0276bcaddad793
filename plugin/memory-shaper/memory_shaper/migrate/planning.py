"""From pieces to a plan: groups, names, keywords, lines within the cap, the rest to the archive. Pure.

The grouping is as fine as the cap allows: a coarser one is taken only where the finer one leaves lines without room.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from .. import archive, grammar, host
from ..archive import Shelf
from ..model import Entry
from ..privacy.rules import NO_RULES, Rules
from ..privacy.screening import cleaned, spans
from ..secrets import masked
from ..terms import Segment
from .fitting import FULL, Fit, fit, is_roomy
from .grouping import group, nearness, weigh, with_short_ones_together
from .parts import Group, Piece, Plan, Sighting, Topic
from .wording import Wording, word_all, words_in

_LEAST = (0.55, 0.45, 0.36, 0.3, 0.24)  # nearness of a group, from fine to coarse


@dataclass(frozen=True, slots=True)
class Ground:
    """Where the new lines go: `index` is the index as it will be without them, `shelf` what is there now.

    `moves` are moves to the archive that are decided already. With `rules`, what is never kept is left out of the new
    files.
    """

    index: str
    shelf: Shelf
    cap: int
    segment: Segment | None = None
    moves: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = field(default=())
    rules: Rules | None = None


def plan(pieces: Sequence[Piece], ground: Ground) -> Plan:
    """The plan that gives every piece a place in a topic file and every topic file a line."""
    if not pieces:
        return Plan(ground.index, ground.shelf.archive, (), ground.moves, (), ground.notes)
    seen = sightings(pieces, ground.rules)
    pieces = pieces if ground.rules is None else [kept(piece, ground.rules) for piece in pieces]
    groups, wordings, fitted = _best(pieces, ground)
    topics = tuple(map(_topic, groups, wordings, fitted.counts, fitted.archived))
    full = _room_note(groups, fitted, ground.cap)
    away = [one for one in topics if one.archived]
    shelved = _with_lines(ground.shelf.archive or archive.HEADING + "\n", away) if away else ground.shelf.archive
    index = _with_lines(ground.index, [one for one in topics if not one.archived])
    moves = (*ground.moves, *((one.name, one.name) for one in topics if one.archived and one.here))
    return Plan(index, shelved, topics, moves, seen, (*ground.notes, *full))


def _best(pieces: Sequence[Piece], ground: Ground) -> tuple[list[Group], list[Wording], Fit]:
    words = {piece.number: words_in(piece, ground.segment) for piece in pieces}
    weights = weigh([words[piece.number] for piece in pieces])
    pairs = nearness(weights)
    roots = {piece.number: set(found) for piece, found in zip(pieces, weights, strict=True)}
    room = int(ground.cap * FULL) - host.size(ground.index)
    groups: list[Group] = []
    wordings: list[Wording] = []
    for least in _LEAST:
        groups = with_short_ones_together(group(pieces, weights, pairs, least), roots)
        wordings = word_all(groups, words, _words(ground), _names(ground))
        if is_roomy(wordings, _over(groups), room):
            break
    return groups, wordings, fit(wordings, _over(groups), room)


def _over(groups: Sequence[Group]) -> list[bool]:
    return [all(piece.over for piece in one.pieces) for one in groups]


def _words(ground: Ground) -> set[str]:
    lines = (*_entries(ground.index), *_entries(ground.shelf.archive))
    return {word for entry in lines for word in entry.keywords}


def _names(ground: Ground) -> set[str]:
    folders = (ground.shelf.live, ground.shelf.archived)
    targets = {entry.target for text in (ground.index, ground.shelf.archive) for entry in _entries(text)}
    return targets.union(*(folder.files | folder.folders for folder in folders), (new for _, new in ground.moves))


def _entries(text: str) -> list[Entry]:
    return [entry for _, entry in grammar.parse(text).entries()]


def _topic(one: Group, wording: Wording, count: int, archived: bool) -> Topic:
    first = one.pieces[0]
    data = first.data if first.file else content(one.pieces).encode()
    return Topic(wording.name, data, wording.words[:count], one, archived, first.here)


def content(pieces: Sequence[Piece]) -> str:
    """The text of a topic file: the pieces as they stand, and in front what their source knew about them."""
    facts = _facts(pieces)
    front = "".join(f"{key}: {value}\n" for key, value in facts.items())
    body = "\n\n".join(piece.text for piece in pieces)
    # Text that begins like front matter would be read as one; an empty one in front keeps it text.
    needs = bool(front) or body.startswith("---")
    return (f"---\n{front}---\n\n" if needs else "") + body + "\n"


def _facts(pieces: Sequence[Piece]) -> Mapping[str, str]:
    tags = dict.fromkeys(tag for piece in pieces for tag in piece.tags)
    days = sorted(piece.created for piece in pieces if piece.created)
    titles = [piece.title for piece in pieces if piece.title]
    found: dict[str, str] = {}
    if len(pieces) == 1 and titles:
        found["title"] = " ".join(titles[0].split())
    if tags:
        found["tags"] = f"[{', '.join(tags)}]"
    if days:
        found["created"] = days[0]
    if days and days[-1] != days[0]:
        found["updated"] = days[-1]
    return found


def _with_lines(text: str, topics: Sequence[Topic]) -> str:
    if not topics:
        return text
    index = grammar.parse(text)
    end = grammar.newline(index)
    lines = [str(Entry("", one.keywords, one.name)) for one in topics]
    begun = text.rstrip() + f"{end}§{end}" if text.strip() else ""
    return grammar.canonical(
        begun + f"{end}§{end}".join(lines) + (end if index.lines[-1:] and index.lines[-1].ending else "")
    )


def _room_note(groups: Sequence[Group], fitted: Fit, cap: int) -> tuple[str, ...]:
    over = _over(groups)
    full = sum(gone and not old for gone, old in zip(fitted.archived, over, strict=True))
    notes = []
    if full:
        notes.append(
            f"{full} of {len(groups)} topics do not fit into {int(cap * FULL):,} of {cap:,} characters: the last go to "
            f"the archive; to bring one back: memory-shaper restore NAME"
        )
    if any(over):
        notes.append(f"{sum(over)} topics hold what was no longer valid in the source: they go to the archive")
    return tuple(notes)


def sightings(pieces: Sequence[Piece], rules: Rules | None = None) -> tuple[Sighting, ...]:
    """The secrets of the pieces and what the rules keep out of them, by kind and line of the source."""
    return tuple(
        Sighting(span.kind, max(piece.line, 1) + (span.line - 1 if number == 0 else 0), masked(piece.file))
        for piece in pieces
        for number, text in enumerate((piece.text, "" if piece.file else f"{piece.title} {' '.join(piece.tags)}"))
        for span in spans(text, rules or NO_RULES)
    )


def kept(piece: Piece, rules: Rules) -> Piece:
    """The piece as it may be kept; a file that lies in the memories folder already is its owner's."""
    if piece.here:
        return piece
    text, title = cleaned(piece.text, rules)[0], cleaned(piece.title, rules)[0]
    tags = tuple(cleaned(tag, rules)[0] for tag in piece.tags)
    data = cleaned(piece.data.decode("utf-8", "surrogateescape"), rules)[0].encode("utf-8", "surrogateescape")
    return replace(piece, text=text, title=title, tags=tags, data=data)
