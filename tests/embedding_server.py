"""A real endpoint for embeddings on this machine: words of one meaning point in one direction. And bad ones."""

from __future__ import annotations

import json
import re
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Words of one row mean the same; any other word means itself.
MEANINGS = (
    ("car", "automobile", "vehicle", "汽车"),
    ("doctor", "physician", "医生"),
    ("salary", "wage", "pay", "工资"),
)
SIZE = 256


def vector(text: str, size: int = SIZE) -> list[float]:
    """Count the meanings of a text, each in a direction of its own."""
    numbers = [0.0] * size
    for word in re.findall(r"[a-z]+|[\u4e00-\u9fff]{2}", text.lower()):
        meaning = next((row[0] for row in MEANINGS if word in row), word)
        numbers[zlib.crc32(meaning.encode()) % size] += 1.0
    return numbers


Answer = Callable[["_Handler", list[str]], None]


def good(size: int = SIZE) -> Answer:
    """Answers as the protocol has it, last text first, so that only `index` tells which is which."""

    def answer(handler: _Handler, texts: list[str]) -> None:
        rows = [{"index": place, "embedding": vector(text, size)} for place, text in enumerate(texts)]
        handler.say(200, json.dumps({"object": "list", "data": rows[::-1]}))

    return answer


def saying(status: int, body: str, **headers: str) -> Answer:
    """Answers always the same."""

    def answer(handler: _Handler, texts: list[str]) -> None:
        handler.say(status, body, headers)

    return answer


def refusing(word: str) -> Answer:
    """Refuses any request in which a text holds a word."""

    def answer(handler: _Handler, texts: list[str]) -> None:
        if any(word in text for text in texts):
            handler.say(400, json.dumps({"error": {"message": f"too long: {texts}"}}))
        else:
            good()(handler, texts)

    return answer


@dataclass(slots=True)
class Request:
    """A request as it came in."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, object]

    @property
    def model(self) -> object:
        return self.body["model"]

    @property
    def texts(self) -> list[str]:
        texts = self.body.get("input", [])
        assert isinstance(texts, list)
        return texts


@dataclass(slots=True)
class Server:
    """A running endpoint: what it was asked, and what it answers from now on. `gate` holds answers back while shut."""

    port: int
    answer: Answer
    requests: list[Request] = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def texts(self) -> list[str]:
        """Every text that was sent, in order."""
        return [text for request in self.requests for text in request.texts]


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server: Server = self.server.state  # type: ignore[attr-defined]
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server.requests.append(Request(self.path, dict(self.headers), body))
        server.gate.wait(20)
        try:
            server.answer(self, server.requests[-1].texts)
        except OSError:
            return  # The client has gone.

    def do_GET(self) -> None:
        self.server.state.requests.append(Request(self.path, dict(self.headers), {}))  # type: ignore[attr-defined]
        self.say(200, "{}")

    def say(self, status: int, body: str, headers: Mapping[str, str] = {}) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@contextmanager
def endpoint(answer: Answer | None = None) -> Iterator[Server]:
    """A running endpoint on a free port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as http:
        server = Server(http.server_address[1], answer or good())
        server.gate.set()
        http.state = server  # type: ignore[attr-defined]
        thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.gate.set()
            http.shutdown()
            thread.join()
