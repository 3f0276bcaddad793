"""The skill that teaches the agent: small, with the host's front matter, and right in what it shows."""

import re
import shlex
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from cli_tools import Demo
from memory_shaper.cli import VERBS
from memory_shaper.rules import RULES
from sample import make
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


BRANCHES = re.findall(r"^   \* (.+)$", PAGES["diagnosing-recall.md"], re.MULTILINE)
COMMANDS = sorted(set(re.findall(r"`(memory-shaper [^`…]+)`", PAGES["diagnosing-recall.md"])))


def test_every_branch_of_the_diagnosis_ends_in_a_command() -> None:
    """A branch goes on with a later step, or its last words are a command of ours."""
    steps = [int(number) for number in re.findall(r"^(\d)\. .+`$", PAGES["diagnosing-recall.md"], re.MULTILINE)]
    assert steps == list(range(1, len(steps) + 1)) and len(BRANCHES) > 12
    ends = [branch for branch in BRANCHES if not re.search(r"go on with [2-9]\.$", branch)]
    assert [branch for branch in ends if not re.search(r"`memory-shaper [^`]+`$", branch)] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_diagnosis_run(command: str, tmp_path: Path) -> None:
    """Each is understood by the command as it stands, in a home with the example memories and an archived topic."""
    home = make(tmp_path / ".hermes", datetime.now(UTC))
    demo = Demo(home.path)
    if " restore " in command:
        demo.say("mark", "deploy.md", "none")
        demo.say("archive", "deploy.md")
    if " add " in command:
        demo.index.write_text("# Memory index: a routing table\n", encoding="utf-8")
    if " undo" in command or " diff" in command:
        demo.say("mark", "postgres.md", "pinned")
    said = demo.say(*shlex.split(command)[1:])
    assert said.code == (1 if command.endswith("doctor") else 0), said.err


def test_the_session_of_the_diagnosis_can_be_judged(tmp_path: Path) -> None:
    """The script that step 4 names says how the last session came to the file."""
    home = make(tmp_path / ".hermes", datetime.now(UTC))
    line = next(part for part in PAGES["diagnosing-recall.md"].split("`") if "test_retrieval.py" in part)
    words = line.replace("~/.hermes", str(REPOSITORY)).split()[1:]
    done = subprocess.run(
        [sys.executable, *words, "--home", str(home.path)], capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1) and "deploy.md: routed" in done.stdout, done.stderr


def test_the_other_pages_of_the_skill_are_linked() -> None:
    """SKILL.md leads to every page in references/."""
    assert {name for name in PAGES if name != "SKILL.md"} == set(
        re.findall(r"references/([\w-]+\.md)", PAGES["SKILL.md"])
    )
