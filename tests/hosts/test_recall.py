"""Recall in both real hosts: what is archived is found, what is remembered is kept, hints come with the message."""

import json
from pathlib import Path

from memory_shaper import grammar

from hosts.endpoint import ask, say
from hosts.harness import Host, Session, make_home, plugin_call, session

HEADING = "# Memory index: a routing table"
INDEX = "\n§\n".join(
    [HEADING, "deploy,release,pipeline,staging,rollback → deploy.md", "拼音,输入法,词库,雾凇,候选 → rime.md"]
)
MEMORIES = {
    "MEMORY.md": INDEX,
    "deploy.md": "# Deploy\nShip on Tuesdays.\n",
    "rime.md": "# 输入法\n每周五同步。\n",
    "archived memories/archived-memories.md": "beehive,honey,wax,smoker,queen → bees.md\n",
    "archived memories/bees.md": "# Bees\nThe hives stand behind the old orchard.\n",
}


def results(done: Session) -> list[dict[str, object]]:
    """The results of the conversation's calls; those of a bridge are opened."""
    return [opened(result.data) for result in done.results]


def opened(data: object) -> dict[str, object]:
    if isinstance(data, str):
        return opened(json.loads(data))
    if isinstance(data, list):
        return opened(data[0])
    assert isinstance(data, dict)
    inner = next((data[key] for key in ("results", "result", "output") if key in data), None)
    return opened(inner) if inner is not None else data


def test_an_archived_topic_is_found(host: Host, tmp_path: Path) -> None:
    """`memory_search` names the archived file, which is then read by its path."""
    home = make_home(tmp_path, MEMORIES)
    search = plugin_call(host, "memory_search", {"query": "where do the hives stand"})
    bees = home.memories / "archived memories" / "bees.md"
    done = session(
        host, home, [ask(search), ask(("read_file", {"path": str(bees)})), say("done")], "Where are the hives?"
    )
    found, read = results(done)
    (note,) = found["notes"]
    assert (note["path"], note["kind"]) == (str(bees), "archive") and "orchard" in note["snippet"]
    assert "old orchard" in str(read["content"])


def test_one_call_remembers(host: Host, tmp_path: Path) -> None:
    """`memory_remember` leaves a file and a line, and the search finds it at once; a secret is refused."""
    home = make_home(tmp_path, MEMORIES)
    text = "The quokka enclosure needs new fencing before winter storms arrive."
    calls = [
        plugin_call(host, "memory_remember", {"text": text, "topic": "quokka", "tags": ["zoo"]}),
        plugin_call(host, "memory_search", {"query": "quokka fencing", "scope": "notes"}),
        plugin_call(host, "memory_feedback", {"id": "quokka.md", "useful": True}),
        plugin_call(host, "memory_stats", {}),
        plugin_call(
            host, "memory_remember", {"text": "key sk-FAKE01234567890123", "topic": "k", "keywords": list("abcde")}
        ),
    ]
    kept, found, rated, stats, refused = results(session(host, home, [*map(ask, calls), say("done")]))
    assert kept["success"] and text in (home.memories / "quokka.md").read_text("utf-8")
    targets = [entry.target for _, entry in grammar.parse(home.index.read_text("utf-8")).entries()]
    assert targets == ["deploy.md", "rime.md", "quokka.md"]
    assert [note["id"] for note in found["notes"]] == ["quokka.md"] and rated["success"]
    assert (stats["entries"], stats["archived"]) == (3, 1)
    assert not refused["success"] and "API key" in str(refused["error"])


def test_a_hint_comes_with_the_message(host: Host, tmp_path: Path) -> None:
    """It reaches the user's message and never the system prompt; small talk gets none."""
    home = make_home(tmp_path, MEMORIES)
    done = session(host, home, [say("done")], "How do I roll back the release on staging?")
    assert "`deploy.md` (rollback, release, staging)" in done.user and done.user.startswith("How do I")
    assert "Notes whose index lines match" not in done.system and "deploy.md" in done.system
    assert session(host, home, [say("done")], "ok!").user == "ok!"


def test_an_index_without_a_rule_brings_it_along(host: Host, tmp_path: Path) -> None:
    """The first message of a session is given the routing rule where the heading does not carry it."""
    home = make_home(tmp_path, MEMORIES | {"MEMORY.md": INDEX.replace(HEADING, "# Notes")})
    done = session(host, home, [say("done")], "Tell me something about penguins.")
    assert "a routing table, not a summary" in done.user and "routing table" not in done.system
