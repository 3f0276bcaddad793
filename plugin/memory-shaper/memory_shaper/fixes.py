"""Repairs that have one right answer: arrows, commas, case, blanks, repeats, the form of the file, its heading. Pure.

No line is ever dropped, no line that is not understood is touched, and a text that is no index stays as it is.
"""

from __future__ import annotations

from . import grammar, names
from .model import ARROW, Entry, Folder, Index, Kind, Line
from .rules import corrected

# A repair may uncover the next one (a byte order mark behind a blank, say); every text comes to rest well before.
_ROUNDS = 8


def fixed(text: str, folder: Folder | None = None) -> str:
    """The text with every entry line put right, without a byte order mark, in canonical form.

    `folder` is the folder beside the index: a target that is there under another spelling only (case, Unicode form)
    is written as it is there. A line that a repair would turn into something else stays as it was, and so does prose:
    in a text that is no index, an arrow in front of a file name makes no entry.
    """
    if not grammar.is_index(grammar.parse(text.lstrip(grammar.BOM))):
        return text
    for _ in range(_ROUNDS):
        better = _once(text, folder)
        if better == text:
            break
        text = better
    return text


def _once(text: str, folder: Folder | None) -> str:
    index = grammar.parse(text.lstrip(grammar.BOM))
    lines = tuple(_line(line, folder) for line in index.lines)
    return grammar.canonical(grammar.render(Index(lines)))


def _line(line: Line, folder: Folder | None) -> Line:
    if line.kind is not Kind.ENTRY or line.entry is None:
        return line
    target = _on_disk(line.entry.target, folder)
    better = grammar.parse_line(_with_target(corrected(line.entry), target), line.ending)
    return better if _same_entry(line.entry, better, target) else line


def _with_target(line: str, target: str) -> str:
    return f"{line.rpartition(ARROW)[0]}{ARROW}{target}"


def _on_disk(target: str, folder: Folder | None) -> str:
    if folder is None or target in folder.files:
        return target
    twins = [name for name in folder.files if names.same(name) == names.same(target)]
    return twins[0] if len(twins) == 1 else target


def _same_entry(old: Entry, line: Line, target: str) -> bool:
    # `! !a,b → x.md` put right would read as `!!a,b → x.md`, and `,#a,b → x.md` as a heading.
    new = line.entry
    return line.kind is Kind.ENTRY and new is not None and (new.mark, new.target) == (old.mark, target)


def with_heading(text: str, block: str) -> str:
    """The text in canonical form with this heading block in place of the heading and template lines it began with.

    Other text that stood in front of the first entry stays, behind the block.
    """
    index = grammar.parse(grammar.canonical(text))
    end = grammar.newline(index)
    lead = _lead(index)
    kept = [line.raw for line in index.lines[:lead] if line.kind is Kind.STRAY]
    rest = "".join(kept) + ("§" + end if kept else "") + "".join(line.raw for line in index.lines[lead:])
    return grammar.canonical(index.bom + block.replace("\n", end) + end + ("§" + end + rest if rest.strip() else ""))


def _lead(index: Index) -> int:
    """How many lines stand in front of the first delimiter or entry."""
    stops = (n for n, line in enumerate(index.lines) if line.kind in (Kind.DELIMITER, Kind.ENTRY))
    return next(stops, len(index.lines))
