"""One request over a real connection: its limits of size and time, and an interpreter that is ending."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from embedding_server import Server, endpoint, saying
from memory_shaper.outgoing.endpoint import CHAT, Endpoint, NoAnswer
from memory_shaper.outgoing.post import post
from tools import PACKAGE

AT_EXIT = """
import atexit, sys
from memory_shaper.outgoing.endpoint import CHAT, Endpoint
from memory_shaper.outgoing.post import post
where = Endpoint(CHAT, sys.argv[1], "here", "toy", True, "")
atexit.register(lambda: print(post(where, {}, 20).decode()))
"""


def of(server: Server) -> Endpoint:
    return Endpoint(CHAT, server.url, urlsplit(server.url).netloc, "toy", True, "")


def test_the_body_names_the_model() -> None:
    """The body goes as JSON with the model's name, and the answer comes back byte for byte; any text can be sent."""
    with endpoint(saying(200, "né")) as server:
        assert post(of(server), {"x": "\ud800"}, 20) == "né".encode()
        assert server.requests[0].body == {"model": "toy", "x": "\ud800"}


def test_an_answer_has_a_largest_size() -> None:
    """An answer may have as many bytes as its service allows, and not one more."""
    with endpoint(saying(200, "12345")) as server:
        where = of(server)
        assert post(replace(where, service=replace(CHAT, largest=5)), {}, 20) == b"12345"
        with pytest.raises(NoAnswer, match="sends more than 4 bytes"):
            post(replace(where, service=replace(CHAT, largest=4)), {}, 20)


def test_no_proxy_hears_what_is_not_encrypted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy of the environment is not asked for this machine."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with endpoint(saying(200, "here")) as server:
        assert post(of(server), {}, 20) == b"here"


def test_an_interpreter_that_ends_can_still_ask() -> None:
    """A host ends its session at the very end of the process, where some versions of Python start no thread."""
    with endpoint(saying(200, "here")) as server:
        command = [sys.executable, "-c", AT_EXIT, server.url]
        done = subprocess.run(command, env={"PYTHONPATH": str(PACKAGE)}, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("here\n", "")
