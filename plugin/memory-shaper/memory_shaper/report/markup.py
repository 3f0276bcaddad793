"""The few pieces of HTML and SVG that the report is built from; every text goes through `text`. Pure."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NewType

from ..printable import visible
from ..secrets import masked

Html = NewType("Html", str)
Value = str | int | float | None

_EMPTY = frozenset({"meta", "rect", "line", "circle", "path", "br"})


def text(value: str | int | float) -> Html:
    """A text made safe for HTML: secrets masked, invisible and direction characters replaced, signs escaped.

    >>> text("<b>\\u202e")
    '&lt;b&gt;\ufffd'
    """
    return Html(html.escape(visible(masked(str(value)))))


def lines_of(value: str) -> Html:
    """The text of a file: as `text`, with its line ends kept."""
    return Html("\n".join(html.escape(visible(line)) for line in masked(value).splitlines()))


def tag(name: str, *children: Html, **attributes: Value) -> Html:
    """One element. In names of attributes `_` stands for `-`, one at the end is dropped; None leaves one out.

    >>> tag("th", text("a & b"), scope="row", class_="name")
    '<th scope="row" class="name">a &amp; b</th>'
    """
    pairs = ((key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items() if value is not None)
    inside = "".join(f' {key}="{html.escape(visible(str(value)))}"' for key, value in pairs)
    if name in _EMPTY:
        return Html(f"<{name}{inside}>" if name in ("meta", "br") else f"<{name}{inside}/>")
    return Html(f"<{name}{inside}>{''.join(children)}</{name}>")


def joined(parts: Iterable[Html], between: str = "") -> Html:
    """Pieces one after the other."""
    return Html(between.join(parts))


def moment(at: datetime | None, never: str = "never") -> Html:
    """A moment in local time to the minute, the exact one for machines."""
    if at is None:
        return tag("span", text(never), class_="quiet")
    exact = at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return tag("time", text(f"{at.astimezone():%Y-%m-%d %H:%M}"), datetime=exact)


def number(value: int) -> Html:
    """A number with its thousands parted."""
    return text(f"{value:,}")


def counted(value: int, word: str) -> str:
    """A number and its word: `1 line`, `2 lines`."""
    return f"{value:,} {word}" if value == 1 else f"{value:,} {word}s"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its head, and a class for its cells (`number`, `name`, `words`)."""

    head: str
    class_: str | None = None


def table(ident: str, caption: str, columns: Sequence[Column], rows: Iterable[Sequence[Html]]) -> Html:
    """A table in a box of its own that scrolls sideways; the first cell of each row is its head."""
    heads = joined(tag("th", text(column.head), scope="col", class_=column.class_) for column in columns)
    body = joined(_row(columns, row) for row in rows)
    made = tag(
        "table",
        captioned(ident, caption),
        tag("thead", tag("tr", heads)),
        tag("tbody", body),
    )
    return boxed(ident, made)


def captioned(ident: str, words: str) -> Html:
    """The caption of a table."""
    return tag("caption", tag("span", text(words)), id=f"{ident}-caption")


def boxed(ident: str, made: Html) -> Html:
    """A table, named by its caption, in a box that scrolls sideways and can be reached by keyboard."""
    return tag("div", made, class_="box", role="region", tabindex=0, aria_labelledby=f"{ident}-caption")


def _row(columns: Sequence[Column], cells: Sequence[Html]) -> Html:
    first, *others = zip(columns, cells, strict=True)
    head = tag("th", first[1], scope="row", class_=first[0].class_)
    return tag("tr", head, *(tag("td", cell, class_=column.class_) for column, cell in others))
