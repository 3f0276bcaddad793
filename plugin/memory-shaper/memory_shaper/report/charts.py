"""Charts as plain SVG: no script, no font, no picture from elsewhere; each says in words what it shows. Pure.

Colours are classes of the page's style. What differs in colour differs in pattern or place as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .markup import Html, Value, joined, tag, text

_STEP, _BAR, _TALL = 5, 4, 24  # pixels of a sparkline
_BUDGET_TALL = 44
_WEEKS_TALL = 120


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a bar: what it is (also the name of its class and pattern) and how large."""

    what: str
    size: int


def svg(ident: str, title: str, description: str, *shapes: Html, width: str, height: int, class_: str) -> Html:
    """A drawing with a name and a description for who cannot see it; its ids begin with `ident`."""
    named = (
        tag("title", text(title), id=f"{ident}-title"),
        tag("desc", text(description), id=f"{ident}-desc"),
    )
    return tag(
        "svg",
        *named,
        *shapes,
        role="img",
        aria_labelledby=f"{ident}-title {ident}-desc",
        width=width,
        height=height,
        class_=class_,
        focusable="false",
    )


def sparkline(ident: str, title: str, description: str, values: Sequence[int]) -> Html:
    """Bars side by side, the last one the newest; a zero is a dot on the ground."""
    most = max(values, default=0) or 1
    shapes = (_bar(place, value, most) for place, value in enumerate(values))
    width = str(max(1, len(values) * _STEP - (_STEP - _BAR)))
    return svg(ident, title, description, *shapes, width=width, height=_TALL, class_="spark")


def _bar(place: int, value: int, most: int) -> Html:
    tall = max(3, round(_TALL * value / most)) if value else 1
    class_ = "some" if value else "none"
    return tag("rect", x=place * _STEP, y=_TALL - tall, width=_BAR, height=tall, class_=class_)


def budget_bar(segments: Sequence[Segment], cap: int, marks: Sequence[tuple[int, str]], words: tuple[str, str]) -> Html:
    """One bar of the whole cap: the parts from the left, what is free at the right, a tick and a word at each mark.

    `words` are its title and description. Where the parts are more than the cap the bar shows them all.
    """
    whole = max(cap, sum(segment.size for segment in segments), 1)
    shapes = [tag("rect", x=0, y=16, width="100%", height=28, class_="free"), *_segments(segments, whole)]
    for at, word in marks:
        place = _share(at, whole)
        shapes.append(tag("line", x1=place, x2=place, y1=12, y2=_BUDGET_TALL, class_="tick"))
        shapes.append(tag("text", text(word), x=place, y=9, text_anchor="end" if at >= cap else "middle"))
    return svg(
        "budget-bar",
        *words,
        patterns("budget"),
        *shapes,
        width="100%",
        height=_BUDGET_TALL,
        class_="bar",
    )


def _segments(segments: Sequence[Segment], whole: int) -> Iterator[Html]:
    start = 0
    for segment in segments:
        place: dict[str, Value] = {
            "x": _share(start, whole),
            "width": _share(segment.size, whole),
            "y": 16,
            "height": 28,
        }
        yield tag("rect", class_=f"part {segment.what}", **place)
        if segment.what in _PATTERNS:
            yield tag("rect", class_="over", fill=f"url(#budget-{segment.what})", **place)
        start += segment.size


def swatch(ident: str, what: str) -> Html:
    """A small square in the colour and pattern of a part, for a legend; said in words beside it, so hidden."""
    shapes = [tag("rect", width=14, height=14, class_=f"part {what}" if what != "free" else "free")]
    if what in _PATTERNS:
        shapes.append(tag("rect", width=14, height=14, class_="over", fill=f"url(#budget-{what})"))
    return tag("svg", *shapes, width=14, height=14, aria_hidden="true", focusable="false", class_="swatch", id=ident)


_PATTERNS = {
    "critical": (tag("path", d="M0 6 L6 0 M0 0 L6 6", class_="stroke"), 6),
    "pinned": (tag("path", d="M-1 1 L1 -1 M0 6 L6 0 M5 7 L7 5", class_="stroke"), 6),
    "heading": (tag("circle", cx=3, cy=3, r=1, class_="dot"), 6),
    "other": (tag("path", d="M0 3 H6", class_="stroke"), 6),
}


def patterns(prefix: str) -> Html:
    """The patterns that tell the parts apart without colour."""
    made = (
        tag("pattern", shape, id=f"{prefix}-{what}", width=side, height=side, patternUnits="userSpaceOnUse")
        for what, (shape, side) in _PATTERNS.items()
    )
    return tag("defs", *made)


def columns(ident: str, words: tuple[str, str], values: Sequence[tuple[int, int]]) -> Html:
    """Columns of (whole, part): the whole an outline, the part filled and with its number, the newest last."""
    most = max((whole for whole, _ in values), default=0) or 1
    shapes = [joined(_column(place, len(values), pair, most)) for place, pair in enumerate(values)]
    ground = tag("line", x1=0, x2="100%", y1=_WEEKS_TALL - 1, y2=_WEEKS_TALL - 1, class_="ground")
    return svg(ident, *words, *shapes, ground, width="100%", height=_WEEKS_TALL, class_="columns")


def _column(place: int, many: int, pair: tuple[int, int], most: int) -> Iterator[Html]:
    room = _WEEKS_TALL - 18  # the number stands above the column
    for value, class_ in zip(pair, ("whole", "part"), strict=True):
        tall = round(room * value / most)
        if value:
            x, width = _share(place + 0.15, many), _share(0.7, many)
            yield tag("rect", x=x, y=_WEEKS_TALL - 1 - tall, width=width, height=tall, class_=class_)
    whole, part = pair
    if whole:
        y = _WEEKS_TALL - 5 - round(room * whole / most)
        yield tag("text", text(part), x=_share(place + 0.5, many), y=y, text_anchor="middle")


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.2f}%"
