"""One item more or less in a list of config.yaml, and not one other character."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.yamledit import CannotEdit, inserted, listed, with_item, without_item

ITEM = "memory-shaper"
# Before, and after.
EDITS = {
    "no file, or an empty one": ("", "plugins:\n  enabled:\n    - memory-shaper\n"),
    "comments only": ("# mine\n", "# mine\nplugins:\n  enabled:\n    - memory-shaper\n"),
    "no section": ("a: 1\n", "a: 1\nplugins:\n  enabled:\n    - memory-shaper\n"),
    "no last line end": ("a: 1", "a: 1\nplugins:\n  enabled:\n    - memory-shaper\n"),
    "an empty section": ("plugins:\nb: 2\n", "plugins:\n  enabled:\n    - memory-shaper\nb: 2\n"),
    "an empty section with comments": (
        "plugins: # c\n  # d\nb: 2\n",
        "plugins: # c\n  enabled:\n    - memory-shaper\n  # d\nb: 2\n",
    ),
    "a section without the list, indented by four": (
        "plugins:\n    # note\n    entries:\n        x: 1\nz: 2\n",
        "plugins:\n    # note\n    enabled:\n      - memory-shaper\n    entries:\n        x: 1\nz: 2\n",
    ),
    "an empty flow section": ("plugins: {} # c\n", "plugins: {enabled: [memory-shaper]} # c\n"),
    "a flow section": ("plugins: {a: 1}\n", "plugins: {enabled: [memory-shaper], a: 1}\n"),
    "an empty flow list": ("plugins:\n  enabled: [] # c\n", "plugins:\n  enabled: [memory-shaper] # c\n"),
    "a flow list": ("plugins:\n  enabled: [a, b] # c\n", "plugins:\n  enabled: [a, b, memory-shaper] # c\n"),
    "a quoted flow list": ("plugins: {enabled: [\"a\"]}\n", 'plugins: {enabled: ["a", "memory-shaper"]}\n'),
    "a flow list over lines with a last comma": (
        "plugins:\n  enabled: [\n    a,\n  ]\n",
        "plugins:\n  enabled: [\n    a, memory-shaper,\n  ]\n",
    ),
    "a block list with comments": (
        "plugins:\n  enabled:\n  - a\n  - b # c\n\n# later\nx: 1\n",
        "plugins:\n  enabled:\n  - a\n  - b # c\n  - memory-shaper\n\n# later\nx: 1\n",
    ),
    "a key without a value": (
        "plugins:\n  enabled:\n  disabled: []\n",
        "plugins:\n  enabled:\n    - memory-shaper\n  disabled: []\n",
    ),
    "Windows line ends": (
        "plugins:\r\n  enabled:\r\n    - a\r\nb: 1\r\n",
        "plugins:\r\n  enabled:\r\n    - a\r\n    - memory-shaper\r\nb: 1\r\n",
    ),
    "JSON": ('{"plugins": {"enabled": ["a"]}}', '{"plugins": {"enabled": ["a", "memory-shaper"]}}'),
    "JSON without the section": ('{"b": 1}', '{"plugins": {"enabled": ["memory-shaper"]}, "b": 1}'),
    "a text that looks like the section": (
        "x: |\n  plugins:\n    enabled: []\nplugins:\n  enabled: [a]\n",
        "x: |\n  plugins:\n    enabled: []\nplugins:\n  enabled: [a, memory-shaper]\n",
    ),
    "a text that keeps its blank lines": (
        "x: |+\n  abc\n\n",
        "x: |+\n  abc\n\nplugins:\n  enabled:\n    - memory-shaper\n",
    ),
    "quoted keys": ("'plugins':\n  \"enabled\": [a]\n", "'plugins':\n  \"enabled\": [a, memory-shaper]\n"),
}  # fmt: skip
REFUSED = {
    "a list that is used elsewhere": "plugins:\n  enabled: &e [a]\nq: *e\n",
    "a word for the list": "plugins:\n  enabled: a\n",
    "null written out": "plugins: null\n",
    "a list for the section": "plugins: [a]\n",
    "a list for the file": "- a\n",
    "two documents": "a: 1\n---\nb: 2\n",
    "an end of the document": "---\na: 1\n...\n",
    "no YAML": "a: [\n",
    "deep nesting": "a: " + "[" * 3000 + "]" * 3000,
}


def added(text: str) -> str:
    """The text with the item in the list."""
    return inserted(text, with_item(text, "plugins", "enabled", ITEM))


@pytest.mark.parametrize("before, after", EDITS.values(), ids=EDITS)
def test_add(before: str, after: str) -> None:
    """The item is put in where a person would write it."""
    assert added(before) == after


@pytest.mark.parametrize("before, after", EDITS.values(), ids=EDITS)
def test_take_back(before: str, after: str) -> None:
    """What was put in is taken out as it came."""
    assert without_item(after, "plugins", "enabled", ITEM, with_item(before, "plugins", "enabled", ITEM).text) == before


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_refuse(text: str) -> None:
    """What cannot be edited safely is refused."""
    with pytest.raises(CannotEdit):
        added(text)


def test_take_out_by_its_name_alone() -> None:
    """Without knowing what was put in, the item goes and a list stays."""
    for before, after in (
        ("plugins:\n  enabled:\n    - memory-shaper\n    - b\n", "plugins:\n  enabled:\n    - b\n"),
        ("plugins:\n  enabled:\n    - memory-shaper # c\nx: 1\n", "plugins:\n  enabled: []\nx: 1\n"),
        ("plugins: {enabled: [memory-shaper, b]}\n", "plugins: {enabled: [b]}\n"),
        ("plugins: {enabled: [a, memory-shaper, b]}\n", "plugins: {enabled: [a, b]}\n"),
    ):
        assert without_item(before, "plugins", "enabled", ITEM) == after


def test_take_out_of_a_list_that_has_grown() -> None:
    """An item that another one was put beside is found by its name."""
    text = "plugins: {enabled: [memory-shaper, b]}\n"
    assert without_item(text, "plugins", "enabled", ITEM, "enabled: [memory-shaper]") == "plugins: {enabled: [b]}\n"


LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.text("ab #:-\n'\"[]{}部", max_size=8))
TREES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", min_size=1), inner, max_size=3)
)


@given(TREES, st.lists(st.sampled_from(["a", "b: c", "- d", "#"]), max_size=3), st.booleans(), st.integers(2, 6))
def test_any_config(other: object, items: list[str], flow: bool, indent: int) -> None:
    """Whatever else a config holds, the list grows by one, and taking it back gives the same text."""
    tree = {"x": other, "plugins": {"entries": other, "enabled": items}, "y": other}
    before = yaml.safe_dump(tree, default_flow_style=flow or None, indent=indent, allow_unicode=True)
    made = with_item(before, "plugins", "enabled", ITEM)
    after = inserted(before, made)
    assert listed(after, "plugins", "enabled") == [*items, ITEM]
    assert without_item(after, "plugins", "enabled", ITEM, made.text) == before
