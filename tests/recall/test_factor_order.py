"""Each factor alone decides between two notes that are otherwise equal, and each of its settings changes it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from memory_shaper.recall.find import Found, strengths
from memory_shaper.recall.mentions import mention
from memory_shaper.record import Record
from memory_shaper.settings import load
from widening_tools import NOW, House, house

OFF = {
    "decay_floor": 1,
    "emotion_factor": 0,
    "feedback_boost": 1,
    "feedback_penalty": 1,
    "hot_topic_boost": 1,
    "attention_boost": 1,
}
ON = {
    "decay": {"decay_floor": 0},
    "emotion": {"emotion_factor": 0.4},
    "feedback": {"feedback_boost": 1.3, "feedback_penalty": 0.5},
    "hot": {"hot_topic_boost": 1.2},
    "attention": {"attention_boost": 1.5},
}
# The first of the notes is the one that each factor is for; `b` comes first where none is at work.
NOTES = {
    "decay": ("created: 2026-11-30", "kiwi tea with milk", "created: 2026-11-30", "kiwi tea"),
    "emotion": ("title: x", "kiwi jam!?!? so!! good!?", "title: x", "kiwi jam so good"),
    "other": ("title: x", "kiwi quokka", "title: x", "kiwi wombat"),
}


@pytest.fixture
def place(tmp_path: Path, request: pytest.FixtureRequest):
    """Two notes, and what the record knows of the first."""
    factor = request.param
    first, text, second, other = NOTES.get(factor, NOTES["other"])
    second = "created: 2026-08-01" if factor == "decay" else second
    with house(tmp_path, a=f"---\n{first}\n---\n{text}\n", b=f"---\n{second}\n---\n{other}\n") as made:
        with Record.open(made.home.data / "record.db") as record:
            if factor == "feedback":
                record.counters.rate("a.md", True, NOW)
            if factor in ("hot", "attention"):
                mention(record, ["quokka"], 0, 0, NOW - timedelta(hours=1), strengths(load(made.home)))
        yield made, factor


def order(place: House, **values: object) -> list[str]:
    place.set(**values)
    return place.names("kiwi")


@pytest.mark.parametrize("place", ON, indirect=True)
def test_one_factor_alone_changes_the_order(place: tuple[House, str]) -> None:
    """With all others off it puts its note first; switched off itself, the order is that of the texts alone."""
    home, factor = place
    assert order(home, **OFF) == ["b", "a"] or factor == "emotion"
    assert order(home, **OFF | ON[factor])[0] == "a"
    by_text = home.find("kiwi")
    home.set(**OFF)
    assert [one.total for one in home.find("kiwi").hits] == [one.hit.score for one in home.find("kiwi").hits]
    assert len(by_text.hits) == 2


def factors(found: Found) -> list[dict[str, float]]:
    return [dict(one.factors) for one in found.hits]


@pytest.mark.parametrize(
    ("place", "knob", "value"),
    [
        ("decay", "decay_half_life_days", 7),
        ("decay", "decay_floor", 0.1),
        ("emotion", "emotion_factor", 2),
        ("feedback", "feedback_boost", 3),
        ("hot", "hot_topic_boost", 3),
        ("hot", "hot_topic_half_life_days", 0.05),
        ("attention", "attention_boost", 3),
    ],
    indirect=["place"],
)
def test_every_setting_is_wired(place: tuple[House, str], knob: str, value: float) -> None:
    """Changing a setting changes the factor it is for, and no other."""
    home, factor = place
    before = factors(home.find("kiwi"))
    home.set(**{knob: value})
    after = factors(home.find("kiwi"))
    changed = {name for old, new in zip(sorted(before, key=str), sorted(after, key=str), strict=True)
               for name in old if old[name] != new[name]}  # fmt: skip
    assert factor in changed and changed <= {factor, "hot", "attention"}


@pytest.mark.parametrize("place", ["feedback"], indirect=True)
def test_a_bad_word_is_weighed_by_its_setting(place: tuple[House, str]) -> None:
    """Three bad words make half of a score, or what the setting says."""
    home, _ = place
    with Record.open(home.home.data / "record.db") as record:
        for _ in range(2):
            record.counters.rate("b.md", False, NOW)
    for penalty in (0.5, 0.1):
        home.set(feedback_penalty=penalty)
        assert min(one["feedback"] for one in factors(home.find("kiwi"))) == penalty


@pytest.mark.parametrize("place", ["other"], indirect=True)
def test_a_doubting_message_demotes_nothing(place: tuple[House, str]) -> None:
    """Words such as 不是 in a question are no feedback on what was found."""
    home, _ = place
    before = home.find("kiwi")
    home.find("这个配置是不是也要改一下")
    assert home.find("kiwi") == before
