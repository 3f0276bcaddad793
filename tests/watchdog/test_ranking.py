"""One order for the index and for the archive."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.watchdog.ranking import Candidate, Usage, rank

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def ago(days: float, count: int = 1) -> list[datetime]:
    return [NOW - timedelta(days=days)] * count


def usage(times):
    weeks = Counter("{}-W{:02}".format(*time.isocalendar()) for time in times)
    return Usage(weeks, max(times))


def used(**topics):
    return {name: usage(times) for name, times in topics.items() if times}


def order(uses, **more):
    candidates = [Candidate(name, NOW - timedelta(days=99)) for name in uses]
    return [ranked.name for ranked in rank(candidates, used(**uses), NOW, **more)]


def test_much_used__outlives_used_once():
    """100 uses 50 days ago stand above 2 uses 30 days ago, and these above one use 20 days ago."""
    assert order({"one": ago(20), "two": ago(30, 2), "many": ago(50, 100)}) == ["many", "two", "one"]


def test_recent_use__comes_first():
    """Of equal uses the younger ones count more, and what was never used comes last."""
    assert order({"never": [], "old": ago(40, 3), "new": ago(2, 3)}) == ["new", "old", "never"]


def test_habit__outweighs_one_busy_day():
    """Four uses in four weeks stand above ten on one day, and not above twenty."""
    weekly = [time for days in (1, 8, 15, 22) for time in ago(days)]
    assert order({"busy": ago(1, 20), "weekly": weekly}, half_life=60) == ["busy", "weekly"]
    assert order({"busy": ago(1, 10), "weekly": weekly}, half_life=60) == ["weekly", "busy"]


def test_half_life__changes_the_order():
    """A short half-life lets the young one win, a long one the much used one."""
    uses = {"many": ago(50, 100), "one": ago(1)}
    assert (order(uses, half_life=10), order(uses, half_life=60)) == (["one", "many"], ["many", "one"])


def test_feedback__is_a_factor():
    """Of two topics used alike the one that helped stands first, and says why."""
    topics = [Candidate("plain", NOW), Candidate("liked", NOW, 1.5)]
    first = rank(topics, used(plain=ago(30), liked=ago(30)), NOW)[0]
    assert (first.name, first.score, first.why) == (
        "liked", 0.75, "1 use in 1 week, the last 30 days ago, feedback ×1.5: 0.75")  # fmt: skip


def test_ties__last_use_then_first_seen_then_place():
    """Equal scores are told apart by the longer acquaintance, then by the place in the index."""
    topics = [Candidate("b", NOW), Candidate("a", NOW), Candidate("elder", NOW - timedelta(days=1))]
    assert [ranked.name for ranked in rank(topics, {}, NOW)] == ["elder", "b", "a"]


def test_future_use__counts_as_now():
    """A clock that was wrong once gives no more than a use of today."""
    (ranked,) = rank([Candidate("x", NOW)], used(x=ago(-400)), NOW)
    assert ranked.score == 1.0


@pytest.mark.parametrize("half_life", [0, -1, float("nan")])
def test_half_life__must_be_positive(half_life):
    """A half-life that is no positive number is refused."""
    with pytest.raises(ValueError, match="half-life"):
        rank([], {}, NOW, half_life)


@given(st.dictionaries(st.text(max_size=3), st.lists(st.floats(0, 3000), min_size=1, max_size=20), max_size=8))
def test_use_of_today__never_lowers(days):
    """One more use of today raises every score, and every candidate is ranked once."""
    times = {name: [time for day in found for time in ago(day)] for name, found in days.items()}
    topics = [Candidate(name, NOW) for name in times]
    before = {ranked.name: ranked.score for ranked in rank(topics, {n: usage(t) for n, t in times.items()}, NOW)}
    after = rank(topics, {name: usage([*found, NOW]) for name, found in times.items()}, NOW)
    assert sorted(ranked.name for ranked in after) == sorted(times)
    assert all(ranked.score > before[ranked.name] for ranked in after)
