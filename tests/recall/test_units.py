"""Cutting notes: nothing lost, nothing torn."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.recall.notes import own_date, read_note, section_at
from memory_shaper.recall.units import units

LONG = "It runs Python 3.14 since v1.0, says Dr. Smith, e.g. on Tuesdays. " * 12


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in units(text)]


@given(st.text(alphabet=st.sampled_from("ab .!?。！\n\r\t1。”\u3000")))
def test_the_units_of_a_text_are_the_text(text: str) -> None:
    """Joined, the units give the text."""
    assert "".join(cut(text)) == text


def test_a_long_line_is_cut_at_sentences() -> None:
    """Numbers, versions and abbreviations stay whole."""
    found = cut(LONG)
    assert len(found) > 1
    assert all(unit.rstrip().endswith("Tuesdays.") for unit in found)


def test_chinese_sentences_need_no_blank() -> None:
    """A long Chinese line is cut behind its full stops."""
    assert all(unit.endswith("。") for unit in cut("部署在上海的服务器需要每周重启一次。" * 40))


def test_a_line_without_an_end_is_cut_anyway() -> None:
    """A line of 100,000 letters is cut into units of at most 1,000."""
    assert max(map(len, cut("x" * 100_000))) <= 1000


def test_front_matter_is_read() -> None:
    """Title, tags, type, dates and agent are read in either list form."""
    front = read_note(
        "---\ntitle: \"A: b\"\ntags: [x, 'y z']\ntype: log\ncreated: 2025-03-07T10:00:00Z\n"
        "invalid_at: 2026-01-01\nagent: w\n---\ntext"
    ).front
    assert (front.title, front.tags, front.kind, front.created) == ("A: b", ("x", "y z"), "log", date(2025, 3, 7))
    assert (front.invalid_at, front.agent) == ("2026-01-01", "w")
    assert read_note("---\ntags:\n  - x\n  - y\n---\n").front.tags == ("x", "y")


def test_what_only_begins_like_front_matter_is_text() -> None:
    """A rule at the start without an end belongs to the text."""
    note = read_note("---\ntitle: x\nno end")
    assert note.front.title == ""
    assert note.units[0][0] == 0


def test_a_heading_inside_a_fence_is_none() -> None:
    """Sections begin at headings, not at comments in code."""
    text = "# A\n```\n# not\nx\n```\n## B\ny\n"
    assert section_at(text, text.index("x")).title == "A"
    assert section_at(text, text.index("y")).title == "B"


def test_a_note_is_dated_by_front_matter_then_name() -> None:
    """A date in the file name counts where the front matter has none."""
    assert own_date("log-2026-01-02.md", read_note("").front) == date(2026, 1, 2)
    assert own_date("log-2026-01-02.md", read_note("---\ncreated: 2025-01-01\n---\n").front) == date(2025, 1, 1)
    assert own_date("postgres.md", read_note("").front) is None
