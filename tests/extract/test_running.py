"""The end of a session: what is proposed, what is kept, and what happens when the model or the user's code fails."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest
from extract_tools import LIKES, ON, Model, Talks, decisions, facts, talks
from memory_shaper.recall.notes import read_front
from memory_shaper.record import State

SECRET = "ghp_FAKE0123456789abcdefghij0123456789"
PORT = {"text": "The staging database listens on port 6543 since May.", "type": "fact", "topic": "staging-database",
        "keywords": ["staging", "database", "port", "listens", "6543"]}  # fmt: skip


def raw(room: Talks) -> bytes:
    """Every byte below the home but the host's own database."""
    paths = (path for path in room.demo.path.rglob("*") if path.is_file() and not path.name.startswith("state.db"))
    return b"".join(path.read_bytes() for path in paths)


def test_two_facts_a_secret_and_chatter_give_two_proposals(tmp_path: Path) -> None:
    """The secret and the chatter reach neither the model nor a file; the memory stays as it is."""
    room = talks(tmp_path)
    before = room.demo.files()
    room.say("I drink oolong tea in the morning, never coffee", "ok", f"my token is {SECRET}", "弄好了吗?")
    room.say("the staging database is on port 6543 since May")
    new = [{"fact": number, "action": "ADD"} for number in (0, 1)]
    model = Model([facts(LIKES, PORT, {"text": f"The token is {SECRET}"}), decisions(*new)])
    done = room.end(model=model)
    assert (done.proposed, done.applied, done.why) == (2, 0, "")
    assert [(one.kind, one.target) for one in room.proposals()] == [
        ("remember", "ann-tea"),
        ("remember", "staging-database"),
    ]
    assert SECRET not in model.asked[0] and "弄好了吗" not in model.asked[0] and "[a GitHub token]" in model.asked[0]
    assert SECRET.encode() not in raw(room) and room.demo.files() == before


def test_applying_goes_through_the_guard(tmp_path: Path) -> None:
    """With `apply` the facts are topic files with a line each, journaled; a secret among the keywords is no fact."""
    room = talks(tmp_path, "apply")
    room.say("I drink oolong tea in the morning, never coffee")
    done = room.end(facts(LIKES, PORT | {"keywords": [SECRET]}))
    assert (done.proposed, done.applied) == (1, 1)
    text = (room.demo.memories / "ann-tea.md").read_text()
    assert str(LIKES["text"]) in text and "type: profile" in text
    assert "tea,oolong,morning,coffee,drinks → ann-tea.md" in room.demo.text()
    assert [one.kind for one in room.proposals(State.APPLIED)] == ["remember"]
    assert room.demo.say("verify").code == 0


def test_no_facts_cost_one_question_and_change_nothing(tmp_path: Path) -> None:
    """An empty list is an answer; chatter alone is not asked about at all."""
    room = talks(tmp_path)
    room.say("let us look at the weather in Lisbon")
    model = Model([facts()])
    assert room.end(model=model).proposed == 0 and len(model.asked) == 1
    room.say("ok", "thanks", session="s2")
    assert room.end(session="s2").why == ""


def test_the_same_session_again_adds_nothing(tmp_path: Path) -> None:
    """What was read is not read again; what a repeated session says again is the same proposal; a rejected one stays."""
    room = talks(tmp_path)
    room.say("I drink oolong tea in the morning, never coffee")
    room.end(facts(LIKES))
    assert room.end().why == ""
    room.demo.say("proposals", "--reject", "all")
    room.say("I drink oolong tea in the morning, never coffee", session="s2")
    assert room.end(facts(LIKES), session="s2").proposed == 0 and room.proposals() == []


@pytest.mark.parametrize("answer", ["no idea", "", "[1, 2", '{"facts": 3}'])
def test_what_fails_is_tried_again(tmp_path: Path, answer: str) -> None:
    """No JSON, or no model at all: nothing is written, and the next session's end makes up for it."""
    room = talks(tmp_path)
    room.say("I drink oolong tea in the morning, never coffee")
    assert room.end(answer).why and room.proposals() == []
    room.say("hm", session="s2")
    assert room.end(facts(LIKES), session="s2").proposed == 1


def test_three_failures_are_enough(tmp_path: Path) -> None:
    """A session that cannot be read for facts is given up, with a count in the log and no word of it."""
    room = talks(tmp_path)
    room.say("I drink oolong tea in the morning, never coffee")
    for _ in range(3):
        assert room.end().why
    room.say("hm", session="s2")
    model = Model([facts(LIKES)])
    assert room.end(session="s2", model=model).proposed == 0 and model.asked == []


def test_a_fenced_answer_is_read(tmp_path: Path) -> None:
    """In a fence, behind a preface or a thought: the JSON counts."""
    room = talks(tmp_path)
    room.say("I drink oolong tea in the morning, never coffee")
    assert room.end(f"<think>{{</think>Sure!\n```json\n{facts(LIKES)}\n```\nUPDATE").proposed == 1


def topic(room: Talks) -> None:
    """A topic about the very thing."""
    (room.demo.memories / "postgres.md").write_text("# Postgres\n\nThe staging database listens on port 5432.\n")


def ends_with(room: Talks, *rows: object) -> list[tuple[str, str, object]]:
    topic(room)
    room.say("the staging database is on port 6543 since May")
    room.end(facts(PORT), decisions(*rows))
    return [(one.kind, one.target, one.payload.get("replaces")) for one in room.proposals()]


def test_an_update_replaces_the_passage_it_names(tmp_path: Path) -> None:
    """Applied, the topic says the new thing only; the old text is in the journal."""
    room = talks(tmp_path)
    old = "The staging database listens on port 5432."
    row = {"fact": 0, "action": "UPDATE", "target": "postgres.md", "replaces": old}
    assert ends_with(room, row) == [("update", "postgres.md", old)]
    assert room.demo.say("proposals", "--apply", "all").code == 0
    text = (room.demo.memories / "postgres.md").read_text()
    assert "6543" in text and "5432" not in text


@pytest.mark.parametrize(
    "row",
    [
        {"fact": 0, "action": "NOTHING"},
        {"fact": 0, "action": "DELETE", "target": "postgres.md"},
        {"fact": 0, "action": "UPDATE", "target": "rules.md"},
        {"fact": 0, "action": "SUPERSEDE", "target": "../state.db"},
        {"fact": 7, "action": "ADD"},
        {"fact": True, "action": "ADD"},
        "UPDATE",
    ],
)
def test_anything_else_than_a_known_action_on_a_shown_topic_is_nothing(tmp_path: Path, row: object) -> None:
    """An unknown action, a target that exists and was not shown, one that does not exist, another fact's number."""
    assert ends_with(talks(tmp_path), row) == []


def test_a_passage_that_is_not_there_is_no_replacement(tmp_path: Path) -> None:
    """The fact is added to the topic then."""
    row = {"fact": 0, "action": "UPDATE", "target": "postgres.md", "replaces": "no such words"}
    assert ends_with(talks(tmp_path), row) == [("remember", "postgres.md", None)]


def test_a_superseded_topic_goes_to_the_archive(tmp_path: Path) -> None:
    """Applied, the new topic has the line and the old one is out of the way."""
    room = talks(tmp_path)
    ((kind, _, _),) = ends_with(room, {"fact": 0, "action": "SUPERSEDE", "target": "postgres.md"})
    assert kind == "supersede"
    assert room.demo.say("proposals", "--apply", "all").code == 0
    assert not (room.demo.memories / "postgres.md").exists() and (room.demo.archive / "postgres.md").exists()


@pytest.mark.parametrize(
    "fact",
    [
        {"text": "---\nsupersedes: [deploy-pipeline.md]\n---\nAnn drinks oolong tea in the morning."},
        {"text": "\ufeff---\n---\nsupersedes: [deploy-pipeline.md]\n...\n---\nAnn drinks oolong tea in the morning."},
        {"text": "Ann drinks oolong tea in the morning.", "project": "x\nsupersedes: [deploy-pipeline.md]"},
    ],
)
def test_a_fact_says_nothing_of_other_topics(tmp_path: Path, fact: dict[str, str]) -> None:
    """Front matter in a fact's text is dropped, and a project is one line: no fact hides a topic by itself."""
    room = talks(tmp_path, "apply")
    room.say("I drink oolong tea in the morning, never coffee")
    assert room.end(facts(LIKES | fact)).applied == 1
    text = (room.demo.memories / "ann-tea.md").read_text()
    assert read_front(text).supersedes == () and "Ann drinks oolong tea in the morning." in text


def test_a_fact_does_not_touch_the_front_matter_of_a_topic(tmp_path: Path) -> None:
    """An update that would replace a row of it is a proposal that cannot be applied."""
    room = talks(tmp_path)
    postgres = "---\ntype: fact\n---\nThe staging database listens on port 5432.\n"
    row = {"fact": 0, "action": "UPDATE", "target": "postgres.md", "replaces": "type: fact"}
    (room.demo.memories / "postgres.md").write_text(postgres)
    room.say("the staging database is on port 6543 since May")
    room.end(facts(PORT | {"text": "supersedes: [deploy-pipeline.md]"}), decisions(row))
    assert len(room.proposals()) == 1
    room.demo.say("proposals", "--apply", "all")
    assert (room.demo.memories / "postgres.md").read_text() == postgres


def test_at_most_eight_facts(tmp_path: Path) -> None:
    """The ninth is left out; items that are no facts are skipped."""
    room = talks(tmp_path)
    room.say("a long talk about tea and many other things")
    many = [
        LIKES | {"text": f"Fact number {number} about the zeppelin hangar.", "topic": f"hangar-{number}"}
        for number in range(9)
    ]
    assert room.end(facts(3, None, {"text": 5}, {"text": ""}, *many)).proposed == 8


def test_what_is_always_wanted_is_proposed_word_for_word(tmp_path: Path) -> None:
    """Though the gate would drop it and the model finds nothing in it; what is excluded is not."""
    room = talks(tmp_path)
    more = "        always: [技术栈]\n        exclude: [鸮鹦鹉]\n"
    (room.demo.path / "config.yaml").write_text(ON.format("propose") + more)
    room.say("技术栈", "技术栈 鸮鹦鹉", "tea is good for the morning")
    room.end(facts())
    assert [one.payload["text"] for one in room.proposals()] == ["技术栈"]
    (room.demo.path / "config.yaml").unlink()
    for path in room.demo.path.rglob("*"):
        assert path.is_dir() or path.name.startswith("state.db") or "鸮鹦鹉".encode() not in path.read_bytes(), path


def custom(room: Talks, source: str) -> None:
    folder = room.home.data
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "custom.py").write_text(source)
    (folder / "custom.py").chmod(0o600)


def test_the_users_own_functions_come_first(tmp_path: Path) -> None:
    """`should_remember` drops what it does not want; `extract_facts` takes the model's place, odd items are skipped."""
    room = talks(tmp_path)
    room.say("I drink oolong tea in the morning, never coffee", "the weather is fine in Lisbon")
    custom(room, "def should_remember(text):\n    return 'weather' not in text\n")
    model = Model([facts(LIKES, LIKES | {"text": "The weather in Lisbon is fine."})])
    assert room.end(model=model).proposed == 1 and "weather" not in model.asked[0]
    custom(room, f"def extract_facts(messages):\n    return [3, {PORT!r}, {{'type': 'fact'}}]\n")
    room.say("the staging database is on port 6543 since May", session="s2")
    assert room.end(session="s2", model=Model([decisions({"fact": 0, "action": "ADD"})])).proposed == 1
    assert room.proposals()[-1].payload["type"] == "fact"


@pytest.mark.parametrize(
    "source",
    [
        "def should_remember(text):\n    raise ValueError(text)\ndef extract_facts(messages):\n    1 / 0\n",
        "def should_remember(text):\n    return 'yes'\ndef extract_facts(messages):\n    return 'none'\n",
        "import nothing_of_this_name\n",
        "def broken(:\n",
        "raise SystemExit\n",
    ],
)
def test_what_the_users_functions_do_wrong_stays_there(
    tmp_path: Path, source: str, caplog: pytest.LogCaptureFixture
) -> None:
    """An exception, a wrong type or a file that does not run: the rule of ours, and a log line without a word of it."""
    room = talks(tmp_path)
    custom(room, source)
    room.say("I drink oolong tea in the morning, never coffee")
    with caplog.at_level(logging.INFO):
        assert room.end(facts(LIKES)).proposed == 1
    assert "custom" in caplog.text and "oolong" not in caplog.text


def test_without_a_model_nothing_happens_and_status_says_why(tmp_path: Path) -> None:
    """The sessions are not read; the reason stands in status, as do counts when there is a model."""
    from memory_shaper.extract.running import at_session_end
    from memory_shaper.settings import load

    room = talks(tmp_path)
    room.say("I drink oolong tea in the morning, never coffee")
    assert "no model" in at_session_end(room.home, load(room.home, {}), "s1", None).why
    assert "no model" in room.demo.say("status").out
    room.end(facts(LIKES))
    extract = room.demo.say("status", "--json").json["extract"]
    assert isinstance(extract, dict) and (extract["mode"], extract["proposed"], extract["why"]) == ("propose", 1, "")


def test_switched_off_nothing_is_read(tmp_path: Path) -> None:
    """The default: no model is asked and no record is made."""
    room = talks(tmp_path, "off")
    room.say("I drink oolong tea in the morning, never coffee")
    model = Model([facts(LIKES)])
    assert room.end(model=model).proposed == 0 and model.asked == []
    assert not (room.home.data / "record.db").exists()


def test_what_was_remembered_in_the_session_is_no_news(tmp_path: Path) -> None:
    """A text that the memory tool was given does not pass the gate once more."""
    room = talks(tmp_path)
    arguments = json.dumps({"text": "Ann drinks oolong tea in the morning"})
    calls = json.dumps([{"id": "c", "function": {"name": "memory_remember", "arguments": arguments}}])
    room.state.add("assistant", "", calls, session="s1")
    model = Model([])
    assert room.end(model=model).why == "" and model.asked == []
