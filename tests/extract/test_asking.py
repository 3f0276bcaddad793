"""Asking the model: at an address over a real connection, or the host's own."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest
from embedding_server import Answer, Server, endpoint, saying
from memory_shaper.extract.asking import Ask, model_of
from memory_shaper.outgoing.endpoint import NoAnswer
from memory_shaper.settings import Settings

KEY = "sk-0123456789abcdef0123"
ASKED = "the user drinks oolong"


def chat(text: object) -> str:
    return json.dumps({"choices": [{"message": {"content": text}}]})


def model(context: Any = None, **values: str) -> Ask | None:
    settings = Settings()
    return model_of(replace(settings, values={**settings.values, **values}), context, {"MY_KEY": KEY})


def at(server: Server, **values: str) -> Ask:
    found = model(**{"model_url": server.url, "model_name": "toy", "model_key_env": "MY_KEY"} | values)
    assert found is not None
    return found


@dataclass(slots=True)
class Lending:
    """What a host that lends its model hands to a plugin."""

    answer: str | None

    @property
    def llm(self) -> Any:
        return self

    def complete(self, messages: list[dict[str, str]], **_: object) -> Any:
        if self.answer is None:
            raise ValueError(messages)
        return SimpleNamespace(text=self.answer)


def test_what_is_sent() -> None:
    """The protocol is OpenAI's, and the key of the named variable goes along; without a name none does."""
    with endpoint(saying(200, chat("yes"))) as server:
        assert at(server)("told", ASKED, 20) == "yes"
        assert at(server, model_key_env="")("told", ASKED, 20) == "yes"
    first, second = server.requests
    assert (first.path, first.model, first.headers["Authorization"]) == ("/v1/chat/completions", "toy", f"Bearer {KEY}")
    assert first.body["messages"] == [{"role": "system", "content": "told"}, {"role": "user", "content": ASKED}]
    assert "Authorization" not in second.headers


BAD = {
    "no such path": saying(404, "{}"),
    "wrong key": saying(401, json.dumps({"error": f"Incorrect API key provided: {KEY}"})),
    "refused": saying(400, json.dumps({"error": ASKED})),
    "no JSON": saying(200, ASKED),
    "nested": saying(200, "[" * 100_000),
    "no choices": saying(200, json.dumps({"choices": [], "echo": ASKED})),
    "too large": saying(200, chat(ASKED * 100_000)),
}


@pytest.mark.parametrize("answer", BAD.values(), ids=BAD)
def test_a_bad_endpoint(answer: Answer) -> None:
    """Whatever goes wrong names the host, and neither the key nor what was asked, not even in what caused it."""
    with endpoint(answer) as server, pytest.raises(NoAnswer) as error:
        at(server)("told", ASKED, 20)
    told = str(error.value)
    assert f"127.0.0.1:{server.port}" in told and KEY not in told and "oolong" not in told
    assert error.value.__cause__ is None
    assert len(server.requests) == 1


def test_a_redirect_is_not_followed() -> None:
    """The talk and the key were meant for one address only."""
    with endpoint() as other, endpoint(saying(302, "", Location=other.url)) as server:
        with pytest.raises(NoAnswer, match="answered 302"):
            at(server)("told", ASKED, 20)
        assert (len(server.requests), other.requests) == (1, [])


def test_the_time_is_kept_in_all() -> None:
    """A model that never answers is given up when its time is over."""
    with endpoint() as server:
        server.gate.clear()
        began = time.monotonic()
        with pytest.raises(NoAnswer, match=r"no answer within 0\.3 s"):
            at(server)("told", ASKED, 0.3)
        assert time.monotonic() - began < 10  # It would hold on for 20.


def test_settings_that_make_no_sense_are_told_when_asked() -> None:
    """An address that cannot be used is no model that is missing: the setting is named, and nothing is sent."""
    ask = model(model_url="http://nas.example.org/v1", model_name="toy")
    assert ask is not None
    with pytest.raises(NoAnswer, match=r"model_url: http to nas\.example\.org"):
        ask("told", ASKED, 20)


def test_the_hosts_own_model() -> None:
    """It is asked where the host lends one and no address is set; what it raises is not repeated."""
    ask, failing = model(Lending("yes")), model(Lending(None))
    assert ask is not None and failing is not None and ask("told", ASKED, 20) == "yes"
    with pytest.raises(NoAnswer, match=r"did not answer \(ValueError\)") as error:
        failing("told", ASKED, 20)
    assert error.value.__cause__ is None
    assert model(object()) is None and model() is None
