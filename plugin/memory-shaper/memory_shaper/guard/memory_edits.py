"""Calls of the host's `memory` tool on the real index: judged under the lock, room made, the draft promised. Shell."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta
from typing import Any

from .. import edit, grammar, host, names, store
from ..errors import Busy
from ..model import ALLOWED, Answer, Draft, Folder, MemoryCall, Verdict
from ..privacy.rules import Rules
from ..record import Event, EventKind, Promise, Record
from ..settings import Settings
from . import refusals
from .call import Call
from .known import known_as
from .memory import Judgement, Policy, judge
from .memory_call import read_memory_call, with_texts, written_texts
from .room import make_room
from .sight import see
from .watch import Watch

_PROMISED = timedelta(minutes=10)


def judge_memory_call(watch: Watch, call: Call, settings: Settings) -> Verdict:
    """The verdict on a call of the `memory` tool; where it may run, the index is in a form that it cannot damage."""
    if (kept_out := _kept_out(call.args, settings.rules)) is not None:
        return kept_out
    memory_call = read_memory_call(call.args)
    if memory_call is None or memory_call.target == "user":
        return ALLOWED
    try:
        judged = _judge(watch, call, memory_call, settings)
        if judged.need and judged.draft is not None:
            with watch.record(settings) as record:
                room = make_room(watch.home, settings, record, judged.draft)
            if room.made:
                return _judge(watch, call, memory_call, settings).verdict
            size = host.size(judged.draft.before)
            return replace(judged.verdict, message=refusals.full(judged.need, size, settings.cap, room.coldest))
        return judged.verdict
    except Busy as error:
        return Verdict(Answer.BLOCK, "busy", names.INDEX, refusals.opening("busy") + f"{error}.")


def redacted(args: object, rules: Rules) -> dict[str, Any] | None:
    """The arguments of a call after the user's `redact`, None where that changes nothing."""
    if not rules.redact or not isinstance(args, Mapping):
        return None
    from ..privacy.screening import screen

    return with_texts(args, lambda text: screen(text, rules).text)


def _kept_out(args: object, rules: Rules) -> Verdict | None:
    """The refusal of a call that would write what is never kept, into the index or the user's profile."""
    texts = written_texts(args)
    if not texts:
        return None
    from ..privacy.screening import screen  # the index is edited more seldom than a host starts

    for place, text in texts:
        answer = screen(text, rules)
        if answer.reason is not None:
            rule = "excluded" if answer.reason.is_rule else "secret"
            return Verdict(Answer.BLOCK, rule, "", refusals.opening(rule, place) + refusals.kept_out(answer.reason))
        if answer.text != text:
            return Verdict(Answer.BLOCK, "redact", "", refusals.opening("redact", place) + refusals.REDACT)
    return None


def _judge(watch: Watch, call: Call, memory_call: MemoryCall, settings: Settings) -> Judgement:
    home = watch.home
    # The watch's lock first, as in every look: two threads that take them the other way round would wait in vain.
    with watch.lock, store.locked(home.index) if home.memories.is_dir() else nullcontext():
        document = store.read_if_there(home.index)
        text = document.text if document else ""
        folder = store.list_folder(home.memories) if home.memories.is_dir() else Folder()
        policy = Policy(settings.cap, str(home.memories), str(settings["critical"]), watch.edit_action)
        judged = judge(memory_call, grammar.parse(text), folder, policy)
        if judged.verdict.answer is not Answer.BLOCK and judged.draft is not None:
            _prepare(watch, call, text, judged.draft, settings)
        return judged


def _prepare(watch: Watch, call: Call, text: str, draft: Draft, settings: Settings) -> None:
    """Bring the file into the form on which the host changes only what the call aims at, and promise the draft."""
    before = text.encode()
    with watch.record(settings) as record:
        if _unsafe(text, draft, settings.cap):
            after = draft.before.encode()
            event = Event(EventKind.CHANGED, edit.now(), rule="canonical-form", source=call.source)
            edit.carry_out(watch.home, record, [edit.NewText(names.INDEX, before or None, after)], event)
            watch.known[names.INDEX] = known_as(see(watch.home.index))
            before = after
        promise(record, call, before, draft.after.encode())


def _unsafe(text: str, draft: Draft, cap: int) -> bool:
    """Whether the host would take the file otherwise than line by line, or refuse it."""
    return host.parts(text) != host.parts(draft.before) or host.drifts(text, cap) or text[:1] == grammar.BOM


def promise(record: Record, call: Call, before: bytes, after: bytes) -> None:
    """Say what an allowed call is going to make of the index."""
    moment = edit.now()
    with record.transaction(durable=False):
        digests = [record.texts.put(data, moment) for data in (before, after)]
        ends = moment + _PROMISED
        record.promises.make(Promise(names.INDEX, digests[0], (digests[1],), call.session, call.call, moment, ends))
