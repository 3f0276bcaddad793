"""`status --explain`: the ranking by which the watchdog orders and archives, in words."""

import json
from pathlib import Path

from cli_tools import demo


def test_the_ranking_says_why_each_entry_is_where_it_is(tmp_path: Path) -> None:
    """Every entry has a score and a reason, and a marked one says why it stays."""
    said = demo(tmp_path).say("status", "--explain", "--json")
    rows = {row["target"]: row for row in json.loads(said.out)["ranking"]}
    assert len(rows) == len(json.loads(said.out)["entries"])
    assert all(row["why"] for row in rows.values()) and rows["deploy.md"]["stays"]


def test_without_it_no_ranking_is_shown(tmp_path: Path) -> None:
    """A plain status stays one screen."""
    home = demo(tmp_path)
    assert "ranking, the" not in home.say("status").out and "ranking, the" in home.say("status", "--explain").out
