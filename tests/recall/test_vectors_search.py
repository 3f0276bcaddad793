"""Searching by meaning over a real endpoint on this machine, and over one that is broken in every way."""

from __future__ import annotations

import json
import logging
import re
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from embedding_server import Server, endpoint, good, refusing, saying
from memory_shaper.privacy.rules import Rules
from memory_shaper.recall.find import Ask, Finder, Found
from memory_shaper.recall.search import Scope
from memory_shaper.recall.vectors.state import State, state_of
from memory_shaper.settings import Home, Settings
from recall_tools import write

NOW = datetime(2026, 11, 30, tzinfo=UTC)
CAR = "the automobile stands in the garage\n"
DOCTOR = "the physician has time on monday\n"
PLANTS = "water the ferns every day\n"
KEY = "sk-0123456789abcdef0123"


class World:
    """A home with three notes, and a way to ask that counts what the endpoint is sent."""

    def __init__(self, folder: Path, server: Server) -> None:
        self.server = server
        self.home = Home(folder, "given")
        self.home.memories.mkdir()
        self.finder = Finder(self.home)
        for name, text in {"car": CAR, "doctor": DOCTOR, "plants": PLANTS}.items():
            self.write(f"{name}.md", text)

    def write(self, name: str, text: str) -> None:
        write(self.home.memories, name, text)

    def settings(self, **values: object) -> Settings:
        given = {"embedding_url": self.server.url, "embedding_model": "toy"} | values
        return replace(Settings(), values={**Settings().values, **given})  # type: ignore[arg-type]

    def ask(self, question: str, scope: Scope = Scope.NOTES, **values: object) -> Found:
        return self.finder.find(Ask(question, scope=scope, meaning=True), self.settings(**values), NOW)

    def by_words(self, question: str) -> Found:
        return self.finder.find(Ask(question), self.settings(), NOW)

    def state(self, **values: object) -> State:
        return state_of(self.home, self.settings(**values))

    @property
    def vault(self) -> Path:
        return self.home.data / "vectors.db"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with endpoint() as server:
        made = World(tmp_path, server)
        yield made
        made.finder.close()


def names(found: Found) -> list[str]:
    return [one.hit.name for one in found.hits]


def test_a_paraphrase_is_found(world: World) -> None:
    """A question that shares no word with a note finds it by meaning, with the passage as snippet."""
    found = world.ask("where is my vehicle")
    best = found.hits[0].hit
    assert names(world.by_words("where is my vehicle")) == []
    assert (best.name, best.mode, best.snippet) == ("car.md", "meaning", CAR.strip())
    assert "plants.md" not in names(found)


def test_without_an_address_nothing_is_sent(world: World) -> None:
    """Without an address the hits are those of words, and no vectors are kept."""
    assert world.ask("ferns", embedding_url="") == world.by_words("ferns")
    assert world.server.requests == []
    assert not world.vault.exists()


def test_hints_and_routes_ask_no_endpoint(world: World) -> None:
    """Only a search that wishes for it sends anything."""
    world.by_words("where is my vehicle")
    world.ask("vehicle", scope=Scope.SESSIONS)
    assert world.server.requests == []


def test_what_is_sent(world: World) -> None:
    """The protocol is OpenAI's; without a key there is no Authorization."""
    world.ask("vehicle")
    first = world.server.requests[0]
    assert (first.path, first.model, first.texts) == ("/v1/embeddings", "toy", ["vehicle"])
    assert not any("Authorization" in request.headers for request in world.server.requests)
    assert "car\nthe automobile stands in the garage" in world.server.texts


def test_the_key_is_sent_to_its_host(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key of the named variable goes along with every request."""
    monkeypatch.setenv("MY_KEY", KEY)
    world.finder = Finder(world.home)
    world.ask("vehicle", embedding_key_env="MY_KEY")
    assert {request.headers["Authorization"] for request in world.server.requests} == {f"Bearer {KEY}"}


def test_the_same_text_is_sent_once(world: World) -> None:
    """The same text and model is one request, also for another process and after sidecar.db was deleted."""
    world.ask("vehicle")
    sent = len(world.server.texts)
    world.ask("vehicle")
    world.finder.close()
    (world.home.data / "sidecar.db").unlink()
    world.finder = Finder(world.home)
    assert names(world.ask("vehicle")) == ["car.md"]
    assert len(world.server.texts) == sent == len(set(world.server.texts))


def test_a_moved_note_is_not_sent_again(world: World) -> None:
    """Only passages whose text is new are sent; a note that is gone is not found any more."""
    world.ask("vehicle")
    world.write("plants.md", PLANTS + "\n" + "and a wage paid in time, " * 50)
    (world.home.memories / "doctor.md").unlink()
    before = len(world.server.texts)
    assert names(world.ask("salary")) == ["plants.md"]
    assert "doctor.md" not in names(world.ask("医生"))
    assert not any("physician" in text for text in world.server.texts[before:])


def test_another_model_is_asked_anew(world: World) -> None:
    """Vectors of another model are never compared with: all texts are asked for again, and both are kept."""
    world.ask("vehicle")
    before = len(world.server.requests)
    assert names(world.ask("vehicle", embedding_model="other")) == ["car.md"]
    assert {request.model for request in world.server.requests[before:]} == {"other"}
    before = len(world.server.requests)
    world.ask("vehicle")
    assert len(world.server.requests) == before


def test_batches(world: World) -> None:
    """No request holds more texts than the setting allows."""
    for number in range(25):
        world.write(f"note{number}.md", f"text number{number} of many\n")
    world.ask("vehicle", embedding_batch=4)
    assert max(len(request.texts) for request in world.server.requests) == 4
    assert world.state().known == 28


def test_secrets_do_not_leave(world: World) -> None:
    """What is a secret in a note or a question is masked before it is sent."""
    token = "ghp_0123456789abcdefghij0123456789abcdef"
    world.write("keys.md", f"the token is {token} here\n")
    world.ask(f"what is {token}")
    assert not any("ghp_" in text for text in world.server.texts)
    assert "what is [a GitHub token]" in world.server.texts
    assert any("the token is" in text for text in world.server.texts)


def test_excluded_text_does_not_leave(world: World) -> None:
    """Lines that the user's rules exclude, and what they replace, are not sent; new rules hold for old notes too."""
    world.write("case.md", "the case of Mr Grimes\nhis number is 4711 today\n")
    world.ask("vehicle")
    assert any("Grimes" in text and "4711" in text for text in world.server.texts)
    rules = Rules(exclude=(re.compile("Grimes"),), redact=((re.compile("4711"), "N"),))
    before = len(world.server.texts)
    world.finder.close()
    world.finder.find(Ask("number 4711 of Grimes", meaning=True), replace(world.settings(), rules=rules), NOW)
    world.finder.find(Ask("what is his number 4711", meaning=True), replace(world.settings(), rules=rules), NOW)
    sent = world.server.texts[before:]
    assert not any("Grimes" in text or "4711" in text for text in sent)
    assert "what is his number N" in sent and any("his number is" in text for text in sent)


def test_filters_hold_for_meaning(world: World) -> None:
    """Notes of another agent, without the tag, outdated or outside of the scope are not found by meaning either."""
    world.write("mine.md", "---\ntags: [cars]\nagent: me\n---\na vehicle of mine\n")
    world.write("yours.md", "---\nagent: you\n---\nthe automobile of yours\n")
    world.write("old.md", "---\ninvalid_at: 2020-01-01\n---\nthe automobile of old\n")
    world.write("archived memories/sold.md", "the automobile was sold\n")
    assert set(names(world.ask("汽车", agent="me"))) == {"mine.md", "car.md", "archived memories/sold.md"}
    assert names(world.ask("汽车", scope=Scope.ARCHIVE)) == ["archived memories/sold.md"]
    tagged = Ask("汽车", tags=("cars",), meaning=True)
    assert names(world.finder.find(tagged, world.settings(), NOW)) == ["mine.md"]


def test_words_and_meaning_together(world: World) -> None:
    """Of two notes with the same words the one that means it too comes first, and the parts tell by how much."""
    world.write("a.md", "garage door code of the neighbours\n")
    found = world.ask("vehicle garage")
    assert names(found)[0] == "car.md"
    assert found.hits[0].hit.parts["meaning"] == 1.0
    assert set(names(world.by_words("vehicle garage"))) <= set(names(found))


def test_reciprocal_ranks_on_wish(world: World) -> None:
    """With ranks as the way of fusion the hit that is first in both lists has score 1."""
    world.write("a.md", "garage door code of the neighbours\n")
    found = world.ask("automobile garage", embedding_fusion="ranks", decay_floor=1, emotion_factor=0)
    assert (names(found)[0], found.hits[0].hit.score) == ("car.md", 1.0)


def test_weight_zero_changes_no_score(world: World) -> None:
    """With weight 0 the hits of words keep their scores and their order."""
    found = world.ask("automobile garage", embedding_weight=0.0)
    before = world.by_words("automobile garage")
    assert [(one.hit.name, one.hit.score) for one in found.hits] == [
        (one.hit.name, one.hit.score) for one in before.hits
    ]


BAD = {
    "html": saying(200, "<html>Sign in</html>"),
    "no such path": saying(404, "{}"),
    "wrong key": saying(401, json.dumps({"error": f"Incorrect API key provided: {KEY}"})),
    "too often": saying(429, "{}"),
    "broken": saying(500, "Traceback"),
    "empty": saying(200, ""),
    "no vectors": saying(200, json.dumps({"data": []})),
    "elsewhere": saying(302, "", Location="http://127.0.0.1:9/v1/embeddings"),
    "for good": saying(308, "", Location="http://127.0.0.1:9/v1/embeddings"),
}


@pytest.mark.parametrize("answer", BAD.values(), ids=BAD)
def test_a_bad_endpoint(world: World, answer: object, caplog: pytest.LogCaptureFixture) -> None:
    """The hits stay what words made of them and one sentence says why; nothing of the answer is repeated or logged."""
    world.server.answer = answer  # type: ignore[assignment]
    with caplog.at_level(logging.DEBUG):
        found = world.ask("ferns")
    assert found.hits == world.by_words("ferns").hits
    assert found.degraded.count("embeddings:") == 1
    assert "\n" not in found.degraded and KEY not in found.degraded and "ferns" not in found.degraded
    assert not caplog.records


def test_redirects_are_not_followed(world: World) -> None:
    """Neither texts nor key go to the host that a redirect names, be it the same one."""
    with endpoint() as other:
        for status in (301, 302, 303, 307, 308):
            world.server.answer = saying(status, "", Location=other.url)
            world.ask(f"ferns {status}", embedding_model=f"m{status}")
        assert other.requests == []
    assert len(world.server.requests) == 5


def test_a_dead_endpoint_is_left_alone(world: World) -> None:
    """After a failure no search asks again for a while, in any process, and each says so."""
    world.server.answer = saying(500, "")
    world.ask("ferns")
    for _ in range(3):
        other = Finder(world.home)
        found = other.find(Ask("water", meaning=True), world.settings(), NOW)
        other.close()
        assert "next try in" in found.degraded
        assert names(found) == ["plants.md"]
    assert len(world.server.requests) == 1


def test_a_refused_question_concerns_no_other(world: World) -> None:
    """A question that the endpoint refuses is answered by words, and the next one is asked as ever; an empty one never."""
    world.server.answer = refusing("poison")
    assert "answered 400" in world.ask("poison ferns").degraded
    assert names(world.ask("vehicle")) == ["car.md"]
    before = len(world.server.requests)
    assert world.ask(" \n").degraded == ""
    assert len(world.server.requests) == before


def test_it_is_asked_again_later(world: World) -> None:
    """When its time is up a failed endpoint is asked again, and an answer makes all well."""
    world.server.answer = saying(500, "")
    world.ask("vehicle")
    with closing(sqlite3.connect(world.vault)) as vault:
        vault.execute("UPDATE breaker SET until = ?", (time.time() - 1,))
        vault.commit()
    world.server.answer = good()
    found = world.ask("vehicle")
    assert (names(found), found.degraded) == (["car.md"], "")


def test_time_limit(world: World) -> None:
    """An endpoint that never answers costs no more than the time limit, and then nothing."""
    world.server.gate.clear()
    began = time.monotonic()
    found = world.ask("ferns", embedding_seconds=0.3)
    assert time.monotonic() - began < 10  # It would hold on for 20.
    assert "no answer within 0.3 s" in found.degraded
    assert found.hits == world.by_words("ferns").hits


def test_an_answer_in_drops(world: World) -> None:
    """An answer that never ends is given up at the time limit too, though every read of it is quick."""
    stop = threading.Event()

    def drip(handler: object, texts: list[str]) -> None:
        handler.send_response(200)  # type: ignore[attr-defined]
        handler.end_headers()  # type: ignore[attr-defined]
        while not stop.wait(0.01):
            handler.wfile.write(b" ")  # type: ignore[attr-defined]

    world.server.answer = drip
    found = world.ask("ferns", embedding_seconds=0.3)
    stop.set()
    assert "embeddings:" in found.degraded
    assert names(found) == ["plants.md"]


def test_nobody_listens(world: World) -> None:
    """A port on which nothing listens is told in the system's words."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        found = world.ask("ferns", embedding_url=f"http://127.0.0.1:{free.getsockname()[1]}/v1")
    assert "cannot be reached (Connection refused)" in found.degraded
    assert names(found) == ["plants.md"]


def test_a_refused_text_does_not_hold_up_the_others(world: World) -> None:
    """A text that the endpoint refuses is found out, asked for no more, and found by words."""
    world.write("long.md", "poison for the model\n")
    world.server.answer = refusing("poison")
    assert names(world.ask("vehicle")) == ["car.md"]
    before = len(world.server.requests)
    found = world.ask("wage")
    assert (found.degraded, len(world.server.requests)) == ("", before + 1)
    assert names(world.ask("model")) == ["long.md"]


def test_slow_passages_do_not_cost_the_question(world: World) -> None:
    """Where only the passages take too long, the notes that have vectors are found, and the rest is told."""
    world.ask("vehicle")
    world.write("new.md", "a slow text\n")
    world.server.answer = lambda handler, texts: (
        saying(503, "")(handler, texts) if any("slow" in text for text in texts) else good()(handler, texts)
    )
    first, second = world.ask("car"), world.ask("physician")
    assert names(first)[0] == "car.md" and names(second)[0] == "doctor.md"
    assert "1 of 4 passages have no vector yet" in first.degraded
    assert sum("slow" in text for text in world.server.texts) == 1


def test_another_size_behind_the_same_name(world: World) -> None:
    """Vectors of another length are not compared; a rebuild is asked for and makes all well, words work throughout."""
    world.ask("vehicle")
    world.server.answer = good(64)
    found = world.ask("automobile")
    assert "index --rebuild" in found.degraded and "64 numbers where 256 are kept" in found.degraded
    assert found.hits == world.by_words("automobile").hits
    assert "index --rebuild" in world.state().line
    built = world.finder.meaning.build(world.finder.sidecar.files(), world.settings(), rebuild=True)
    assert (built.passages, built.known, built.trouble, world.state().size) == (3, 3, "", 64)
    assert names(world.ask("wheels vehicle")) == ["car.md"]


def test_any_size_is_detected(world: World) -> None:
    """How many numbers a vector has is seen from the first answer."""
    world.server.answer = good(777)
    world.ask("vehicle")
    assert world.state().size == 777


def test_index_asks_for_all(world: World) -> None:
    """Building gives every passage a vector, tells how many, and does nothing the second time."""
    files = world.finder.sidecar
    files.refresh()
    first = world.finder.meaning.build(files.files(), world.settings())
    again = world.finder.meaning.build(files.files(), world.settings())
    assert (first.embedded, first.known, again.embedded) == (3, 3, 0)


def test_rebuilding_forgets_other_models(world: World) -> None:
    """After a rebuild only vectors of today's model are kept."""
    world.ask("vehicle", embedding_model="old")
    world.finder.meaning.build(world.finder.sidecar.files(), world.settings(), rebuild=True)
    with closing(sqlite3.connect(world.vault)) as vault:
        assert vault.execute("SELECT model FROM space").fetchall() == [("toy",)]
        assert vault.execute("SELECT count(DISTINCT space) FROM vector").fetchone() == (1,)


def test_the_vault_is_private_and_holds_no_text(world: World) -> None:
    """The file is the user's own, and holds neither texts nor the address nor a key."""
    world.ask("vehicle")
    assert world.vault.stat().st_mode & 0o077 == 0
    data = b"".join(path.read_bytes() for path in world.vault.parent.glob("vectors.db*"))
    assert b"automobile" not in data and b"127.0.0.1" not in data


@pytest.mark.parametrize(
    "damage", [b"this is no database, it is only text" * 200, b"SQLite format 3\0" + b"\xff" * 9000]
)
def test_a_damaged_vault(world: World, damage: bytes) -> None:
    """A damaged file of vectors costs requests, never a hit."""
    world.ask("vehicle")
    for left in world.vault.parent.glob("vectors.db*"):
        left.unlink()
    world.vault.write_bytes(damage)
    world.ask("vehicle")
    assert names(world.ask("vehicle")) == ["car.md"]


def test_a_vault_that_cannot_be_made(world: World) -> None:
    """Where the vectors cannot be kept, words find what they find and it is said why."""
    world.by_words("ferns")
    world.vault.mkdir()
    found = world.ask("ferns")
    assert names(found) == ["plants.md"]
    assert "vectors.db cannot be used" in found.degraded
    assert world.server.requests == []


def test_the_state_names_the_mode(world: World) -> None:
    """Status tells by what notes are found, without asking the endpoint; no endpoint is no trouble."""
    assert world.state(embedding_url="").line.startswith("by words; no endpoint")
    assert "there are no vectors yet" in world.state().line
    assert "embedding_model is not set" in world.state(embedding_model="").line
    world.ask("vehicle")
    sent = len(world.server.requests)
    assert (
        world.state().line
        == f"by words and meaning (toy at 127.0.0.1:{world.server.port}, 256 numbers; 3 of 3 passages)"
    )
    assert "3 passages have no vector of this model" in world.state(embedding_model="new").line
    assert len(world.server.requests) == sent
