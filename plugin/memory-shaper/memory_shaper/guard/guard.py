"""The guard of one home: judges each call before it runs and looks after the files when it has. Shell.

A hook never raises. A fault of the guard itself refuses writes to the index and lets everything else pass.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from .. import edit, grammar, host, names, store
from ..calls.disk import DiskWorld
from ..calls.effects import Act, Reading
from ..calls.reader import read_call
from ..errors import Busy, MemoryShaperError
from ..model import ALLOWED, Answer, Draft, Folder, Verdict
from ..record import Background, Event, EventKind, Promise, Source, digest_of, process, this_process
from ..settings import Home, Settings, load
from . import refusals
from .files import Guarded, judge_effects
from .flights import Flights
from .memory import Judgement, Policy, judge
from .memory_call import read_memory_call
from .watch import Watch

log = logging.getLogger("memory_shaper")

_PROMISED = timedelta(minutes=10)
# Tools that cannot write a file, whatever they are asked: they are let through without a look at their arguments.
READERS = frozenset(
    ("read_file", "search_files", "skill_view", "skills_list", "web_search", "web_extract", "vision_analyze", "clarify")
    + ("session_search", "todo", "todo_list", "tool_search", "tool_describe", "image_generate", "text_to_speech")
    + ("memory_search", "memory_stats", "memory_feedback")
)


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call as a hook sees it."""

    tool: str
    args: Any
    session: str = ""
    call: str = ""
    surface: str = ""

    @property
    def source(self) -> Source:
        return Source(self.tool, self.session, self.call, self.surface, os.getpid())


@dataclass(slots=True)
class Guard:
    """The guard of a home, one a process; its methods may be called by any thread."""

    home: Home
    watch: Watch
    refused: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    cwds: dict[str, str] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def of(cls, home: Home) -> Guard:
        """A guard for a home that nobody in this process guards yet."""
        return cls(home, Watch(home, Flights(home.data / "flights")))

    def before(self, call: Call) -> Verdict:
        """The verdict on a call that is about to run; an allowed call that can write counts as in flight from now."""
        if call.tool in READERS:
            if not self.watch.quiet():
                self.watch.look(self._settings(), call.source)
            return ALLOWED
        settings = self._settings()
        self.watch.look(settings, call.source)
        verdict = self._judge(call, settings)
        if verdict.answer is Answer.BLOCK:
            return self._refuse(call, verdict)
        if verdict.answer is Answer.APPROVE:
            verdict = self._ask(call, verdict, settings)
            if verdict.answer is Answer.BLOCK:
                return self._refuse(call, verdict)
        if call.call:
            self.watch.flights.take_off(call.session, call.call, call.tool)
        return verdict

    def after(self, call: Call, result: object, landed: bool) -> None:
        """Look after the files once a call has run; `landed` says that no later hook of this call is to come."""
        if call.tool in READERS:
            self.watch.look(self._settings(), call.source) if not self.watch.quiet() else None
            return
        self._remember(call, result)
        self.watch.look(self._settings(), call.source, topics=True)
        if landed and call.call:
            self.watch.flights.land(call.session, call.call, call.tool)
            self.watch.granted.pop((call.session, call.call), None)

    def _settings(self) -> Settings:
        return load(self.home)

    def _judge(self, call: Call, settings: Settings) -> Verdict:
        if call.tool == "memory":
            return self._judge_memory(call, settings)
        reading = self._read(call)
        if not reading.effects and not reading.runs:
            return ALLOWED
        verdict = judge_effects(reading.effects, reading.runs, self._guarded(), str(settings["critical"]))
        if verdict.rule == "index-write" and verdict.target == names.INDEX:
            return self._whole_rewrite(call, reading, settings) or verdict
        return verdict

    def _read(self, call: Call) -> Reading:
        if may_touch(call.args, self.near()) or call.tool not in COMMANDS:
            return read_call(call.tool, call.args, DiskWorld(self._cwd(call), self._environment()))
        return Reading()

    def _cwd(self, call: Call) -> str | None:
        return self.cwds.get(call.session) or _launch_folder()

    def _environment(self) -> Mapping[str, str]:
        if not self.environment:
            self.environment = {**os.environ, "HERMES_HOME": str(self.home.path)}
        return self.environment

    def _guarded(self) -> Guarded:
        own = (self.home.path / "plugins" / "memory-shaper", self.home.data, Path(__file__).parents[1])
        return Guarded(
            str(self.home.index),
            str(self.home.archive_index),
            tuple(str(self.home.memories / name) for name in self.watch.critical_topics()),
            tuple(map(str, own)),
            str(self.home.config),
        )

    def _whole_rewrite(self, call: Call, reading: Reading, settings: Settings) -> Verdict | None:
        """A file tool that writes the index whole, and right: the human may allow it."""
        content = call.args.get("content") if isinstance(call.args, Mapping) else None
        writes = [effect for effect in reading.effects if effect.act is not Act.READ]
        if not isinstance(content, str) or len(writes) != 1 or writes[0].act is not Act.WRITE or reading.runs:
            return None
        if writes[0].path != str(self.home.index) or self._rewrite_fault(content, settings):
            return None
        key = change_key([self.watch.index_text(), content])
        return Verdict(Answer.APPROVE, "whole-rewrite", names.INDEX, refusals.WHOLE_REWRITE, key)

    def _rewrite_fault(self, content: str, settings: Settings) -> bool:
        folder = self.watch.folder
        found = rules.check(rules.Scope(content, folder, settings.cap))
        faults = any(finding.severity is Severity.ERROR for finding in found)
        return faults or bool(damage(self.watch.index_text(), content, folder, folder, settings.cap))

    def _judge_memory(self, call: Call, settings: Settings) -> Verdict:
        memory_call = read_memory_call(call.args)
        if memory_call is None or memory_call.target == "user":
            return ALLOWED
        try:
            with store.locked(self.home.index) if self.home.memories.is_dir() else nullcontext():
                return self._judge_locked(call, memory_call, settings)
        except Busy as error:
            return Verdict(Answer.BLOCK, "busy", names.INDEX, refusals.opening("busy") + f"{error}.")

    def _judge_locked(self, call: Call, memory_call: MemoryCall, settings: Settings) -> Verdict:
        document = store.read_if_there(self.home.index)
        text = document.text if document else ""
        folder = store.list_folder(self.home.memories) if self.home.memories.is_dir() else Folder()
        policy = Policy(settings.cap, str(self.home.memories), str(settings["critical"]))
        judged = judge(memory_call, grammar.parse(text), folder, policy)
        if judged.need and settings["on_full"] == "archive":
            text, judged = self._with_room(memory_call, text, folder, policy, judged)
        if judged.verdict.answer is not Answer.BLOCK and judged.draft is not None:
            self._prepare(call, text, judged.draft, settings)
        return judged.verdict

    def _with_room(
        self, memory_call: MemoryCall, text: str, folder: Folder, policy: Policy, judged: Judgement
    ) -> tuple[str, Judgement]:
        """Room is made the way the watchdog makes it, and the call is judged again on what is left."""
        return text, judged

    def _prepare(self, call: Call, text: str, draft: Draft, settings: Settings) -> None:
        """Bring the file into the form on which the host's store changes only what the call aims at; promise the draft."""
        before = text.encode()
        with edit.open_record(self.home, settings) as record:
            if host.parts(text) != host.parts(draft.before) or host.drifts(text, settings.cap) or text[:1] == grammar.BOM:
                after = draft.before.encode()
                event = Event(EventKind.CHANGED, edit.now(), rule="canonical-form", source=call.source)
                edit.carry_out(self.home, record, [edit.NewText(names.INDEX, before or None, after)], event)
                self.watch.known[names.INDEX] = Known(store.identify(self.home.index), digest_of(after), after)
                before = after
            promise = Promise(
                names.INDEX, digest_of(before), (digest_of(draft.after.encode()),), call.session, call.call, edit.now(),
                edit.now() + _PROMISED,
            )  # fmt: skip
            record.promises.make(promise)

    def _ask(self, call: Call, verdict: Verdict, settings: Settings) -> Verdict:
        if settings.approvals_off:
            message = refusals.OWN_BLOCKED if verdict.rule.startswith("own-") else refusals.CRITICAL_BLOCKED
            return replace(verdict, answer=Answer.BLOCK, message=message)
        self._note(call, EventKind.ASKED, verdict, settings)
        if verdict.rule in ("critical", "whole-rewrite") and call.tool != "memory":
            self.watch.granted[call.session, call.call] = frozenset({verdict.target})
        return verdict

    def _refuse(self, call: Call, verdict: Verdict) -> Verdict:
        key = (call.session, verdict.rule, verdict.target)
        with self.lock:
            self.refused[key] += 1
            times = self.refused[key]
        self._note(call, EventKind.BLOCKED, verdict, Settings())
        return verdict if times == 1 else replace(verdict, message=refusals.again(verdict.rule, verdict.target, times, verdict.message))

    def _note(self, call: Call, kind: EventKind, verdict: Verdict, settings: Settings) -> None:
        log.info("%s %s by %s", kind.value, verdict.rule, call.tool)
        try:
            with edit.open_record(self.home, settings, busy=0.5) as record:
                record.journal.note(Event(kind, edit.now(), verdict.target, rule=verdict.rule, source=call.source))
        except MemoryShaperError as error:
            self.watch.tell(f"memory-shaper: {error}")

    def _remember(self, call: Call, result: object) -> None:
        """What a result tells about later calls: the terminal's folder, a process left running, a staged write."""
        table = _table(result)
        if isinstance(cwd := table.get("cwd"), str):
            self.cwds[call.session] = cwd
        if isinstance(pid := table.get("pid"), int) and pid > 0:
            with edit.open_record(self.home) as record:
                started = Background(process(pid), this_process(), call.session, edit.now())
                record.flights.background_started(started)
        if call.tool == "memory" and table.get("staged") is True:
            with edit.open_record(self.home) as record:
                record.promises.hold(call.session, call.call)


def _launch_folder() -> str | None:
    try:
        return os.getcwd()
    except OSError:
        return None


def _table(result: object) -> Mapping[str, object]:
    if isinstance(result, str) and result[:1] == "{" and len(result) < _LONGEST_RESULT:
        try:
            result = json.loads(result)
        except (ValueError, RecursionError):
            return {}
    return result if isinstance(result, Mapping) else {}
