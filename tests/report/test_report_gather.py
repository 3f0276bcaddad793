"""What the report says is what the parts say that it asks: size, uses, routes, journal, watchdog."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from cli_tools import CRITICAL, DEPLOY, HEADING, Demo, demo
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper import host
from memory_shaper.errors import MemoryShaperError, Missing
from memory_shaper.record import Event, EventKind, Use
from memory_shaper.report.data import data
from memory_shaper.report.facts import Report
from memory_shaper.report.lines import _shares
from report_tools import NOW, facts, lived_in, user_at


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return lived_in(tmp_path_factory.mktemp("gather"))


@pytest.fixture(scope="module")
def report(home: Demo) -> Report:
    return facts(home)


@given(st.text(alphabet="#a,1→ §\n.md!", max_size=80))
def test_the_parts_of_the_bar_add_up(text: str) -> None:
    """Heading, lines, other text and joins are together as large as the host says."""
    assert sum(share.chars for share in _shares(text)) == host.size(text)


def test_the_budget_is_the_hosts(home: Demo, report: Report) -> None:
    """Size and cap are those of status."""
    said = home.say("status", "--json").json
    assert (report.budget.chars, report.budget.cap) == (said["chars"], said["cap"])


def test_uses_by_week_add_up(report: Report) -> None:
    """Reads of the last weeks are no more than all reads, and the pinned deploy line was read most."""
    assert all(sum(line.used.weeks) <= line.used.uses for line in report.lines)
    most = max(report.lines, key=lambda line: line.used.uses)
    assert (most.target, len(most.used.weeks)) == ("deploy.md", len(report.weeks))
    assert most.used.last_read and NOW - most.used.last_read < timedelta(days=3)


def test_a_line_that_takes_questions_is_found(report: Report) -> None:
    """`ship` of the newer line leads to the older one, which stands further up."""
    (pair,) = (one for one in report.pairs if one.taken)
    assert (pair.owner, pair.taker) == ("release-notes.md", "deploy.md")
    assert "ship" in pair.taken


def test_questions_are_counted_without_their_words(report: Report) -> None:
    """How many no line matched, by week; their texts are empty."""
    known = report.questions
    assert (sum(week.asked for week in known.weeks), sum(week.missed for week in known.weeks)) == (
        known.asked, known.missed,
    )  # fmt: skip
    assert 0 < known.missed < known.asked and {one.text for one in known.newest} == {""}


def test_the_journal_by_kind_and_day(home: Demo, report: Report) -> None:
    """Counts by kind are those of the journal, and no event tells more than a rule and counts."""
    with home.record() as record:
        blocked = record.journal.since(0, 1000, kind=EventKind.BLOCKED)
    row = next(kind for kind in report.journal.kinds if kind.kind == "blocked")
    assert (row.total, sum(row.days)) == (len(blocked), len(blocked))
    assert report.journal.total >= len(report.journal.events)


def test_what_would_go_next_is_what_maintain_says(home: Demo, report: Report) -> None:
    """The watchdog's part agrees with its own report."""
    said = home.say("maintain", "--report").out
    following = said.partition("would go next")[2].splitlines()[1 : len(report.upkeep.next) + 1]
    assert report.upkeep.next and [line.split(":")[0].strip() for line in following] == list(report.upkeep.next)
    assert report.upkeep.last_run == NOW


def test_nothing_of_the_home_changes(home: Demo) -> None:
    """Gathering counts on a copy of the record."""
    before = {path: path.read_bytes() for path in home.path.rglob("*") if path.is_file()}
    facts(home, with_content=True)
    assert before == {path: path.read_bytes() for path in home.path.rglob("*") if path.is_file()}


def test_paths_are_shown_from_the_users_folder(tmp_path: Path) -> None:
    """A home below the user's own folder is `~/…`, in the data too."""
    with user_at(tmp_path):
        report = facts(lived_in(tmp_path))
    assert report.home == "~/.hermes"
    assert str(tmp_path) not in json.dumps(data(report))


def test_a_fresh_home_has_a_report(tmp_path: Path) -> None:
    """Without record, sessions and archive every part says so, and no record is made."""
    home = demo(tmp_path)
    report = facts(home)
    assert (report.journal.total, report.questions.asked, report.archive) == (0, 0, ())
    assert not (home.path / "plugin-data").exists()


def test_a_prose_memory_has_a_report(tmp_path: Path) -> None:
    """A file that was never made an index has a size and no lines."""
    report = facts(demo(tmp_path, "likes tea\n§\nlives in Bern"))
    assert (report.budget.chars, report.lines) == (26 - 1, ())


def test_no_memory_is_an_error(tmp_path: Path) -> None:
    """A home without a memories folder is named, never reported as empty."""
    with pytest.raises(Missing):
        facts(Demo(tmp_path))


def test_an_unreadable_record_is_an_error(tmp_path: Path) -> None:
    """A damaged record stops the report."""
    home = demo(tmp_path)
    (home.path / "plugin-data" / "memory-shaper").mkdir(parents=True)
    (home.path / "plugin-data" / "memory-shaper" / "record.db").write_bytes(b"no database" * 100)
    with pytest.raises(MemoryShaperError, match=r"record\.db"):
        facts(home)


def test_a_secret_in_a_question_is_masked(tmp_path: Path) -> None:
    """With contents a key in a question is named, not repeated, in the data as well."""
    home = lived_in(tmp_path)
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(home.path / "state.db")) as database, database:
        text = "is the zebra token ghp_0123456789abcdefghij0123456789abcdef still valid?"
        database.execute(
            "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('x', 'user', ?, ?)",
            (text, NOW.timestamp() - 60),
        )
    said = json.dumps(data(facts(home, with_content=True)))
    assert "zebra" in said and "ghp_" not in said


def test_two_spellings_of_a_name_add_up(tmp_path: Path) -> None:
    """Uses of `Deploy.md` count for the line of `deploy.md`."""
    home = demo(tmp_path, "\n§\n".join([HEADING, CRITICAL, DEPLOY]))
    home.use(Use("deploy.md", NOW, "s", "1"), Use("Deploy.md", NOW, "s", "2"))
    line = next(line for line in facts(home).lines if line.target == "deploy.md")
    assert (line.used.uses, line.used.weeks[-1]) == (2, 2)


def test_events_outside_of_the_span_are_not_drawn(tmp_path: Path) -> None:
    """An event of last year is in the list and not in the chart."""
    home = demo(tmp_path)
    with home.record() as record:
        record.journal.note(Event(EventKind.BLOCKED, NOW - timedelta(days=300)))
    report = facts(home)
    assert (report.journal.kinds, len(report.journal.events)) == ((), 1)
