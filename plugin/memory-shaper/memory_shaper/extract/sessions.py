"""The messages of one session, read from the host's state.db. Shell: SQLite, read-only."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing

from ..errors import Unreadable
from ..recall.sessions import open_state, plain_text
from ..settings import Home
from .talk import Message

_SQL = """SELECT id, role, content, tool_calls FROM messages
          WHERE session_id = ? AND id > ? AND role IN ('user', 'assistant') ORDER BY id LIMIT 5000"""
_KEEPERS = ("memory", "memory_remember")


def messages(home: Home, session: str, after: int) -> Generator[Message, None, None]:
    """What was said in a session behind a message, and what its memory tools were given. Raises Unreadable."""
    state = home.path / "state.db"
    if home.folder or not state.exists():
        return
    try:
        with closing(open_state(state)) as host:
            rows = host.execute(_SQL, (session, after)).fetchall()
    except sqlite3.DatabaseError as error:
        raise Unreadable(f"{state}: the session cannot be read ({error})") from error
    for number, role, content, calls in rows:
        if text := plain_text(content):
            yield Message(number, role, text)
        for text in _kept(calls):
            yield Message(number, "assistant", text, from_memory=True)


def _kept(calls: object) -> Iterator[str]:
    """The texts that calls of a memory tool carried."""
    try:
        listed = json.loads(calls) if isinstance(calls, str) and calls else []
    except (ValueError, RecursionError):
        return
    for call in listed if isinstance(listed, list) else []:
        function = call.get("function", call) if isinstance(call, dict) else {}
        if not isinstance(function, dict) or function.get("name") not in _KEEPERS:
            continue
        arguments = function.get("arguments") or function.get("args")
        try:
            given = json.loads(arguments) if isinstance(arguments, str) else arguments
        except (ValueError, RecursionError):
            continue
        for key in ("text", "content"):
            if isinstance(given, dict) and isinstance(given.get(key), str):
                yield given[key]
