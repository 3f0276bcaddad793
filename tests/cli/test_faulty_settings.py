"""What verbs do where config.yaml cannot be understood."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_tools import Demo, demo

READING = ("verify", "search deploy", "route deploy", "timeline deploy", "report", "maintain --dry-run")


def faulty(folder: Path, text: str) -> Demo:
    """A home with a config that makes no sense."""
    home = demo(folder)
    (home.path / "config.yaml").write_text(text)
    return home


@pytest.mark.parametrize("words", READING)
def test_reading_goes_on_with_the_defaults(tmp_path: Path, words: str) -> None:
    """A verb that only reads gives its answer, names the fault, and ends with exit code 2."""
    said = faulty(tmp_path, "memory:\n  memory_char_limit: many\n").say(*words.split())
    assert said.code == 2 and "config.yaml:2" in said.err and "with the defaults" in said.err
    assert said.out


@pytest.mark.parametrize("words", ["mark deploy.md none", "maintain", "feedback deploy.md useful"])
def test_changing_stops(tmp_path: Path, words: str) -> None:
    """A verb that changes anything does nothing."""
    home = faulty(tmp_path, "a: [\n")
    before = home.files()
    assert home.say(*words.split()).code == 2 and home.files() == before


def test_a_search_under_unknown_rules_keeps_nothing(tmp_path: Path) -> None:
    """Where the rules about what is kept cannot be read that is said, and no sidecar is written."""
    home = faulty(tmp_path, "a: [\n")
    said = home.say("search", "deploy")
    assert said.out.startswith("deploy.md") and "rules about what is kept cannot be read" in said.err
    assert not (home.path / "plugin-data").exists()
