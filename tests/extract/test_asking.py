"""Asking a model over HTTP: a real server, and everything that one can do wrong."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import SimpleNamespace
from typing import Any

import pytest
from memory_shaper.extract.asking import NoAnswer, model_of
from memory_shaper.settings import TABLE, Settings

GOOD = json.dumps({"choices": [{"message": {"content": "hello"}}]})


@dataclass(slots=True)
class Served:
    """What a server was asked, and what it answers: a status, a body, headers."""

    status: int = 200
    body: str = GOOD
    headers: dict[str, str] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, Any], str | None]] = field(default_factory=list)
    url: str = ""


@contextmanager
def server(served: Served) -> Iterator[Served]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            served.asked.append((self.path, body, self.headers.get("Authorization")))
            self.send_response(served.status)
            for name, value in served.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(served.body.encode())

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        served.url = f"http://127.0.0.1:{made.server_port}/v1"
        try:
            yield served
        finally:
            made.shutdown()
            thread.join()


def settings(**values: str) -> Settings:
    return Settings(values={name: row.default for name, row in TABLE.items()} | values)


def test_the_key_comes_from_the_environment() -> None:
    """Model and messages go to the address that was set, with the key of the variable that was named."""
    with server(Served()) as served:
        ask = model_of(settings(model_url=served.url, model_name="m", model_key="MY_KEY"), None, {"MY_KEY": "k3y"})
        assert ask is not None and ask("told", "asked", 5) == "hello"
        path, body, key = served.asked[0]
        assert (path, key, body["model"]) == ("/v1/chat/completions", "Bearer k3y", "m")
        assert [one["content"] for one in body["messages"]] == ["told", "asked"]
        keyless = model_of(settings(model_url=f"{served.url}/chat/completions"), None, {})
        assert keyless is not None and keyless("t", "a", 5) == "hello" and served.asked[1][2] is None


@pytest.mark.parametrize(
    ("status", "body"),
    [(500, "secret words"), (200, "no JSON"), (200, '{"choices": []}'), (200, "[1]"), (200, "[" * 100_000)],
)
def test_what_is_no_answer(status: int, body: str) -> None:
    """An error or another shape: a reason without a word of what was said."""
    with server(Served(status, body)) as served, pytest.raises(NoAnswer) as caught:
        ask = model_of(settings(model_url=served.url), None, {})
        assert ask is not None
        ask("told", "asked", 5)
    assert "secret" not in str(caught.value) and "asked" not in str(caught.value)


def test_a_redirect_is_not_followed() -> None:
    """The talk and the key were meant for one address only."""
    with server(Served()) as elsewhere:
        with server(Served(302, "", {"Location": f"{elsewhere.url}/chat/completions"})) as served:
            ask = model_of(settings(model_url=served.url), None, {})
            assert ask is not None
            with pytest.raises(NoAnswer, match="302"):
                ask("told", "asked", 5)
        assert elsewhere.asked == []


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/v1", "file:///etc/passwd", "ftp://x/y", "no address"])
def test_an_address_that_does_not_answer(url: str) -> None:
    """Nobody there, or no http address at all."""
    ask = model_of(settings(model_url=url), None, {})
    assert ask is not None
    with pytest.raises(NoAnswer):
        ask("told", "asked", 2)


def test_the_hosts_model_is_asked_where_no_address_is_set() -> None:
    """Through the handle that the host lends; what it raises is no answer; without a handle there is no model."""
    given: list[Any] = []

    def complete(messages: Any, **options: Any) -> Any:
        given.append((messages, options["timeout"]))
        return SimpleNamespace(text="fine")

    ask = model_of(settings(), lambda: SimpleNamespace(complete=complete), {})
    assert ask is not None and ask("told", "asked", 7) == "fine" and given[0][1] == 7
    broken = model_of(settings(), lambda: None, {})
    assert broken is not None
    with pytest.raises(NoAnswer, match="AttributeError"):
        broken("told", "asked", 7)
    assert model_of(settings(), None, {}) is None
