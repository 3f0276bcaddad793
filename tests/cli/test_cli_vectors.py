"""What the verbs say about embeddings: search, index, status and doctor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from cli_tools import Demo, demo
from embedding_server import Server, endpoint, good, saying


@pytest.fixture
def server() -> Iterator[Server]:
    with endpoint() as running:
        yield running


@pytest.fixture
def place(tmp_path: Path, server: Server) -> Demo:
    made = demo(tmp_path)
    (made.memories / "deploy.md").write_text("# Deploy\nthe automobile stands ready\n", "utf-8")
    set_up(made, embedding_url=server.url, embedding_model="toy")
    return made


def set_up(place: Demo, **values: object) -> None:
    table = {"plugins": {"entries": {"memory-shaper": {"settings": values}}}}
    (place.path / "config.yaml").write_text(yaml.safe_dump(table), "utf-8")


def test_search_finds_by_meaning(place: Demo) -> None:
    """`search` shows a note that shares no word with the question, and by what it was found."""
    (hit,) = place.say("search", "vehicle", "--json").json["hits"]
    assert (hit["name"], hit["mode"]) == ("deploy.md", "meaning")
    assert "text from meaning 1.00" in place.say("search", "vehicle", "--explain").out


def test_index_embeds_all(place: Demo) -> None:
    """`index` gives every passage a vector and counts them."""
    said = place.say("index", "--json").json
    assert said["vectors"] == {"passages": 4, "known": 4, "embedded": 4, "trouble": ""}
    assert "0 passages embedded, 4 of 4 in all" in place.say("index").out


def test_index_with_a_dead_endpoint(place: Demo, server: Server) -> None:
    """Where the endpoint fails, `index` still builds the sidecar, says why, and ends with 1."""
    server.answer = saying(500, "")
    said = place.say("index")
    assert (said.code, "4 added" in said.out, "answered 500" in said.err) == (1, True, True)
    assert place.say("search", "automobile", "--json").json["hits"][0]["name"] == "deploy.md"


def test_without_an_endpoint(place: Demo, server: Server) -> None:
    """Text-only is named in `status`, is no problem for `doctor`, and sends nothing."""
    set_up(place)
    assert place.say("index", "--json").json["vectors"] is None
    assert "search: by words; no endpoint" in place.say("status").out
    assert place.say("status", "--json").json["search"]["mode"] == "text"
    checks = {one["check"]: one for one in json.loads(place.say("doctor", "--json").out)["checks"]}
    assert checks["search"]["state"] == "ok"
    assert server.requests == []


def test_doctor_names_the_rebuild(place: Demo, server: Server) -> None:
    """After the model changed behind its name `doctor` gives the command, and that command mends it."""
    place.say("index")
    server.answer = good(64)
    assert "index --rebuild" in place.say("search", "vehicle").err
    checks = {one["check"]: one for one in json.loads(place.say("doctor", "--json").out)["checks"]}
    assert (checks["search"]["state"], "--rebuild" in checks["search"]["command"]) == ("problem", True)
    assert place.say("index", "--rebuild").code == 0
    assert place.say("search", "vehicle").err.count("embeddings") == 0
