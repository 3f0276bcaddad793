"""Routing tests that a user keeps."""

from __future__ import annotations

import pytest
from memory_shaper.model import Entry
from memory_shaper.recall.cases import BadCases, Case, read_cases, run_cases
from memory_shaper.recall.route import Router

ROUTER = Router([Entry("", ("deploy", "release", "canary", "staging", "rollback"), "deploy.md")])


@pytest.mark.parametrize(
    "tests",
    [
        [{"question": "deploy", "expect": "deploy.md"}, {"question": "tea", "expect": None}],
        {"deploy": "deploy.md", "tea": "none"},
        [{"question": "deploy", "expect": ["x.md", "deploy.md"]}, {"question": "tea", "expect": []}],
    ],
)
def test_every_form_of_a_test_is_read(tests: object) -> None:
    """A list or a mapping, one file, several, or no line at all."""
    assert [one.right for one in run_cases(ROUTER, read_cases({"tests": tests}))] == [True, True]


@pytest.mark.parametrize(
    "tests", [None, "x", 3, ["x"], [{"question": "x"}], [{"question": 1, "expect": "a"}], {"x": 5}]
)
def test_a_section_that_is_none_is_refused(tests: object) -> None:
    """What cannot be understood is named, never skipped."""
    with pytest.raises(BadCases):
        read_cases({"tests": tests})


def test_a_wrong_line_fails_the_test() -> None:
    """Another line, no line, and a line where none should be are failures."""
    cases = [Case("deploy", ("x.md",)), Case("tea", ("deploy.md",)), Case("deploy")]
    assert [one.right for one in run_cases(ROUTER, cases)] == [False, False, False]
