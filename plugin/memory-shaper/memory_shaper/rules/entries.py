"""Rules about one line: its keywords, its arrow and its target. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice

from .. import names
from ..model import ARROW, Kind
from .base import Fault, Scope, corrected, hyphenated, lower, unfit
from .words import GENERIC, hidden_by_host, may_be_hidden

FEWEST, MOST = 5, 20
LONGEST_KEYWORD = 64
LONGEST_LINE = 280
_MOST_SHOWN = 5  # faults of one kind in one line
_MARKERS = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")


def not_an_entry(scope: Scope) -> Iterator[Fault]:
    """A line that is neither heading, delimiter nor `keyword,keyword,… → file.md`: readers cannot route by it."""
    for number, line in scope.lines(Kind.STRAY):
        if not line.text.startswith(_MARKERS):
            yield Fault(
                number,
                "this line is not an entry of the form keyword,keyword,… → file.md",
                "move the text into a topic file and name that file in one entry, or run: memory-shaper migrate",
            )


def merge_markers(scope: Scope) -> Iterator[Fault]:
    """A version control system left its conflict markers: two versions of the index stand in one file."""
    for number, line in scope.lines(Kind.STRAY):
        if line.text.startswith(_MARKERS):
            yield Fault(number, "a merge marker: the file holds two versions", "memory-shaper merge MEMORY.md")


def keyword_count(scope: Scope) -> Iterator[Fault]:
    """A keyword set has 5 to 20 keywords: fewer route badly, more crowd out other entries."""
    for row in scope.rows:
        count = len(row.words) if row.plain else sum(1 for word in row.words if word.strip())
        if count < FEWEST:
            yield Fault(row.number, f"{count} keywords, an entry has {FEWEST} to {MOST}; add words a user would say")
        if count > MOST:
            yield Fault(row.number, f"{count} keywords, an entry has {FEWEST} to {MOST}; drop the least telling ones")


def _words(scope: Scope, fault_of: Callable[[str], str]) -> Iterator[Fault]:
    # One fault a word, the first few of a line; the corrected line is the same for all of them.
    for row in scope.rows:
        if row.plain:
            continue
        faults = ((word, fault) for word in row.entry.keywords if (fault := fault_of(word)))
        shown = list(islice(faults, _MOST_SHOWN))
        fix = corrected(row.entry) if shown else ""
        yield from (Fault(row.number, fault, fix, word) for word, fault in shown)


def keyword_case(scope: Scope) -> Iterator[Fault]:
    """Keywords are written in lower case, so that one word has one spelling."""
    return _words(scope, lambda word: f'keyword "{word.strip()}" is not in lower case' if word.lower() != word else "")


def keyword_shape(scope: Scope) -> Iterator[Fault]:
    """No blank, control, format or zero-width character inside a keyword, none empty, none over 64 characters.

    The host hides an entry with a zero-width or direction character from the prompt, and in a newline-only file
    that entry is the whole index.
    """
    yield from _words(scope, _shape_fault)
    for row in scope.rows:
        if row.plain and len(row.text) > LONGEST_KEYWORD:
            for word in islice((word for word in row.words if len(word) > LONGEST_KEYWORD), _MOST_SHOWN):
                yield Fault(row.number, _shape_fault(word), at=word)


def _shape_fault(word: str) -> str:
    if not word.strip():
        return "an empty keyword"
    bad = next((char for char in word if unfit(char)), "")
    if bad and (bad.isspace() or bad in "§→"):
        return f'keyword "{hyphenated(word)}" is written with a {_described(bad)} in it'
    if bad:
        return f"a keyword holds the invisible character U+{ord(bad):04X}: the host may hide the entry from the prompt"
    if len(word) > LONGEST_KEYWORD:
        return f"a keyword of {len(word)} characters; {LONGEST_KEYWORD} are the most"
    if lower(word) != word.lower():
        return f'keyword "{lower(word)}" is not in composed form (NFC)'
    return ""


def _described(char: str) -> str:
    return {" ": "blank", "\t": "tab", "\u00a0": "no-break space", "\u3000": "full-width blank"}.get(
        char, f'"{char}"' if char in "§→" else f"blank U+{ord(char):04X}"
    )


def keyword_repeated(scope: Scope) -> Iterator[Fault]:
    """No keyword stands twice in one line: the second adds cost and no meaning."""
    for row in scope.rows:
        if len(set(row.words)) == len(row.words):
            continue
        counts = Counter(word for word in row.words if word.strip())
        repeated = list(islice((word for word, count in counts.items() if count > 1), _MOST_SHOWN))
        fix = corrected(row.entry) if repeated else ""
        for word in repeated:
            yield Fault(row.number, f'keyword "{word.strip()}" stands twice in the line', fix, word)


def keyword_generic(scope: Scope) -> Iterator[Fault]:
    """A word that could stand in any line tells a reader nothing."""
    for row in scope.rows:
        if not GENERIC.isdisjoint(row.words):
            for word in sorted(GENERIC.intersection(row.words)):
                yield Fault(row.number, f'keyword "{word}" is generic: it fits every topic', at=word)


def arrow_shape(scope: Scope) -> Iterator[Fault]:
    """The arrow is U+2192 with one blank on each side."""
    for row in scope.rows:
        if row.entry.arrow != ARROW:
            shown = row.entry.arrow.strip()
            what = f'"{shown}" for the arrow' if shown != "→" else "an arrow without exactly one blank on each side"
            yield Fault(row.number, f'{what}; write " → "', corrected(row.entry), row.entry.arrow)


def comma_shape(scope: Scope) -> Iterator[Fault]:
    """Keywords are separated by the plain comma."""
    for row in scope.rows:
        for comma in sorted(row.entry.commas - {","}):
            yield Fault(row.number, f'"{comma}" between keywords; write ","', corrected(row.entry), comma)


def host_hidden(scope: Scope) -> Iterator[Fault]:
    """Words that the host's scanner takes for an attack: it hides the whole host entry from the prompt."""
    if not may_be_hidden(scope.text):
        return
    for number, line in scope.lines(Kind.ENTRY, Kind.HEADING, Kind.STRAY, Kind.TEMPLATE):
        if word := hidden_by_host(line.text):
            yield Fault(number, f"{word} makes the host hide this entry from the prompt; use another word", at=word)


def line_long(scope: Scope) -> Iterator[Fault]:
    """A long line crowds out others: every character is paid for in every session."""
    for row in scope.rows:
        if len(row.text) > LONGEST_LINE:
            share = f", {100 * len(row.text) // scope.cap} % of the cap" if scope.cap else ""
            yield Fault(row.number, f"{len(row.text)} characters and {len(row.words)} keywords in one line{share}")


def target_shape(scope: Scope) -> Iterator[Fault]:
    """A target is the bare, portable name of a markdown file beside the index, in the case it has on disk."""
    for row in scope.rows:
        target = row.entry.target
        if fault := names.fault(target):
            yield Fault(row.number, f'the target "{_shown(target)}" {fault}', at=target)
        elif (twin := _case_twin(scope, target)) is not None:
            fix = f"{str(row.entry).rpartition(ARROW)[0]}{ARROW}{twin}"
            yield Fault(row.number, f'the target "{target}" is "{twin}" on disk', fix, target)


def _case_twin(scope: Scope, target: str) -> str | None:
    if scope.folder is None or target in scope.folder.files:
        return None
    found = scope.files_by_form.get(names.same(target), [])
    if not found or any(names.nfc(name) == names.nfc(target) for name in found):
        return None
    return found[0]


def _shown(name: str) -> str:
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in name[:80])


def target_missing(scope: Scope) -> Iterator[Fault]:
    """Every target exists: an entry that leads nowhere misleads the reader."""
    if scope.folder is None:
        return
    for row in scope.rows:
        target = row.entry.target
        if target in scope.folder.files or names.fault(target) or scope.files_by_form.get(names.same(target)):
            continue
        what = "is a folder" if target in scope.folder.folders else "does not exist"
        yield Fault(row.number, f'topic file "{target}" {what}', f"create {target} first", target)


def target_repeated(scope: Scope) -> Iterator[Fault]:
    """One entry a topic file: two lines for one file waste room and drift apart."""
    first: dict[str, int] = {}
    for row in scope.rows:
        if first.setdefault(names.same(row.entry.target), row.number) != row.number:
            message = f'topic file "{_shown(row.entry.target)}" has an entry already'
            yield Fault(row.number, message, at=row.entry.target)
