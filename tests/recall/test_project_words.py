"""Words of a project that jieba does not know."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory_shaper.recall.find import finder
from memory_shaper.recall.gathered import project_words
from memory_shaper.recall.gathering import gather, settle_words
from memory_shaper.recall.jieba_words import JiebaWords
from memory_shaper.recall.sidecar import Sidecar
from memory_shaper.recall.word_lists import word_lists
from memory_shaper.settings import Home
from recall_tools import JIEBA, ask, sidecar_of, write

NOTES = {"a": "今天用钉钉开会。", "b": "钉钉的消息没有收到。", "c": "部署在服务器上。"}


def holding(sidecar: Sidecar, word: str) -> int:
    """In how many notes a word of the dictionary stands."""
    sidecar.notes.load()
    return sidecar.notes.holding("=" + word)


def settled(sidecar: Sidecar, *by_hand: str, cheaply: bool = False) -> int:
    """Bring all in step; how many notes were cut again."""
    sidecar.refresh()
    gather(sidecar)
    return settle_words(sidecar, by_hand, cheaply).recut


def test_a_word_of_two_notes_is_one_word(tmp_path: Path) -> None:
    """jieba cuts 钉钉 in two; with two notes that hold it, it is one word in notes and questions."""
    with sidecar_of(tmp_path, **NOTES) as sidecar:
        assert list(sidecar.words("钉钉")) == ["钉", "钉"]
        assert settled(sidecar) == 2
        assert list(sidecar.words("钉钉")) == ["钉钉"]
        assert holding(sidecar, "钉钉") == 2 and set(ask(sidecar, "钉钉")) == {"a.md", "b.md"}


def test_a_search_settles_few_notes(tmp_path: Path) -> None:
    """What a search does in passing comes to the same."""
    with sidecar_of(tmp_path, **NOTES) as sidecar:
        assert settled(sidecar, cheaply=True) == 2 and settled(sidecar) == 0
        assert project_words(sidecar.connection) == ("钉钉",)


def test_a_word_of_one_note_is_none(tmp_path: Path) -> None:
    """And it is no longer one when the second note goes."""
    with sidecar_of(tmp_path, **NOTES) as sidecar:
        settled(sidecar)
        (sidecar.memories / "b.md").unlink()
        settled(sidecar)
        assert project_words(sidecar.connection) == () and list(sidecar.words("钉钉")) == ["钉", "钉"]


def test_quoted_words_and_tags_are_words(tmp_path: Path) -> None:
    """A word in quotes or a tag is one though jieba knows its parts."""
    first, second = "《梅花计划》延期了。", "---\ntags: [梅花计划]\n---\n会议。"
    with sidecar_of(tmp_path, a=first, b=second) as sidecar:
        settled(sidecar)
        assert "梅花计划" in sidecar.words("梅花计划延期")


def test_words_kept_by_hand_always_count(tmp_path: Path) -> None:
    """`words.txt` needs no two notes; without it everything is as before."""
    with sidecar_of(tmp_path, a="灵犀平台上线。", c="部署。") as sidecar:
        before = list(sidecar.words("灵犀平台上线"))
        assert settled(sidecar, "灵犀平台") == 1
        assert holding(sidecar, "灵犀平台") == 1 and "灵犀平台" in sidecar.words("灵犀平台上线")
        assert settled(sidecar) == 1
        assert list(sidecar.words("灵犀平台上线")) == before and holding(sidecar, "灵犀平台") == 0


def test_without_the_words_the_same_notes_are_found(tmp_path: Path) -> None:
    """Deleting the dictionary changes how a word is cut and nothing else."""
    questions = ("钉钉 消息", "服务器", "开会")
    with sidecar_of(tmp_path, **NOTES) as sidecar:
        sidecar.refresh()
        before = [ask(sidecar, question) for question in questions]
        settled(sidecar)
        assert [ask(sidecar, question) for question in questions] == before


def test_homes_do_not_share_words() -> None:
    """One dictionary serves two homes, each with its own words."""
    mine, yours = JiebaWords(JIEBA), JiebaWords(JIEBA)
    mine.learn(["灵犀平台"])
    for _ in range(2):
        assert "灵犀平台" in mine("灵犀平台") and "灵犀平台" not in yours("灵犀平台")


def test_another_process_learns_the_words(tmp_path: Path) -> None:
    """What one connection settled, an open one uses from its next search on."""
    with sidecar_of(tmp_path, **NOTES) as other, sidecar_of(tmp_path) as sidecar:
        ask(other, "钉钉")
        settled(sidecar)
        ask(other, "钉钉")
        assert list(other.words("钉钉")) == ["钉钉"]


def test_bad_lines_are_named(tmp_path: Path) -> None:
    """A line that is no Chinese word is left out with its number and the reason."""
    home = Home(tmp_path, "given")
    home.data.mkdir(parents=True)
    (home.data / "words.txt").write_text("# mine\n灵犀平台\nPython\n字\n\n", "utf-8")
    found = word_lists(home)
    assert found.words == ("灵犀平台",) and [fault.line for fault in found.faults] == [3, 4]
    assert found.trouble.startswith("left out: words.txt:3: ") and found.trouble.endswith(" and 1 more")


@pytest.mark.parametrize("data", [b"\xff\xfe", b"\0" * 10, b"x" * 2_000_000])
def test_an_unreadable_list_is_named(tmp_path: Path, data: bytes) -> None:
    """No bytes are an error, and none are taken for an empty list in silence."""
    home = Home(tmp_path, "given")
    home.data.mkdir(parents=True)
    (home.data / "words.txt").write_bytes(data)
    assert word_lists(home).words == () and "words.txt" in word_lists(home).trouble


def test_a_changed_list_is_read_again(tmp_path: Path) -> None:
    """The next question sees it."""
    home = Home(tmp_path, "given")
    write(home.data, "words.txt", "灵犀平台\n")
    assert word_lists(home).words == ("灵犀平台",)
    write(home.data, "words.txt", "灵犀平台\n梅花计划\n")
    with finder(home):
        assert word_lists(home).words == ("灵犀平台", "梅花计划")
