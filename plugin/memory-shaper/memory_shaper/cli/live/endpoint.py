"""A model that follows a script: an OpenAI-compatible endpoint for one session. Shell: listens on a local socket."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

Json = dict[str, Any]
MODEL = "self-test"


@dataclass(frozen=True, slots=True)
class Ask:
    """One call that the model is to make."""

    tool: str
    arguments: Mapping[str, object]


@dataclass(slots=True)
class Script:
    """The calls to make, one a turn; what the host offered and answered, and what `look` saw when each answer came."""

    calls: Sequence[Ask]
    look: Callable[[], bytes | None]
    offered: set[str] = field(default_factory=set)
    results: list[str] = field(default_factory=list)
    seen: list[bytes | None] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def turn(self, body: Mapping[str, Any]) -> Json:
        """The model's message in answer to a request. One without tools asks for a title, and is no turn."""
        tools = body.get("tools") or []
        if not tools:
            return {"role": "assistant", "content": "Self-test"}
        with self.lock:
            self.offered |= {tool["function"]["name"] for tool in tools}
            told = [str(message.get("content") or "") for message in body["messages"] if message.get("role") == "tool"]
            if len(told) > len(self.results):
                self.results.append(told[-1])
                self.seen.append(self.look())
            if len(self.results) == len(self.calls):
                return {"role": "assistant", "content": "The self-test is done."}
            return _message(self.calls[len(self.results)], len(self.results))


def _message(ask: Ask, number: int) -> Json:
    function = {"name": ask.tool, "arguments": json.dumps(ask.arguments)}
    call = {"id": f"call_selftest_{number}", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


class Endpoint:
    """The endpoint at work: a context manager that listens on a free port of this machine."""

    def __init__(self, script: Script) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(script))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    def __enter__(self) -> Endpoint:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def url(self) -> str:
        """What a host is to take for the address of its model."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"


def _handler(script: Script) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """One request, one answer."""

        def do_GET(self) -> None:
            self._send("application/json", _bytes({"object": "list", "data": [{"id": MODEL, "object": "model"}]}))

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
            if not self.path.endswith("/chat/completions"):
                self.send_error(404)
                return
            message = script.turn(body)
            if body.get("stream"):
                self._send("text/event-stream", b"".join(_events(message)))
            else:
                self._send("application/json", _bytes(_wrapped("chat.completion", message=message, **_end(message))))

        def _send(self, kind: str, data: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: stderr is the user's."""

    return Handler


def _bytes(value: Json) -> bytes:
    return json.dumps(value).encode()


def _end(message: Json) -> Json:
    return {"finish_reason": "tool_calls" if message.get("tool_calls") else "stop"}


def _wrapped(kind: str, **choice: object) -> Json:
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    head = {"id": MODEL, "object": kind, "created": 0, "model": MODEL, "usage": usage}
    return head | {"choices": [{"index": 0, **choice}]}


def _events(message: Json) -> Iterator[bytes]:
    """The message as server-sent events: all of it in one, then the reason to stop, then the end mark."""
    delta = dict(message)
    if calls := message.get("tool_calls"):
        delta["tool_calls"] = [{"index": place, **call} for place, call in enumerate(calls)]
    for change, end in ((delta, {"finish_reason": None}), ({}, _end(message))):
        yield b"data: " + _bytes(_wrapped("chat.completion.chunk", delta=change, **end)) + b"\n\n"
    yield b"data: [DONE]\n\n"
