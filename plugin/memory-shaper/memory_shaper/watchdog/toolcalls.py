"""The tool calls of one assistant message, in every shape that hosts have stored. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_BRIDGES = {"tool_call"}  # a tool that calls other tools: {"calls": [{"name", "arguments"}, …]}


class BrokenCalls(ValueError):
    """The stored text is not a JSON list of calls."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call: the host's id for it (empty where the row has none), the tool's name and its arguments."""

    id: str
    tool: str
    args: Mapping[str, object]


def read_calls(stored: str) -> tuple[Call, ...]:
    """The calls in a `tool_calls` column, those made through a bridge with the bridge's id.

    A single call whose arguments are no JSON object is left out: the host refused it as well.
    Raises BrokenCalls where the column itself cannot be read.

    >>> read_calls('[{"name": "read_file", "args": {"path": "a.md"}}]')
    (Call(id='', tool='read_file', args={'path': 'a.md'}),)
    """
    value = _loaded(stored)
    listed: list[object] = value if isinstance(value, list) else [value]
    calls = [call for call in listed if isinstance(call, dict)]
    if len(calls) < len(listed):
        raise BrokenCalls("not a list of calls")
    return tuple(inner for call in calls for inner in _opened(call))


def _loaded(stored: str) -> object:
    try:
        value = json.loads(stored)
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError) as error:
        raise BrokenCalls("not JSON") from error


def _opened(call: Mapping[str, object]) -> Iterator[Call]:
    function = call.get("function")
    named = function if isinstance(function, dict) else call
    tool, args = named.get("name"), _arguments(named)
    if not isinstance(tool, str) or args is None:
        return
    made = Call(_identifier(call), tool, args)
    yield from _bridged(made) if tool in _BRIDGES else (made,)


def _bridged(bridge: Call) -> Iterator[Call]:
    inner = bridge.args.get("calls", bridge.args)
    for call in inner if isinstance(inner, list) else [inner]:
        if isinstance(call, dict) and isinstance(tool := call.get("name"), str):
            args = _arguments(call)
            if args is not None:
                yield Call(bridge.id, tool, args)


def _identifier(call: Mapping[str, object]) -> str:
    found = call.get("id") or call.get("call_id")
    return found if isinstance(found, str) else ""


def _arguments(named: Mapping[str, object]) -> Mapping[str, object] | None:
    value = next((named[key] for key in ("arguments", "args") if named.get(key) is not None), {})
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None
