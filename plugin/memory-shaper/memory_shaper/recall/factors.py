"""The factors on top of the text score: age, emotion, feedback, hot topics, attention. Pure.

total = text score × decay × emotion × feedback × hot × attention

The formulas are those of Keepsake with its faults mended: every input is clamped, topics match as whole words, each
topic ages by itself, and age keeps a floor, so that a strong old match beats a weak new one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .atoms import atoms

MOST_TOPICS = 10
_FULL_FEEDBACK = 3
_FULL_HEAT = 3.0
_UNDATED_HEAT = 0.5


@dataclass(frozen=True, slots=True)
class Strengths:
    """How strong each factor is; a boost or floor of 1, and an emotion of 0, switch theirs off. Half-lives in days."""

    half_life: float = 60.0
    floor: float = 0.8
    emotion: float = 0.4
    liked: float = 1.3
    disliked: float = 0.5
    hot: float = 1.2
    hot_half_life: float = 30.0
    attention: float = 1.5
    attention_half_life: float = 7.0


@dataclass(frozen=True, slots=True)
class Topic:
    """A word that was talked about: its score at the last mention, and how many days ago that was (None: unknown)."""

    word: str
    score: float
    age: float | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What is remembered about topics: net feedback by file name, hot topics and topics of attention."""

    feedback: Mapping[str, int] = field(default_factory=dict)
    hot: Sequence[Topic] = ()
    attention: Sequence[Topic] = ()


def decay(age: float | None, half_life: float, floor: float) -> float:
    """Return floor + (1 - floor) · 2^(-age / half-life), age in days; the future and the undated have not aged.

    Raises ValueError for a half-life that is not above 0.

    >>> [decay(age, 60, 0) for age in (0, 60, 120, -5)], decay(None, 60, 0.8)
    ([1.0, 0.5, 0.25, 1.0], 1.0)
    """
    if not half_life > 0:
        raise ValueError("a half-life is above 0")
    floor = _clamped(floor, 0, 1)
    return floor + (1 - floor) * 2 ** (-max(age or 0.0, 0.0) / half_life)


def emotion(intensity: float, strength: float) -> float:
    """Return 1 + intensity · strength; intensity counts from 0 to 2, and what is no number as 0.

    >>> [round(emotion(value, 0.4), 4) for value in (0.3, 1, 2, 5, -3, math.nan)]
    [1.12, 1.4, 1.8, 1.8, 1.0, 1.0]
    """
    return 1 + _clamped(intensity, 0, 2) * max(strength, 0.0)


def feedback(net: int, liked: float, disliked: float) -> float:
    """Return what a net number of good words is worth; three either way are the most.

    >>> [round(feedback(net, 1.3, 0.5), 4) for net in (3, 1, 0, -1, -3, -9)]
    [1.3, 1.1, 1.0, 0.8333, 0.5, 0.5]
    """
    share = min(abs(net) / _FULL_FEEDBACK, 1)
    return 1 + ((liked - 1) if net > 0 else (disliked - 1)) * share


def hot(ages: Sequence[float | None], boost: float, half_life: float) -> float:
    """Return what the hot topics of a text are worth; `ages` are the days since each was last seen.

    >>> [round(hot([0.0] * count, 1.2, 30), 3) for count in (0, 1, 2, 3, 9)], round(hot([30], 1.2, 30), 4)
    ([1.0, 1.067, 1.133, 1.2, 1.2], 1.0333)
    """
    if not half_life > 0:
        raise ValueError("a half-life is above 0")
    heat = sum(_UNDATED_HEAT if age is None else 2 ** (-max(age, 0.0) / half_life) for age in ages)
    return 1 + (boost - 1) * min(heat, _FULL_HEAT) / _FULL_HEAT


def attention(share: float, boost: float) -> float:
    """Return what a share (0 to 1) of the attention is worth.

    >>> attention(0.6, 1.5), attention(0, 1.5)
    (1.3, 1.0)
    """
    return 1 + (boost - 1) * _clamped(share, 0, 1)


def faded(topic: Topic, half_life: float) -> float:
    """Return what is left of a topic's score: half of it after each half-life without a mention."""
    return topic.score * 2 ** (-max(topic.age or 0.0, 0.0) / half_life)


def factors(
    name: str, text: str, age: float | None, intensity: float, known: Known, how: Strengths
) -> dict[str, float]:
    """Return every factor of one note by its name; their product multiplies the text score.

    `age` is in days and None for a note without a date, `intensity` that of the text (0 to 2).
    """
    words = Words.of(text if known.hot or known.attention else "")
    warm = [topic.age for topic in known.hot[:MOST_TOPICS] if words.hold(topic.word)]
    scores = [(faded(topic, how.attention_half_life), topic.word) for topic in known.attention]
    top = sorted(scores, reverse=True)[:MOST_TOPICS]
    touched = sum(score for score, word in top if words.hold(word))
    return {
        "decay": decay(age, how.half_life, how.floor),
        "emotion": emotion(intensity, how.emotion),
        "feedback": feedback(known.feedback.get(name, 0), how.liked, how.disliked),
        "hot": hot(warm, how.hot, how.hot_half_life),
        "attention": attention(touched / (sum(score for score, _ in top) or 1.0), how.attention),
    }


@dataclass(frozen=True, slots=True)
class Words:
    """A text as whole words, by their stems; runs without blanks as they stand."""

    line: str

    @classmethod
    def of(cls, text: str) -> Words:
        """Cut a text."""
        return cls(_spaced(text))

    def hold(self, word: str) -> bool:
        """Tell whether the text holds a word: "ab" is not in "crab", 部署 is in 部署脚本."""
        wanted = _spaced(word).strip()
        if not wanted:
            return False
        return (wanted if not wanted.isascii() and " " not in wanted else f" {wanted} ") in self.line


def _spaced(text: str) -> str:
    return f" {' '.join(atom.root for atom in atoms(text))} "


def _clamped(value: float, low: float, high: float) -> float:
    return low if math.isnan(value) else min(max(value, low), high)
