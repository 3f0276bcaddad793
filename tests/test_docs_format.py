"""The pages about the format and the rules say what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from memory_shaper import grammar, rules
from memory_shaper.fixes import fixed
from memory_shaper.model import Folder

DOCS = Path(__file__).resolve().parents[1] / "docs"
FENCE = re.compile(r"^```(\w+)(?: ([^\n]*))?\n(.*?)\n?^```$", re.MULTILINE | re.DOTALL)
FORMAT = [(match[1], match[3]) for match in FENCE.finditer((DOCS / "format.md").read_text()) if match[1] != "ebnf"]
_PARTS = [part.split("\n", 1) for part in (DOCS / "rules.md").read_text().split("\n## ")[1:]]
SECTIONS = {name: text for name, text in _PARTS if " " not in name}  # the last part is about topics, not the index


@pytest.mark.parametrize(("kind", "text"), FORMAT)
def test_every_example_of_the_format_is_what_the_page_says(kind: str, text: str) -> None:
    """Each example survives reading and writing and is what its block is called."""
    assert grammar.render(grammar.parse(text)) == text
    assert grammar.is_index(grammar.parse(text)) == (kind != "prose")
    assert (fixed(text) == text) == (kind in ("index", "prose"))


@pytest.mark.parametrize("text", [text for kind, text in FORMAT if kind == "index"])
def test_the_examples_of_an_index_have_no_errors(text: str) -> None:
    """What the page shows as an index passes the rules."""
    assert rules.new_errors([], rules.check(rules.Scope(text))) == []


def test_every_rule_has_a_section_in_the_order_of_the_table() -> None:
    """The page and the table name the same rules, with the same severity."""
    assert list(SECTIONS) == list(rules.RULES)
    assert all(SECTIONS[name].startswith(f"\n*{severity}.*") for name, (_, severity) in rules.RULES.items())


def scope(info: str, text: str) -> rules.Scope:
    """The text of a block with the surroundings that its first line names."""
    words = [word for word in info.split(" | ") if word]
    caps = [int(word.removeprefix("cap=")) for word in words if word.startswith("cap=")]
    files = frozenset(word for word in words if not word.startswith("cap="))
    return rules.Scope(text.replace("\\ufeff", "\ufeff"), Folder(files) if files else None, caps[0] if caps else 2200)


@pytest.mark.parametrize("name", rules.RULES)
def test_each_rule_fires_in_its_first_example_and_not_in_the_second(name: str) -> None:
    """The two examples of a section are a fault and its repair."""
    before, after = (scope(match[2] or "", match[3]) for match in FENCE.finditer(SECTIONS[name]))
    assert rules.check(before, select=[name])
    assert rules.check(after, select=[name]) == []
