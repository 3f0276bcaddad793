"""What reading verbs do with a home that is not there."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_tools import Demo

VERBS = ("search cat", "hits cat", "timeline cat", "route cat", "index", "list", "history", "proposals", "status")


@pytest.mark.parametrize("words", VERBS)
def test_a_mistyped_home_is_exit_2_and_is_never_made(tmp_path: Path, words: str) -> None:
    """Looking at a home that does not exist names the folder and leaves nothing behind."""
    home = Demo(tmp_path / "typo")
    said = home.say(*words.split())
    assert (said.code, home.path.exists()) == (2, False) and str(home.memories) in said.err


def test_the_sessions_of_a_home_without_a_memory_can_be_searched(tmp_path: Path) -> None:
    """A home that has sessions and no memory yet is a home."""
    home = Demo(tmp_path / "fresh")
    home.path.mkdir()
    (home.path / "state.db").write_bytes(b"")
    assert home.say("history").code == 0
