"""Cutting prose: the host's entries, and one long text at headings, blank lines and bullets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper import host
from memory_shaper.migrate.cutting import cut


def texts(text: str) -> list[str]:
    return [piece.text for piece in cut(text).pieces]


def test_entries_are_what_the_host_takes_for_entries() -> None:
    """Several lines, arrows and commas stay within their entry, and each knows its first line."""
    text = "one, two → three\nand more\n§\n\n  second\n§\nthird"
    assert texts(text) == ["one, two → three\nand more", "second", "third"]
    assert [piece.line for piece in cut(text).pieces] == [1, 5, 7]


def test_a_text_that_is_there_twice_is_kept_once() -> None:
    """The repeat is counted, so that the user can be told."""
    taken = cut("same\n§\nother\n§\nsame")
    assert ([piece.text for piece in taken.pieces], taken.repeats) == (["same", "other"], 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## Schedule\n- Daily: check\n- Weekly: backup", ["## Schedule\n- Daily: check\n- Weekly: backup"]),
        ("# Me\n\n## Food\nno nuts\n\n## Work\nbackend", ["# Me\n\n## Food\nno nuts", "## Work\nbackend"]),
        ("- one\n- two\n  goes on\n- three", ["- one", "- two\n  goes on", "- three"]),
        ("Rules:\n\n- one\n- two", ["Rules:\n\n- one\n- two"]),
        ("First fact.\n\nSecond fact,\nin two lines.", ["First fact.", "Second fact,\nin two lines."]),
        ("Likes tea.\nLives in Rome.\nWorks at night.", ["Likes tea.", "Lives in Rome.", "Works at night."]),
        ("```\na\n\n# b\n```\n\nprose", ["```\na\n\n# b\n```", "prose"]),
        ("1. eins\n2. zwei", ["1. eins", "2. zwei"]),
        ("喜欢喝茶。\n住在上海。\n晚上工作。", ["喜欢喝茶。", "住在上海。", "晚上工作。"]),
    ],
)
def test_one_long_entry_is_cut_where_a_reader_would(text: str, expected: list[str]) -> None:
    """Headings, blank lines, bullets and sentences part it; lists with a lead, fences and wrapped lines stay whole."""
    assert texts(text) == expected


def test_a_long_section_is_cut_at_its_blank_lines() -> None:
    """Its heading goes with the first part."""
    parts = ["word " * 150 + str(number) for number in range(3)]
    assert texts("## Long\n" + "\n\n".join(parts)) == [f"## Long\n{parts[0]}", *parts[1:]]


@given(st.text(alphabet=st.sampled_from("ab §\n\r#-*`.:→,测"), max_size=120))
def test_no_text_is_lost_and_none_is_made_up(text: str) -> None:
    """What the pieces hold, blanks and delimiters aside, is what the entries of the host hold."""
    pieces = texts(text)
    for piece in pieces:
        assert piece in text
    held = set("".join(pieces))
    assert all(not part.replace("§", "").strip() or set(part) - set("§ \n\r") <= held for part in host.parts(text))


@given(
    st.lists(
        st.text(alphabet=st.sampled_from("ab #-.:\n测"), min_size=1).map(str.strip).filter(bool),
        min_size=2,
        max_size=6,
        unique=True,
    )
)
def test_every_entry_of_several_is_a_piece(entries: list[str]) -> None:
    """Word for word, whatever it looks like."""
    assert texts("\n§\n".join(entries)) == entries
