"""The MEMORY.md of a home: prose becomes topic files with lines, an index is put right, its prose moved out. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .. import archive, fixes, grammar, host, names
from ..archive import Shelf
from ..errors import Refused
from ..model import ARROW, Entry, Folder, Index, Kind, Line
from ..privacy.rules import Rules
from ..rules.whole import ROUTING_WORDS
from ..terms import Segment
from .cutting import cut, numbered
from .parts import Piece, Plan, Taken
from .planning import Ground, kept, plan

_FEWEST = 5  # keywords; a line with so many is an entry even where its file is missing
_MERGE_MARKER = "<<<<<<<"


@dataclass(frozen=True, slots=True)
class Aim:
    """What a migration is to lead to: the heading block, the cap, whether prose of an index becomes topics, and with
    `rules` what is left out of the new files."""

    heading: str
    cap: int
    segment: Segment | None = None
    move_prose: bool = True
    rules: Rules | None = None


def is_index(text: str, folder: Folder) -> bool:
    """Whether a text is an index rather than prose with an arrow in it: our heading, or a line that names a topic file
    that exists or has the keywords of an entry."""
    index = grammar.parse(text)
    if not grammar.is_index(index):
        return False
    files = set(map(names.same, folder.files))
    real = (_is_real(entry, files) for _, entry in index.entries())
    return any(real) or "routing table" in grammar.heading(index).casefold()


def _is_real(entry: Entry, files: set[str]) -> bool:
    known = names.same(entry.target) in files and len(entry.keywords) > 1
    return entry.target.endswith(".md") and (known or len(entry.keywords) >= _FEWEST)


def prose_of(text: str) -> Taken:
    """The prose of an index: the lines of each host entry that are neither entry nor heading alone."""
    return numbered([[(number, line.raw) for number, line in run] for run in _prose(grammar.parse(text))])


def _prose(index: Index) -> list[list[tuple[int, Line]]]:
    """Runs of lines with prose in them that stand behind the heading, between entries and delimiters."""
    runs: list[list[tuple[int, Line]]] = [[]]
    for number, line in enumerate(index.lines, 1):
        if line.kind in (Kind.ENTRY, Kind.DELIMITER, Kind.TEMPLATE):
            runs.append([])
        else:
            runs[-1].append((number, line))
    behind = runs if index.lines and not _has_heading(runs[0]) else runs[1:]
    return [run for run in behind if any(_is_prose(line) for _, line in run)]


def _has_heading(run: Sequence[tuple[int, Line]]) -> bool:
    return any(line.kind is Kind.HEADING for _, line in run)


def _is_prose(line: Line) -> bool:
    # A line with an arrow in front of a file name was meant as an entry: what is wrong with it is for its writer.
    faulty = ARROW.strip() in line.text and line.text.rstrip().endswith(".md")
    return line.kind is Kind.STRAY and not faulty


def plan_prose(shelf: Shelf, aim: Aim) -> Plan:
    """The plan for a native prose memory. Raises Refused where the file holds merge markers."""
    _no_merge_markers(shelf.index)
    taken = cut(shelf.index.removeprefix(grammar.BOM))
    end = grammar.newline(grammar.parse(shelf.index))
    start = (aim.heading + "\n").replace("\n", end) if taken.pieces else shelf.index
    return _repeats(plan(taken.pieces, Ground(start, shelf, aim.cap, aim.segment, rules=aim.rules)), taken)


def plan_index(shelf: Shelf, aim: Aim, reads: Mapping[str, int] | None = None) -> Plan:
    """The plan for a file that is an index: both indexes in canonical form with a heading that holds the routing rule.

    `reads` says how often each topic was read: where the canonical form does not fit the cap, the coldest unmarked
    lines go to the archive. Raises Refused where the file holds merge markers.
    """
    _no_merge_markers(shelf.index)
    index = grammar.parse(shelf.index)
    taken = prose_of(shelf.index) if aim.move_prose else Taken(())
    gone = {number for run in _prose(index) for number, _ in run} if aim.move_prose else set()
    kept = Index(tuple(line for number, line in enumerate(index.lines, 1) if number not in gone), index.bom)
    text = _with_rule(fixes.fixed(grammar.render(kept), shelf.live), aim.heading)
    shelved = _archive_with_rule(fixes.fixed(shelf.archive, shelf.archived)) if shelf.archive.strip() else shelf.archive
    ground = _with_room(replace(shelf, index=text, archive=shelved), aim, reads or {}, host.size(shelf.index))
    return _repeats(plan(taken.pieces, ground), taken)


def _with_rule(text: str, heading: str) -> str:
    # The template line of the older form is a sample; a heading that says what the lines are for stays as it is.
    index = grammar.parse(text)
    lines = tuple(line for line in index.lines if line.kind is not Kind.TEMPLATE)
    text = grammar.canonical(grammar.render(Index(lines, index.bom)))
    return text if _has_rule(text) else fixes.with_heading(text, heading)


def _archive_with_rule(text: str) -> str:
    # No cap presses on the archive, so what stood at its head stays.
    end = grammar.newline(grammar.parse(text))
    return text if _has_rule(text) else grammar.canonical(archive.HEADING + end + text)


def _has_rule(text: str) -> bool:
    return any(word in grammar.heading(grammar.parse(text)).casefold() for word in ROUTING_WORDS)


def _with_room(shelf: Shelf, aim: Aim, reads: Mapping[str, int], before: int) -> Ground:
    targets = _too_many(shelf.index, aim.cap, reads) if host.size(shelf.index) > before else []
    if not targets:
        return Ground(shelf.index, shelf, aim.cap, aim.segment, rules=aim.rules)
    put = archive.put_away(shelf, targets)
    note = (
        f"each line as an entry of its own does not fit into {aim.cap:,} characters: the {len(targets)} that were read "
        f"least go to the archive; to bring one back: memory-shaper restore NAME"
    )
    left = replace(shelf, index=put.index, archive=put.archive)
    return Ground(put.index, left, aim.cap, aim.segment, put.moves, (note,), aim.rules)


def _too_many(text: str, cap: int, reads: Mapping[str, int]) -> list[str]:
    """The unmarked entries to archive until the index fits: the least read first, of equals the last."""
    index = grammar.parse(text)
    free = [(reads.get(entry.target, 0), -number, entry.target) for number, entry in index.entries() if not entry.mark]
    over = host.size(text) - cap
    chosen: list[str] = []
    for _, number, target in sorted(free):
        if over <= 0:
            break
        over -= len(index.lines[-number - 1].text) + len(host.DELIMITER)
        chosen.append(target)
    return chosen


def _no_merge_markers(text: str) -> None:
    for number, line in enumerate(grammar.parse(text).lines, 1):
        if line.text.startswith(_MERGE_MARKER):
            raise Refused(
                f"MEMORY.md:{number}: a merge marker, the file holds two versions; first: memory-shaper merge"
            )


def _repeats(made: Plan, taken: Taken) -> Plan:
    if not taken.repeats:
        return made
    note = f"{taken.repeats} of the texts were there more than once, word for word: each is kept once"
    return replace(made, notes=(*made.notes, note))


def imported(taken: Taken, shelf: Shelf, aim: Aim, known_lines: frozenset[str]) -> Plan:
    """The plan that adds pieces of another source to the index as it stands.

    `known_lines` are the lines of all topic files, stripped: a piece whose lines are all among them is there already.
    Raises Refused where MEMORY.md is not an index yet.
    """
    if shelf.index.strip() and not is_index(shelf.index, shelf.live):
        raise Refused("MEMORY.md is not an index yet; run first: memory-shaper migrate --apply")
    new = [piece for piece in taken.pieces if piece.here or not _is_known(piece, known_lines, aim.rules)]
    notes = [f"{len(taken.pieces) - len(new)} texts are in topic files already"] if len(new) < len(taken.pieces) else []
    if not new:
        return Plan(shelf.index, shelf.archive, notes=tuple(notes))
    index = shelf.index if shelf.index.strip() else aim.heading + "\n"
    return _repeats(plan(new, Ground(index, shelf, aim.cap, aim.segment, notes=tuple(notes), rules=aim.rules)), taken)


def _is_known(piece: Piece, known: frozenset[str], rules: Rules | None) -> bool:
    if rules is not None and (clean := kept(piece, rules)).text != piece.text and _is_known(clean, known, None):
        return True
    return all(line in known for raw in piece.text.split("\n") if (line := raw.strip()))
