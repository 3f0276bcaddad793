"""A plugin that writes down every hook call; words in a call's arguments order a verdict on it."""

import json
import os
import threading
from pathlib import Path
from typing import Any

HOOKS = (
    "pre_tool_call", "post_tool_call", "transform_tool_result", "pre_llm_call", "post_llm_call", "on_session_start",
    "on_session_end", "on_session_finalize", "on_session_reset", "subagent_start", "subagent_stop",
)  # fmt: skip
_lock = threading.Lock()


def _home() -> Path:
    return Path(os.environ["HERMES_HOME"])


def _write(hook: str, facts: dict[str, Any]) -> None:
    line = {"hook": hook, "thread": threading.current_thread().name} | facts
    with _lock, open(_home() / "hooks.jsonl", "a", encoding="utf-8") as log:
        log.write(json.dumps(line, default=repr) + "\n")


def _observer(hook: str) -> Any:
    def observe(**facts: Any) -> Any:
        facts.pop("conversation_history", None)
        _write(hook, facts)
        if hook == "pre_tool_call":
            return _verdict(json.dumps(facts.get("args"), default=repr))
        if hook == "transform_tool_result" and "TRANSFORM-ME" in json.dumps(facts.get("args"), default=repr):
            return "transformed by the probe"
        if hook == "pre_llm_call":
            return {"context": "context from the probe"}
        return None

    return observe


def _verdict(text: str) -> dict[str, str] | None:
    if "BLOCK-ME" in text:
        return {"action": "block", "message": "blocked by the probe"}
    if "ASK-ME" in text:
        return {"action": "approve", "message": "the probe asks", "rule_key": "probe:1"}
    if "RAISE-ME" in text:
        raise RuntimeError("raised by the probe")
    return None


def _resolve(tool_name: str = "", args: dict[str, Any] | None = None, **facts: Any) -> dict[str, Any] | None:
    _write("tool_request", {"tool_name": tool_name, "args": args} | facts)
    path = (args or {}).get("path")
    if tool_name == "read_file" and isinstance(path, str) and path.startswith("topic-"):
        return {"args": {**(args or {}), "path": str(_home() / "memories" / path)}}
    return None


def _tool(name: str) -> Any:
    def handle(args: dict[str, Any], **facts: Any) -> str:
        _write("handler:" + name, {"args": args} | facts)
        return json.dumps({"heard": args.get("text")})

    return handle


def register(ctx: Any) -> None:
    """Register every hook that both hosts know, one middleware, and a tool inside and one outside toolset `memory`."""
    for hook in HOOKS:
        ctx.register_hook(hook, _observer(hook))
    ctx.register_middleware("tool_request", _resolve)
    for name, toolset in (("probe_echo", "probe"), ("probe_note", "memory")):
        parameters = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
        schema = {"name": name, "description": f"Say the text back ({toolset})", "parameters": parameters}
        ctx.register_tool(name=name, toolset=toolset, schema=schema, handler=_tool(name))
