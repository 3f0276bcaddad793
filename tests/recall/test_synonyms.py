"""Synonyms kept by hand: in search, in routing, and what is said about broken rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.model import Entry
from memory_shaper.recall.expansion import said
from memory_shaper.recall.matching import How
from memory_shaper.recall.route import LEAST, route
from memory_shaper.recall.synonyms import BadRow, Synonyms, read_rows
from widening_tools import House, house

TABLE = "# mine\nsetup, install, 安装\nfans, thermal, cooling\n"
NOTES = {"setup": "The setup takes an hour.", "inst": "Install the package with apt.", "zh": "安装需要一个小时。"}
HW = Entry("", ("thermal", "cooling", "noise", "heat", "laptop"), "hw.md")
JAVA = Entry("", ("java", "jvm", "heap", "gc", "jmx"), "java.md")
JS = Entry("", ("javascript", "npm", "vite", "node", "lint"), "js.md")


@pytest.fixture
def place(tmp_path: Path):
    """A home with a table of synonyms."""
    with house(tmp_path, **NOTES) as made:
        made.keep("synonyms.txt", TABLE)
        yield made


@pytest.mark.parametrize(
    ("question", "first"), [("setup", "setup"), ("install", "inst"), ("安装", "zh"), ("how are installs done", "inst")]
)
def test_both_directions(place: House, question: str, first: str) -> None:
    """Every word of a row finds the notes with the others, behind the notes with itself."""
    found = place.names(question)
    assert found[0] == first and set(found) == {"setup", "inst", "zh"}


def test_it_is_shown_which_word_led_there(place: House) -> None:
    """A hit by a synonym names it and the word that it stands for, and scores less than a hit by the word."""
    hits = place.find("setup").hits
    assert [str(word) for one in hits[1:] for word in one.via] != []
    assert {str(word) for one in hits[1:] for word in one.via} == {
        "install (synonym of setup)",
        "安装 (synonym of setup)",
    }
    assert [one.total for one in hits] == sorted((one.total for one in hits), reverse=True)


def test_a_question_without_them_is_answered_as_before(place: House) -> None:
    """A table changes nothing for questions that hold none of its words."""
    with_table = place.find("package hour")
    (place.home.data / "synonyms.txt").unlink()
    assert place.find("package hour") == with_table


def test_they_push_no_note_down(place: House) -> None:
    """The notes with the word itself stay in their order, with their scores."""
    wide = place.find("setup").hits
    (place.home.data / "synonyms.txt").unlink()
    bare = place.find("setup").hits
    assert wide[: len(bare)] == bare


def test_the_last_place_is_theirs(place: House) -> None:
    """Where a question finds enough, one place is kept for a note by a synonym."""
    for number in range(8):
        place.write(f"n{number}", f"The setup number {number} is done.")
    assert len(place.names("setup", limit=5)) == 5 and place.names("setup", limit=5)[-1] in ("inst", "zh")
    assert place.names("setup", limit=1) != ["inst"]


def test_a_broken_row_is_skipped_and_named(place: House) -> None:
    """The other rows work, and the answer says which line does not."""
    place.keep("synonyms.txt", "lonely\n" + TABLE)
    found = place.find("setup")
    assert len(found.hits) == 3 and found.degraded.startswith("left out: synonyms.txt:1: ")


@pytest.mark.parametrize(
    "row",
    [
        "one",
        "a,",
        ",,",
        "the, of",
        "deploy, deploys",
        "x" * 65 + ", y",
        "a\tb, c",
        ", ".join(f"w{i}" for i in range(33)),
    ],
)
def test_what_is_no_row(row: str) -> None:
    """Fewer than two words, words that say nothing, the same word twice, and what is too long."""
    rows, bad = read_rows(f"a1, b1\n{row}\n")
    assert rows == [("a1", "b1")] and [one.line for one in bad] == [2]


@given(st.text())
def test_every_text_is_a_table(text: str) -> None:
    """No text is an error, every row is either read or named."""
    rows, bad = read_rows(text)
    assert all(len(row) > 1 for row in rows) and all(isinstance(one, BadRow) and one.why for one in bad)
    assert list(Synonyms(rows).heard(said(text))) is not None


def test_fans_reach_thermal_only_by_a_row() -> None:
    """No line holds the word; a row of the table leads to it surely, is marked as such, and is worth less."""
    question = "the fans never stop"
    assert route(question, [HW]) == []
    found = route(question, [HW, JAVA], synonyms=Synonyms([("fans", "thermal", "cooling")]))
    assert [one.entry.target for one in found] == ["hw.md"] and found[0].confidence >= LEAST
    assert {match.how for match in found[0].matches} == {How.SYNONYM}
    assert 'thermal ("fans", synonym)' in found[0].why
    assert found[0].score < route("thermal never stops", [HW, JAVA])[0].score


def test_java_script_is_javascript() -> None:
    """Two words that are one keyword lead to its line and not to that of the first word."""
    assert route("the java script build with vite fails", [JAVA, JS])[0].entry.target == "js.md"


def test_phrases_and_parts_of_runs() -> None:
    """A term may be several words, or stand inside a run of Chinese; a part of a word is none."""
    table = Synonyms([("set up", "install"), ("安装", "install")])
    assert [heard.words for heard in table.heard(said("how to set up it"))] == ["set up"]
    assert [heard.words for heard in table.heard(said("怎么安装它"))] == ["安装"]
    assert list(table.heard(said("the setupper"))) == []
