"""Charts as SVG text: bars with whiskers, curves on logarithmic axes. Pure; the same figures give the same bytes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

WIDTH = 760
COLOURS = ("#1f5fa8", "#d9822b", "#4b8b4b", "#8a5aa8", "#8c8c8c", "#3a9a9a")
# What is bad has one colour, wherever it comes.
_BAD = {"left": "#b8473d", "astray": "#b8473d"}
_INK, _GRID = "#222222", "#dddddd"
_LEFT, _RIGHT, _TOP = 285, 60, 64
_BAR, _GAP = 15, 12


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its value, and its whiskers where it has any."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(slots=True)
class Canvas:
    """Shapes of one picture, from top to bottom."""

    height: float
    parts: list[str] = field(default_factory=list)

    def text(
        self, x: float, y: float, words: str, size: int = 12, anchor: str = "start", weight: str = "normal"
    ) -> None:
        style = f'font-size="{size}" text-anchor="{anchor}" font-weight="{weight}" fill="{_INK}"'
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(words)}</text>')

    def rect(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        size = f'width="{max(width, 0):.1f}" height="{height:.1f}"'
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" {size} fill="{colour}"/>')

    def line(self, x: float, y: float, to_x: float, to_y: float, colour: str = _GRID, width: float = 1) -> None:
        ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
        self.parts.append(f'<line {ends} stroke="{colour}" stroke-width="{width}"/>')

    def path(self, points: Sequence[tuple[float, float]], colour: str) -> None:
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2"/>')
        self.parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]

    def render(self, title: str) -> str:
        """The whole picture, with its title for readers that see none."""
        box = f'viewBox="0 0 {WIDTH} {self.height:.0f}" width="{WIDTH}" height="{self.height:.0f}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {box} font-family="sans-serif" role="img">'
        ground = f'<rect width="{WIDTH}" height="{self.height:.0f}" fill="#ffffff"/>'
        return "\n".join((head, f"<title>{escape(title)}</title>", ground, *self.parts, "</svg>", ""))


def words(title: str, text: str) -> str:
    """A picture of words, where there is nothing to draw."""
    canvas = Canvas(70)
    _head(canvas, title, ())
    canvas.text(12, 50, text)
    return canvas.render(title)


def bars(title: str, groups: Mapping[str, Mapping[str, Bar]], unit: str, most: float | None = None) -> str:
    """Horizontal bars in groups; the series have one colour each, whiskers where a bar has them."""
    series = list(dict.fromkeys(name for group in groups.values() for name in group))
    rows = sum(len(group) for group in groups.values())
    height = _TOP + rows * (_BAR + 3) + len(groups) * _GAP + 44
    canvas = Canvas(height)
    values = [end for group in groups.values() for bar in group.values() for end in _ends(bar)]
    low, high = min(0.0, *values), most or max(*values, 1e-9)
    scale = (WIDTH - _LEFT - _RIGHT) / (high - low)
    _head(canvas, title, series)
    for mark in _marks(low, high):
        x = _LEFT + (mark - low) * scale
        canvas.line(x, _TOP - 4, x, height - 36)
        canvas.text(x, height - 20, f"{mark:g}", 11, "middle")
    canvas.text(WIDTH - _RIGHT, height - 5, unit, 11, "end")
    _draw(canvas, groups, series, low, scale)
    return canvas.render(title)


def _colour(name: str, series: Sequence[str]) -> str:
    return _BAD.get(name) or COLOURS[series.index(name) % len(COLOURS)]


def _ends(bar: Bar) -> Iterator[float]:
    yield from (end for end in (bar.value, bar.low, bar.high) if end is not None)


def _draw(
    canvas: Canvas, groups: Mapping[str, Mapping[str, Bar]], series: Sequence[str], low: float, scale: float
) -> None:
    y, zero = float(_TOP), _LEFT - low * scale
    for label, group in groups.items():
        canvas.text(_LEFT - 8, y + len(group) * (_BAR + 3) / 2 + 4, label, 12, "end")
        for name, bar in group.items():
            end = _LEFT + (bar.value - low) * scale
            canvas.rect(min(zero, end), y, abs(end - zero), _BAR, _colour(name, series))
            right = max(zero, end)
            if bar.low is not None and bar.high is not None:
                first, last = (_LEFT + (value - low) * scale for value in (bar.low, bar.high))
                canvas.line(first, y + _BAR / 2, last, y + _BAR / 2, _INK, 1.5)
                right = max(right, last)
            canvas.text(right + 5, y + _BAR - 3, f"{bar.value:g}", 11)
            y += _BAR + 3
        y += _GAP


def _head(canvas: Canvas, title: str, series: Sequence[str]) -> None:
    canvas.text(12, 22, title, 15, weight="bold")
    x = 12.0
    for name in series if len(series) > 1 else ():
        canvas.rect(x, 34, 11, 11, _colour(name, series))
        canvas.text(x + 15, 44, name)
        x += 30 + 6.6 * len(name)


def _marks(low: float, high: float) -> Iterator[float]:
    """Round numbers from low to high, about six of them."""
    step = 10 ** math.floor(math.log10((high - low) / 5))
    step = next(step * factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= 7)
    number = math.ceil(low / step)
    while number * step <= high + 1e-9:
        yield round(number * step, 6)
        number += 1


def curves(title: str, series: Mapping[str, Mapping[float, float]], across: str, up: str) -> str:
    """Curves on two logarithmic axes; values of 0 and below are left out."""
    canvas, height = Canvas(420), 420
    points = [(x, y) for curve in series.values() for x, y in curve.items() if y > 0]
    low_x, high_x = (bound(math.log10(x) for x, _ in points) for bound in (min, max))
    low_y = math.floor(min(math.log10(y) for _, y in points))
    high_y = max(low_y + 1, math.ceil(max(math.log10(y) for _, y in points)))

    def place(x: float, y: float) -> tuple[float, float]:
        right = (math.log10(x) - low_x) / ((high_x - low_x) or 1) * (WIDTH - 160)
        return 80 + right, height - 60 - (math.log10(y) - low_y) / (high_y - low_y) * (height - 130)

    _head(canvas, title, list(series))
    for power in range(low_y, high_y + 1):
        _, y = place(10**low_x, 10**power)
        canvas.line(80, y, WIDTH - 80, y)
        canvas.text(72, y + 4, f"{10.0**power:g}", 11, "end")
    for size in sorted({x for x, _ in points}):
        x, _ = place(size, 10**low_y)
        canvas.line(x, 70, x, height - 60)
        canvas.text(x, height - 42, f"{size:,g}", 11, "middle")
    canvas.text(WIDTH - 80, height - 18, across, 11, "end")
    canvas.text(12, height - 18, up, 11)
    for number, curve in enumerate(series.values()):
        canvas.path([place(x, y) for x, y in sorted(curve.items()) if y > 0], COLOURS[number % len(COLOURS)])
    return canvas.render(title)
