"""The verb `proposals`: what is proposed changes nothing until it is applied, and can be taken back."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_tools import INDEX, Demo, demo
from memory_shaper.record import Proposal
from record_tools import NOW

TEXT = "The staging database runs on port 5433 of the host called otter."
WORDS = ["staging", "database", "port", "otter", "host"]


@pytest.fixture
def home(tmp_path: Path) -> Demo:
    return demo(tmp_path)


def propose(home: Demo, kind: str = "remember", **payload: object) -> int:
    """Store a proposal and return its number."""
    with home.record() as record:
        number = record.proposals.add(Proposal(kind, NOW, "staging.md", "a fact", payload, "tests"))
    assert number
    return number


def remember(home: Demo, **more: object) -> int:
    return propose(home, text=TEXT, topic="staging", keywords=WORDS, **more)


def test_nothing_is_proposed_at_first(home: Demo) -> None:
    """A home without proposals says so, and asking makes no record."""
    said = home.say("proposals")
    assert (said.code, said.out) == (0, "")
    assert "0 proposals" in said.err
    assert not (home.path / "plugin-data").exists()


def test_a_list_and_a_diff_change_nothing(home: Demo) -> None:
    """Listing, showing and a dry run leave every file as it is."""
    number = remember(home)
    before = home.files()
    assert "a fact" in home.say("proposals").out
    assert f"+{TEXT}" in home.say("proposals", str(number)).out
    assert f"+{TEXT}" in home.say("proposals", "--apply", "all", "--dry-run").out
    assert home.files() == before


def test_applying_writes_file_and_line(home: Demo) -> None:
    """An applied fact has its topic file with its type, its line, and is no longer open."""
    remember(home, type="fact", project="otter")
    assert home.say("proposals", "--apply", "1").code == 0
    text = (home.memories / "staging.md").read_text("utf-8")
    assert text == f"---\ntype: fact\nproject: otter\n---\n\n{TEXT}\n"
    assert "staging,database,port,otter,host → staging.md" in home.text()
    assert home.say("proposals").out == ""


def test_what_was_applied_can_be_taken_back(home: Demo) -> None:
    """One undo brings every file back as it was."""
    before = home.files()
    remember(home)
    home.say("proposals", "--apply", "all")
    assert home.say("undo").code == 0
    assert home.files() == before


def test_a_superseded_topic_goes_to_the_archive(home: Demo) -> None:
    """The new topic says whom it replaces, the old one leaves the index word for word, and one undo takes all back."""
    before = home.files()
    remember(home, supersedes=["postgres.md"])
    assert home.say("proposals", "--apply", "1").code == 0
    assert "postgres.md" not in home.text()
    assert (home.archive / "postgres.md").read_text("utf-8") == "# postgres\n"
    assert "supersedes: [postgres.md]" in (home.memories / "staging.md").read_text("utf-8")
    home.say("undo")
    assert {name: data for name, data in home.files().items() if "archived-memories" not in name} == before


def test_an_update_replaces_the_passage(home: Demo) -> None:
    """The old passage is in the history only, and the topic has one answer."""
    (home.memories / "postgres.md").write_text("# postgres\n\nIt listens on 5432.\n", "utf-8")
    propose(home, "update", text="It listens on 5433.", topic="postgres.md", replaces="It listens on 5432.")
    assert home.say("proposals", "--apply", "1").code == 0
    assert (home.memories / "postgres.md").read_text("utf-8") == "# postgres\n\nIt listens on 5433.\n"
    assert "-It listens on 5432." in home.say("diff").out


def test_an_update_of_a_passage_that_is_gone_is_refused(home: Demo) -> None:
    """Nothing changes where the passage no longer stands, and the proposal stays open."""
    propose(home, "update", text="It listens on 5433.", topic="postgres.md", replaces="It listens on 5432.")
    before = home.files()
    said = home.say("proposals", "--apply", "1")
    assert (said.code, home.files()) == (1, before)
    assert "no longer stands" in said.err
    assert home.say("proposals").out


@pytest.mark.parametrize("old", ["deploy.md", "rules.md"])
def test_marked_topics_are_not_superseded(home: Demo, old: str) -> None:
    """A pinned or critical topic keeps its line."""
    remember(home, supersedes=[old])
    said = home.say("proposals", "--apply", "1")
    assert (said.code, home.text()) == (1, INDEX)
    assert "marked" in said.err


def test_a_secret_is_not_applied(home: Demo) -> None:
    """What the guard refuses is refused here too, and nobody repeats it."""
    secret = "ghp_0123456789abcdefghij0123456789abcdef"
    propose(home, text=f"the token is {secret}", topic="ci", keywords=WORDS)
    said = home.say("proposals", "--apply", "all")
    assert said.code == 1
    assert "never stored" in said.err
    assert secret not in said.err + said.out + home.say("proposals", "1").out


def test_one_that_is_refused_does_not_hold_up_the_others(home: Demo) -> None:
    """Of two, the one that can be applied is, and the exit code tells of the other."""
    propose(home, "told-only", passages=["one", "two"])
    remember(home)
    said = home.say("proposals", "--apply", "all", "--json")
    assert said.code == 1
    assert [row["id"] for row in said.json["applied"]] == [2]
    assert [row["id"] for row in said.json["refused"]] == [1]


def test_a_rejected_proposal_is_not_made_again(home: Demo) -> None:
    """Rejecting closes it, and adding the same again gives no number."""
    remember(home)
    assert home.say("proposals", "--reject", "1").code == 0
    with home.record() as record:
        payload = {"text": TEXT, "topic": "staging", "keywords": WORDS}
        assert record.proposals.add(Proposal("remember", NOW, "staging.md", "a fact", payload, "tests")) is None
    assert "rejected" in home.say("proposals", "--every").out


@pytest.mark.parametrize("words", [("9",), ("x",), ("--apply", "9"), ("--reject", "-1")])
def test_a_number_that_is_none_is_refused(home: Demo, words: tuple[str, ...]) -> None:
    """A wrong number changes nothing and is told."""
    remember(home)
    assert home.say("proposals", *words).code in (1, 2)
    assert home.text() == INDEX


def test_room_is_made_for_what_is_applied(tmp_path: Path) -> None:
    """A proposal whose line does not fit is refused with numbers where nothing may go."""
    home = demo(tmp_path)
    (home.path / "config.yaml").write_text("memory:\n  memory_char_limit: 220\n", "utf-8")
    remember(home)
    said = home.say("proposals", "--apply", "1")
    assert (said.code, home.text()) == (1, INDEX)
    assert "220" in said.err
