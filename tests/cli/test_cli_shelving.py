"""`archive`, `restore`, `list`, `mark` and `add`: files, lines and record change together."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from cli_tools import DEPLOY, HEADING, INDEX, POSTGRES, RIME, demo
from memory_shaper.cli import VERBS
from memory_shaper.record import EventKind, Use

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def test_archive_and_restore_give_back_the_same_bytes(tmp_path: Path) -> None:
    """Line and file go to the archive and come back; a topic keeps its one front matter block."""
    home = demo(tmp_path)
    (home.memories / "rime.md").write_bytes(b"---\ntags: [x]\n---\n# rime\r\n")
    before = home.files()
    for _ in range(2):
        assert home.say("archive", "RIME").code == 0
        assert "rime.md" not in home.text()
        assert home.say("restore", "rime.md").code == 0
    after = home.files()
    assert after.pop("archived memories/archived-memories.md").startswith(b"# Archive")
    assert after == before


def test_the_journal_says_when_and_why(tmp_path: Path) -> None:
    """An archived line has date and reason."""
    home = demo(tmp_path)
    home.say("archive", "rime")
    assert {(event.kind, event.rule) for event in home.events()} == {(EventKind.ARCHIVED, "archive")}
    assert "archived  archive" in home.say("history").out


def test_marked_entries_are_never_archived(tmp_path: Path) -> None:
    """The way out is named."""
    home = demo(tmp_path)
    before = home.files()
    said = home.say("archive", "rime", "deploy")
    assert said.code == 1
    assert "memory-shaper mark deploy.md none" in said.err
    assert home.files() == before


def test_two_generations_of_a_name_are_both_kept_and_asked_for(tmp_path: Path) -> None:
    """Restore asks which one, with both named; --exact answers for the first."""
    home = demo(tmp_path)
    home.say("archive", "rime")
    (home.memories / "rime.md").write_text("second\n")
    home.say("add", RIME)
    home.say("archive", "rime")
    said = home.say("restore", "rime")
    assert said.code == 1
    assert "\n  rime.md, archived " in said.err
    assert "\n  rime-2.md, archived " in said.err
    assert home.say("restore", "rime-2").code == 0
    assert (home.memories / "rime-2.md").read_text() == "second\n"
    assert home.say("restore", "--exact", "rime").code == 0
    assert home.say("verify").code == 0


def test_a_taken_name_is_not_written_over(tmp_path: Path) -> None:
    """A live file in another Unicode form or case keeps its content."""
    home = demo(tmp_path, f"{INDEX}\n§\ncafé,coffee,beans,grinder,espresso → caf\u00e9.md")
    (home.memories / "caf\u00e9.md").write_text("old\n")
    home.say("archive", "café")
    (home.memories / "cafe\u0301.md").write_text("new\n")
    before = home.files()
    said = home.say("restore", "café")
    assert (said.code, home.files()) == (1, before)
    assert "exists in the live folder too" in said.err


@pytest.mark.parametrize("verb", ["archive", "restore", "mark"])
def test_an_unknown_name_changes_nothing(tmp_path: Path, verb: str) -> None:
    """The nearest name is offered."""
    home = demo(tmp_path)
    home.say("archive", "postgres")
    before = home.files()
    said = home.say(
        verb, *(["postgre", "rimee"] if verb == "restore" else ["rimee"]), *(["none"] if verb == "mark" else [])
    )
    assert (said.code, home.files()) == (1, before)
    assert "did you mean" in said.err


def test_marks_are_set_and_cleared(tmp_path: Path) -> None:
    """Only the mark of the line changes."""
    home = demo(tmp_path)
    home.say("mark", "rime", "postgres.md", "critical")
    assert home.text() == INDEX.replace(RIME, f"!!{RIME}").replace(POSTGRES, f"!!{POSTGRES}")
    home.say("mark", "rime", "postgres", "deploy", "none")
    assert home.text() == INDEX.replace(DEPLOY, DEPLOY[1:])
    assert {event.kind for event in home.events()} == {EventKind.MARKED}


def test_a_mark_needs_a_name_and_a_word(tmp_path: Path) -> None:
    """Anything else is a usage error."""
    home = demo(tmp_path)
    assert [home.say("mark", *words).code for words in (["rime"], ["rime", "loud"], ["none"])] == [2, 2, 2]


def test_a_line_is_added_behind_the_others(tmp_path: Path) -> None:
    """A good line for a file that exists."""
    home = demo(tmp_path)
    (home.memories / "tea.md").write_text("tea\n")
    assert home.say("add", "tea,oolong,kettle,brewing,gaiwan → tea.md").code == 0
    assert home.text() == f"{INDEX}\n§\ntea,oolong,kettle,brewing,gaiwan → tea.md"


def test_a_first_line_makes_an_index(tmp_path: Path) -> None:
    """A home without an index gets one with the routing rule."""
    home = demo(tmp_path, None)
    assert home.say("add", RIME).code == 0
    assert "routing table" in home.text()
    assert home.say("verify").code == 0


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("just some prose", "not an entry"),
        ("tea,oolong,kettle,brewing,gaiwan → tea.md", 'topic file "tea.md" does not exist'),
        ("Tea,oolong,kettle,brewing,gaiwan → tea2.md", "not in lower case"),
        (RIME, "has an entry already"),
        ("a,b,c,d,e → rime.md\nf,g,h,i,j → deploy.md", "not an entry"),
    ],
)
def test_a_bad_line_is_refused_with_its_reason(tmp_path: Path, line: str, words: str) -> None:
    """Nothing is written."""
    home = demo(tmp_path)
    (home.memories / "tea2.md").write_text("tea\n")
    said = home.say("add", line)
    assert (said.code, home.text()) == (1, INDEX)
    assert words in said.err


def test_no_room_is_told_in_numbers_with_the_least_read(tmp_path: Path) -> None:
    """The characters to free, and the unmarked lines by their use with their sizes."""
    home = demo(tmp_path)
    (home.path / "config.yaml").write_text("memory:\n  memory_char_limit: 240\n")
    (home.memories / "tea.md").write_text("tea\n")
    home.use(Use("postgres.md", NOW, "s", "1"))
    said = home.say("add", "tea,oolong,kettle,brewing,gaiwan → tea.md")
    assert (said.code, home.text()) == (1, INDEX)
    assert "264 of 240 characters (cap: config), it has 220; free 24 first" in said.err
    assert said.err.index(RIME) < said.err.index(POSTGRES)


def test_the_list_knows_uses(tmp_path: Path) -> None:
    """--recent puts the last read first; JSON has the documented fields and UTC."""
    home = demo(tmp_path)
    home.use(Use("rime.md", NOW, "s", "1"), Use("rime.md", NOW, "s", "2"))
    data = home.say("list", "--recent", "--json").json
    assert list(data) == [name for name, _ in VERBS["list"].fields]
    assert [entry["target"] for entry in data["entries"]] == ["rime.md", "rules.md", "deploy.md", "postgres.md"]
    assert (data["entries"][0]["uses"], data["entries"][0]["last_read"]) == (2, "2026-03-02T12:00:00.000000Z")
    assert home.say("list", "--archive").err.endswith("0 entries\n")


def test_every_changing_verb_can_be_tried(tmp_path: Path) -> None:
    """With --dry-run nothing below the home changes."""
    home = demo(tmp_path)
    home.say("archive", "postgres")
    (home.memories / "tea.md").write_text("tea\n")
    before = {path: path.stat().st_mtime_ns for path in home.memories.rglob("*.md")}
    calls = (["archive", "rime"], ["restore", "postgres"], ["mark", "rime", "pinned"], ["undo"],
             ["fix", "--heading", "full"], ["add", "tea,oolong,kettle,brewing,gaiwan → tea.md"])  # fmt: skip
    for words in calls:
        said = home.say(*words, "--dry-run")
        assert (said.code, said.out != "", "nothing was changed" in said.err) == (0, True, True)
    assert {path: path.stat().st_mtime_ns for path in home.memories.rglob("*.md")} == before
    assert HEADING in home.text()


def test_a_live_name_has_nothing_to_restore(tmp_path: Path) -> None:
    """It is said that the name is in the index, and no other name is offered."""
    home = demo(tmp_path)
    home.say("archive", "postgres")
    said = home.say("restore", "rime")
    assert (
        said.code == 1
        and said.err == "rime.md is in the index already, not in the archive; there is nothing to restore\n"
    )
