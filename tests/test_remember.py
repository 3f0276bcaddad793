"""`memory_remember`: a topic file and its line, both or neither, through the checks of any other edit."""

import json
from pathlib import Path
from typing import Any

import pytest
from memory_shaper import edit, tools
from memory_shaper.guard.guard import Guard
from tools import Place, check_clean, findings

TEXT = "Postgres needs a manual vacuum after the nightly import of the warehouse tables."
WORDS = ["postgres", "vacuum", "warehouse", "nightly", "import"]


def remember(place: Place, **args: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(tools.remember_tool(Guard.of(place.home), args))
    return answer


def test_a_new_topic_gets_its_file_and_its_line(home: Place) -> None:
    """One call leaves the text in a file and one line that names it."""
    told = remember(home, text=TEXT, topic="postgres-vacuum", keywords=WORDS)
    assert told["success"] and told["line"] == "postgres,vacuum,warehouse,nightly,import → postgres-vacuum.md"
    assert home.text().endswith("\n§\n" + told["line"])
    assert Path(told["path"]).read_text("utf-8") == TEXT + "\n"


def test_name_and_keywords_are_proposed_from_the_text(home: Place) -> None:
    """Without topic and keywords the index still verifies as clean as before."""
    before = [found.key for found in findings(home.text())]
    assert remember(home, text=TEXT)["success"]
    assert [found.key for found in findings(home.text())] == before


def test_chinese_text_gets_keywords(home: Place) -> None:
    """A text without a blank in it gives keywords too."""
    told = remember(
        home, text="雾凇拼音的词库每周五晚上自动同步到家里的服务器，出错时先检查部署日志。", topic="雾凇拼音"
    )
    assert told["success"] and told["topic"] == "雾凇拼音.md"


def test_the_same_text_again_changes_nothing(home: Place) -> None:
    """Remembering twice is remembering once."""
    remember(home, text=TEXT, topic="postgres-vacuum", keywords=WORDS)
    before = home.text()
    told = remember(home, text=TEXT, topic="postgres-vacuum", keywords=WORDS)
    assert told["success"] and not told["created"] and home.text() == before


def test_a_known_topic_grows(home: Place) -> None:
    """The same topic again appends to its file and widens its line, which stays one."""
    told = remember(home, text="Use ruff format before every commit.", topic="python-env.md", keywords=["formatting"])
    assert told["line"].endswith(",formatting → python-env.md")
    assert (home.memories / "python-env.md").read_text("utf-8").startswith("# python-env.md\n\nUse ruff")
    assert home.text().count("python-env.md") == 1


@pytest.mark.parametrize(
    "args",
    [
        {},
        {"text": ""},
        {"text": " \n\t"},
        {"text": "😀👍"},
        {"text": 3},
        {"text": "x", "keywords": 3},
        {"text": "x", "topic": ["a"]},
        {"text": "…"},
    ],
)
def test_what_cannot_be_kept_is_refused(home: Place, args: dict[str, Any]) -> None:
    """A call that lacks what is needed says so and writes nothing."""
    before, topics = home.text(), sorted(home.memories.glob("*.md"))
    told = remember(home, **args)
    assert not told["success"] and told["error"]
    assert home.text() == before and sorted(home.memories.glob("*.md")) == topics


@pytest.mark.parametrize("text", ["用户对花生过敏", "I use vim", "端口是 8080"])
def test_a_short_fact_is_kept(home: Place, text: str) -> None:
    """What is said in a few letters is a fact like any other."""
    told = remember(home, text=text, topic="facts", keywords=["facts", "user", "habits", "ports", "health"])
    assert told["success"] and text in (home.memories / "facts.md").read_text("utf-8")


def test_a_critical_topic_is_left_alone(home: Place) -> None:
    """The file of a `!!` line changes only with the user's word."""
    told = remember(home, text=TEXT, topic="how-to-write-memories", keywords=WORDS)
    assert not told["success"] and "critical" in told["error"]
    assert (home.memories / "how-to-write-memories.md").read_text("utf-8") == "# how-to-write-memories.md\n"


def test_an_empty_memory_becomes_an_index(home: Place) -> None:
    """In an empty home the heading with the routing rule comes with the first line."""
    home.home.index.unlink()
    assert remember(home, text=TEXT, topic="postgres-vacuum", keywords=WORDS)["success"]
    check_clean(home.text())


def test_a_memory_of_prose_is_left_as_it_is(home: Place) -> None:
    """A native memory is not half turned into an index."""
    home.home.index.write_text("The user likes tea.\n§\nThe user lives in Berlin.", "utf-8")
    told = remember(home, text=TEXT, keywords=WORDS)
    assert not told["success"] and "migrate" in told["error"]


def test_the_journal_can_take_it_back(home: Place) -> None:
    """Both files are one change of the journal."""
    remember(home, text=TEXT, topic="postgres-vacuum", keywords=WORDS)
    with edit.open_record(home.home) as record:
        newest = [event for event in record.journal.newest(10) if event.rule == "remember"]
        assert {event.file for event in newest} == {"MEMORY.md", "postgres-vacuum.md"}
        assert len({event.intent for event in newest}) == 1
