"""Words that stand in mostly the same notes are proposed as synonyms."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory_shaper.recall.company import find_likely
from memory_shaper.recall.likeness import Pair, pairs
from memory_shaper.recall.synonyms import Synonyms
from recall_tools import sidecar_of
from widening_tools import house

FANS = {f"n{i}": "the ventilator hums, that noisy thing" for i in range(4)} | {"z": "a ventilator"}


def test_half_and_three_in_common() -> None:
    """A pair needs a Jaccard of 0.5 and three notes in common."""
    notes = {f"n{i}": ["fan", "ventilator"] for i in range(3)} | {"x": ["fan", "tea"], "y": ["fan", "tea"]}
    assert pairs(notes, 3) == [Pair("fan", "ventilator", 3, 0.6)]
    assert pairs({**notes, "u": ["fan"], "v": ["fan"]}, 3) == []


def test_two_in_common_are_chance() -> None:
    """However close they are."""
    assert pairs({"a": ["fan", "ventilator"], "b": ["fan", "ventilator"]}, 1) == []


def test_three_of_many_are_no_pair() -> None:
    """Two words in 53 notes each with three in common (Jaccard .029) are none."""
    notes = {f"a{i}": ["red"] for i in range(50)} | {f"b{i}": ["blue"] for i in range(50)}
    assert pairs(notes | {f"c{i}": ["red", "blue"] for i in range(3)}, 3) == []


def test_rare_words_are_left_out() -> None:
    """A word below the least number of notes is no candidate."""
    notes = {f"n{i}": ["fan", "ventilator"] for i in range(4)}
    assert len(pairs(notes, 4)) == 1 and pairs(notes, 5) == []


def test_work_does_not_grow_with_the_square_of_the_words() -> None:
    """Notes of thousands of words each are compared by a few of them."""
    notes = {f"n{i}": [f"w{j:05}" for j in range(20_000)] for i in range(5)}
    assert len(pairs(notes, 3)) == 200


def test_they_are_found_in_notes(tmp_path: Path) -> None:
    """In the words as they are written, function words left out."""
    with sidecar_of(tmp_path, **FANS) as sidecar:
        sidecar.refresh()
        found = find_likely(sidecar, 3, Synonyms())
        assert ("hums", "ventilator", 4, 0.8) in {(one.word, one.other, one.shared, one.jaccard) for one in found}
        assert not any("the" in (one.word, one.other) for one in found)


def test_rows_kept_by_hand_are_not_proposed(tmp_path: Path) -> None:
    """What the table has is no news, and the table is never written."""
    with sidecar_of(tmp_path, **FANS) as sidecar:
        sidecar.refresh()
        found = find_likely(sidecar, 3, Synonyms([("hums", "ventilator")]))
        assert {"hums", "ventilator"} not in [{one.word, one.other} for one in found] and found
        assert not (tmp_path / "plugin-data" / "synonyms.txt").exists()


@pytest.mark.parametrize(("switch", "found"), [("off", False), ("on", True)])
def test_search_uses_them_only_where_they_are_switched_on(tmp_path: Path, switch: str, found: bool) -> None:
    """They are proposals until the reader says otherwise."""
    notes = {f"n{i}": "The ventilator hums." for i in range(4)} | {"z": "A ventilator is broken."}
    with house(tmp_path, **notes) as place:
        place.set(discovered_synonyms=switch)
        place.names("hums")
        find_likely(place.finder.sidecar, 3, Synonyms())
        assert ("z" in place.names("hums")) is found
