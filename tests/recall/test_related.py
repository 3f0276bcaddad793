"""Names that stand beside each other: a question with the one also finds notes with the other, behind its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory_shaper.recall import gathered
from memory_shaper.recall.gathering import gather
from memory_shaper.recall.sidecar import Sidecar
from recall_tools import sidecar_of, write
from widening_tools import house

STACK = {
    "a": "Python and Django run the shop.",
    "b": "We host Django on Python 3.",
    "c": "Django templates are cached.",
}
GO = {
    "d": "Python beside Django, once.",
    "e": "Django with Python, twice.",
    "f": "GO on Kubernetes.",
    "g": "Kubernetes runs our GO.",
    "h": "Kubernetes was upgraded.",
}


def related(sidecar: Sidecar, name: str) -> list[str]:
    sidecar.refresh()
    gather(sidecar)
    return gathered.related(sidecar.connection, name, 3)


def test_a_name_brings_its_neighbour(tmp_path: Path) -> None:
    """Two notes with Python and Django: a question for Python also finds a note with Django only, behind the others."""
    with house(tmp_path, **STACK) as place:
        found = place.find("python").hits
        assert [one.hit.name for one in found][2:] == ["c.md"]
        assert [bool(one.via) for one in found] == [False, False, True]
        assert str(found[2].via[0]) == "django (related of python)" and found[2].hit.mode == "wider"
        assert found[2].total < found[1].total


def test_names_are_whole_words(tmp_path: Path) -> None:
    """ "GO" brings kubernetes and no django, though "django" holds it; the verb "go" brings nothing."""
    with house(tmp_path, **GO) as place:
        assert place.names("GO") == ["f", "g", "h"] or place.names("GO") == ["g", "f", "h"]
        assert set(place.names("go")) == {"f", "g"}


def test_one_note_makes_no_neighbours(tmp_path: Path) -> None:
    """What stands together once tells nothing."""
    with house(tmp_path, a=STACK["a"], c=STACK["c"]) as place:
        assert place.names("Python") == ["a"]


def test_what_the_question_finds_stays_where_it_is(tmp_path: Path) -> None:
    """With the names switched off the same notes come in the same order with the same scores."""
    with house(tmp_path, **STACK, **GO) as place:
        wide = place.find("Python").hits
        place.set(related_names=0)
        bare = place.find("Python").hits
        assert wide[: len(bare)] == bare and len(wide) > len(bare) > 0


def test_enough_notes_need_no_neighbours(tmp_path: Path) -> None:
    """Where the question finds as many as were asked for, nothing is added."""
    with house(tmp_path, **STACK) as place:
        assert set(place.names("Python", limit=2)) == {"a", "b"}


def test_a_question_without_names_is_answered_as_before(tmp_path: Path) -> None:
    """Common words widen nothing, whatever stands beside them."""
    with house(tmp_path, **STACK) as place:
        found = place.find("the shop is cached")
        assert not any(one.via for one in found.hits) and found.degraded == ""


def test_a_changed_or_deleted_note_takes_its_names_along(tmp_path: Path) -> None:
    """The neighbours follow the files."""
    with sidecar_of(tmp_path, **STACK) as sidecar:
        assert related(sidecar, "python") == ["django"]
        write(sidecar.memories, "b.md", "We host Flask on Python 3.")
        assert related(sidecar, "python") == []
        write(sidecar.memories, "b.md", STACK["b"])
        assert related(sidecar, "python") == ["django"]
        (sidecar.memories / "a.md").unlink()
        assert related(sidecar, "python") == []


def test_closer_neighbours_come_first(tmp_path: Path) -> None:
    """A name that stands everywhere is less of a neighbour than one that stands only there."""
    notes = {f"n{i}": f"Ada wrote note {i} about Flask." for i in range(6)}
    both = {f"m{i}": "Ada likes Redis and Kafka." for i in range(3)}
    with sidecar_of(tmp_path, **notes, **both) as sidecar:
        assert related(sidecar, "redis") == ["kafka", "ada"]


def test_a_name_and_its_parts_are_no_neighbours(tmp_path: Path) -> None:
    """ "Lovelace" is in "Ada Lovelace" anyway."""
    with sidecar_of(tmp_path, a="We met Ada Lovelace.", b="So Ada Lovelace came.") as sidecar:
        assert related(sidecar, "lovelace") == ["ada"]


def test_a_note_adds_a_bounded_number_of_names(tmp_path: Path) -> None:
    """A note of ten thousand names costs thirty rows."""
    with sidecar_of(tmp_path, a=" and ".join(f"Name{i}x" for i in range(10_000))) as sidecar:
        related(sidecar, "name1x")
        assert sidecar.connection.execute("SELECT count(*) FROM gathered_word").fetchone()[0] <= 30


def test_gathering_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """With no time for it nothing is gathered, and that is said; with time all is, once."""
    with sidecar_of(tmp_path, **STACK) as sidecar:
        sidecar.refresh()
        assert (gather(sidecar, 0).left, gather(sidecar).notes, gather(sidecar).notes) == (3, 3, 0)


def test_what_was_gathered_goes_with_the_sidecar(tmp_path: Path) -> None:
    """A deleted sidecar is built again with the same neighbours."""
    with sidecar_of(tmp_path, **STACK) as sidecar:
        before = related(sidecar, "python")
        sidecar.rebuild_file("")
        assert related(sidecar, "python") == before == ["django"]


def test_notes_not_gathered_yet_are_told_of_only_where_nothing_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search that finds something lacks nothing; one that finds nothing names what was not looked through."""
    monkeypatch.setattr("memory_shaper.recall.widen._SECONDS", -1.0)
    with house(tmp_path, **STACK) as place:
        assert place.find("python").degraded == ""
        assert "3 notes are not gathered yet" in place.find("zebra").degraded
