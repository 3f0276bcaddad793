"""What the host's memory tool does to the index shows in the next search."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory_shaper import host
from memory_shaper.guard.call import Call
from memory_shaper.guard.guard import Guard
from memory_shaper.names import ARCHIVE_FOLDER
from memory_shaper.recall.find import Ask, finder
from memory_shaper.settings import load
from tools import CANONICAL, Place
from widening_tools import NOW

NEW = "tea,cups,kettle,oolong,leaf → new-topic.md"


def found(place: Place, question: str) -> list[str]:
    with finder(place.home) as notes:
        return [one.hit.name for one in notes.find(Ask(question), load(place.home), NOW).hits]


def done(place: Place, args: dict[str, object], text: str) -> None:
    """The tool's call, allowed by the guard, and what the host makes of it."""
    guard = Guard.of(place.home)
    call = Call("memory", {"target": "memory", **args}, "s", "c1")
    assert guard.before(call).answer.value == "allow"
    place.home.index.write_text(text, "utf-8")
    guard.after(call, '{"success": true}', landed=True)
    guard.watch.close()


@pytest.fixture
def added(home: Place) -> Place:
    """A home to whose index a line was added."""
    assert found(home, "oolong") == []
    done(home, {"action": "add", "content": NEW}, host.join([CANONICAL, NEW]))
    return home


def test_an_added_line_is_found(added: Place) -> None:
    """By a keyword that its file does not hold."""
    assert found(added, "oolong") == ["new-topic.md"]


def test_a_replaced_line_is_found_by_its_new_words_only(added: Place) -> None:
    """The old keyword finds nothing any more."""
    line = NEW.replace("oolong", "sencha")
    done(added, {"action": "replace", "old_text": NEW, "content": line}, host.join([CANONICAL, line]))
    assert found(added, "sencha") == ["new-topic.md"] and found(added, "oolong") == []


def test_a_removed_line_is_found_in_the_archive(added: Place) -> None:
    """Its file went there, and the search says so by its name."""
    done(added, {"action": "remove", "old_text": NEW}, CANONICAL)
    assert found(added, "oolong") == [str(Path(ARCHIVE_FOLDER) / "new-topic.md")]
