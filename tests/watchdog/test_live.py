"""Watching the folder while it is worked on: what is said, what is not, and that nothing is ever moved."""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from homes import House, index, line, many, tree
from memory_shaper.watchdog import live

PATIENCE = 30  # seconds; only a test that fails waits so long


class Watching:
    """A watch in a thread of its own; `next` gives the next line that it says."""

    def __init__(self, house: House, poll: bool) -> None:
        self.house = house
        self.said: queue.Queue[str] = queue.Queue()
        self.refreshed = 0
        self.stop = threading.Event()
        more = {"poll": poll, "say": self.said.put, "stop": self.stop, "refresh": self._refresh, "interval": 0.05}
        self.thread = threading.Thread(target=live.watch, args=(house.home, house.settings), kwargs=more)

    def _refresh(self) -> None:
        self.refreshed += 1

    def next(self) -> str:
        return self.said.get(timeout=PATIENCE)

    def until(self, line: str) -> list[str]:
        """All lines up to this one."""
        lines = [self.next()]
        while lines[-1] != line:
            lines.append(self.next())
        return lines


@contextmanager
def watching(house: House, poll: bool, findings: int = 0) -> Iterator[Watching]:
    watch = Watching(house, poll)
    watch.thread.start()
    try:
        how = "every 0.05 seconds" if poll else "by events"
        assert watch.next() == f"watching {house.memories} ({how}), findings: {findings}; interrupt to end"
        yield watch
    finally:
        watch.stop.set()
        watch.thread.join(PATIENCE)
    assert not watch.thread.is_alive()


BOTH = pytest.mark.parametrize("poll", [True, False], ids=["poll", "events"])


@BOTH
def test_atomic_save__a_change(tmp_path, poll):
    """An editor that writes beside and renames has changed the file; the findings that it made are told."""
    house = House(tmp_path, *many(2))
    with watching(house, poll) as watch:
        beside = house.write(".MEMORY.md.swp", index(*many(2), line("gone")))
        os.replace(beside, house.home.index)
        said = watch.until("MEMORY.md: changed")
        assert watch.next().endswith(': error[target-missing]: topic file "gone.md" does not exist')
        house.write("MEMORY.md", index(*many(2)))
        said = watch.until("MEMORY.md: changed")
        assert (said, watch.next()) == (["MEMORY.md: changed"], "MEMORY.md: findings mended: 1, left: 0")


@BOTH
def test_new_topic_and_removal__told(tmp_path, poll):
    """A topic file that comes is new, one that stays away is gone; temporary files of editors are neither."""
    house = House(tmp_path, *many(2))
    with watching(house, poll) as watch:
        for name in ("4913", "topic1.md~", ".topic1.md.swp", "deploy.tmp"):
            house.write(name, "x")
        house.write("new.md", "text")
        assert watch.until("new.md: new")[0] == "new.md: new"
        (house.memories / "new.md").unlink()
        assert watch.until("new.md: gone")[-1] == "new.md: gone"
    assert watch.refreshed >= 2


def test_missing_for_one_look__not_gone(tmp_path):
    """A file that is missing at one look and back at the next was only being saved."""
    house = House(tmp_path, *many(2))
    first, _ = live.looked(house.home, house.settings, None)
    path = house.memories / "topic1.md"
    text = path.read_text()
    path.unlink()
    second, news = live.looked(house.home, house.settings, first)
    path.write_text(text)
    assert (news, live.looked(house.home, house.settings, second)[1]) == ([], [])


def test_missing_for_two_looks__gone(tmp_path):
    """A file that is missing at two looks is gone, with what the rules say of it."""
    house = House(tmp_path, *many(2))
    seen, _ = live.looked(house.home, house.settings, None)
    (house.memories / "topic1.md").unlink()
    seen, _ = live.looked(house.home, house.settings, seen)
    news = live.looked(house.home, house.settings, seen)[1]
    assert (news[0], "error[target-missing]" in news[1]) == ("topic1.md: gone", True)


def test_watch__never_changes_a_file(tmp_path):
    """An index near its cap with cold topics is reported on and left as it is."""
    house = House(tmp_path, *many(20))
    house.config("memory:\n  memory_char_limit: 2440\n")
    before = tree(tmp_path)
    with watching(house, True, findings=1) as watch:
        house.write("late.md", "x")
        watch.until("late.md: new")
    (house.memories / "late.md").unlink()
    assert tree(tmp_path) == before


def test_without_the_library__by_the_clock(tmp_path, monkeypatch):
    """Where the watchdog library is missing the clock does its work."""
    monkeypatch.setitem(sys.modules, "watchdog.events", None)
    house = House(tmp_path, *many(2))
    watch = Watching(house, poll=False)
    watch.thread.start()
    assert "(every 0.05 seconds)" in watch.next()
    watch.stop.set()
    watch.thread.join(PATIENCE)
