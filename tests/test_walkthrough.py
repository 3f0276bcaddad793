"""The walk through the command is what its commands say today."""

from __future__ import annotations

import walkthrough


def test_the_page_is_current() -> None:
    """Running every command again gives the page; where it does not: python examples/walkthrough.py --write"""
    assert walkthrough.page() == walkthrough.PAGE.read_text("utf-8")


def test_it_shows_what_it_is_for() -> None:
    """Verdicts, both languages, tags, the archive, a dry run and an undo are in it, and no path of this machine."""
    page = walkthrough.PAGE.read_text("utf-8")
    for part in (
        "permissionDecision",
        "输入法",
        "--tags",
        "--scope archive",
        "maintain --dry-run",
        "memory-shaper undo\n",
    ):
        assert part in page
    assert "/tmp" not in page and "/work" not in page
