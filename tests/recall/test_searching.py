"""The tools of the model: memory_search, memory_feedback, memory_stats, and what memory_remember adds to them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
import yaml
from memory_shaper import plugin, searching
from memory_shaper.guard.guard import Guard
from memory_shaper.names import ARCHIVE_FOLDER
from memory_shaper.record import Record
from memory_shaper.schemas import TOOLS
from memory_shaper.tools import ANSWERS
from recall_tools import write
from statedb import StateDb
from tools import PACKAGE, Place

TOOL = {tool.name: tool for tool in TOOLS}


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """No sidecar stays open after a test."""
    yield
    searching.close_finders()


def use(place: Place, tool: str, **args: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(ANSWERS[TOOL[tool].answer](Guard.of(place.home), args, "s"))
    return answer


def found(place: Place, query: str, **args: Any) -> list[str]:
    return [note["id"] for note in use(place, "memory_search", query=query, **args)["notes"]]


def configure(home: Place, **values: object) -> None:
    settings = {"plugins": {"entries": {"memory-shaper": {"settings": values}}}}
    home.home.config.write_text(yaml.safe_dump(settings), "utf-8")


def test_the_schemas_are_short() -> None:
    """All four together take under 700 tokens (at four characters each), and the first 60 say what a tool does."""
    assert len(json.dumps([tool.schema for tool in TOOLS])) < 2800
    assert all(
        tool.schema["description"].split(".")[0].split(":")[0] in tool.schema["description"][:60] for tool in TOOLS
    )


def test_the_manifest_lists_every_tool() -> None:
    """plugin.yaml names the tools that are registered; the reviewer's one is in toolset memory."""
    manifest = yaml.safe_load((PACKAGE / "plugin.yaml").read_text("utf-8"))
    assert manifest["provides_tools"] == list(TOOL)
    assert {tool.name: tool.toolset for tool in TOOLS if tool.toolset == "memory"} == {"memory_remember": "memory"}


def test_a_hit_has_what_a_reader_needs(home: Place) -> None:
    """Id, path, score, mode, time, snippet and the words found."""
    write(home.memories, "new-topic.md", "---\ncreated: 2026-01-02\n---\n# Bees\nThe hives swarm in early June.\n")
    (note,) = use(home, "memory_search", query="when do hives swarm")["notes"]
    assert note["path"] == str(home.memories / "new-topic.md") and 0 < note["score"] <= 1
    assert (note["section"], note["time"], note["evidence"]) == ("Bees", "2026-01-02", ["hive", "swarm"])
    assert note["snippet"].endswith("The hives swarm in early June.") and note["mode"] in ("phrase", "terms")


def test_nothing_is_invented(home: Place) -> None:
    """A word that is nowhere gives no hit and says where it was looked for."""
    assert use(home, "memory_search", query="xylophone") == {"notes": [], "sessions": [], "searched": "all"}


@pytest.mark.parametrize(
    "args",
    [
        {},
        {"query": 3},
        *({"query": "x", "limit": limit} for limit in (0, -1, "abc", True, 1.5)),
        {"query": "x", "scope": "web"},
        {"query": "x", "since": "soon"},
        {"query": "x", "since": 5},
        {"query": "x", "tags": [1]},
        {"query": "x", "session_id": 7},
    ],
)
def test_a_call_that_makes_no_sense_is_told(home: Place, args: dict[str, Any]) -> None:
    """Wrong arguments give an error in words, never an exception and never hits."""
    told = use(home, "memory_search", **args)
    assert told["error"] and not told["notes"]


def test_the_limit_holds(home: Place) -> None:
    """At most `limit` notes, at most fifty."""
    for number in range(60):
        write(home.memories, f"bee{number}.md", f"bees and honey {number}")
    assert len(found(home, "honey", limit=3)) == 3 and len(found(home, "honey", limit=999)) == 50


def test_filters_come_before_the_cut(home: Place) -> None:
    """The one note that holds today, has the tag and is ours is found behind sixty that do not."""
    past = (date.today() - timedelta(days=1)).isoformat()
    for number in range(60):
        write(home.memories, f"bee{number}.md", f"---\ninvalid_at: {past}\n---\nbees make honey {number}")
        write(home.memories, f"fly{number}.md", f"---\ntags: [ab]\n---\nbees make honey {number}")
    write(home.memories, "good.md", "---\ntags: [a]\nagent: worker\n---\na word on bees and on honey")
    configure(home, agent="worker")
    assert found(home, "bees make honey", limit=1, tags=["a, c"]) == ["good.md"]


@pytest.mark.parametrize(("days", "shown"), [(1, True), (0, False), (-1, False)])
def test_a_note_is_found_until_it_ends(home: Place, days: int, shown: bool) -> None:
    """Until tomorrow it is found, from today on it is not, and its text stays in the file."""
    until = (date.today() + timedelta(days=days)).isoformat()
    path = write(home.memories, "bees.md", f"---\ninvalid_at: {until}\n---\nhoney in June")
    assert found(home, "honey") == (["bees.md"] if shown else [])
    assert "honey" in path.read_text("utf-8")


def test_agents_see_their_own_and_what_is_shared(home: Place) -> None:
    """A worker finds its own note and the shared one, the agent without a name finds all."""
    for name, front in (("own", "agent: worker"), ("other", "agent: scout"), ("shared", "title: x")):
        write(home.memories, f"{name}.md", f"---\n{front}\n---\nhoney in June")
    assert sorted(found(home, "honey")) == ["other.md", "own.md", "shared.md"]
    configure(home, agent="worker")
    assert sorted(found(home, "honey")) == ["own.md", "shared.md"]


def test_a_note_is_found_by_its_line_alone(home: Place) -> None:
    """A keyword that is in no text still leads to the note, live or archived, and filters hold."""
    assert found(home, "garbagecollection") == ["java-performance.md"]
    archive = home.memories / ARCHIVE_FOLDER
    write(archive, "old.md", "some text")
    write(archive, "archived-memories.md", "heraldry,blazon,crest,shield,lion → old.md\n")
    assert found(home, "heraldry") == [f"{ARCHIVE_FOLDER}/old.md"]
    assert found(home, "heraldry", scope="archive") == [f"{ARCHIVE_FOLDER}/old.md"]
    assert found(home, "garbagecollection", scope="archive") == []


def test_past_sessions_are_found_behind_the_notes(home: Place) -> None:
    """Scope all gives notes and sessions, scope sessions one of them by its id."""
    write(home.memories, "bees.md", "honey in June")
    state = StateDb(home.home.path)
    state.add("user", "we talked about honey and wax", session="s1")
    state.add("user", "honey again, and a smoker", session="s2")
    told = use(home, "memory_search", query="honey")
    assert [note["id"] for note in told["notes"]] == ["bees.md"]
    assert {said["session_id"] for said in told["sessions"]} == {"s1", "s2"}
    only = use(home, "memory_search", query="honey", session_id="s2")["sessions"]
    assert [(said["session_id"], said["snippet"]) for said in only] == [("s2", "honey again, and a smoker")]


def test_a_sidecar_that_cannot_be_kept_is_built_in_memory(home: Place) -> None:
    """Where no file can be made the note is found all the same."""
    write(home.memories, "bees.md", "honey in June")
    home.home.data.parent.mkdir(parents=True, exist_ok=True)
    home.home.data.write_text("a file in the way")
    assert found(home, "honey") == ["bees.md"]


def test_a_sidecar_may_be_deleted_in_use(home: Place) -> None:
    """The next question builds it again."""
    write(home.memories, "bees.md", "honey in June")
    assert found(home, "honey") == ["bees.md"]
    for file in home.home.data.glob("sidecar.db*"):
        file.unlink()
    write(home.memories, "wasps.md", "no honey")
    assert sorted(found(home, "honey")) == ["bees.md", "wasps.md"]


def test_unreadable_settings_are_an_error(home: Place) -> None:
    """Nothing is invented where the configuration cannot be read."""
    home.home.config.write_text("plugins: [", "utf-8")
    told = use(home, "memory_search", query="honey")
    assert "config" in told["error"] and told["notes"] == []


def test_a_busy_record_costs_its_factors_only(home: Place) -> None:
    """A broken record is named in `degraded`, and the hit is there."""
    write(home.memories, "bees.md", "honey in June")
    home.home.data.mkdir(parents=True)
    (home.home.data / "record.db").write_bytes(b"no database at all, but long enough to be looked at" * 40)
    told = use(home, "memory_search", query="honey")
    assert "feedback" in told["degraded"] and [note["id"] for note in told["notes"]] == ["bees.md"]


def test_liked_before_old(home: Place) -> None:
    """Of two like notes the liked one comes first though the other was written down before; three words are the most."""
    for name in ("a.md", "b.md"):
        write(home.memories, name, "---\ncreated: 2020-01-01\n---\nkiwi jam")
    assert found(home, "kiwi jam") == ["b.md", "a.md"]
    for _ in range(3):
        use(home, "memory_feedback", id="a.md", useful=True)
    assert found(home, "kiwi jam") == ["a.md", "b.md"]
    write(home.memories, "a.md", "---\ncreated: 2020-01-01\n---\nkiwi jam, reworded")
    assert found(home, "kiwi jam")[0] == "a.md"


@pytest.mark.parametrize("name", ["nope.md", "", "MEMORY.md", "../../etc/passwd", "\0"])
def test_feedback_on_an_unknown_note_is_an_error(home: Place, name: str) -> None:
    """And leaves no trace in the record."""
    told = use(home, "memory_feedback", id=name, useful=True)
    assert not told["success"] and told["error"]


def test_feedback_wants_a_truth_value(home: Place) -> None:
    """A word instead of true or false is refused."""
    assert not use(home, "memory_feedback", id="new-topic.md", useful="yes")["success"]


def test_one_bad_word_weighs_two_good_ones(home: Place) -> None:
    """+1 and then -2 are -1."""
    from memory_shaper.edit import now
    from memory_shaper.recall.mentions import known

    use(home, "memory_feedback", id="new-topic.md", useful=True)
    assert use(home, "memory_feedback", id="new-topic.md", useful=False) == {
        "success": True, "id": "new-topic.md", "useful": 1, "useless": 1,
    }  # fmt: skip
    with Record.open(home.home.data / "record.db") as record:
        assert known(record, now()).feedback == {"new-topic.md": -1}


def test_stats_match_a_recount(home: Place) -> None:
    """Entries, size, searchable notes."""
    found(home, "python")
    told = use(home, "memory_stats")
    assert (told["entries"], told["archived"], told["index_chars"]) == (4, 0, len(home.text()))
    assert told["searchable"]["notes"] == 5 and told["mean_search_ms"] > 0


def test_what_was_remembered_is_found_at_once(home: Place) -> None:
    """With its tags, and counted as talked about."""
    text = "The quokka enclosure needs new fencing before winter storms arrive."
    told = use(home, "memory_remember", text=text, topic="quokka", tags=["zoo|x"])
    assert told["success"] and found(home, "quokka fencing", tags=["zoox"]) == ["quokka.md"]
    with Record.open(home.home.data / "record.db") as record:
        assert "quokka" in {count.key for count in record.counters.counts("attention")}


def test_an_identical_text_is_the_note_that_is_there(home: Place) -> None:
    """Under another topic, too."""
    text = "The quokka enclosure needs new fencing before winter storms arrive."
    first = use(home, "memory_remember", text=text, topic="quokka")
    again = use(home, "memory_remember", text=text, topic="another")
    assert (again["topic"], again["created"]) == (first["topic"], False) and not (home.memories / "another.md").exists()


@pytest.mark.parametrize("field", ["text", "topic", "keywords", "tags"])
def test_a_secret_is_refused_in_every_field(home: Place, field: str) -> None:
    """Nothing is written, and the message names the kind and not the value."""
    key = "ghp_FAKE0123456789abcdefghij0123456789"
    before = home.text()
    args: dict[str, Any] = {"text": "The quokka enclosure needs new fencing."}
    args |= {field: [key] if field in ("keywords", "tags") else f"it is {key}"}
    told = use(home, "memory_remember", **args)
    assert not told["success"] and "a GitHub token" in told["error"] and key not in json.dumps(told)
    assert home.text() == before and not any(key.encode() in path.read_bytes() for path in home.memories.glob("*.md"))


def test_a_tool_that_fails_says_so(home: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host gets an answer whatever happens."""
    monkeypatch.setenv("HERMES_HOME", str(home.home.path))
    home.home.config.write_text("plugins: [", "utf-8")
    handler = plugin._handler(TOOL["memory_search"])
    assert "config" in json.loads(handler({"query": "x"}, session_id="s"))["error"]


def test_the_project_follows_the_sessions_folder(home: Place) -> None:
    """A session that works in one project's folder never finds the other's notes, unless the model asks for them."""
    for name in ("otter", "heron"):
        write(home.memories, f"{name}.md", f"---\nproject: {name}\n---\nthe stack of {name} is in honey")
    guard = Guard.of(home.home)
    guard.cwds["s"] = "/home/u/src/otter"

    def asked(**args: Any) -> list[str]:
        answer = json.loads(ANSWERS["search"](guard, {"query": "stack honey", **args}, "s"))
        return sorted(note["id"] for note in answer["notes"])

    assert asked() == ["otter.md"]
    assert asked(project="all") == ["heron.md", "otter.md"]
    assert asked(project="heron") == ["heron.md"]


def test_a_model_can_ask_for_the_past(home: Place) -> None:
    """What held on a day is found as of that day, and a day that is none is told."""
    write(home.memories, "old.md", "---\ncreated: 2025-01-01\ninvalid_at: 2025-06-01\n---\nthe office is in Bonn")
    assert found(home, "office", as_of="2025-03-01") == ["old.md"]
    assert found(home, "office") == []
    assert "as_of" in use(home, "memory_search", query="office", as_of="spring")["error"]


def test_a_preference_is_found_as_one(home: Place) -> None:
    """What was remembered as a profile is found for "preferences", though it does not hold the word."""
    kept = use(home, "memory_remember", text="Answers are to be short, in German.", topic="style", type="profile",
               keywords=["short", "german", "answers", "tone", "style"])  # fmt: skip
    assert kept["success"]
    assert (home.memories / "style.md").read_text("utf-8").startswith("---\ntype: profile\n---\n")
    assert found(home, "preferences") == ["style.md"]
    assert not use(home, "memory_remember", text="x y z", type="novel")["success"]


def test_half_a_character_is_no_harm(home: Place) -> None:
    """A lone surrogate in a question or a text is U+FFFD: the question is answered, the text is kept."""
    write(home.memories, "kiwi.md", "Ada Lovelace eats kiwi")
    assert found(home, "kiwi \ud83d") == ["kiwi.md"]
    assert found(home, "Ada Lovelace \udc80", tags=["\ud800"], project="\udfff") == []
    told = use(home, "memory_remember", text="Ann drinks \ud800 oolong tea in the morning", topic="tea\ud800")
    assert told["success"] and "drinks \ufffd oolong" in (home.memories / told["topic"]).read_text("utf-8")
    assert use(home, "memory_feedback", id="kiwi\udc80.md", useful=True)["error"]
