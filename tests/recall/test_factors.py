"""The factors of a hit: each by its formula, none beyond its bounds, whatever comes in."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.recall.emotion import intensity, mood
from memory_shaper.recall.factors import (
    Known,
    Strengths,
    Topic,
    Words,
    attention,
    decay,
    emotion,
    factors,
    feedback,
    hot,
)
from memory_shaper.recall.mentions import known, mention, topics
from record_tools import NOW, later, opened

OFF = Strengths(floor=1, emotion=0, liked=1, disliked=1, hot=1, attention=1)
KNOWN = Known({"a.md": 3}, (Topic("kiwi", 5, 0),), (Topic("kiwi", 6, 0), Topic("fig", 4, 0)))


def test_decay_halves_and_keeps_its_floor() -> None:
    """Ages of 0, 60 and 120 days give 1, .5 and .25 of what age can take; the floor stays at any age."""
    assert [decay(age, 60, 0) for age in (0, 60, 120)] == [1, 0.5, 0.25]
    assert decay(10**6, 60, 0.8) == 0.8


def test_decay_of_odd_ages() -> None:
    """The future and the undated have not aged, and a half-life of nothing is refused."""
    assert decay(-3, 60, 0) == decay(None, 60, 0) == 1
    with pytest.raises(ValueError, match="above 0"):
        decay(1, 0, 0)


def test_feedback_saturates_at_three() -> None:
    """Three good words give the boost, three bad ones the penalty, and more change nothing."""
    assert [round(feedback(n, 1.3, 0.5), 4) for n in (3, 30, -3, -30)] == [1.3, 1.3, 0.5, 0.5]


def test_one_hot_topic_counts() -> None:
    """One, two and three topics seen just now give 1.067, 1.133 and 1.2; one of a month ago half of that."""
    assert [round(hot([0.0] * n, 1.2, 30), 3) for n in (1, 2, 3)] == [1.067, 1.133, 1.2]
    assert hot([30.0], 1.2, 30) - 1 == pytest.approx((hot([0.0], 1.2, 30) - 1) / 2)


def test_a_boost_is_the_one_that_is_set() -> None:
    """A boost of 3 gives 3."""
    assert hot([0.0] * 3, 3.0, 30) == pytest.approx(3.0) and attention(1, 3.0) == 3.0


def test_topics_match_as_whole_words() -> None:
    """ "ab" is not in "crab"; a stem and a Chinese word inside a run are found."""
    words = Words.of("a crab, Deployments and 部署脚本, node.js")
    assert [words.hold(word) for word in ("ab", "crab", "deploy", "部署", "node.js", "", "js node")] == [
        False, True, True, True, True, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize("field", ["emotion", "liked", "hot", "attention", "floor"])
def test_each_factor_works_alone_and_can_be_switched_off(field: str) -> None:
    """With all others off, one factor changes the product; with all off the product is 1."""
    alone = Strengths(**{name: getattr(Strengths() if name == field else OFF, name) for name in Strengths.__slots__})
    found = factors("a.md", "kiwi", 90, 1.0, KNOWN, alone)
    assert math.prod(found.values()) != 1 and sum(value != 1 for value in found.values()) == 1
    assert set(factors("a.md", "kiwi", 90, 1.0, KNOWN, OFF).values()) == {1}


def test_attention_is_the_share_of_what_is_talked_about() -> None:
    """Of topics with 6 and 4 the first is worth .6 of the boost, all of it is worth the boost."""
    one, both = (factors("b.md", text, None, 0, KNOWN, Strengths())["attention"] for text in ("kiwi", "kiwi fig"))
    assert (one, both) == (pytest.approx(1.3), pytest.approx(1.5))


@given(st.floats(), st.floats(), st.integers(), st.lists(st.one_of(st.none(), st.floats(-1e6, 1e6)), max_size=12))
def test_no_input_leaves_the_bounds(age: float, felt: float, net: int, ages: list[float | None]) -> None:
    """Whatever the inputs, each factor stays in its range and is a number."""
    assert 0.8 <= decay(age if math.isfinite(age) else None, 60, 0.8) <= 1
    assert 1 <= emotion(felt, 0.4) <= 1.8
    assert 0.5 <= feedback(net, 1.3, 0.5) <= 1.3
    assert 1 <= hot(ages, 1.2, 30) <= 1.2 + 1e-9
    assert 1 <= attention(felt, 1.5) <= 1.5


@pytest.mark.parametrize(
    ("text", "felt"),
    [
        ("I know this", 0.0),
        ("太阳系老师在超市", 0.0),
        ("--- ... 10.10.10.10 2020-2020", 0.0),
        ("API and JSON over HTTP", 0.0),
        ("remember the banana", 0.0),
        ("非常好", 0.2),
        ("what!?", 0.35),
        ("什么？！", 0.35),
        ("soooo good", 0.15),
        ("", 0.0),
    ],
)
def test_intensity_by_whole_words(text: str, felt: float) -> None:
    """Outcries and adverbs of degree count; pieces of words, rulers and abbreviations do not."""
    assert intensity(text) == felt


@given(st.text())
def test_intensity_is_bounded(text: str) -> None:
    """No text is felt more strongly than 2, or less than not at all."""
    assert 0 <= intensity(text) <= 2 and mood(text) in (-1, 0, 1)


def test_a_mention_adds_two_and_more_with_feeling(tmp_path) -> None:
    """Attention grows by 2 + 1.5 · intensity, heat by 1, each once a word and for five words at most."""
    with opened(tmp_path) as record:
        mention(
            record, ["Kiwi", "kiwi", "x", "file", *"abcdefgh", "fig", "plum", "pear", "lime", "nut"], 1.0, 0, NOW, OFF
        )
        assert {topic.word: topic.score for topic in topics(record, "attention", NOW)} == dict.fromkeys(
            ("kiwi", "fig", "plum", "pear", "lime"), 3.5
        )
        assert {topic.score for topic in known(record, NOW).hot} == {1.0}


def test_attention_fades_topic_by_topic(tmp_path) -> None:
    """A topic that is not mentioned for a half-life has half its score, while another one grows."""
    how = Strengths(attention_half_life=7)
    with opened(tmp_path) as record:
        mention(record, ["kiwi", "plum"], 0, 0, NOW, how)
        for day in range(1, 8):
            mention(record, ["plum"], 0, 0, later(days=day), how)
        found = {topic.word: topic for topic in topics(record, "attention", later(days=7))}
        share = factors("a.md", "kiwi", None, 0, Known(attention=tuple(found.values())), how)["attention"]
        assert found["plum"].score > found["kiwi"].score == 2.0
        assert share < factors("a.md", "plum", None, 0, Known(attention=tuple(found.values())), how)["attention"]
