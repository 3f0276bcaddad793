"""The page and the charts are those of the results."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from tools import benchmark

report = benchmark("report")
charts = benchmark("charts")


def test_page_and_charts_are_current() -> None:
    """docs/benchmarks.md and every chart are what the committed results make of them."""
    made = report.files(report.read_results())
    assert [path.name for path, text in made.items() if path.read_text("utf-8") != text] == []


def test_results_are_of_full_runs_and_everything_has_a_place() -> None:
    """No committed result is of a quick run, each chart is shown, each table that can be made stands on the page."""
    results = report.read_results()
    assert results and [name for name, result in results.items() if result["about"]["quick"]] == []
    page = report.PAGE.read_text("utf-8")
    assert [name for name in report.PICTURES if f"benchmarks/{name}.svg" not in page] == []
    blocks = set(re.findall(r"<!-- made: ([\w-]+) -->", page))
    assert blocks == {*report.TABLES, "about", "short", "skipped", "reference"}


def test_a_part_without_a_result_is_told() -> None:
    """A block whose part was not run says so and why; nothing stands for a zero."""
    assert report.block("capacity", {}) == "Not run: there is no result."
    result = {"figures": {}, "timings": {}, "skipped": {"ablation": "no data"}}
    assert report.block("ablation", {"ablation": result}) == "Not run: no data."


@pytest.mark.parametrize("high", [0.0, 0.3, 7, 100, 12345])
def test_bars_are_pictures(high: float) -> None:
    """Bars with and without whiskers, below zero too, are well-formed and hold their labels."""
    groups = {"a & b": {"x": charts.Bar(high, -high, high), "left": charts.Bar(-high / 2)}}
    tree = ElementTree.fromstring(charts.bars("title", groups, "unit"))
    texts = [text.text for text in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert {"a & b", "x", "left", "unit"} <= set(texts)


def test_curves_leave_out_what_has_no_logarithm() -> None:
    """A curve of one point and a value of zero are drawn without fault."""
    tree = ElementTree.fromstring(charts.curves("title", {"one": {100: 5.0}, "two": {100: 0.0, 1000: 2}}, "n", "ms"))
    assert len(list(tree.iter("{http://www.w3.org/2000/svg}circle"))) == 2
