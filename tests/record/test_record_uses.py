"""Uses, watermarks, feedback, counters and signs of life."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from memory_shaper.record import Beat, Count, Feedback, Heartbeat, Record, Topic, Use, Watermark, Week
from record_tools import NOW, later, opened


def mark(last_id: int, identity: str = "db1", at: datetime = NOW) -> Watermark:
    """A watermark in a database whose rows seen so far are of one moment."""
    return Watermark("state.db", identity, last_id, at, at, NOW)


def use(name: str, turn: int, at: datetime = NOW) -> Use:
    """A use in the one session there is."""
    return Use(name, at, "s1", str(turn))


def total(record: Record) -> int:
    """All uses of all topics."""
    return sum(topic.count for topic in record.uses.topics())


def test_a_batch_is_counted_with_its_watermark(tmp_path: Path) -> None:
    """Count, last use, week and watermark are those of the batch."""
    with opened(tmp_path) as record:
        batch = [use("a.md", 1), use("a.md", 2, later(hours=1)), use("b.md", 2)]
        assert record.uses.tally_batch(batch, mark(9)) == 3
        a, b = record.uses.topics()
        assert (Topic("a.md", NOW, later(hours=1), 2, None), ("b.md", 1)) == (a, (b.name, b.count))
        assert [Week("a.md", "2026-W10", 2), Week("b.md", "2026-W10", 1)] == record.uses.weeks()
        assert mark(9) == record.uses.watermark("state.db")


def test_a_use_is_counted_once_a_turn(tmp_path: Path) -> None:
    """The same topic in the same turn is one use, also when the host's database is read again from the start."""
    with opened(tmp_path) as record:
        assert [
            record.uses.tally_batch([use("a.md", 1), use("a.md", 1)], mark(5)),
            record.uses.tally_batch([use("a.md", 1)], mark(1, "db2")),
            record.uses.tally_batch([use("a.md", 2)], mark(2, "db2")),
        ] == [1, 0, 1]
        assert (record.uses.watermark("state.db").last_id, record.uses.watermark("state.db").identity) == (2, "db2")


def test_parts_of_a_use_do_not_run_together(tmp_path: Path) -> None:
    """Session, turn and topic are told apart even where their texts joined would be the same."""
    with opened(tmp_path) as record:
        uses = [Use("a.md", NOW, "1", "11"), Use("a.md", NOW, "11", "1"), Use("1a.md", NOW, "1", "1")]
        assert record.uses.tally_batch(uses, mark(1)) == 3


def test_a_watermark_does_not_go_back(tmp_path: Path) -> None:
    """The slower of two readers takes nothing back, and the span of rows seen only grows."""
    with opened(tmp_path) as record:
        record.uses.tally_batch([], mark(9, at=later(hours=2)))
        record.uses.tally_batch([], mark(5, at=later(hours=1)))
        record.uses.tally_batch([], Watermark("state.db", "db1", 7, None, None, NOW))
        assert Watermark("state.db", "db1", 9, later(hours=1), later(hours=2), NOW) == record.uses.watermark("state.db")


def test_a_topic_is_first_seen_once(tmp_path: Path) -> None:
    """A later look changes the digest of a topic and when it changed, not when it was first seen."""
    with opened(tmp_path) as record:
        record.uses.look({"a.md": "d1"}, NOW)
        record.uses.look({"a.md": "d2"}, later(days=1))
        assert [Topic("a.md", NOW, None, 0, "d2", later(days=1))] == record.uses.topics()


def test_a_renamed_topic_keeps_its_history(tmp_path: Path) -> None:
    """Count, weeks, first seen, last use and feedback go over to the new name and add up there."""
    with opened(tmp_path) as record:
        record.uses.look({"old.md": "d1"}, NOW)
        record.uses.tally_batch([use("old.md", 1), use("new.md", 2, later(days=7))], mark(1))
        record.counters.rate("old.md", helpful=True, now=NOW)
        assert (record.uses.rename_use("old.md", "new.md"), record.uses.rename_use("old.md", "x.md")) == (True, False)
        assert [Topic("new.md", NOW, later(days=7), 2, "d1")] == record.uses.topics()
        assert [Week("new.md", "2026-W10", 1), Week("new.md", "2026-W11", 1)] == record.uses.weeks()
        assert [Feedback("new.md", 1, 0, NOW)] == record.counters.feedback()


def test_a_topic_never_used_can_be_renamed(tmp_path: Path) -> None:
    """A rename to itself or of a topic without a use loses nothing."""
    with opened(tmp_path) as record:
        record.uses.look({"a.md": "d1"}, NOW)
        assert not record.uses.rename_use("a.md", "a.md")
        assert record.uses.rename_use("a.md", "b.md")
        assert [Topic("b.md", NOW, None, 0, "d1")] == record.uses.topics()


@given(st.lists(st.tuples(st.sampled_from(["a.md", "b.md"]), st.integers(0, 5), st.integers(0, 60)), max_size=30))
@settings(max_examples=20, deadline=None)
def test_the_weeks_add_up_to_the_total(tmp_path_factory: object, seen: list[tuple[str, int, int]]) -> None:
    """However uses fall, the weeks of all topics add up to their counts, one for each session, turn and topic."""
    with opened(tmp_path_factory.mktemp("home")) as record:
        for number, (name, turn, day) in enumerate(seen):
            record.uses.tally_batch([use(name, turn, later(days=day))], mark(number))
        distinct = len({(name, turn) for name, turn, _ in seen})
        assert distinct == total(record) == sum(week.count for week in record.uses.weeks())


def test_weeks_are_those_of_iso(tmp_path: Path) -> None:
    """The first days of a year may belong to the last week of the year before."""
    with opened(tmp_path) as record:
        record.uses.tally_batch([use("a.md", 1, datetime(2027, 1, 2, tzinfo=UTC))], mark(1))
        assert [week.week for week in record.uses.weeks()] == ["2026-W53"]


def test_feedback_adds_up(tmp_path: Path) -> None:
    """Words for and against a topic are counted apart."""
    with opened(tmp_path) as record:
        for helpful in (True, False, True):
            record.counters.rate("a.md", helpful, NOW)
        assert [Feedback("a.md", 2, 1, NOW)] == record.counters.feedback()


def test_counters_are_bounded(tmp_path: Path) -> None:
    """Of the keys of one counter the thousand most recent stay."""
    with opened(tmp_path) as record, record.transaction():
        for number in range(1010):
            record.counters.count("routed", f"k{number}", later(seconds=number))
        assert record.counters.count("routed", "k1009", later(hours=1), by=2) == 3
        counts = record.counters.counts("routed")
        assert (1000, Count("routed", "k1009", 3, later(hours=1))) == (len(counts), counts[0])
        assert counts[-1].key == "k10"


def test_signs_of_life_are_kept_for_a_month(tmp_path: Path) -> None:
    """The last sign of each kind, surface and process stays; those of a month ago go."""
    with opened(tmp_path) as record:
        for days, pid in ((0, 1), (20, 2), (25, 2), (31, 3)):
            record.counters.beat(Heartbeat("gateway", Beat.FIRED, pid, later(days=days)))
        assert [(3, later(days=31)), (2, later(days=25))] == [(beat.pid, beat.at) for beat in record.counters.beats()]


def test_a_note_replaces_the_one_before(tmp_path: Path) -> None:
    """A key has one value, the last, and none before the first."""
    with opened(tmp_path) as record:
        assert record.counters.meta("last run") is None
        record.counters.set_meta("last run", "1")
        record.counters.set_meta("last run", "2")
        assert record.counters.meta("last run") == "2"
