"""The user's patterns: what is refused because it could run for ever, and where the others match."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.privacy.given import BadRule, rules_of
from memory_shaper.privacy.patterns import WINDOW, BadPattern, compiled, hits


@pytest.mark.parametrize(
    "pattern",
    [
        "(?i)password", "私人", r"\b\d{17}[\dXx]\b", "sk-[A-Za-z0-9]{8,}", r"(?:\d{1,3}\.){3}\d{1,3}", "[a-z]+@[a-z.]+",
        "(?:ab)+c", "a++b", "one|two|three|four|five|six|seven|eight|nine|ten", r"\(a+\)+", r"(?P<n>a)(?P=n)",
        "(foo|bar)-[0-9]{3}", r"[]+*]{3}x", "(?#a note)x", r"(?<=x)y(?!z)",
    ],
)  # fmt: skip
def test_what_is_used(pattern: str) -> None:
    """Words, counts, open repeats that follow each other, and alternatives that are not repeated."""
    assert compiled(pattern).pattern == pattern


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(a+)+b", "vary in length"), ("(a|ab)*c", "vary in length"), (r"(\w+\s?)*x", "vary in length"),
        ("(?i:a+)*b", "vary in length"), ("((((a*)*)*)*)b", "vary in length"), ("(?>a+)+b", "vary in length"),
        (".*a.*b.*c", "open repeats"), ("a?" * 20 + "a" * 20, "optional parts"), ("(a{1,90}){1,90}b", "vary in length"),
        ("a*", "empty text"), ("", "1 to 1,000"), ("x" * 1001, "1 to 1,000"), ("(", "regular expression"),
        ("[[:alpha:]]", "regular expression"), ("(?x) a b", "flag x"),
    ],
)  # fmt: skip
def test_what_is_refused(pattern: str, why: str) -> None:
    """A repeat over what varies, too many open ones, a pattern for everything, and what is no pattern."""
    with pytest.raises(BadPattern, match=re.escape(why)):
        compiled(pattern)


@given(st.text("ab(){}|*+?0,", max_size=12))
def test_no_pattern_takes_long(pattern: str) -> None:
    """Whatever is let through ends on a text made to keep it busy."""
    try:
        made = compiled(pattern)
    except BadPattern:
        return
    list(hits(made, "a" * 200 + "b" * 200))


def test_a_match_is_found_wherever_it_stands_in_a_long_line() -> None:
    """At the edge of each window, too, and once only."""
    pattern = compiled("needle")
    for at in (0, WINDOW - 6, WINDOW - 3, WINDOW - 200, WINDOW, 3 * WINDOW - 4):
        text = "x" * at + "needle" + "y" * 50 + "\nneedle"
        assert [(hit.line, hit.start) for hit in hits(pattern, text)] == [(1, at), (2, at + 57)]


@pytest.mark.parametrize(
    ("given_", "setting"),
    [
        ({"exclude": [3.5]}, "exclude"), ({"always": {"a": "b"}}, "always"), ({"redact": ["a"]}, "redact"),
        ({"redact": {"a": ["b"]}}, "redact"), ({"redact": {"(a)": r"\2"}}, "redact"), ({"redact": {"(": "x"}}, "redact"),
        ({"exclude": ["x"] * 201}, "exclude"), ({"exclude": [True]}, "exclude"),
    ],
)  # fmt: skip
def test_a_bad_rule_names_its_setting(given_: dict[str, object], setting: str) -> None:
    """Whatever is wrong with it."""
    with pytest.raises(BadRule) as caught:
        rules_of(given_.get("exclude"), given_.get("always"), given_.get("redact"))
    assert caught.value.setting == setting
