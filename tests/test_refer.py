"""Names resolve: what a read of a bare topic name opens."""

from pathlib import Path
from typing import Any

import pytest
from memory_shaper.refer import resolved
from tools import Place


def opened(place: Place, path: Any, cwd: Path, tool: str = "read_file") -> Any:
    changed = resolved(tool, {"path": path, "limit": 3}, place.home, str(cwd))
    return None if changed is None else changed["path"]


@pytest.mark.parametrize(
    "path",
    ["python-env.md", "memories/python-env.md", "./python-env.md", "$HERMES_HOME/memories/python-env.md",
     ".hermes/memories/python-env.md", "~/.hermes/memories/python-env.md", "Python-Env.md"],
)  # fmt: skip
def test_a_topic_is_found_under_each_of_its_names(home: Place, tmp_path: Path, path: str) -> None:
    """The bare name and the names below the memories folder all mean the topic."""
    assert opened(home, path, tmp_path / "elsewhere") == str(home.memories / "python-env.md")


def test_an_archived_topic_is_found(home: Place, tmp_path: Path) -> None:
    """A line that left the index still leads to its file."""
    home.home.archive.mkdir()
    (home.home.archive / "old.md").write_text("x", "utf-8")
    assert opened(home, "old.md", tmp_path) == str(home.home.archive / "old.md")


@pytest.mark.parametrize("path", ["/etc/hosts.md", "src/python-env.md", "nothing.md", "python-env.txt", "", 3, None])
def test_other_paths_are_left_alone(home: Place, tmp_path: Path, path: Any) -> None:
    """Only a relative name that a topic has is changed."""
    assert opened(home, path, tmp_path) is None


def test_a_file_of_the_working_folder_wins(home: Place, tmp_path: Path) -> None:
    """A project's own file of that name is what is meant there."""
    (tmp_path / "python-env.md").write_text("of the project", "utf-8")
    assert opened(home, "python-env.md", tmp_path) is None


@pytest.mark.parametrize("tool", ["write_file", "terminal", "memory", "search_files"])
def test_only_reads_are_changed(home: Place, tmp_path: Path, tool: str) -> None:
    """A write to a bare name goes where the host sends it."""
    assert opened(home, "python-env.md", tmp_path / "x", tool) is None
