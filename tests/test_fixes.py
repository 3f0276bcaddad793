"""Repairs: what is put right, what is left alone, and that a second repair finds nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_shaper import grammar
from memory_shaper.fixes import fixed, with_heading
from memory_shaper.model import Folder, Kind

PIECES = st.sampled_from(
    ["a", "B", "ß", "İ", "部署", "e\u0301", "\u0301", "\u200d", "\ufeff", "c++", "#x", "keyword", "file.md", "A.MD",
     " ", "\t", "\u3000", "\xa0", "\x85", "\u2028", ",", "，", "、", "!", "！", "→", " → ", "->", "⇒", ">", "§",
     "\n§\n", "\n", "\r\n", "\r", "a,b,c,d,e → x.md", "prose with words", "# h"]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=30).map("".join)


def targets(text: str) -> list[str]:
    """The targets of the entries of a text, in order."""
    return [entry.target for _, entry in grammar.parse(text).entries()]


def others(text: str) -> list[str]:
    """The bare texts of the lines that are neither entries nor delimiters nor blank."""
    kinds = (Kind.STRAY, Kind.HEADING, Kind.TEMPLATE)
    return [line.text.strip() for line in grammar.parse(text).lines if line.kind in kinds]


@pytest.mark.parametrize(
    ("line", "better"),
    [
        ("备份，恢复，快照，冷备，灾备　→　备份.md", "备份,恢复,快照,冷备,灾备 → 备份.md"),
        ("a, b,c ,d,e -> x.md", "a,b,c,d,e → x.md"),
        ("a,b,c,d,e ⇒ x.md", "a,b,c,d,e → x.md"),
        ("a,,b,c,d,e → x.md", "a,b,c,d,e → x.md"),
        ("A,b,a,c c → x.md\t", "a,b,c-c → x.md"),
        ("!! Vm,e\u0301 → x.md", "!!vm,é → x.md"),
    ],
)
def test_hand_typed_lines_are_put_right(line: str, better: str) -> None:
    """Look-alike arrows and commas, blanks, case, repeats and empty keywords have one right answer."""
    assert fixed(line) == better


@pytest.mark.parametrize(
    "line", ["prose -> and more prose", "! !a,b → x.md", ",#a,b → x.md", "Keyword → file.md", ",, → x.md"]
)
def test_lines_without_one_right_answer_stay(line: str) -> None:
    """A line that a repair would turn into something else is left as it is."""
    assert fixed(line) == line


def test_a_byte_order_mark_goes_and_the_form_becomes_canonical() -> None:
    """A newline-only index with a byte order mark becomes one host entry a line; line ends stay."""
    assert fixed("\ufeff# h\r\na,b → x.md\r\nc,d → y.md\r\n") == "# h\r\n§\r\na,b → x.md\r\n§\r\nc,d → y.md\r\n"


def test_a_target_is_written_as_it_is_on_disk() -> None:
    """A target in another case gets the spelling of the file, where there is just one."""
    line = "a,b → Deploy.md"
    assert fixed(line, Folder(frozenset({"deploy.md"}))) == "a,b → deploy.md"
    assert fixed(line, Folder(frozenset({"deploy.md", "DEPLOY.md"}))) == line


@settings(max_examples=300)
@given(TEXTS)
def test_a_second_repair_changes_nothing(text: str) -> None:
    """Repairing is idempotent for every text."""
    assert fixed(fixed(text)) == fixed(text)


@settings(max_examples=300)
@given(TEXTS.map(lambda text: text.replace("\ufeff", "")))
def test_no_line_is_dropped(text: str) -> None:
    """The targets stay in order, and so does every line that is no entry."""
    assert targets(fixed(text)) == targets(text)
    assert others(fixed(text)) == others(text)


@settings(max_examples=200)
@given(TEXTS)
def test_a_heading_is_written_once(text: str) -> None:
    """Writing the heading block twice is writing it once, and no entry is lost by it."""
    block = "# Routing table\n# second line"
    once = with_heading(text, block)
    assert with_heading(once, block) == once
    assert targets(once) == targets(grammar.canonical(text))


def test_a_heading_replaces_heading_and_template_and_keeps_prose() -> None:
    """Old heading and template lines make way for the block; other text stays behind it."""
    text = "# old\nkeyword,keyword → file.md\nprose\na,b → x.md"
    assert with_heading(text, "# new") == "# new\n§\nprose\n§\na,b → x.md"
