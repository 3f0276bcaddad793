"""`route`, `search`, `hits`, `timeline`, `feedback` and `index` at the terminal."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cli_tools import INDEX, Demo, demo
from memory_shaper.record import Use
from recall_tools import write


@pytest.fixture
def place(tmp_path: Path) -> Demo:
    """A home with four notes that say something."""
    home = demo(tmp_path)
    write(home.memories, "deploy.md", "# Deploy\nShip on Tuesdays.\nThe canary goes first.\n")
    write(home.memories, "postgres.md", "---\ncreated: 2026-01-02\n---\nRedis was replaced by postgres.\n")
    write(home.memories, "rime.md", "Typing is slow.\n")
    write(home.memories, "rules.md", "Write short lines.\n")
    return home


def test_route_names_the_line(place: Demo) -> None:
    """The line that a question touches comes first, with its reasons on request."""
    said = place.say("route", "when is the next release?", "--explain")
    assert said.code == 0 and said.out.split()[0] == "deploy.md" and "release" in said.out


def test_route_falls_through_to_the_sidecar(place: Demo) -> None:
    """Where no line matches that is said, and the notes are searched."""
    said = place.say("route", "do we ship on Tuesdays?")
    assert said.out.startswith("deploy.md") and "0 literal matches" in said.err
    data = place.say("route", "do we ship on Tuesdays?", "--json").json
    assert data["routes"] == [] and [hit["name"] for hit in data["hits"]] == ["deploy.md"]


@pytest.mark.parametrize("text", ["", " ", "NEAR(", "*", "zzzz", "(python", "x" * 5000])
def test_route_has_an_answer_to_everything(place: Demo, text: str) -> None:
    """No text is an error, and no answer is made up."""
    said = place.say("route", text, "--json")
    assert (said.code, said.json["routes"], said.json["hits"]) == (0, [], [])


def test_route_runs_a_file_of_tests(place: Demo, tmp_path: Path) -> None:
    """Right ones are counted, wrong ones named with what took the question, and one wrong one is exit code 1."""
    file = tmp_path / "tests.yaml"
    file.write_text(
        "other: 1\ntests:\n  - {question: the release, expect: deploy.md}\n  - {question: tea, expect: null}\n"
    )
    assert place.say("route", "--test", str(file)).code == 0
    file.write_text("tests:\n  the release: postgres.md\n")
    said = place.say("route", "--test", str(file))
    assert (said.code, said.out.splitlines()) == (
        1,
        ["the release: expected postgres.md, got deploy.md by release", "0 of 1 question routed as expected"],
    )


@pytest.mark.parametrize("text", ["tests: 3", "x: [", "- a", "tests: [{question: x}]"])
def test_route_refuses_a_file_of_no_tests(place: Demo, tmp_path: Path, text: str) -> None:
    """A file without tests is unreadable, not a success."""
    file = tmp_path / "tests.yaml"
    file.write_text(text)
    assert place.say("route", "--test", str(file)).code == 2
    assert place.say("route", "--test", str(tmp_path / "none.yaml")).code == 2


def test_route_wants_a_question(place: Demo) -> None:
    """Neither question nor file is a usage error."""
    assert place.say("route").code == 2


def test_search_explains_its_scores(place: Demo) -> None:
    """The factors times the text score are the total."""
    (hit,) = place.say("search", "canary", "--json").json["hits"]
    assert hit["name"] == "deploy.md" and set(hit["factors"]) == {"decay", "emotion", "feedback", "hot", "attention"}
    assert math.isclose(hit["total"], hit["text_score"] * math.prod(hit["factors"].values()), abs_tol=1e-5)
    said = place.say("search", "canary", "--explain")
    assert "The canary goes first." in said.out and "× decay 1 × emotion 1" in said.out


def test_search_limits_and_filters(place: Demo) -> None:
    """`--limit`, `--since` and `--tags` hold, and a day that is none is a usage error."""
    assert len(place.say("search", "ship lines redis", "--limit", "1", "--json").json["hits"]) == 1
    assert place.say("search", "redis", "--since", "2026-02-01", "--json").json["hits"] == []
    assert place.say("search", "redis", "--tags", "none", "--json").json["hits"] == []
    assert (place.say("search", "redis", "--since", "soon").code, place.say("search", "x", "--limit", "0").code) == (
        2,
        2,
    )


def test_a_setting_changes_the_order(place: Demo) -> None:
    """A half-life of days instead of years, and no floor, put the younger note first; a floor of 1 does not."""
    write(place.memories, "old.md", "---\ncreated: 2020-01-01\n---\nkiwi jam kiwi jam")
    write(
        place.memories, "new.md", f"---\ncreated: {datetime.now(UTC).date()}\n---\na jar of kiwi and of jam, on a shelf"
    )
    config = place.path / "config.yaml"
    order = []
    for floor in (1, 0):
        settings = f"{{decay_floor: {floor}, decay_half_life_days: 7}}"
        config.write_text(f"plugins: {{entries: {{memory-shaper: {{settings: {settings}}}}}}}\n")
        hits = place.say("search", "kiwi jam", "--json").json["hits"]
        order.append(hits[0]["name"])
    assert order == ["old.md", "new.md"]


def test_marked_notes_do_not_age_and_others_by_their_last_use(place: Demo) -> None:
    """A pinned note and one without a date keep their score; a note that was last read long ago fades."""
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    place.use(*(Use(name, long_ago, "s", name) for name in ("deploy.md", "rules.md", "rime.md")))
    decay = {
        name: place.say("search", text, "--json").json["hits"][0]["factors"]["decay"]
        for name, text in (("deploy.md", "canary"), ("rules.md", "short lines"), ("rime.md", "slow typing"))
    }
    assert decay == {"deploy.md": 1.0, "rules.md": 1.0, "rime.md": 0.8}


def test_hits_are_five_with_all_scores(place: Demo) -> None:
    """At most five, each with its product."""
    for number in range(9):
        write(place.memories, f"n{number}.md", f"kiwi {number}")
    said = place.say("hits", "kiwi")
    assert said.out.count("× attention") == 5


def test_timeline_is_newest_first_and_shows_what_was_replaced(place: Demo) -> None:
    """In any case of the name; what no longer holds is dated, what has no date comes last."""
    write(place.memories, "a.md", "---\ncreated: 2026-03-01\n---\nredis holds sessions")
    write(place.memories, "b.md", "---\ncreated: 2025-03-01\ninvalid_at: 2026-03-01\n---\nRedis holds carts")
    write(place.memories, "c.md", "redis, undated")
    events = place.say("timeline", "REDIS", "--json").json["events"]
    assert [(event["date"], event["invalid_at"]) for event in events] == [
        ("2026-03-01", ""), ("2026-01-02", ""), ("2025-03-01", "2026-03-01"), (None, ""),
    ]  # fmt: skip
    assert "(until 2026-03-01)" in place.say("timeline", "redis").out


def test_feedback_counts_and_refuses_what_is_unknown(place: Demo) -> None:
    """A live or archived name in any case, and no other."""
    place.say("feedback", "DEPLOY.md", "useful")
    assert place.say("feedback", "deploy", "useless", "--json").json == {
        "home": str(place.path), "name": "deploy.md", "up": 1, "down": 1,
    }  # fmt: skip
    assert (place.say("feedback", "nope.md", "useful").code, place.say("feedback", "deploy.md", "meh").code) == (2, 2)


def test_index_counts_and_rebuilds(place: Demo) -> None:
    """The second run reads nothing, `--rebuild` reads everything, and no memory file changes."""
    before = place.files()
    assert place.say("index", "--json").json["added"] == ["deploy.md", "postgres.md", "rime.md", "rules.md"]
    assert place.say("index", "--json").json["kept"] == 4
    again = place.say("index", "--rebuild", "--json").json
    assert len(again["added"]) == 4 and again["notes"] == ["built anew"]
    assert place.files() == before and place.text() == INDEX


def test_verify_looks_at_routing_on_request(place: Demo) -> None:
    """Lines that take each other's questions are warned of with `--routing` only."""
    place.index.write_text(INDEX + "\n§\ndeploys,kiwi,fig,plum,nut → new.md")
    (place.memories / "new.md").write_text("x")
    assert "keyword-stolen" not in place.say("verify").out
    assert "keyword-stolen" in place.say("verify", "--routing").out
    assert place.say("verify", "--routing", "--ignore", "keyword-stolen").code == 0
    assert place.say("verify", "--ignore", "keyword-stolen").code == 2


@pytest.mark.parametrize("question", ["-raid", "--raid", "-1", "--limits=3", "-"])
@pytest.mark.parametrize("verb", ["search", "hits", "timeline", "route"])
def test_a_question_may_begin_with_a_dash(tmp_path: Path, verb: str, question: str) -> None:
    """A word that is no option is the question as it stands, and two of them are still one too many."""
    home = demo(tmp_path)
    said = home.say(verb, question, "--json")
    assert said.code in (0, 1), said.err
    assert said.json.get("utterance", said.json.get("query")) == question
    assert home.say(verb, question, "raid").code == 2
