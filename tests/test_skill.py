"""The skill that teaches the agent: small, with the host's front matter, and right in what it shows."""

import re

import yaml
from memory_shaper.cli import VERBS
from memory_shaper.rules import RULES
from tools import REPOSITORY, errors

SKILL = REPOSITORY / "skill"
PAGES = {path.name: path.read_text("utf-8") for path in SKILL.rglob("*.md")}


def test_the_front_matter_is_the_hosts() -> None:
    """Name, description, version and tags stand where the host looks for them."""
    front = yaml.safe_load(PAGES["SKILL.md"].split("---")[1])
    assert front["name"] == "dynamic-memory" and front["metadata"]["hermes"]["tags"]
    assert len(front["description"]) < 250


def test_the_skill_costs_little() -> None:
    """Under 1,500 tokens at four characters a token."""
    assert len(PAGES["SKILL.md"]) < 4 * 1500


def test_the_lines_it_shows_are_judged_as_it_says() -> None:
    """The good line of the format page has no error, every faulty one has."""
    good, faulty = PAGES["format.md"].split("Faulty, and why:")
    shown = [line.strip() for line in good.split("Good:")[1].splitlines() if "→" in line]
    assert shown and [errors(line) for line in shown] == [[]]
    bad = [re.split(r" {4,}", line.strip())[0] for line in faulty.splitlines() if line.startswith("    ")]
    assert len(bad) == 4 and all(errors(line) for line in bad)


def test_it_names_commands_and_rules_that_exist() -> None:
    """Every command and every rule in it is one of ours."""
    text = "\n".join(PAGES.values())
    assert set(re.findall(r"memory-shaper ([a-z]+)", text)) - {"refused"} <= set(VERBS)
    assert set(re.findall(r"reports `([a-z-]+)`", text)) <= set(RULES)
