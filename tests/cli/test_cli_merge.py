"""`merge`: copies of sync services and merge markers."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_tools import CRITICAL, DEPLOY, HEADING, INDEX, POSTGRES, RIME, Demo, demo

COPY = "MEMORY.sync-conflict-20260921-101010-ABCDEFG.md"
TOPIC = "deploy (conflicted copy 2026-09-21).md"


def with_copies(folder: Path) -> Demo:
    """A home with a copy of the index and one of a topic file."""
    home = demo(folder)
    theirs = "\n§\n".join(
        [HEADING, CRITICAL, DEPLOY.replace("release", "release,canary"), RIME, "tea,oolong,kettle,pot,cup → tea.md"]
    )
    (home.memories / COPY).write_text(theirs)
    (home.memories / TOPIC).write_text("# deploy\nmore\n")
    return home


@pytest.mark.parametrize(
    "name",
    [COPY, TOPIC, "deploy_conflict-20260921.md", "deploy 2.md", "MEMORY (Bob's conflicted copy).md"],
)
def test_copies_are_listed_with_what_they_copy(tmp_path: Path, name: str) -> None:
    """Every service's way of naming, told as a copy and never as a topic; once it is gone, nothing is said."""
    home = demo(tmp_path)
    (home.memories / name).write_text("x\n")
    original = "MEMORY.md" if name.startswith("MEMORY") else "deploy.md"
    assert home.say("merge").out.startswith(f'"{name}" is a conflict copy of "{original}"\n')
    assert "warning[conflict-copy]" in home.say("verify").out
    assert "topic-orphan" not in home.say("verify").out
    (home.memories / name).unlink()
    assert home.say("merge").out == ""


def test_an_index_is_merged_entry_by_entry(tmp_path: Path) -> None:
    """All lines of both, the keywords of both, and the copy gone into the journal."""
    home = with_copies(tmp_path)
    theirs = (home.memories / COPY).read_bytes()
    said = home.say("merge", "MEMORY.md")
    assert said.code == 0
    widened = "!deploy,release,pipeline,staging,rollback,canary → deploy.md"
    assert home.text().split("\n§\n") == [
        HEADING,
        CRITICAL,
        widened,
        POSTGRES,
        RIME,
        "tea,oolong,kettle,pot,cup → tea.md",
    ]
    assert "1 entry without a file came with the merge" in said.err
    assert not (home.memories / COPY).exists()
    with home.record() as record:
        removed = next(event for event in home.events() if event.file == COPY)
        assert record.texts.text(removed.before) == theirs


def test_a_merge_can_be_taken_back(tmp_path: Path) -> None:
    """Index and copy are as they were."""
    home = with_copies(tmp_path)
    before = home.files()
    home.say("merge", COPY)
    home.say("undo")
    assert home.files() == before


def test_a_topic_is_compared_and_both_are_kept(tmp_path: Path) -> None:
    """Without a decision nothing changes."""
    home = with_copies(tmp_path)
    before = home.files()
    said = home.say("merge", "deploy.md")
    assert "+more" in said.out
    assert "--take ours|theirs|both" in said.err
    assert home.files() == before


@pytest.mark.parametrize(
    ("take", "text"),
    [
        ("ours", "# deploy\n"),
        ("theirs", "# deploy\nmore\n"),
        ("both", f"# deploy\n\n## From {TOPIC}\n\n# deploy\nmore\n"),
    ],
)
def test_a_topic_is_taken(tmp_path: Path, take: str, text: str) -> None:
    """One of the texts or both; the copy goes."""
    home = with_copies(tmp_path)
    assert home.say("merge", "deploy.md", "--take", take).code == 0
    assert (home.memories / "deploy.md").read_text() == text
    assert not (home.memories / TOPIC).exists()


def test_the_same_text_is_taken_once(tmp_path: Path) -> None:
    """Copies that say what the topic or another copy says add nothing, whatever their line ends."""
    home = demo(tmp_path)
    for day, text in enumerate((b"new\n", b"# deploy\r\n", b"new", b"# deploy\n"), 21):
        (home.memories / f"deploy (conflicted copy 2026-09-{day}).md").write_bytes(text)
    assert home.say("merge", "deploy.md", "--take", "both").code == 0
    expected = "# deploy\n\n## From deploy (conflicted copy 2026-09-21).md\n\nnew\n"
    assert (home.memories / "deploy.md").read_text() == expected
    assert not list(home.memories.glob("*conflicted*"))


def test_merge_markers_are_resolved(tmp_path: Path) -> None:
    """Both sides of a half-done merge, one line a target."""
    other = POSTGRES.replace("vacuum", "replica")
    home = demo(
        tmp_path,
        f"{HEADING}\n{CRITICAL}\n<<<<<<< HEAD\n{POSTGRES}\n=======\n{other}\n{RIME}\n>>>>>>> phone\n{DEPLOY}\n",
    )
    assert home.say("merge", "MEMORY.md").code == 0
    widened = POSTGRES.replace(" → ", ",replica → ")
    assert sorted(home.text().strip().split("\n§\n")) == sorted([HEADING, CRITICAL, widened, RIME, DEPLOY])
    assert home.say("verify").code == 0


def test_a_merge_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    """Numbers, and both files stay."""
    home = with_copies(tmp_path)
    (home.path / "config.yaml").write_text("memory:\n  memory_char_limit: 230\n")
    before = home.files()
    assert home.say("merge", "MEMORY.md").code == 1
    assert home.files() == before


def test_nothing_to_merge_is_said(tmp_path: Path) -> None:
    """An index without copies and a topic without one."""
    home = demo(tmp_path)
    assert home.say("merge", "MEMORY.md").err == "merge: nothing to do\n"
    assert home.say("merge", "deploy.md").err == '"deploy.md" has no conflict copy; see: memory-shaper merge\n'
    assert home.text() == INDEX
