"""The one line that the host's log gets about recall."""

from __future__ import annotations

import logging

import pytest
from memory_shaper.guard.guard import Guard
from memory_shaper.hinting import Hints
from memory_shaper.recall import announcing
from memory_shaper.recall.find import Finder
from memory_shaper.searching import close_finders, search_tool
from tools import Place


@pytest.fixture(autouse=True)
def fresh() -> None:
    """A process that has not told anything yet."""
    announcing._told.clear()


def test_one_line_with_counts_mode_and_limits(home: Place, caplog: pytest.LogCaptureFixture) -> None:
    """The first hint or search of a process logs it, the next ones do not; it holds no text of the memory."""
    caplog.set_level(logging.INFO, "memory_shaper")
    finder = Finder(home.home)
    Hints(finder).give("s", "how is the release pipeline?", first=True)
    search_tool(Guard.of(home.home), {"query": "pipeline"})
    finder.close()
    close_finders()
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 1 and "mode text" in lines[0] and "top_k 5" in lines[0] and "hint_budget 4000" in lines[0]
    assert "entries" in lines[0] and "pipeline" not in lines[0] and "release" not in lines[0]
