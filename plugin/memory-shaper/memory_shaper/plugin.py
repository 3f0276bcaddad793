"""The door to Hermes: registers at load, works when called.

A host waits for its plugins when it starts, so loading imports nothing of the package but the schemas of the tools.
What the hooks do is in `hooks`. None of them raises: in an older host a hook that raises leaves the call unguarded.
"""

from __future__ import annotations

import atexit
import logging
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .schemas import TOOLS, Tool

if TYPE_CHECKING:
    from .guard.guard import Guard

log = logging.getLogger("memory_shaper")
_DAMAGED = "memory-shaper: refused (guard-fault), nothing was written. Tell the user to run: memory-shaper doctor"
edit_action = "replace"  # how the host that has registered us changes an entry: replace or patch
context: Any = None  # what the host handed to `register`


def on_pre_tool_call(**call: Any) -> dict[str, str] | None:
    """Judge a call before it runs."""
    try:
        from . import hooks
    except Exception as error:  # a damaged package: what could harm the index is not let through unseen
        log.error("memory-shaper: %s at load", type(error).__name__)
        reads = str(call.get("tool_name", "")).startswith("read_")
        touches = call.get("tool_name") == "memory" or "MEMORY.md" in repr(call.get("args"))
        message = (
            "memory-shaper: refused (guard-fault), nothing was written. Tell the user to run: memory-shaper doctor"
        )
        return {"action": "block", "message": message} if touches and not reads else None
    return hooks.on_pre_tool_call(**call)


def on_post_tool_call(**call: Any) -> None:
    """Look after the files when a call has run."""
    from . import hooks

    hooks.on_post_tool_call(**call)


def on_transform_tool_result(**call: Any) -> str | None:
    """Look after the files, and tell the model what was put back or what changed from outside."""
    from . import hooks

    return hooks.on_transform_tool_result(**call)


def on_tool_request(**call: Any) -> dict[str, Any] | None:
    """Turn the bare name of an indexed or archived topic in a read into its absolute path."""
    from . import hooks

    return hooks.on_tool_request(**call)


def on_pre_llm_call(**turn: Any) -> dict[str, str] | None:
    """Tell what happened to the files since the last result, and which notes the message is about."""
    from . import hooks

    return hooks.on_pre_llm_call(**turn)


def on_session(**session: Any) -> None:
    """A session or sub-agent begins or ends: look at the files, and note that the guard is alive."""
    from . import hooks

    hooks.on_session(**session)


def on_session_finalize(**session: Any) -> None:
    """A session is over: look for facts in it, where the user wants that."""
    from . import hooks

    hooks.on_session_finalize(**session)


def on_slash(raw_args: str = "") -> str:
    """Answer `/memory-shaper VERB …` with the text of the verb."""
    from . import hooks

    return hooks.on_slash(raw_args)


def guard() -> Guard:
    """The guard of the home that is in force right now."""
    from . import hooks

    return hooks.guard()


def close() -> None:
    """Give back what the guards of this process hold open."""
    if hooks := sys.modules.get(f"{__package__}.hooks"):
        hooks.close()


def _words(parser: Any) -> None:
    parser.add_argument("words", nargs="...", metavar="VERB …", help="see: hermes memory-shaper help")


def _run(args: Any) -> None:
    from . import hooks

    hooks.run_command(args)


def _handler(tool: Tool) -> Callable[..., str]:
    def handle(args: Any = None, session_id: str = "", **_: Any) -> str:
        from . import hooks

        return hooks.answer_tool(tool, args, session_id)

    return handle


def register(ctx: Any) -> None:
    """Register hooks, tools and commands with the host."""
    global edit_action, context
    context = ctx
    # The hosts that take prompt sections are those that change entries by patch.
    edit_action = "patch" if hasattr(ctx, "register_system_prompt_section") else "replace"
    atexit.register(close)
    for name, hook in (
        ("pre_tool_call", on_pre_tool_call),
        ("post_tool_call", on_post_tool_call),
        ("transform_tool_result", on_transform_tool_result),
        ("pre_llm_call", on_pre_llm_call),
        ("on_session_start", on_session),
        ("on_session_end", on_session),
        ("on_session_finalize", on_session_finalize),
        ("subagent_start", on_session),
        ("subagent_stop", on_session),
    ):
        ctx.register_hook(name, hook)
    if hasattr(ctx, "register_middleware"):
        ctx.register_middleware("tool_request", on_tool_request)
    ctx.register_command("memory-shaper", on_slash, "Look after the memory index: status, verify, undo …", "VERB …")
    ctx.register_cli_command("memory-shaper", "look after the memory index", _words, _run)
    for tool in TOOLS:
        ctx.register_tool(
            name=tool.name,
            toolset=tool.toolset,
            schema=dict(tool.schema),
            handler=_handler(tool),
            description=str(tool.schema["description"]),
        )
