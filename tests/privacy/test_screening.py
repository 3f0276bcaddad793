"""One question with one answer: may this text be kept, and as what?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.privacy.given import rules_of
from memory_shaper.privacy.rules import Rules
from memory_shaper.privacy.screening import blanked, cleaned, is_wanted, screen, values

KEY, OTHER = "ghp_FAKE0123456789abcdefghij0123456789", "ghp_FAKE9876543210abcdefghij0123456789"
ID = "11010519491231002X"
RULES = rules_of(
    ["私人", "(?i)secret plan"], ["技术栈"], {r"\b[1-9]\d{16}[\dXx]\b": "[id]", r"sk-[A-Za-z0-9]{8,}": "[key]"}
)


def test_redaction_comes_before_the_detectors() -> None:
    """What the user's rules replace is kept as they say; twice is once."""
    answer = screen(f"id {ID}, key sk-FAKE012345678901", RULES)
    assert (answer.text, answer.reason) == ("id [id], key [key]", None)
    assert screen(answer.text, RULES) == answer


def test_exclusion_wins() -> None:
    """Over what is always wanted, and over a replacement; the line is told, never the text."""
    answer = screen("技术栈\n这是私人的", RULES)
    assert answer.reason and (answer.reason.line, answer.reason.is_rule) == (2, True)
    assert "私人" not in answer.reason.kind
    assert is_wanted("我们的技术栈", RULES)


@pytest.mark.parametrize("text", ["4111 1111 1111 1111", ID, f"token {KEY}", "护照号 E12345678", "password=hunter2"])
def test_the_detectors_need_no_rules(text: str) -> None:
    """Cards, identity numbers, keys, passports and passwords are refused by default."""
    assert screen(text).reason is not None


def test_rules_that_do_not_come_to_rest_refuse() -> None:
    """A replacement that its own rule matches for ever is never written."""
    answer = screen("an a", rules_of(None, None, {"a": "aa"}))
    assert answer.reason and "for ever" in answer.reason.kind
    assert (
        screen("password: x", rules_of(None, None, {r"password: \S+": "password: [gone]"})).text == "password: [gone]"
    )


def test_a_file_is_cleaned_line_by_line() -> None:
    """An excluded line goes as a whole, with its line end kept; secrets give way to their kind."""
    text, reasons = cleaned(f"a\r\nMy Secret Plan\r\nkey {KEY}\r\n", RULES)
    assert text == "a\r\n[left out]\r\nkey [a GitHub token]\r\n"
    assert [reason.line for reason in reasons] == [2, 3]


def test_what_was_there_before_stays() -> None:
    """Only what is new is taken out."""
    known = values(f"mine {OTHER}\nsecret plan", RULES)
    text, reasons = cleaned(f"mine {OTHER}\nsecret plan\nnew {KEY}", RULES, known)
    assert text == f"mine {OTHER}\nsecret plan\nnew [a GitHub token]" and len(reasons) == 1


PARTS = st.lists(
    st.sampled_from(["技术栈 ", "私人", KEY, f" {ID} ", "sk-FAKE012345678901", "\n", "\r\n", "x ", "é"]), max_size=12
)


@given(PARTS.map("".join))
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    """A cleaned text holds nothing that is not kept, and blanking moves no character."""
    once = cleaned(text, RULES)[0]
    assert cleaned(once, RULES)[0] == once and screen(once, RULES).reason is None
    blank = blanked(text, RULES)
    assert len(blank) == len(text) and KEY not in blank and "私人" not in blank


def test_no_rules_are_no_cost_for_plain_text() -> None:
    """Prose passes unchanged."""
    assert screen("the token bucket algorithm of sk-learn", Rules()).text == "the token bucket algorithm of sk-learn"
