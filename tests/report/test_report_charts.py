"""Charts: what they draw is what they are given."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.report.charts import Segment, budget_bar, columns, sparkline
from report_tools import Node, read

COUNTS = st.lists(st.integers(0, 10**9), max_size=60)


def shapes(text: str, *names: str) -> list[Node]:
    return read(text).all(*names)


@given(COUNTS)
def test_a_sparkline_has_a_bar_for_each_value(values: list[int]) -> None:
    """The largest is as tall as the drawing, none is taller, and what is not zero is seen."""
    bars = shapes(sparkline("s", "t", "d", values), "rect")
    heights = [int(bar.attrs["height"] or 0) for bar in bars]
    assert len(bars) == len(values) and max(heights, default=0) <= 24
    assert all((height >= 3) == (value > 0) for height, value in zip(heights, values, strict=True))


@given(st.lists(st.integers(0, 5000), max_size=6), st.integers(1, 5000))
def test_the_bar_never_leaves_its_place(sizes: list[int], cap: int) -> None:
    """Parts lie side by side within the whole, over the cap as well."""
    parts = [Segment("unmarked", size) for size in sizes]
    drawn = shapes(budget_bar(parts, cap, [(cap, "x")], ("t", "d")), "rect")[1:]
    ends = [float(str(one.attrs["x"])[:-1]) + float(str(one.attrs["width"])[:-1]) for one in drawn]
    assert len(drawn) == len(sizes) and all(end <= 100.05 for end in ends)


@given(st.lists(st.tuples(st.integers(0, 500), st.integers(0, 500)).map(lambda two: (max(two), min(two))), max_size=20))
def test_a_part_is_no_taller_than_its_whole(values: list[tuple[int, int]]) -> None:
    """Each column of something has a number above it."""
    text = columns("c", ("t", "d"), values)
    assert len(shapes(text, "text")) == sum(whole > 0 for whole, _ in values)
    assert all(0 <= int(one.attrs["height"] or 0) <= 102 for one in shapes(text, "rect"))


@pytest.mark.parametrize("what", ["critical", "pinned", "heading", "other"])
def test_parts_differ_in_pattern(what: str) -> None:
    """A part that has a colour has a pattern of its own as well."""
    text = budget_bar([Segment(what, 10)], 100, (), ("t", "d"))
    assert f'fill="url(#budget-{what})"' in text and f'id="budget-{what}"' in text
