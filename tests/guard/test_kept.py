"""A host that runs what was refused: noticed, undone, told once a session, and never taken for protection."""

from __future__ import annotations

import json

import pytest
from guard_tools import Sandbox
from memory_shaper import plugin
from memory_shaper.edit import open_record
from memory_shaper.record import Beat
from tools import CANONICAL


def beats(sandbox: Sandbox) -> set[Beat]:
    """What surfaces were seen doing."""
    with open_record(sandbox.home) as record:
        return {beat.event for beat in record.counters.beats()}


def dropped(sandbox: Sandbox, number: int, session: str = "s") -> str:
    """A write to the index that is refused and runs all the same; what the model reads in the end."""
    names = {
        "tool_name": "write_file",
        "args": {"path": str(sandbox.index), "content": "gone"},
        "session_id": session,
        "tool_call_id": f"d{number}",
    }
    assert (plugin.on_pre_tool_call(**names) or {})["action"] == "block"
    sandbox.index.write_text("gone", encoding="utf-8")
    facts = names | {"result": '{"bytes_written": 4}', "status": "ok"}
    hooks = [plugin.on_post_tool_call, plugin.on_transform_tool_result]
    told = [hook(**facts) for hook in (reversed(hooks) if sandbox.newer else hooks)]
    return "\n".join(filter(None, told))


@pytest.mark.parametrize("newer", [False, True], ids=["0.19", "0.22"])
def test_a_dropped_refusal_is_told_once_a_session(sandbox: Sandbox, newer: bool) -> None:
    """The damage is put back, the next result says that the guard is not enforced, and the second time it does not."""
    sandbox.newer = newer
    sandbox.idle()
    first, second, other = (dropped(sandbox, number, s) for number, s in enumerate(("s", "s", "t")))
    assert sandbox.text() == CANONICAL
    assert ["guard NOT enforced" in text for text in (first, second, other)] == [True, False, True]
    assert Beat.IGNORED in beats(sandbox) and Beat.ENFORCED not in beats(sandbox)


def test_a_kept_refusal_is_noted(sandbox: Sandbox) -> None:
    """A call that came back blocked proves that the guard is enforced."""
    sandbox.idle()
    done = sandbox.call("write_file", {"path": str(sandbox.index), "content": "gone"})
    assert done.action == "block"
    assert Beat.ENFORCED in beats(sandbox) and Beat.IGNORED not in beats(sandbox)


@pytest.mark.parametrize(
    "facts", [{"status": "error"}, {"status": "cancelled"}, {"result": json.dumps({"error": "no"})}]
)
def test_an_error_proves_nothing(sandbox: Sandbox, facts: dict[str, str]) -> None:
    """A refused call that ended in an error of somebody else's is neither."""
    sandbox.idle()
    names = {"tool_name": "write_file", "session_id": "s", "tool_call_id": "e1"}
    names |= {"args": {"path": str(sandbox.index), "content": "gone"}}
    assert plugin.on_pre_tool_call(**names)
    plugin.on_post_tool_call(**names, **({"result": "{}", "status": ""} | facts))
    assert not {Beat.ENFORCED, Beat.IGNORED} & beats(sandbox)
