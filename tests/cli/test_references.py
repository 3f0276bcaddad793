"""References to memory files that exist nowhere: found wherever an agent would read them, with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_tools import Demo, demo
from memory_shaper.cli.references import cited


def with_skill(folder: Path, text: str, place: str = "skills/notes/SKILL.md") -> Demo:
    """A home with a text in one of its files."""
    home = demo(folder)
    path = home.path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return home


@pytest.mark.parametrize(
    "place", ["skills/notes/SKILL.md", "SOUL.md", "AGENTS.md", "skills/a/references/b.md", "memories/deploy.md"]
)
def test_a_dead_reference_is_listed(tmp_path: Path, place: str) -> None:
    """The citing file, the line and the name, with exit code 1."""
    home = with_skill(tmp_path, "# Who you are\nFirst read memories/identity.md, in full.\n", place)
    said = home.say("verify", "--references", "--json")
    row = {"file": str(home.path / place), "line": 2, "name": "identity.md"}
    assert (said.code, said.json["references"]) == (1, [row])
    assert (
        f"{home.path / place}:2: memories/identity.md exists nowhere\n1 dead reference\n"
        == home.say("verify", "--references").out
    )


@pytest.mark.parametrize(
    "text",
    [
        "Read memories/deploy.md and $HERMES_HOME/memories/Rime.md.",
        "Read `memories/archived memories/old.md`.",
        "The index is memories/MEMORY.md.",
        "Each topic is memories/NAME.md or memories/<name>.md or memories/*.md.",
        "My memories of identity.md are vague.",
    ],
)
def test_what_leads_somewhere_is_not(tmp_path: Path, text: str) -> None:
    """Files that are there or archived, samples, and words that only look alike."""
    home = with_skill(tmp_path, text)
    home.archive.mkdir()
    (home.archive / "old.md").write_text("x", encoding="utf-8")
    said = home.say("verify", "--references")
    assert (said.code, said.out) == (0, "no dead references\n")


def test_fixtures_are_left_out(tmp_path: Path) -> None:
    """What tests and examples of a skill name is not meant, unless that folder is asked for."""
    home = with_skill(tmp_path, "memories/identity.md", "skills/notes/tests/fixtures/a.md")
    assert home.say("verify", "--references").code == 0
    assert home.say("verify", "--references", str(home.path / "skills/notes/tests/fixtures/a.md")).code == 1
    assert home.say("verify", "--references", str(home.path / "nowhere")).code == 2


def test_every_citation_of_a_line_counts() -> None:
    """Two names in one line are two references."""
    assert list(cited("memories/a-b.md, memories\\c.d.md")) == [(1, "a-b.md"), (1, "c.d.md")]
