"""The arguments of the host's `memory` tool, in every shape either host takes, as operations. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ..model import MemoryCall, Operation

CHANGING = ("add", "replace", "patch", "remove")
_TEXTS = ("content", "new_text")


def read_memory_call(args: object) -> MemoryCall | None:
    """The call as operations; None where there is nothing to judge (no arguments at all).

    Fields of a wrong type are never guessed at: `problem` names them, and the call is refused with it.
    """
    if not isinstance(args, Mapping):
        return None
    target = args.get("target") or "memory"
    if target == "user":
        return MemoryCall(target="user")
    if target != "memory":
        return MemoryCall(problem="target is neither memory nor user")
    operations = _operations(args.get("operations"))
    if not operations:
        return _single(args)
    if not isinstance(operations, list):
        return MemoryCall(batch=True, problem="operations is no list of {action, content, old_text}")
    return _batch(operations)


def written_texts(args: object) -> list[tuple[str, str]]:
    """The texts that a call would write, to whichever store, each with where it stands in the call.

    >>> written_texts({"operations": [{"action": "add", "content": "x"}, {"action": "remove", "old_text": "y"}]})
    [('operation 1: ', 'x')]
    """
    if not isinstance(args, Mapping):
        return []
    operations = _operations(args.get("operations"))
    items = operations if isinstance(operations, list) else []
    placed = [("", args), *((f"operation {number}: ", item) for number, item in enumerate(items, 1))]
    return [
        (place, value)
        for place, item in placed
        if isinstance(item, Mapping)
        for key in _TEXTS
        if isinstance(value := item.get(key), str)
    ]


def with_texts(args: Mapping[str, Any], change: Callable[[str], str]) -> dict[str, Any] | None:
    """The arguments with every text that the call would write changed; None where that changes nothing."""

    def changed(item: Any) -> Any:
        if not isinstance(item, Mapping):
            return item
        return {
            key: change(value) if key in _TEXTS and isinstance(value, str) else value for key, value in item.items()
        }

    after = changed(args)
    operations = _operations(args.get("operations"))
    if isinstance(operations, list):
        after["operations"] = [changed(item) for item in operations]
        if after["operations"] == operations:
            after["operations"] = args["operations"]
    return after if after != dict(args) else None


def _operations(value: Any) -> Any:
    # 0.22 takes JSON text for the list and a bare object for a list of one.
    if isinstance(value, str) and value.strip():
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return value
    return [value] if isinstance(value, Mapping) and value else value


def _single(args: Mapping[Any, Any]) -> MemoryCall:
    operation = _operation(args)
    if isinstance(operation, str):
        return MemoryCall(problem=operation)
    return MemoryCall((operation,))


def _batch(items: list[Any]) -> MemoryCall:
    operations: list[Operation] = []
    for number, item in enumerate(items, 1):
        operation = _operation(item if item is not None else {})
        if isinstance(operation, str):
            return MemoryCall(batch=True, problem=f"operation {number}: {operation}")
        operations.append(operation)
    return MemoryCall(tuple(operations), batch=True)


def _operation(item: Any) -> Operation | str:
    if not isinstance(item, Mapping):
        return "not an object of {action, content, old_text}"
    if item.get("target") not in (None, "memory"):
        return "names another target; one call writes one store"
    action = item.get("action")
    content = item.get("content") or item.get("new_text")
    old_text = item.get("old_text")
    if action is not None and not isinstance(action, str):
        return "action is not text"
    for name, value in (("content", content), ("old_text", old_text)):
        if value is not None and not isinstance(value, str):
            return f"{name} is not text"
        if isinstance(value, str) and not _encodable(value):
            return f"{name} holds half a character (a lone surrogate)"
    return Operation(action or "", content, old_text)


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
