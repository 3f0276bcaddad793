"""What the hooks of the host do: calls of the guard and back.

Hooks take keyword arguments only and accept new ones. None of them raises: in an older host a hook that raises leaves
the call unguarded. A fault of ours refuses writes to the index and lets everything else pass.
"""

from __future__ import annotations

import json
import logging
import os
import shlex
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import plugin, refer, registered
from .errors import MemoryShaperError
from .guard import refusals
from .guard.call import Call
from .guard.guard import READERS, Guard
from .guard.memory_edits import redacted
from .model import Answer, Verdict
from .schemas import Tool
from .settings import find_home, load

if TYPE_CHECKING:
    from .hinting import Hints

log = logging.getLogger("memory_shaper")

Answered = dict[str, str] | None
_guards: dict[str, Guard] = {}
_hinters: dict[str, Hints] = {}
_noted: set[str] = set()  # homes in whose record it stands which commands are ours
_lock = threading.Lock()


def guard() -> Guard:
    """The guard of the home that is in force right now; a gateway may serve several."""
    constants = sys.modules.get("hermes_constants")
    key = str(constants.get_hermes_home()) if constants else os.environ.get("HERMES_HOME", "")
    found = _guards.get(key)
    if found is None:
        with _lock:
            found = _guards.setdefault(key, Guard.of(find_home(), plugin.edit_action))
    return found


def close() -> None:
    """Give back what the guards and finders of this process hold open."""
    for found in list(_guards.values()):
        _quietly(found.watch.close)
    if searching := sys.modules.get(f"{__package__}.searching"):
        _quietly(searching.close_finders)


def on_pre_tool_call(
    tool_name: str = "", args: Any = None, session_id: str = "", tool_call_id: str = "", **_: Any
) -> Answered:
    """Judge a call before it runs."""
    call = _call(tool_name, args, session_id, tool_call_id)
    try:
        answer = _answer(guard().before(call))
    except Exception as error:
        answer = _fault(call, error)
    _quietly(lambda: guard().fired(call.session))
    return answer


def _call(tool: Any, args: Any, session: Any, call: Any) -> Call:
    return Call(_text(tool), args, _text(session), _text(call))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _answer(verdict: Verdict) -> Answered:
    if verdict.answer is Answer.ALLOW:
        return None
    if verdict.answer is Answer.BLOCK:
        return {"action": "block", "message": verdict.message}
    return {"action": "approve", "message": verdict.message, "rule_key": verdict.key}


def _fault(call: Call, error: Exception) -> Answered:
    """A fault of the guard itself: writes to the index are refused, the rest passes."""
    _log(error)
    try:
        text = json.dumps(call.args, default=str)
    except (ValueError, RecursionError, TypeError):
        text = ""
    user = isinstance(call.args, Mapping) and call.args.get("target") == "user"
    writes = call.tool == "memory" and not user
    if writes or (call.tool not in READERS and "MEMORY.md" in text):
        known = str(error) if isinstance(error, MemoryShaperError) else f"the guard failed ({type(error).__name__})"
        return {"action": "block", "message": refusals.broken(known)}
    return None


def _log(error: Exception) -> None:
    # The kind of error and where it arose: its text may hold memory.
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else "?"
    log.error("memory-shaper: %s at %s", type(error).__name__, place)


def on_post_tool_call(
    tool_name: str = "",
    args: Any = None,
    result: Any = None,
    session_id: str = "",
    tool_call_id: str = "",
    status: Any = "",
    **_: Any,
) -> None:
    """Look after the files when a call has run."""
    call = _call(tool_name, args, session_id, tool_call_id)
    _quietly(lambda: guard().ended(call, result, _text(status)))
    _quietly(lambda: guard().after(call, result, landed=True))


def on_transform_tool_result(
    tool_name: str = "",
    args: Any = None,
    result: Any = None,
    session_id: str = "",
    tool_call_id: str = "",
    status: Any = "",
    **_: Any,
) -> str | None:
    """Look after the files, and tell the model what was put back or what changed from outside."""
    call = _call(tool_name, args, session_id, tool_call_id)
    _quietly(lambda: guard().ended(call, result, _text(status)))
    _quietly(lambda: guard().after(call, result, landed=False))
    notes: list[str] = []
    if tool_call_id:  # the result of a call inside execute_code goes to the program, which may not show it
        _quietly(lambda: notes.extend(guard().watch.take_notes()))
    return _with_notes(result, notes) if notes else None


def _with_notes(result: Any, notes: list[str]) -> str:
    """A result with our notes: as a field where it is a JSON object, as lines behind it where it is other text."""
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)
    try:
        table = json.loads(text)
    except (ValueError, RecursionError):
        table = None
    if isinstance(table, dict):
        return json.dumps({**table, "memory_shaper": "\n".join(notes)}, ensure_ascii=False)
    return text + "\n" + "\n".join(notes)


def on_tool_request(tool_name: str = "", args: Any = None, session_id: str = "", **_: Any) -> dict[str, Any] | None:
    """Turn the bare name of a topic in a read into its path; carry out the user's `redact` on what `memory` writes."""
    changed: list[dict[str, Any] | None] = [None]

    def resolve() -> None:
        found = guard()
        if tool_name == "memory":
            changed[0] = redacted(args, load(found.home, found.ours).rules)
        else:
            changed[0] = refer.resolved(_text(tool_name), args, found.home, found.cwds.get(_text(session_id)))

    _quietly(resolve)
    return {"args": changed[0]} if changed[0] is not None else None


def on_pre_llm_call(
    session_id: str = "", platform: str = "", user_message: Any = None, is_first_turn: Any = False, **_: Any
) -> dict[str, str] | None:
    """Tell what happened to the files since the last result, and which notes the message is about."""
    notes: list[str] = []

    def look() -> None:
        found = guard()
        found.begin(_text(session_id), _text(platform), rested=bool(session_id))
        notes.extend(found.watch.take_notes())

    def hint() -> None:
        text = user_message if isinstance(user_message, str) else ""
        session = _text(session_id)
        notes.append(_hints().give(session, text, bool(is_first_turn), guard().folder_of(session) or ""))

    _quietly(look)
    _quietly(hint)
    told = [note for note in notes if note]
    return {"context": "\n".join(told)} if told else None


def _hints() -> Hints:
    from .hinting import Hints
    from .searching import finder_of

    home = guard().home
    return _hinters.setdefault(str(home.path), Hints(finder_of(home)))


def on_session(session_id: str = "", platform: str = "", **_: Any) -> None:
    """A session or sub-agent begins or ends: look at the files, and note that the guard is alive."""
    _quietly(lambda: guard().begin(_text(session_id), _text(platform)))
    _quietly(_note_commands)


def _note_commands() -> None:
    """Note once a process which of our commands are another's: by now every plugin has registered its own."""
    found = guard()
    if str(found.home.path) in _noted or not found.home.memories.is_dir():
        return
    _noted.add(str(found.home.path))
    seen = registered.taken(plugin.context)
    with found.watch.record() as record:
        if seen is not None and record.counters.meta(registered.TAKEN) != seen:
            record.counters.set_meta(registered.TAKEN, seen)


_UNTOLD = ("cron", "subagent", "batch")  # nobody said anything there


def on_session_finalize(session_id: str = "", platform: str = "", reason: str = "", **_: Any) -> None:
    """A session is over: look for facts in it. A host that goes on meanwhile is not held up."""
    session, surface = _text(session_id), _text(platform)
    on_session(session, surface)

    def look() -> None:
        found = guard()
        settings = load(found.home, found.ours)
        if settings["extract"] == "off" or surface in _UNTOLD:
            return
        from .extract.asking import model_of
        from .extract.running import at_session_end

        def work() -> None:
            _quietly(lambda: at_session_end(found.home, settings, session, model_of(settings, plugin.context)))

        if surface in ("", "cli") and _text(reason) in ("", "shutdown"):  # the process ends with the session
            work()
        else:
            threading.Thread(target=work, name="memory-shaper-facts").start()

    _quietly(look)


def _quietly(work: Callable[[], object]) -> None:
    try:
        work()
    except Exception as error:
        _log(error)


def on_slash(raw_args: str = "") -> str:
    """Answer `/memory-shaper VERB …` with the text of the verb."""
    from .cli import VERBS, call

    try:
        words = shlex.split(raw_args or "") or ["status"]
        if words[0] in VERBS and not VERBS[words[0]].chat:
            return f"memory-shaper: {words[0]} is for the terminal: hermes memory-shaper {words[0]}"
        outcome = call(words)
        return "\n".join(text for text in (outcome.text.rstrip(), outcome.talk.rstrip()) if text)
    except (MemoryShaperError, ValueError) as error:
        return str(error)


def run_command(args: Any) -> None:
    """Run `hermes memory-shaper VERB …`, with the exit code of the verb."""
    from .cli import run

    if code := run(list(args.words), sys.stdout, sys.stderr):
        raise SystemExit(code)


def answer_tool(tool: Tool, args: Any, session: Any) -> str:
    """Answer a call of one of our tools; a tool that raises would end the turn in an older host."""
    from .tools import ANSWERS

    try:
        return ANSWERS[tool.answer](guard(), args, _text(session))
    except Exception as error:
        _log(error)
        return json.dumps({"success": False, "error": f"{tool.name} failed ({type(error).__name__}); see the log"})
