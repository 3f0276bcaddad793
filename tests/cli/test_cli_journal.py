"""`history`, `diff` and `undo`."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_tools import DEPLOY, INDEX, POSTGRES, RIME, Demo, demo
from memory_shaper.cli import VERBS
from memory_shaper.record import Event, EventKind, Limits, Record
from record_tools import NOW

TEA = "tea,oolong,kettle,brewing,gaiwan → tea.md"


def with_tea(folder: Path) -> Demo:
    """A home to which a line was added, event 1."""
    home = demo(folder)
    (home.memories / "tea.md").write_text("tea\n")
    home.say("add", TEA)
    return home


def test_undo_takes_back_the_whole_change(tmp_path: Path) -> None:
    """An archived entry comes back with its file and both indexes; the undo is journaled and names what it undid."""
    home = demo(tmp_path)
    before = home.files()
    home.say("archive", "postgres", "rime")
    assert home.say("undo").code == 0
    assert home.files() == before
    undone = home.events(EventKind.UNDONE)
    assert {event.undo_of for event in undone} == {1}


def test_undo_walks_back_and_an_undo_can_be_undone(tmp_path: Path) -> None:
    """Each undo takes the last change that stands; by its number an undo is taken back itself."""
    home = with_tea(tmp_path)
    after_add = home.text()
    home.say("mark", "tea", "pinned")
    assert home.say("undo").code == 0
    assert home.text() == after_add
    assert home.say("undo").code == 0
    assert home.text() == INDEX
    last = max(event.id for event in home.events(EventKind.UNDONE))
    assert home.say("undo", str(last)).code == 0
    assert home.text() == after_add
    assert home.say("undo").code == 0
    assert home.text() == INDEX


def test_an_undone_change_is_not_undone_again(tmp_path: Path) -> None:
    """The number that brings it back is named; with nothing left, that is said."""
    home = with_tea(tmp_path)
    home.say("undo")
    assert home.say("undo", "1").err.endswith("taken back already by event 2; to bring it back: undo 2\n")
    assert home.say("undo").err.startswith("there is no change left to undo")


def test_a_later_edit_survives_an_undo(tmp_path: Path) -> None:
    """Another line was changed since, by hand: both changes are brought together."""
    home = with_tea(tmp_path)
    home.index.write_text(home.text().replace(RIME, f"!{RIME}"))
    assert home.say("undo", "1").code == 0
    assert home.text() == INDEX.replace(RIME, f"!{RIME}")


def test_an_undo_that_would_lose_an_edit_is_refused(tmp_path: Path) -> None:
    """The same line was changed since: numbers and names, and nothing is written."""
    home = with_tea(tmp_path)
    home.index.write_text(home.text().replace("kettle", "teapot"))
    before = home.files()
    said = home.say("undo", "1")
    assert (said.code, home.files()) == (1, before)
    assert "has changed since in 1 place that this change touched (tea.md)" in said.err


def test_the_first_of_two_archivings_can_be_taken_back(tmp_path: Path) -> None:
    """The archive index that it made stays for what was archived later."""
    home = demo(tmp_path)
    home.say("archive", "postgres")
    home.say("archive", "rime")
    assert home.say("undo", "1").code == 0
    assert home.text() == INDEX.replace(f"\n§\n{RIME}", "")
    assert (home.archive / "archived-memories.md").read_text().endswith(f"in this folder\n§\n{RIME}\n")
    assert home.say("verify", "--strict").code == 0
    assert home.say("undo").code == 0
    assert home.text() == INDEX


def test_a_version_that_is_no_text_is_not_merged(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 are refused where entries would have to be told apart."""
    home = with_tea(tmp_path)
    home.index.write_bytes(home.index.read_bytes() + b"\xff")
    said = home.say("undo", "1")
    assert said.code == 1
    assert "is not UTF-8" in said.err


def test_a_changed_topic_is_not_written_over(tmp_path: Path) -> None:
    """A topic file that was edited after the change keeps the edit."""
    home = demo(tmp_path)
    (home.memories / "deploy (conflicted copy 2026-09-21).md").write_text("theirs\n")
    home.say("merge", "deploy.md", "--take", "theirs")
    (home.memories / "deploy.md").write_text("edited later\n")
    said = home.say("undo")
    assert said.code == 1
    assert "has 13 bytes now and had 7 then" in said.err
    assert (home.memories / "deploy.md").read_text() == "edited later\n"


def test_a_later_edit_is_noted_and_can_be_taken_back_first(tmp_path: Path) -> None:
    """The refusal names the event that the edit is now; undone one after the other nothing is lost."""
    home = demo(tmp_path)
    topic = home.memories / "deploy.md"
    before = topic.read_text()
    (home.memories / "deploy (conflicted copy 2026-09-21).md").write_text("theirs\n")
    home.say("merge", "deploy.md", "--take", "theirs")
    topic.write_text("edited later\n")
    assert "without --dry-run that edit is noted" in home.say("undo", "--dry-run").err
    assert home.say("undo", "1").err.endswith("take it back first: memory-shaper undo 3\n")
    assert home.say("undo", "1").err.endswith("take it back first: memory-shaper undo 3\n")
    assert [home.say("undo", number).code for number in ("3", "1")] == [0, 0]
    assert topic.read_text() == before
    with home.record() as record:
        texts = [record.texts.text(event.before) for event in record.journal.newest(9, "deploy.md") if event.before]
    assert b"edited later\n" in texts


def test_a_moved_file_goes_back_with_its_later_edit(tmp_path: Path) -> None:
    """A topic that was edited in the archive returns as it is."""
    home = demo(tmp_path)
    home.say("archive", "rime")
    (home.archive / "rime.md").write_text("edited\n")
    assert home.say("undo").code == 0
    assert (home.memories / "rime.md").read_text() == "edited\n"


def test_a_name_that_is_taken_again_stops_the_undo(tmp_path: Path) -> None:
    """Neither of two files of one name is lost."""
    home = demo(tmp_path)
    home.say("archive", "rime")
    (home.memories / "rime.md").write_text("another\n")
    before = home.files()
    assert home.say("undo").err.startswith("rime.md exists again")
    assert home.files() == before


def test_history_groups_and_diff_shows(tmp_path: Path) -> None:
    """One line a change, the newest first, with what took it back; diff shows the texts of the last one."""
    home = with_tea(tmp_path)
    home.say("archive", "rime")
    home.say("undo")
    lines = home.say("history").out.splitlines()
    assert [line.split()[0] for line in lines] == ["6", "2", "1"]
    assert lines[1].endswith("taken back by 6")
    assert f"+{TEA}" in home.say("diff", "1").out
    assert "rename" not in home.say("diff").out
    assert home.say("history", "tea.md").out == ""
    assert home.say("history", "-n", "1", str(home.index)).out.startswith("6 ")


def test_a_change_is_one_row_with_one_number(tmp_path: Path) -> None:
    """Row and number are the same however many changes are asked for; of many files the number is told."""
    home = demo(tmp_path)
    home.say("archive", "postgres", "rime")
    home.say("mark", "deploy", "none")
    first = home.say("history").out.splitlines()[-1]
    assert first.startswith("1 ")
    assert " ".join(home.say("history", "-n", "2").out.splitlines()[-1].split()) == " ".join(first.split())
    assert len(home.say("history", "-n", "1").out.splitlines()) == 1
    with home.record() as record:
        assert [len({event.intent for event in group}) for group in record.journal.changes(9)] == [1, 1]


@pytest.mark.parametrize("name", ["rime", "RIME.md"])
def test_history_knows_a_name_without_its_ending(tmp_path: Path, name: str) -> None:
    """A file is named as everywhere, in any case and with or without `.md`."""
    home = demo(tmp_path)
    home.say("archive", "rime")
    assert home.say("history", name).out.startswith("1 ")


def test_history_of_a_name_without_events_says_so(tmp_path: Path) -> None:
    """The journal is not called empty because of one name; a near name is offered."""
    home = demo(tmp_path)
    home.say("archive", "rime")
    assert 'no event of "rimes", did you mean "rime.md"?' in home.say("history", "rimes").err
    assert home.say("history", "zzz").err.endswith('the journal has no event of "zzz"\n')


def test_json_has_the_documented_fields(tmp_path: Path) -> None:
    """Events in UTC with digests."""
    home = with_tea(tmp_path)
    for verb in ("history", "diff"):
        data = home.say(verb, "--json").json
        assert list(data) == [name for name, _ in VERBS[verb].fields]
        assert data["events"][0]["at"].endswith("Z")


@pytest.mark.parametrize("verb", ["undo", "diff"])
@pytest.mark.parametrize("number", ["99", "x", "-1", "0", "٣", "9" * 30])
def test_a_number_that_is_none(tmp_path: Path, verb: str, number: str) -> None:
    """An unknown event is refused in one line."""
    said = with_tea(tmp_path).say(verb, number)
    assert said.code in (1, 2)
    assert said.err.count("\n") == 1


def test_without_a_record_nothing_is_made(tmp_path: Path) -> None:
    """Looking into a journal that is not there is no reason to begin one."""
    home = demo(tmp_path)
    assert [home.say(verb).code for verb in ("history", "diff", "undo", "list", "status")] == [0, 2, 2, 0, 0]
    assert [path.name for path in home.path.iterdir()] == ["memories"]


def test_a_damaged_record_is_not_empty(tmp_path: Path) -> None:
    """Every verb that needs it stops, and no file changes."""
    home = with_tea(tmp_path)
    (home.path / "plugin-data" / "memory-shaper" / "record.db").write_bytes(b"no database")
    before = home.files()
    for words in (["undo"], ["history"], ["mark", "tea", "pinned"], ["archive", "rime"], ["status"]):
        assert home.say(*words).code == 2
    assert home.files() == before


def test_a_text_that_was_dropped_is_said(tmp_path: Path) -> None:
    """An old change whose text the journal no longer holds cannot be shown or taken back."""
    home = with_tea(tmp_path)
    with home.record() as record:
        gone = Event(EventKind.CHANGED, NOW, "rime.md", "0" * 64, record.texts.put(b"# rime\n", NOW), rule="fix")
        record.journal.note(gone)
    assert "no longer kept" in home.say("diff").out
    assert "no longer holds the text" in home.say("undo").err


def test_what_put_damage_right_is_not_undone(tmp_path: Path) -> None:
    """Undoing a restoration would bring the damage back."""
    home = with_tea(tmp_path)
    with home.record() as record:
        record.journal.note(Event(EventKind.RESTORED, NOW, "MEMORY.md", "0" * 64, "1" * 64, rule="entry-lost"))
    assert home.say("undo", "2").err.startswith("event 2 put damage right")
    home.say("undo")
    assert home.text() == INDEX


def test_a_change_cut_short_is_repaired_first(tmp_path: Path) -> None:
    """The intent of a killed process is finished before the next change is planned."""
    home = with_tea(tmp_path)
    with Record.open(home.path / "plugin-data" / "memory-shaper" / "record.db", Limits()) as record:
        from memory_shaper.record import Move, digest_of

        event = Event(EventKind.ARCHIVED, NOW, rule="archive")
        record.intents.begin([Move("tea.md", "archived memories/tea.md", digest_of(b"tea\n"))], [b"tea\n"], event)
    home.say("mark", "rime", "pinned")
    assert (home.archive / "tea.md").read_text() == "tea\n"
    assert DEPLOY in home.text() and POSTGRES in home.text()
