"""One call of a hook command: JSON in, JSON out, for hosts that run commands as hooks. Shell.

Hermes' shell hooks and Claude Code's PreToolUse and PostToolUse share the shape; OpenHands names some fields otherwise.
Every call is a process of its own, so what is known between them is in the record; a call counts as in flight while its
post hook looks at the files.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import Unreadable
from .guard.call import Call
from .guard.guard import Guard
from .model import Answer, Verdict
from .settings import Home

_BEFORE = ("pre_tool_call", "PreToolUse")
_AFTER = ("post_tool_call", "PostToolUse", "PostToolUseFailure")
_NO_MEMORY_TOOL = "\nWhere there is no memory tool, write the file whole with every entry kept: the user is asked."


@dataclass(frozen=True, slots=True)
class Event:
    """What the host says: which hook, the call, its result, and the folder it runs in; `flat` is for a host that reads
    decision and context at the top of the answer and cannot ask."""

    name: str
    call: Call
    result: object
    cwd: str
    flat: bool


def read_event(text: str) -> Event:
    """The event in a hook's standard input. Raises Unreadable for anything but one JSON object."""
    try:
        table = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"hook: standard input is not JSON ({type(error).__name__})") from error
    if not isinstance(table, dict):
        raise Unreadable("hook: standard input is not a JSON object")
    extra = table["extra"] if isinstance(table.get("extra"), dict) else {}
    call = Call(
        _text(table.get("tool_name")),
        table.get("tool_input"),
        _text(table.get("session_id")),
        _text(table.get("tool_use_id") or extra.get("tool_call_id")) or "hook",
        "hook",
    )
    result = table.get("tool_response", extra.get("result"))
    flat = "hook_event_name" not in table and "event_type" in table
    name = table.get("event_type" if flat else "hook_event_name")
    return Event(_text(name), call, result, _text(table.get("working_dir" if flat else "cwd")), flat)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def answer(event: Event, home: Home) -> dict[str, Any]:
    """What to print for an event: {} where there is nothing to say."""
    guard = Guard.of(home)
    if event.cwd and Path(event.cwd).is_dir():
        guard.cwds[event.call.session] = event.cwd
    try:
        return _answer(event, guard)
    finally:
        guard.watch.flights.close()


def _answer(event: Event, guard: Guard) -> dict[str, Any]:
    call = event.call
    if event.name in _BEFORE:
        said = _verdict(event, guard.before(call))
        notes = "\n".join(guard.watch.take_notes())
        return said or ({"additionalContext" if event.flat else "systemMessage": notes} if notes else {})
    if event.name in _AFTER:
        guard.watch.flights.take_off(call.session, call.call, call.tool)
        guard.after(call, event.result, landed=True)
    else:
        guard.begin(call.session, "hook")
    notes = "\n".join(guard.watch.take_notes())
    return _told(event, notes) if notes else {}


def _verdict(event: Event, verdict: Verdict) -> dict[str, Any]:
    if verdict.answer is Answer.ALLOW:
        return {}
    message = verdict.message + (_NO_MEMORY_TOOL if verdict.rule == "index-write" else "")
    if event.flat:
        return {"decision": "deny", "reason": message}
    if event.name == "PreToolUse":
        decision = "ask" if verdict.answer is Answer.APPROVE else "deny"
        return {
            "hookSpecificOutput": {
                "hookEventName": event.name,
                "permissionDecision": decision,
                "permissionDecisionReason": message,
            }
        }
    # A shell hook of Hermes cannot ask: what needs the human's word is refused.
    return {"action": "block", "message": message, "decision": "block", "reason": message}


def _told(event: Event, notes: str) -> dict[str, Any]:
    if event.flat:
        return {"additionalContext": notes}
    if event.name in _AFTER and event.name[0] == "P":
        return {"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": notes}}
    return {"context": notes}
