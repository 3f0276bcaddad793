"""Tags in front matter: added, never doubled, and nothing else touched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.frontmatter import clean_tags, with_tags
from memory_shaper.recall.notes import read_note


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("body", "---\ntags: [a, b]\n---\n\nbody"),
        ("---\ntitle: x\n---\nbody", "---\ntitle: x\ntags: [a, b]\n---\nbody"),
        ("---\ntags: [b]\ntype: y\n---\nbody", "---\ntags: [b, a]\ntype: y\n---\nbody"),
        ("---\ntags:\n  - b\n  - c\ntype: y\n---\n", "---\ntags: [b, c, a]\ntype: y\n---\n"),
        ("---\ntags: [a, b]\n---\nbody", "---\ntags: [a, b]\n---\nbody"),
    ],
)
def test_tags_are_added(before: str, after: str) -> None:
    """A block is made, a row added, a list widened, and one that has them all left as it is."""
    assert with_tags(before, ["a", "b"]) == after


def test_cleaning() -> None:
    """Signs that lists and filters are made of go; the colon of an agent's tag stays."""
    assert clean_tags([" a|b,c{} "]) == ("ab", "c") and clean_tags(["agent:worker"]) == ("agent:worker",)


@given(st.text(max_size=60), st.lists(st.text(max_size=8), max_size=3))
def test_tags_are_read_back(body: str, tags: list[str]) -> None:
    """What was added is what search reads, and adding it again changes nothing."""
    text = with_tags(body, tags)
    assert text.endswith(body) or body.startswith(("---", "\ufeff---"))
    assert with_tags(text, tags) == text
    if not body.startswith(("---", "\ufeff---")):
        assert read_note(text).front.tags == clean_tags(tags)
