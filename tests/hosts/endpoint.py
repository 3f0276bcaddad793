"""A scripted OpenAI-compatible endpoint: it replays assistant turns and keeps every request.

A host talks to the model from several places in one session: the conversation, its sub-agents, its background review.
Each place has a lane of its own in the script, so that one never eats the turns of another.
"""

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

HELD_AT_MOST = 20.0
"""Seconds that an answer waits for another lane before it is given all the same."""

Call = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Turn:
    """What the model says in one answer: text, tool calls, or both.

    `after` names a lane whose turns must all be used up first: the answer is held back until then.
    `decide` makes the calls when the turn comes, from the results of the lane so far.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    after: str = ""
    decide: "Callable[[list[ToolResult]], Iterable[Call]] | None" = None


def say(text: str, after: str = "") -> Turn:
    """A turn of plain text: the host ends its loop on it."""
    return Turn(text=text, after=after)


def ask(*calls: Call) -> Turn:
    """A turn of tool calls, each a pair of name and arguments."""
    return Turn(calls=calls)


def decide(make: "Callable[[list[ToolResult]], Iterable[Call]]") -> Turn:
    """A turn whose calls are made from the results so far."""
    return Turn(decide=make)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """One tool call of the script and what the model was told about it."""

    call_id: str
    name: str
    arguments: Mapping[str, Any]
    text: str

    @property
    def data(self) -> Any:
        """The result read as JSON; raises ValueError when it is not JSON."""
        return json.loads(self.text)


@dataclass(frozen=True, slots=True)
class Request:
    """One request for a completion as the host sent it, and the lane it was answered from."""

    lane: str
    body: Mapping[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        return list(self.body.get("messages") or [])

    @property
    def tools(self) -> dict[str, dict[str, Any]]:
        """The functions offered to the model, by name."""
        return {tool["function"]["name"]: tool["function"] for tool in self.body.get("tools") or []}

    @property
    def system(self) -> str:
        return "\n".join(_text(m) for m in self.messages if m.get("role") in ("system", "developer"))

    @property
    def user(self) -> str:
        """The newest message of the user, with whatever a hook added to it."""
        return next((_text(m) for m in reversed(self.messages) if m.get("role") == "user"), "")


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


_REVIEW = "Review the conversation above"


def lane_of(request: Request) -> str:
    """`main`, `review` (the host's background review) or `child` (a sub-agent), told from the request alone."""
    if any(_text(m).startswith(_REVIEW) for m in request.messages if m.get("role") == "user"):
        return "review"
    # Both hosts keep `memory` and `delegate_task` from a sub-agent; nothing else sets its requests apart.
    return "main" if "delegate_task" in request.tools else "child"


@dataclass
class Script:
    """Turns by lane, each list used up from the front; an empty lane answers with plain text.

    `route` names the lane of a request and may be replaced by a test that knows better; `aside` answers requests
    without tools, such as those for a title.
    """

    main: Iterable[Turn] = ()
    review: Iterable[Turn] = ()
    child: Iterable[Turn] = ()
    route: Callable[[Request], str] = lane_of
    aside: Callable[[Request], str] = lambda request: "A short title"
    _left: dict[str, deque[Turn]] = field(init=False)

    def __post_init__(self) -> None:
        self._left = {"main": deque(self.main), "review": deque(self.review), "child": deque(self.child)}

    def next(self, lane: str) -> Turn:
        left = self._left[lane]
        return left.popleft() if left else say("All done.")

    def drop(self, lane: str) -> None:
        """Forget the turns that are left in a lane."""
        self._left[lane].clear()

    @property
    def unused(self) -> dict[str, int]:
        """How many turns were never asked for, by lane."""
        return {lane: len(left) for lane, left in self._left.items() if left}


class Endpoint:
    """The endpoint at work: a context manager that listens on a free port of this machine."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.requests: list[Request] = []
        self.errors: list[Exception] = []
        self._changed = threading.Condition()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def answer(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The assistant message for one request. A request without tools never uses up a turn."""
        request = Request("side", body)
        if not request.tools:
            self.requests.append(request)
            return {"role": "assistant", "content": self.script.aside(request)}
        request = Request(self.script.route(request), body)
        with self._changed:
            self.requests.append(request)
            stem = f"{request.lane}{len(self.requests)}"
            turn = self.script.next(request.lane)
            self._changed.notify_all()
            self._changed.wait_for(lambda: turn.after not in self.script.unused, HELD_AT_MOST)
        return _message(self._decided(turn, request.lane), stem)

    def _decided(self, turn: Turn, lane: str) -> Turn:
        """The turn with its calls; what a test raises while it decides ends the session and is kept for its report."""
        if turn.decide is None:
            return turn
        try:
            return replace(turn, calls=tuple(turn.decide(self.results(lane))))
        except Exception as error:
            self.errors.append(error)
            self.script.drop(lane)
            return say("The script failed.")

    def results(self, lane: str = "main") -> list[ToolResult]:
        """The results of a lane's calls in the order the model got them, each as it was first seen.

        A host may take one call apart into several, so the calls are read from what it sent back, not from the script.
        The background review gets the whole conversation: a result belongs to the lane that was told of it first.
        """
        calls: dict[str, Call] = {}
        seen: dict[str, tuple[str, ToolResult]] = {}
        for request in self.requests:
            for message in request.messages:
                for call in message.get("tool_calls") or []:
                    calls[call["id"]] = (call["function"]["name"], json.loads(call["function"]["arguments"]))
                if message.get("role") == "tool" and (call_id := message["tool_call_id"]) not in seen:
                    seen[call_id] = (request.lane, ToolResult(call_id, *calls[call_id], _text(message)))
        return [result for owner, result in seen.values() if owner == lane]


def _message(turn: Turn, stem: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": turn.text or None}
    for place, (name, arguments) in enumerate(turn.calls):
        function = {"name": name, "arguments": json.dumps(arguments)}
        call = {"id": f"call_{stem}_{place}", "type": "function", "function": function}
        message.setdefault("tool_calls", []).append(call)
    return message


def _handler(endpoint: Endpoint) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """One request, one answer, one connection."""

        def do_GET(self) -> None:
            self._send_json({"object": "list", "data": [{"id": "fake", "object": "model", "context_length": 200_000}]})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
            if not self.path.endswith("/chat/completions"):
                self.send_error(404)
                return
            message = endpoint.answer(body)
            if body.get("stream"):
                self._send("text/event-stream", b"".join(_events(message)))
            else:
                self._send_json(_envelope("chat.completion", message=message, finish_reason=_reason(message)))

        def _send_json(self, value: Any) -> None:
            self._send("application/json", json.dumps(value).encode())

        def _send(self, kind: str, data: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing: the requests themselves are kept."""

    return Handler


def _reason(message: Mapping[str, Any]) -> str:
    return "tool_calls" if message.get("tool_calls") else "stop"


def _envelope(kind: str, **choice: Any) -> dict[str, Any]:
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    head = {"id": "scripted", "object": kind, "created": int(time.time()), "model": "fake", "usage": usage}
    return head | {"choices": [{"index": 0, **choice}]}


def _events(message: Mapping[str, Any]) -> Iterable[bytes]:
    """The message as server-sent events: all of it in one delta, then the reason to stop, then the end mark."""
    delta = dict(message)
    if calls := message.get("tool_calls"):
        delta["tool_calls"] = [{"index": place, **call} for place, call in enumerate(calls)]
    for change, reason in ((delta, None), ({}, _reason(message))):
        event = _envelope("chat.completion.chunk", delta=change, finish_reason=reason)
        yield b"data: " + json.dumps(event).encode() + b"\n\n"
    yield b"data: [DONE]\n\n"
