"""Dates in both languages."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.recall.dates import Span, find_dates
from memory_shaper.recall.timefit import fit

OWN = date(2025, 5, 7)  # a Wednesday
MAY_7 = ((5, 7), (5, 7))


@pytest.mark.parametrize(
    "text",
    [
        *("7 May 2023", "7 May, 2023", "May 7, 2023", "May 7th 2023", "the 7th of May, 2023", "2023-05-07", "2023/5/7"),
        *("05/07/2023", "2023.05.07", "2023年5月7日", "2023年5月7号", "2023年五月七日", "2023-05-07 10:30:00"),
    ],
)
def test_a_day_is_read_in_every_form(text: str) -> None:
    """A day is the same day however it is written."""
    assert find_dates(text) == (Span(2023, *MAY_7),)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("in May", Span(None, (5, 1), (5, 31))),
        ("5月份", Span(None, (5, 1), (5, 31))),
        ("五月", Span(None, (5, 1), (5, 31))),
        ("3月上旬", Span(None, (3, 1), (3, 10))),
        ("11月底", Span(None, (11, 21), (11, 30))),
        ("early March 2024", Span(2024, (3, 1), (3, 10))),
        ("Q3 2024", Span(2024, (7, 1), (9, 30))),
        ("2024年下半年", Span(2024, (7, 1), (12, 31))),
        ("2022", Span(2022)),
        ("周五", Span(None, weekday=4)),
        ("on Fridays", Span(None, weekday=4)),
    ],
)
def test_a_span_is_read(text: str, span: Span) -> None:
    """Months, parts of months, quarters, years and weekdays are spans of days."""
    assert find_dates(text) == (span,)


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        *(("yesterday", "2025-05-06"), ("昨天", "2025-05-06"), ("3 days ago", "2025-05-04"), ("三天前", "2025-05-04")),
        *(
            ("last Friday", "2025-05-02"),
            ("上周五", "2025-05-02"),
            ("next Monday", "2025-05-12"),
            ("last month", "2025-04"),
        ),
        *(
            ("上个月", "2025-04"),
            ("去年", "2024"),
            ("去年3月", "2024-03"),
            ("two years ago", "2023"),
            ("day before yesterday", "2025-05-05"),
        ),
    ],
)
def test_relative_dates_count_from_the_texts_own_date(text: str, mark: str) -> None:
    """Relative dates are resolved against the date of the text."""
    assert find_dates(text, OWN)[0].marks()[0] == mark


@pytest.mark.parametrize(
    "text",
    ["yesterday", "昨天", "3 days ago", "上个月", "may I march on", "30 February 2020", "13月", "v2.2022.1", "4个月"],
)
def test_what_is_no_date_is_none(text: str) -> None:
    """Without an own date relative ones are none; words, versions and impossible days never are."""
    assert find_dates(text) == ()


@given(st.text(), st.dates())
def test_every_text_has_dates_or_none(text: str, own: date) -> None:
    """No text is an error."""
    for span in find_dates(text, own):
        assert span.first <= span.last


@given(
    st.dates(min_value=date(1, 1, 30), max_value=date(9999, 11, 1)),
    st.sampled_from(["last week", "上周", "9999 years ago", "in 9999 days"]),
)
def test_the_ends_of_time_are_no_error(own: date, text: str) -> None:
    """Counting beyond the calendar finds nothing."""
    find_dates(text, own)


def test_a_text_of_the_days_after_fits_less() -> None:
    """The day itself fits best, the days after fit less and less, the day before not at all."""
    days = [(date(2025, 5, day).toordinal(), day) for day in range(1, 31)]
    found = fit(find_dates("7 May"), days, 30)
    assert found[7] > found[8] > found[14] > 0
    assert 6 not in found
