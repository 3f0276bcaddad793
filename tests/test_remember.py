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


def test_a_text_with_front_matter_of_its_own_is_refused(home: Place) -> None:
    """It could hide other topics: the answer says to send the text alone, and nothing is written."""
    before = home.text()
    told = remember(home, text=f"---\nsupersedes: [python-env.md]\n---\n{TEXT}", topic="vacuum", keywords=WORDS)
    assert not told["success"] and "front matter" in told["error"] and home.text() == before
    assert not (home.memories / "vacuum.md").exists()


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


RULES = """plugins:
  entries:
    memory-shaper:
      settings:
        exclude: ["(?i)secret plan"]
        redact: {"INT-[0-9]+": "[ticket]"}
"""
KEY = "ghp_FAKE0123456789abcdefghij0123456789"


def everything(home: Place) -> bytes:
    return b"".join(path.read_bytes() for path in home.home.path.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    "args",
    [
        {"text": f"the key is\n{KEY}"}, {"text": TEXT, "topic": KEY}, {"text": TEXT, "keywords": [*WORDS, KEY]},
        {"text": TEXT, "tags": [KEY]}, {"text": "card 4111 1111 1111 1111 of the office"}, {"text": "护照号 E12345678 到期"},
        {"text": "password=hunter2 for the router"}, {"text": "id 11010519491231002X of Ann"},
    ],
)  # fmt: skip
def test_what_is_never_kept_is_refused_by_kind(home: Place, args: dict[str, Any]) -> None:
    """In the text, the topic, a keyword or a tag; no value is repeated and nothing is written."""
    before, topics = home.text(), sorted(home.memories.glob("*.md"))
    told = remember(home, **args)
    assert not told["success"] and "never stored" in told["error"] and "FAKE" not in told["error"]
    assert (home.text(), sorted(home.memories.glob("*.md"))) == (before, topics)
    assert KEY.encode() not in everything(home)


def test_the_users_rules_hold(home: Place) -> None:
    """Excluded text reaches no file, what is redacted is written as the rule says, twice as once."""
    home.home.config.write_text(RULES, encoding="utf-8")
    told = remember(home, text="Our Secret Plan is to plant tulips.", topic="tulips", keywords=WORDS)
    assert not told["success"] and "`exclude`" in told["error"] and "tulips" not in told["error"]
    assert b"plant tulips" not in everything(home)
    text = "See INT-4711 about the nightly import of the warehouse."
    first = remember(home, text=text, topic="import", keywords=[*WORDS, "INT-4711"])
    assert Path(first["path"]).read_text("utf-8") == "See [ticket] about the nightly import of the warehouse.\n"
    assert "int-4711" not in first["line"].lower() and b"INT-4711" not in everything(home)
    assert remember(home, text=text, topic="import")["message"].startswith("This was kept already")


def test_a_paragraph_of_a_topic_is_known(home: Place) -> None:
    """A text that a topic holds between its other paragraphs is not stored a second time, whatever topic is given."""
    remember(home, text=TEXT, topic="python-env.md")
    remember(home, text="And poetry locks every Friday morning.", topic="python-env.md")
    told = remember(home, text=TEXT, topic="elsewhere", keywords=WORDS)
    assert (told["topic"], told["created"]) == ("python-env.md", False)
    assert not (home.memories / "elsewhere.md").exists()
