"""Planning what goes to the archive and what comes back: texts and names in, texts and moves out. Pure.

An entry in the archive is the live line word for word; only where its file name is taken there the target is rewritten.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from . import grammar, host, names
from .model import ARROW, Entry, Folder, Index

HEADING = "# Archive: a routing table of entries that left MEMORY.md; their files lie in this folder"


@dataclass(frozen=True, slots=True)
class Shelf:
    """The live index and the archive as they stand: both texts ("" where a file is missing) and both folders."""

    index: str
    archive: str
    live: Folder
    archived: Folder


@dataclass(frozen=True, slots=True)
class Plan:
    """What a change comes to: the new texts, and the moves as (name it has, name it gets).

    `lines` are the entries that moved, as they stand at their new place.
    """

    index: str
    archive: str
    moves: tuple[tuple[str, str], ...] = ()
    lines: tuple[Entry, ...] = field(default=())


def put_away(shelf: Shelf, targets: Iterable[str], gone: Sequence[Entry] = ()) -> Plan:
    """Move entries and their topic files to the archive.

    `targets` are entries of the live index, `gone` entries that have left it already. A file that another line still
    needs, that is missing, a folder or a system file stays where it is; its line moves all the same.
    """
    index = grammar.parse(shelf.index)
    leaving = _chosen(index, targets)
    index = _without(index, {entry.target for entry in leaving})
    still_named = {_on_disk(entry.target, shelf.live) for _, entry in index.entries()}
    archive = grammar.parse(shelf.archive or HEADING + "\n")
    taken = set(map(names.same, shelf.archived.files | shelf.archived.folders | names.SYSTEM))
    moves: dict[str, str] = {}
    lines: list[Entry] = []
    for entry in _one_a_file((*leaving, *gone), shelf.live):
        line = entry
        name = _on_disk(entry.target, shelf.live)
        if name and name not in still_named and name not in moves and not names.is_system(name):
            new_name = free_name(name, taken)
            taken.add(names.same(new_name))
            moves[name] = new_name
            line = entry if names.same(new_name) == names.same(entry.target) else replace(entry, target=new_name)
        lines.append(line)
    return Plan(grammar.render(index), grammar.render(_shelved(archive, lines)), tuple(moves.items()), tuple(lines))


def _chosen(index: Index, targets: Iterable[str]) -> list[Entry]:
    # The name as it is written, else its twins in case or Unicode form: of two twins with lines only one is meant.
    entries = [entry for _, entry in index.entries()]
    exact = {entry.target for entry in entries}
    wanted = set(targets)
    loose = {names.same(target) for target in wanted - exact}
    return [entry for entry in entries if entry.target in wanted or names.same(entry.target) in loose]


def _one_a_file(entries: Iterable[Entry], folder: Folder) -> list[Entry]:
    # Two lines for one file become one with the keywords of both, since one file has one line.
    found: dict[str, Entry] = {}
    for entry in entries:
        name = _on_disk(entry.target, folder) or names.same(entry.target)
        first = found.get(name)
        words = (*first.keywords, *entry.keywords) if first else entry.keywords
        found[name] = replace(first, keywords=tuple(dict.fromkeys(words))) if first else entry
    return list(found.values())


def _shelved(archive: Index, lines: Iterable[Entry]) -> Index:
    # One line a file: a line that the archive has for a target gives way to the newer one.
    numbers: dict[str, int] = {}
    for number, known in archive.entries():
        numbers.setdefault(names.same(known.target), number)
    for line in lines:
        number = numbers.setdefault(names.same(line.target), 0)
        if number:
            archive = grammar.replace_line(archive, number, written(line))
        else:
            archive = grammar.append_entry(archive, written(line))
            numbers[names.same(line.target)] = len(archive.lines)
    return archive


def written(entry: Entry) -> str:
    """The line of an entry with its own arrow and comma, so that a line that moves keeps its bytes."""
    comma = next(iter(entry.commas)) if len(entry.commas) == 1 else ","
    return f"{entry.mark}{comma.join(entry.keywords)}{entry.arrow or ARROW}{entry.target}"


def _without(index: Index, targets: set[str]) -> Index:
    numbers = [number for number, entry in index.entries() if entry.target in targets]
    for number in reversed(numbers):
        index = grammar.remove_line(index, number)
    return index


def _on_disk(target: str, folder: Folder) -> str:
    if target in folder.files:
        return target
    return next((name for name in sorted(folder.files) if names.same(name) == names.same(target)), "")


def free_name(name: str, taken: set[str]) -> str:
    """The name itself, or with -2, -3 … where it is taken; `taken` holds names in the form of `names.same`."""
    stem, dot, ending = name.rpartition(".")
    number, candidate = 1, name
    while names.same(candidate) in taken:
        number += 1
        candidate = f"{stem}-{number}{dot}{ending}"
    return candidate


class CannotRestore(Exception):
    """An archived entry cannot come back; the text says why and what to do."""


def bring_back(shelf: Shelf, target: str, cap: int) -> Plan:
    """Move one archived entry and its file back to the end of the live index.

    Raises CannotRestore where the name is not in the archive, taken in the live folder, or does not fit.
    """
    archive = grammar.parse(shelf.archive)
    found = [(n, entry) for n, entry in archive.entries() if names.same(entry.target) == names.same(target)]
    if not found:
        known = ", ".join(entry.target for _, entry in archive.entries()) or "nothing"
        raise CannotRestore(f'"{target}" is not in the archive; it holds: {known}')
    number, entry = found[0]
    name = _on_disk(entry.target, shelf.archived)
    if name and _on_disk(name, shelf.live):
        raise CannotRestore(f'"{name}" exists in the live folder too; rename or archive that one first')
    index = grammar.append_entry(grammar.parse(shelf.index), written(entry))
    size = host.size(grammar.render(index))
    if size > cap:
        raise CannotRestore(f"the index would have {size:,} of {cap:,} characters; archive another entry first")
    moves = ((name, name),) if name else ()
    return Plan(grammar.render(index), grammar.render(grammar.remove_line(archive, number)), moves, (entry,))
