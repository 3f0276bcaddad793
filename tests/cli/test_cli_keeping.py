"""Types, projects, succession and age at the terminal: what is kept, found, hidden and archived."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_tools import Demo, demo
from recall_tools import age, write

DAY = 86_400


@pytest.fixture
def home(tmp_path: Path) -> Demo:
    return demo(tmp_path)


def names(home: Demo, *words: str) -> list[str]:
    """The names of the notes that a search finds."""
    return sorted(hit["name"] for hit in home.say("search", *words, "--json").json["hits"])


def keep(home: Demo, text: str, topic: str, *words: str) -> None:
    keywords = ",".join(f"{topic}{number}" for number in range(5))
    said = home.say("remember", text, "--topic", topic, "--keywords", keywords, *words)
    assert said.code == 0, said.err


def test_a_correction_leaves_one_answer(home: Demo) -> None:
    """After a correction the new text alone is found; the old one is in the archive and in the history."""
    keep(home, "The router of device A is X.", "router")
    keep(home, "Correction: the router of device A is Y.", "router-new", "--supersedes", "router")
    assert names(home, "router device") == ["router-new.md"]
    assert names(home, "router device", "--expired") == ["archived memories/router.md", "router-new.md"]
    assert "router.md" not in home.text().split("\n§\n")[-1]
    assert home.say("undo").code == 0
    assert names(home, "router device") == ["router.md"]


def test_a_correction_inside_a_topic_leaves_one_answer(home: Demo) -> None:
    """A passage that corrects another is proposed to replace it; applied, the old one is in the history only."""
    keep(home, "Device A is X.", "nas")
    keep(home, "Correction: device A is Y.", "nas")
    home.say("maintain")
    assert "nas.md corrects itself" in home.say("proposals").out
    assert home.say("proposals", "--apply", "all").code == 0
    assert (home.memories / "nas.md").read_text("utf-8") == "Correction: device A is Y.\n"
    assert "-Device A is X." in home.say("diff").out


def test_what_changed_when(home: Demo) -> None:
    """A timeline names what replaced a note and what a note replaces, the newest first."""
    write(home.memories, "old.md", "---\ncreated: 2025-01-01\n---\nredis holds sessions")
    write(home.memories, "new.md", "---\ncreated: 2026-02-01\nsupersedes: [old.md]\n---\nredis holds carts")
    events = home.say("timeline", "Redis", "--json").json["events"]
    assert [(event["name"], event["replaces"], event["replaced_by"]) for event in events] == [
        ("new.md", ["old.md"], []), ("old.md", [], ["new.md"]),
    ]  # fmt: skip
    out = home.say("timeline", "redis").out
    assert "new.md (replaces old.md)" in out and "old.md (replaced by new.md)" in out


def test_what_held_on_a_day(home: Demo) -> None:
    """Search and route answer as of a day, and a day that is none is told."""
    write(home.memories, "deploy.md", "---\ncreated: 2025-01-01\ninvalid_at: 2025-06-01\n---\nthe release pipeline")
    write(home.memories, "postgres.md", "---\ncreated: 2026-01-01\n---\nthe release of sql")
    assert names(home, "release", "--as-of", "2025-03-01") == ["deploy.md"]
    assert names(home, "release", "--as-of", "2026-03-01") == ["postgres.md"]
    assert "deploy.md" in home.say("route", "release pipeline", "--as-of", "2025-03-01").out
    assert "deploy.md" not in home.say("route", "release pipeline").out
    assert home.say("search", "release", "--as-of", "spring").code == 2


def test_inside_a_project_the_other_is_never_shown(home: Demo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The folder of the terminal tells the project; search and route keep the other's stack away unless asked."""
    keep(home, "The stack is django and redis.", "alpha", "--type", "project", "--project", "alpha")
    keep(home, "The stack is rails and mysql.", "beta", "--type", "project", "--project", "beta")
    folder = tmp_path / "src" / "alpha" / "lib"
    folder.mkdir(parents=True)
    assert names(home, "stack") == ["alpha.md", "beta.md"]
    monkeypatch.chdir(folder)
    assert names(home, "stack") == ["alpha.md"]
    assert "beta.md" not in home.say("route", "beta1 beta2").out
    assert names(home, "stack", "--project", "all") == ["alpha.md", "beta.md"]
    assert names(home, "stack", "--project", "beta") == ["beta.md"]


def test_a_type_is_written_into_the_topic(home: Demo) -> None:
    """A fact has its type in the front matter, and no end."""
    keep(home, "Acme was founded in 1998.", "acme", "--type", "fact")
    assert (home.memories / "acme.md").read_text("utf-8") == "---\ntype: fact\n---\n\nAcme was founded in 1998.\n"
    assert home.say("remember", "x", "--type", "nonsense").code == 2
    assert home.say("remember", " ").code == 2


def test_a_dry_run_keeps_nothing(home: Demo) -> None:
    """What would be written is shown, and no file changes."""
    before = home.files()
    said = home.say("remember", "The office moved to Kiel in May.", "--dry-run")
    assert "+The office moved to Kiel in May." in said.out
    assert home.files() == before


@pytest.mark.parametrize(("days", "gone"), [("30d", 2), ("9w", 1), ("1y", 0)])
def test_exactly_the_older_ones_move(home: Demo, days: str, gone: int) -> None:
    """Those older than the span and no others, counted; what is marked stays and is named."""
    for name, old in (("deploy", 90), ("postgres", 40), ("rime", 90), ("rules", 900)):
        age(home.memories / f"{name}.md", old * DAY)
    before = home.files()
    said = home.say("archive", "--older", days, "--json", "--dry-run")
    assert (said.json["archived"], home.files()) == (gone, before)
    said = home.say("archive", "--older", days, "--json")
    assert said.json["archived"] == gone
    archived = sorted(path.name for path in home.archive.glob("*.md") if path.name != "archived-memories.md")
    assert archived == ["postgres.md", "rime.md"][2 - gone :] if gone != 1 else ["rime.md"]
    assert (home.memories / "rules.md").exists()


def test_marked_ones_are_named(home: Demo) -> None:
    """Old topics with a mark are told, so that nobody wonders."""
    age(home.memories / "deploy.md", 90 * DAY)
    assert "deploy.md stays: it is marked" in home.say("archive", "--older", "60d").err


@pytest.mark.parametrize("words", [(), ("deploy.md", "--older", "30d"), ("--older", "soon"), ("--older", "forever")])
def test_archive_needs_names_or_a_span(home: Demo, words: tuple[str, ...]) -> None:
    """Neither, both, and a span that is none are told, and nothing moves."""
    before = home.files()
    assert home.say("archive", *words).code == 2
    assert home.files() == before


def test_verify_tells_of_odd_front_matter(home: Demo) -> None:
    """A day that is none, a name of no topic, a circle and a replaced topic with a line are warnings."""
    write(home.memories, "deploy.md", "---\ninvalid_at: someday\nsupersedes: [gone.md]\n---\nx")
    write(home.memories, "postgres.md", "---\nsupersedes: rime\n---\nx")
    write(home.memories, "one.md", "---\nsupersedes: [two.md]\n---\nx")
    write(home.memories, "two.md", "---\nsupersedes: [one.md]\n---\nx")
    said = home.say("verify", "--json", "--ignore", "topic-orphan")
    assert [(found["file"], found["rule"]) for found in said.json["topics"]] == [
        ("deploy.md", "front-day"), ("deploy.md", "supersedes-nothing"), ("one.md", "supersedes-circle"),
        ("two.md", "supersedes-circle"), ("rime.md", "replaced-listed"),
    ]  # fmt: skip
    assert said.code == 0
    assert "supersedes-circle" not in home.say("verify", "--ignore", "supersedes-circle").out


def test_a_run_says_what_it_did_and_the_next_one_nothing(home: Demo) -> None:
    """Archived topics with their rule, new proposals with their kinds; a second run at once prints nothing."""
    write(home.memories, "rime.md", "---\ntype: project\ncreated: 2020-01-01\n---\nold")
    write(home.memories, "deploy.md", "The user is allergic to peanuts.")
    write(home.memories, "postgres.md", "The user is not allergic to peanuts.")
    for name in ("rime", "deploy", "postgres"):
        age(home.memories / f"{name}.md", 30 * DAY)
    dry = home.say("maintain", "--dry-run", "--explain", "--json").json["rules"]
    first = home.say("maintain", "--json").json["rules"]
    assert [(row["target"], row["rule"]) for row in first["archived"]] == [("rime.md", "retention")]
    assert [row["kind"] for row in first["proposed"]] == ["contradiction"]
    assert (dry["archived"], dry["proposed"]) == (first["archived"], first["proposed"])
    assert [row["target"] for row in dry["topics"]] == ["rules.md", "deploy.md", "postgres.md", "rime.md"]
    files = home.files()
    second = home.say("maintain")
    assert (second.code, second.out, home.files()) == (0, "", files)


def test_a_run_in_words(home: Demo) -> None:
    """The message names rule and reason, and how to bring a topic back; no text of a topic is in it."""
    write(home.memories, "rime.md", "---\ntype: project\ncreated: 2020-01-01\n---\nsecretive words")
    age(home.memories / "rime.md", 30 * DAY)
    out = home.say("maintain").out
    assert (
        "1 topic went to the archive by your rules:\n  rime.md   (retention: type project is kept for 365 days" in out
    )
    assert "memory-shaper restore rime.md" in out and "secretive" not in out


def test_rules_are_explained(home: Demo) -> None:
    """Each topic of the index has a line with the reason why it stays or goes."""
    write(home.memories, "rime.md", "---\ntype: project\ncreated: 2020-01-01\n---\nold")
    age(home.memories / "rime.md", 30 * DAY)
    out = home.say("maintain", "--dry-run", "--explain").out
    assert "goes (retention)  rime.md" in out and "stays  deploy.md: pinned (!)" in out


def test_a_merge_is_shown_applied_and_taken_back(home: Demo) -> None:
    """A proposal of maintain has a diff; applied, one topic with all keywords is left, the other in the archive whole."""
    text = "Vacuum runs on otter every night and is logged to the store in the cellar."
    write(home.memories, "postgres.md", f"# Postgres\n\n{text}\n")
    write(home.memories, "rime.md", f"{text}\n")
    before = home.files()
    home.say("maintain")
    assert "rename rime.md → archived memories/rime.md" in home.say("proposals", "1").out
    assert home.say("proposals", "--apply", "1").code == 0
    last = home.text().split("\n§\n")[-1]
    assert set(last.partition(" → ")[0].split(",")) == {
        *"postgres,sql,vacuum,migration,explain,拼音,输入法,词库,雾凇,部署".split(","),
    }  # fmt: skip
    assert (home.archive / "rime.md").read_text("utf-8") == f"{text}\n"
    assert home.say("verify").code == 0
    assert home.say("undo").code == 0
    assert {name: data for name, data in home.files().items() if "archived-memories" not in name} == before


def test_a_group_is_applied(home: Demo) -> None:
    """Three small topics become one with links back; their files are in the archive, and the index is whole."""
    for name in ("ca", "cb", "cc"):
        keep(home, f"A short word on cats by {name}.", name)
    index = home.text()
    for name in ("ca", "cb", "cc"):
        words = ",".join(f"{name}{number}" for number in range(5))
        index = index.replace(words, f"{words},cat,purr,paw")
    home.index.write_text(index, "utf-8")
    home.say("maintain")
    assert "3 small topics share a subject" in home.say("proposals").out
    assert home.say("proposals", "--apply", "all").code == 0
    whole = (home.memories / "cat-paw.md").read_text("utf-8")
    assert "sources: [ca.md, cb.md, cc.md]\nlevel: 2\ntype: summary\n" in whole
    assert all(f"## {name}.md\n\nA short word on cats by {name}." in whole for name in ("ca", "cb", "cc"))
    assert home.say("verify").code == 0
    assert sorted(path.name for path in home.archive.glob("c*.md")) == ["ca.md", "cb.md", "cc.md"]
