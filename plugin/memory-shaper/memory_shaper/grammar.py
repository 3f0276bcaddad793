"""The index format: text to lines and back, the canonical form, and edits that change one line. Pure.

    index     = { line }
    line      = delimiter | blank | heading | template | entry | stray
    entry     = [ mark ] keyword { "," keyword } " → " target

Parsing never loses a byte: `render(parse(text)) == text` for every text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from .host import DELIMITER, open_part
from .model import Entry, Index, Kind, Line

BOM = "\ufeff"
_ENDINGS = re.compile("\r\n|\n|\r")
# The arrow proper first; then what people and models type for it, the longest first.
_ARROWS = re.compile(r"→|⟶|⟹|⇒|➜|➔|➙|➝|➞|➡️?|⇨|⭢|🡒|🡢|￫|›|»|-{1,3}>|={1,2}>|－{1,2}＞|—>|–>|—＞")
_COMMAS = re.compile("[,，、﹐､]")
_WELL_FORMED = re.compile(r"(!{1,2}+)?+(?!！)([^\s,，、﹐､→]+(?:,[^\s,，、﹐､→]+)*) → ([^\s,，→/\\]+\.md)")
# The same in printable ASCII, which is what most lines are and several times as fast.
_ASCII_FORMED = re.compile(r"(!{1,2}+)?+([!-+\--~]+(?:,[!-+\--~]+)*+) → ([!-+\-.0-\[\]-~]+\.md)")
_LONGEST_ENTRY = 20_000  # characters; a longer line is no entry whatever stands in it
_REMEMBERED = 400  # characters
_USUAL = 200_000  # characters; a longer text would push all others out of what is remembered
_MARK = re.compile("!{1,2}|！{1,2}")
# What goes on behind a colon or a semicolon is a sentence ("Release: tag, build → NOTES.md"), no keyword set.
_SENTENCE = re.compile("[:;]\\s|[：；。]")
_FILE_LIKE = re.compile(r"[^\s,，。;；]*\.[A-Za-z0-9]{1,8}|.*\.(?:md|markdown|txt)", re.IGNORECASE)


def parse(text: str) -> Index:
    """Cut a text into lines and say what each one is.

    index = [ BOM ] { line ( CRLF | LF | CR ) } [ line ]
    """
    bom = BOM if text.startswith(BOM) else ""
    read = parse_line if len(text) <= _USUAL else _parse_line
    return Index(tuple(read(*pair) for pair in _cut(text[len(bom) :])), bom)


def render(index: Index) -> str:
    """The text of an index, byte for byte what was parsed."""
    return index.bom + "".join(line.raw for line in index.lines)


def _cut(text: str) -> Iterator[tuple[str, str]]:
    if "\r" not in text:
        *lines, last = text.split("\n")
        yield from ((line, "\n") for line in lines)
        if last:
            yield last, ""
        return
    start = 0
    for match in _ENDINGS.finditer(text):
        yield text[start : match.start()], match.group()
        start = match.end()
    if start < len(text):
        yield text[start:], ""


def parse_line(text: str, ending: str = "") -> Line:
    """The line of a text, as `_parse_line` says; short lines are remembered, since the same ones come back."""
    return _remembered(text, ending) if len(text) <= _REMEMBERED else _parse_line(text, ending)


def _parse_line(text: str, ending: str = "") -> Line:
    """line = delimiter | blank | heading | template | entry | stray

    delimiter = "§" alone, blanks around it allowed; blank = white space only; heading = "#" text;
    template = an entry whose keywords are all "keyword".
    """
    bare = text.strip()
    if bare == "§":
        return _DELIMITER if text == "§" and ending == "\n" else Line(Kind.DELIMITER, text, ending)
    if not bare:
        return Line(Kind.BLANK, text, ending)
    if bare.startswith("#"):
        return Line(Kind.HEADING, text, ending)
    entry = parse_entry(bare)
    if entry is None:
        return Line(Kind.STRAY, text, ending)
    template = set(entry.keywords) == {"keyword"}
    return Line(Kind.TEMPLATE if template else Kind.ENTRY, text, ending, entry)


_DELIMITER = Line(Kind.DELIMITER, "§", "\n")
_remembered = lru_cache(maxsize=8192)(_parse_line)


def parse_entry(text: str) -> Entry | None:
    """entry = [ mark ] keyword { comma keyword } arrow target

    Look-alike arrows, full-width commas and stray blanks are understood, so that a rule can show the corrected
    line; None is given where the text is no keyword set in front of a file name. The last arrow counts.
    """
    if len(text) > _LONGEST_ENTRY:
        return None
    if good := _ASCII_FORMED.fullmatch(text) or _WELL_FORMED.fullmatch(text):
        return Entry(good[1] or "", tuple(good[2].split(",")), good[3])
    arrow = _last_arrow(text)
    if arrow is None:
        return None
    left, right = text[: arrow.start()], text[arrow.end() :]
    mark = _MARK.match(left)
    words = left[mark.end() :] if mark else left
    target = right.strip()
    if not _FILE_LIKE.fullmatch(target) or not words.strip() or not _is_keyword_set(words):
        return None
    if _SENTENCE.search(words) or _SENTENCE.search(target):
        return None
    gap = len(words) - len(words.rstrip())
    lead = len(right) - len(right.lstrip())
    spaced = words[len(words) - gap :] + arrow.group() + right[:lead]
    keywords = tuple(_COMMAS.split(words[: len(words) - gap]))
    used = frozenset(_COMMAS.findall(words))
    return Entry(mark.group().replace("！", "!") if mark else "", keywords, target, spaced, used or frozenset(","))


def _last_arrow(text: str) -> re.Match[str] | None:
    at = text.rfind("→")
    if at >= 0:
        return _ARROWS.match(text, at)
    if text.isascii() and ">" not in text:
        return None
    last = None
    for last in _ARROWS.finditer(text):  # noqa: B007
        pass
    return last


def _is_keyword_set(words: str) -> bool:
    # Prose with an arrow in it is a stray: few commas for its blanks. One word, or mostly commas, is a keyword set.
    commas = len(_COMMAS.findall(words))
    return len(words.split()) <= 1 or commas * 2 >= len(words.split()) - 1


def is_index(index: Index) -> bool:
    """Whether a text is an index at all: our heading, or a line that names a topic by at least two keywords.

    Where a blank stands between the words of each such line, it may as well be a sentence: then half of the lines have
    to name a topic. Anything else is a native prose memory, where prose passes and only destruction is stopped.
    """
    named = [entry for _, entry in index.entries() if _names_topic(entry)]
    if any(map(_is_tight, named)) or "routing table" in heading(index).casefold():
        return True
    return bool(named) and 2 * len(named) >= sum(line.kind in (Kind.ENTRY, Kind.STRAY) for line in index.lines)


def _names_topic(entry: Entry) -> bool:
    return len(entry.keywords) > 1 and entry.target.casefold().endswith(".md") and " " not in entry.target


def _is_tight(entry: Entry) -> bool:
    return not any(" " in keyword for keyword in entry.keywords)


def heading(index: Index) -> str:
    """The leading heading block: everything in front of the first delimiter or entry, stripped."""
    lines: list[str] = []
    for line in index.lines:
        if line.kind in (Kind.DELIMITER, Kind.ENTRY):
            break
        lines.append(line.text)
    return "\n".join(lines).strip()


def newline(index: Index) -> str:
    """The line ending an index uses most, LF where it has none."""
    endings = [line.ending for line in index.lines if line.ending]
    return max(("\n", "\r\n", "\r"), key=endings.count) if endings else "\n"


def parts(index: Index) -> list[str]:
    """The host entries of the canonical form: every entry on its own, other lines in unbroken runs, stripped."""
    found: list[str] = []
    run: list[str] = []
    for line in index.lines:
        if line.kind in (Kind.ENTRY, Kind.DELIMITER):
            found.append("\n".join(run))
            run = []
        if line.kind is Kind.ENTRY:
            found.append(line.text)
        elif line.kind is not Kind.DELIMITER:
            run.append(line.text)
    found.append("\n".join(run))
    return [part for text in found if (part := text.strip())]


def canonical(text: str) -> str:
    """The text in canonical form: each entry its own host entry, parts joined by a lone `§` line, no trailing blanks.

    Line endings, a byte order mark and a final newline stay as they were; no line is dropped.
    """
    index = parse(text)
    end = newline(index)
    final = end if index.lines and index.lines[-1].ending and parts(index) else ""
    joined = DELIMITER.join(parts(index)).replace("\n", end) + final
    if not index.bom and joined.startswith(BOM):
        return canonical(joined)  # a sign that stood behind blanks is a byte order mark from now on
    return index.bom + joined


def is_canonical(text: str) -> bool:
    """Whether a text is in canonical form already."""
    return canonical(text) == text


def replace_line(index: Index, number: int, text: str) -> Index:
    """The index with the text of one line (counted from 1) changed and every other byte as it was."""
    old = index.lines[number - 1]
    return _spliced(index, number - 1, number, [parse_line(text, old.ending)])


def remove_line(index: Index, number: int) -> Index:
    """The index without one line and, where it stood between delimiters, without one of them."""
    start, stop = number - 1, number
    before = index.lines[start - 1].kind if start else None
    after = index.lines[stop].kind if stop < len(index.lines) else None
    if before is Kind.DELIMITER and after in (Kind.DELIMITER, None):
        start -= 1
    elif before is None and after is Kind.DELIMITER:
        stop += 1
    return _closed(index, _spliced(index, start, stop, []))


def _closed(old: Index, new: Index) -> Index:
    # The last line of a file without a final newline was removed: the new last line gives up its ending too.
    if not (new.lines and old.lines and not old.lines[-1].ending and new.lines[-1].ending):
        return new
    last = new.lines[-1]
    return Index((*new.lines[:-1], Line(last.kind, last.text, "", last.entry)), new.bom)


def append_entry(index: Index, text: str) -> Index:
    """The index with one more entry at its end, behind a delimiter unless the host sees one there already."""
    end = newline(index)
    lines = list(index.lines)
    final = lines[-1].ending if lines else ""
    if lines and not final:
        lines[-1] = parse_line(lines[-1].text, end)
    if open_part("".join(line.raw for line in lines)):
        lines.append(parse_line("§", end))
    return Index((*lines, parse_line(text, final)), index.bom)


def map_entries(index: Index, change: Callable[[Entry], str]) -> Index:
    """The index with every entry line's text replaced by what `change` makes of it."""
    return Index(
        tuple(
            parse_line(change(line.entry), line.ending) if line.kind is Kind.ENTRY and line.entry else line
            for line in index.lines
        ),
        index.bom,
    )


def _spliced(index: Index, start: int, stop: int, lines: Iterable[Line]) -> Index:
    return Index((*index.lines[:start], *lines, *index.lines[stop:]), index.bom)


def words(text: str) -> list[str]:
    """The words of a line in lower case: runs of letters and digits."""
    return re.findall(r"\w+", text.lower())
