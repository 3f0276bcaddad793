"""How things look on a terminal and off one: colours, widths, bars, paths and times. Opens no file."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from ..headings import collapsed
from ..printable import visible as visible

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

_CODES = {"red": "31", "green": "32", "yellow": "33", "cyan": "36", "bold": "1"}
_BAR = 30  # cells
_ROOM = 100  # characters of a source line that are shown around its finding


@dataclass(frozen=True, slots=True)
class Screen:
    """Where the output goes. `terminal` decides on bars, `colour` on colours."""

    terminal: bool = False
    colour: bool = False

    def paint(self, text: str, colour: str) -> str:
        """The text in a colour, where colours are wanted."""
        return f"\x1b[{_CODES[colour]}m{text}\x1b[0m" if self.colour and text else text

    def path(self, path: Path | str) -> str:
        """A path with the user's home as `~`."""
        return collapsed(str(path))


PLAIN = Screen()


def screen_of(stream: TextIO, environ: Mapping[str, str]) -> Screen:
    """The screen behind a stream; `NO_COLOR` (when not empty) and a dumb terminal mean no colours."""
    terminal = stream.isatty()
    colour = terminal and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
    return Screen(terminal, colour)


def width(text: str) -> int:
    """How many cells of a terminal a text takes: two for a wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    return sum(_cells(char) for char in text)


def _cells(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def padded(text: str, cells: int) -> str:
    """The text with blanks behind it, as wide as so many cells."""
    return text + " " * max(0, cells - width(text))


def table(rows: list[tuple[str, ...]]) -> list[str]:
    """Rows of cells as lines with columns of even width."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(padded, row, widths)).rstrip() for row in rows]


def pointed(source: str, column: int, length: int) -> tuple[str, str]:
    """A source line and the line below it with a run of carets under `length` characters from `column` (from 1).

    >>> print("\\n".join(pointed("部署,Ci → a.md", 4, 2)))
    部署,Ci → a.md
         ^^
    """
    start, stop = column - 1, column - 1 + length
    left = max(0, min(start - _ROOM // 2, len(source) - _ROOM))
    right = max(left + _ROOM, min(stop, left + 2 * _ROOM))
    before, under = visible(source[left:start]), visible(source[start : min(stop, right)])
    more = "…" if left else ""
    shown = more + before + under + visible(source[stop:right]) + ("…" if right < len(source) else "")
    # A tab under a tab keeps the columns wherever the terminal has its stops.
    gap = " " * len(more) + "".join(char if char == "\t" else " " * _cells(char) for char in before)
    return shown, gap + "^" * max(1, width(under.replace("\t", " ")))


def bar(share: float, plain: bool = False) -> str:
    """A bar of a share between 0 and 1; `plain` uses ASCII only."""
    full = max(0, min(_BAR, round(share * _BAR)))
    on, off = ("#", "-") if plain else ("█", "░")
    return f"[{on * full}{off * (_BAR - full)}]"


def local(moment: datetime) -> str:
    """A moment in local time with its offset, to the minute."""
    return moment.astimezone().isoformat(" ", "minutes")


def utc(moment: datetime | None) -> str | None:
    """A moment in UTC for JSON, None where there is none."""
    if moment is None:
        return None
    from ..record.times import stamp

    return stamp(moment)


def counted(number: int, word: str) -> str:
    """A number and its word in the right number: `1 finding`, `2 findings`, `2 entries`."""
    if number == 1:
        return f"1 {word}"
    return f"{number:,} {word[:-1]}ies" if word.endswith("y") else f"{number:,} {word}s"
