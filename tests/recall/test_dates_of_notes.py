"""Dates in front matter, in whatever form people write them."""

from __future__ import annotations

from pathlib import Path

import pytest
from widening_tools import house


@pytest.mark.parametrize(
    "stamp", ["2026-11-29", "2026-11-29T08:00:00", "2026-11-29T08:00:00Z", "2026-11-29 08:00:00+08:00"]
)
def test_a_day_with_and_without_a_zone_is_that_day(tmp_path: Path, stamp: str) -> None:
    """A bare date and a time without a zone age as in UTC, not as if they were of no age or of a hundred years."""
    with house(tmp_path, a=f"---\ncreated: {stamp}\n---\nkiwi jam\n") as place:
        place.set(decay_floor=0)
        assert 0.97 < place.find("kiwi").hits[0].factors["decay"] < 1


@pytest.mark.parametrize("stamp", ["soon", "0", "1796040000", "2026-13-45", ""])
def test_what_is_no_date_does_not_age(tmp_path: Path, stamp: str) -> None:
    """Nothing is punished for a stamp that cannot be read."""
    with house(tmp_path, a=f"---\ncreated: {stamp}\n---\nkiwi jam\n") as place:
        assert place.find("kiwi").hits[0].factors["decay"] == 1


def test_taking_the_end_away_brings_a_note_back(tmp_path: Path) -> None:
    """`invalid_at` hides and deletes nothing; "0" and other words that are no day hide nothing."""
    with house(tmp_path, a="---\ninvalid_at: 2026-11-01\n---\nkiwi jam\n") as place:
        assert place.names("kiwi") == []
        for text in ("---\ninvalid_at: 0\n---\nkiwi jam\n", "kiwi jam once more\n"):
            place.write("a", text)
            assert place.names("kiwi") == ["a"]
