"""The hosts' own memory stores, played case by case in one process: what any twin of them is measured against."""

import base64
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hosts.harness import Home, Host, host_python

_SNIPPET = '''
import base64, json, logging, sys
from types import SimpleNamespace
logging.disable(logging.CRITICAL)
from hermes_constants import get_hermes_home
from tools import memory_tool as host

index = get_hermes_home() / "memories" / "MEMORY.md"

def call(store, args):
    """Hand the model's arguments to the tool as this host's agent loop does."""
    try:
        from agent.inline_tool_executors import INLINE_TOOL_EXECUTORS
    except ImportError:
        names = ("action", "content", "old_text", "operations")
        return host.memory_tool(target=args.get("target", "memory"), store=store, **{n: args.get(n) for n in names})
    return INLINE_TOOL_EXECUTORS["memory"](SimpleNamespace(_memory_store=store, _memory_manager=None), args, None)

def play(case):
    if case["text"] is None:
        index.unlink(missing_ok=True)
    else:
        index.write_bytes(base64.b64decode(case["text"]))
    store = host.MemoryStore(memory_char_limit=case["limit"])
    try:
        store.load_from_disk()
        answer = {"result": json.loads(call(store, case["arguments"]))}
    except Exception as error:
        answer = {"error": type(error).__name__}
    after = base64.b64encode(index.read_bytes()).decode() if index.exists() else None
    for copy in index.parent.glob("MEMORY.md.bak.*"):
        copy.unlink()
    return answer | {"after": after}

json.dump([play(case) for case in json.load(sys.stdin)], sys.stdout)
'''


@dataclass(frozen=True, slots=True)
class Case:
    """A MEMORY.md (None: no such file), and one call of the memory tool on it."""

    text: bytes | None
    arguments: Mapping[str, Any]
    limit: int = 2200


@dataclass(frozen=True, slots=True)
class Played:
    """What the tool said (or the type of what it raised) and the file after it."""

    result: Mapping[str, Any] | None
    error: str
    after: bytes | None

    @property
    def ok(self) -> bool:
        return self.result is not None and self.result.get("success") is True


def play(host: Host, home: Home, cases: Iterable[Case]) -> list[Played]:
    """Play each case on a fresh store and file; about a second for the process and a millisecond for a case.

    Raises RuntimeError when the host's interpreter fails as a whole.
    """
    rows = [
        {
            "text": None if case.text is None else base64.b64encode(case.text).decode(),
            "arguments": case.arguments,
            "limit": case.limit,
        }
        for case in cases
    ]
    ended = host_python(host, home, _SNIPPET, given=json.dumps(rows))
    if ended.code:
        raise RuntimeError(ended.err[-2000:])
    return [_played(row) for row in json.loads(ended.out)]


def _played(row: Mapping[str, Any]) -> Played:
    after = row["after"]
    return Played(row.get("result"), row.get("error", ""), None if after is None else base64.b64decode(after))
