"""`forget`: to the archive on the user's word, and the one true erase with its proof."""

from __future__ import annotations

import sqlite3
import zlib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cli_tools import Demo, demo
from memory_shaper.guard.commands import asks_first
from memory_shaper.purge import carrying
from memory_shaper.record import Proposal, Use
from memory_shaper.record.erasing import Erasing

TEXT = "# Postgres\n\nThe wombat cluster in cellar seven holds the aubergine ledger.\n"
TRACES = ("wombat", "aubergine", "postgres", "vacuum")
NOW = datetime(2026, 11, 30, tzinfo=UTC)


def traces(home: Demo) -> list[str]:
    """Every file below the home, and every text of the record, that holds a trace of the topic."""
    found = []
    for path in sorted(home.path.rglob("*")):
        if path.is_file() and path.name != "state.db":
            data = path.read_bytes().lower()
            found += [f"{path.name}: {trace}" for trace in TRACES if trace.encode() in data]
    database = sqlite3.connect(home.path / "plugin-data" / "memory-shaper" / "record.db")
    rows = {row[0]: row[1:] for row in database.execute("SELECT digest, base, packed FROM texts")}
    database.close()

    def text(digest: str) -> bytes:
        base, packed = rows[digest]
        unpacker = zlib.decompressobj(zdict=text(base)) if base else zlib.decompressobj()
        return unpacker.decompress(packed) + unpacker.flush()

    for digest in rows:
        data = text(digest).lower()
        found += [f"text {digest[:8]}: {trace}" for trace in TRACES if trace.encode() in data]
    return found


@pytest.fixture
def lived_in(tmp_path: Path) -> Demo:
    """A home with a past: the topic was changed, archived, restored, searched, rated, read and proposed about."""
    home = demo(tmp_path)
    (home.memories / "postgres.md").write_text(TEXT, encoding="utf-8")
    for words in (
        ("archive", "postgres.md"),
        ("restore", "postgres.md"),
        ("feedback", "postgres.md", "useful"),
        ("search", "wombat aubergine"),
        ("mark", "deploy.md", "none"),
    ):
        assert home.say(*words).code == 0
    home.use(Use("postgres.md", NOW, "s", "1"))
    with home.record() as record:
        record.counters.count("hot", "vacuum", NOW)
        record.counters.count("hot", "deploy", NOW)
        payload = {"text": "The wombat cluster in cellar seven holds the aubergine ledger."}
        record.proposals.add(Proposal("remember", NOW, target="new.md", payload=payload))
        record.proposals.add(Proposal("remember", NOW, target="rime.md", payload={"text": "tea"}))
    (home.memories / ".mem_killed.tmp").write_text(TEXT)
    return home


def check_gone(home: Demo) -> None:
    """Nothing below the home speaks of the topic, and the rest of the record is whole."""
    assert traces(home) == []
    assert "postgres" not in home.text() and "deploy.md" in home.text()
    with home.record() as record:
        assert [one.target for one in record.proposals.list()] == ["rime.md"]
        assert [topic.name for topic in record.uses.topics()] == [] and record.counters.feedback() == []
        assert [one.key for one in record.counters.counts("hot")] == ["deploy"]
        accepted = record.accepted.of("MEMORY.md")
        assert accepted and record.texts.text(accepted.digest or "") == home.index.read_bytes()
        assert not record.counters.meta("purge")


def test_a_purge_leaves_no_trace(lived_in: Demo) -> None:
    """Index, files, archive, journal, counts, proposals, sidecar and temporary files: none speaks of it any more."""
    assert len(traces(lived_in)) > 10
    said = lived_in.say("forget", "postgres.md", "--purge", "--yes", "--json")
    proof = said.json["proof"]
    assert isinstance(proof, list) and [place for place in proof if not place["clean"]] == []
    assert (said.code, len(proof)) == (0, 7)
    check_gone(lived_in)


def test_an_archived_topic_is_purged_as_well(lived_in: Demo) -> None:
    """It is meant by its name in the archive, and goes with the name it had before."""
    assert lived_in.say("archive", "postgres.md").code == 0
    assert lived_in.say("forget", "postgres", "--purge", "--yes").code == 0
    check_gone(lived_in)
    assert "postgres" not in (lived_in.archive / "archived-memories.md").read_text()


def test_without_yes_nothing_is_erased(lived_in: Demo) -> None:
    """The files are named, and how to do it is said; `--dry-run` does nothing either."""
    before = lived_in.files()
    for words in (("--purge",), ("--purge", "--yes", "--dry-run")):
        said = lived_in.say("forget", "postgres.md", *words)
        assert said.code == 0 and "would be erased: postgres.md" in said.out
        assert "forget postgres.md --purge --yes" in said.err
    assert lived_in.files() == before


def test_what_is_not_ours_is_named(lived_in: Demo) -> None:
    """Another file that holds a sentence of the topic stays and is named; the exit code says so."""
    (lived_in.memories / "letters.md").write_text(f"quoted:\n{TEXT}")
    said = lived_in.say("forget", "postgres.md", "--purge", "--yes")
    assert said.code == 1 and "LEFT" in said.out and "letters.md" in said.out
    assert (lived_in.memories / "letters.md").exists()


@pytest.mark.parametrize("step", ["erase", "compact", "_drop_sidecar", "_take_away"])
def test_a_killed_purge_is_finished_by_the_next_change(
    lived_in: Demo, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Whatever step it died in: what is left in the record gives no text away, and the next change ends it."""

    class Killed(BaseException):
        """The process is gone."""

    def die(*_: object) -> None:
        raise Killed

    owner = Erasing if step in ("erase", "compact") else carrying
    with monkeypatch.context() as patch:
        patch.setattr(owner, step, die)
        with pytest.raises(Killed):
            lived_in.say("forget", "postgres.md", "--purge", "--yes")
    with lived_in.record() as record:
        note = record.counters.meta("purge") or ""
        assert note and "wombat" not in note
    assert lived_in.say("mark", "rime.md", "pinned").code == 0
    check_gone(lived_in)


def test_a_marked_topic_is_not_forgotten(lived_in: Demo) -> None:
    """Neither to the archive nor for good, before its mark is cleared."""
    for words in (("--yes",), ("--purge", "--yes")):
        said = lived_in.say("forget", "rules.md", *words)
        assert said.code == 1 and "memory-shaper mark rules.md none" in said.err


def test_a_word_shows_what_it_matches_and_moves_it_on_yes(lived_in: Demo) -> None:
    """By keyword, by the text of a file where no line has it, and not without the word `--yes`; undo brings it back."""
    before = lived_in.files()
    shown = lived_in.say("forget", "aubergine")
    assert (shown.code, lived_in.files()) == (0, before)
    assert "postgres.md: line 3 of its file" in shown.out and "forget aubergine --yes" in shown.err
    assert "sql" in lived_in.say("forget", "vacuum").out
    assert lived_in.say("forget", "vacuum", "--yes").code == 0
    assert (lived_in.archive / "postgres.md").read_text() == TEXT
    assert lived_in.say("undo").code == 0
    assert (lived_in.memories / "postgres.md").read_text() == TEXT
    assert lived_in.say("forget", "zebra").code == 1


def test_a_word_of_several_topics_moves_none_without_all(lived_in: Demo) -> None:
    """A word such as "the" stands in many texts: the topics are named, and only `--all` means every one of them."""
    for name in ("rime.md", "postgres.md"):
        (lived_in.memories / name).write_text("The other thing.\n")
    before = lived_in.files()
    assert "--all --yes" in lived_in.say("forget", "the").err
    said = lived_in.say("forget", "the", "--yes")
    assert (said.code, lived_in.files()) == (1, before) and "rime.md: line 1" in said.err and "--all" in said.err
    assert lived_in.say("forget", "the", "--yes", "--all").code == 0
    assert {"rime.md", "postgres.md"} <= {path.name for path in lived_in.archive.iterdir()}


def test_agents_need_the_users_word() -> None:
    """The command is one that an agent may run only with the human's word."""
    assert asks_first([["memory-shaper", "forget", "nas.md", "--purge", "--yes"]])
    assert asks_first([["hermes", "memory-shaper", "forget", "nas.md", "--yes"]])


@pytest.mark.parametrize("ending", ["zip", "tar.gz"])
def test_backups_of_ours_are_purged_as_well(lived_in: Demo, tmp_path: Path, ending: str) -> None:
    """The archive is written anew without the topic, its record too; what is left of it can be restored."""
    path = tmp_path / f"backup.{ending}"
    assert lived_in.say("backup", str(path)).code == 0
    said = lived_in.say("forget", "postgres.md", "--purge", "--yes", "--json")
    assert said.code == 0, said.out
    assert {"place": f"the backup backup.{ending}", "clean": True, "note": ""} in said.json["proof"]
    check_gone(lived_in)
    again = Demo(tmp_path / "again")
    again.memories.mkdir(parents=True)
    assert again.say("restore-backup", str(path)).code == 0
    assert traces(again) == []
    assert (again.memories / "deploy.md").exists()
