"""The guard of one home: judges each call before it runs and looks after the files when it has. Shell.

A hook never raises. A fault of the guard itself refuses writes to the index and lets everything else pass.
"""

from __future__ import annotations

import logging
import os
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from .. import edit, names, rules, store
from ..calls.effects import Act, Reading
from ..errors import MemoryShaperError, Unreadable
from ..model import ALLOWED, Answer, Identity, Severity, Verdict
from ..record import Background, Beat, Event, EventKind, Heartbeat, Source, process, this_process
from ..settings import NAME, Home, Settings, load
from . import refusals
from .call import Call
from .damage import damage
from .files import Guarded, judge_effects, writes_only
from .flights import Flights
from .glance import Glance, launch_folder, only_command, says_nothing
from .keepout import Foreseen, foresee, is_fit, refused_name, sweep
from .kept import Kept
from .memory import change_key
from .memory_edits import judge_memory_call, promise
from .results import table
from .strays import STARTERS, mark_children
from .surfaces import Surfaces
from .switches import leaves_alone
from .watch import Watch

_NOTHING = Reading()
_CODE = Path(__file__).parents[1]
log = logging.getLogger("memory_shaper")

# Tools that cannot write a file, whatever they are asked: they are let through without a look at their arguments.
READERS = frozenset(
    """
    read_file search_files skill_view skills_list web_search web_extract vision_analyze clarify session_search todo
    todo_list tool_search tool_describe image_generate text_to_speech memory_search memory_stats memory_feedback
    """.split()
)


@dataclass(slots=True)
class Guard:
    """The guard of a home, one a process; its methods may be called by any thread."""

    home: Home
    watch: Watch
    refused: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    kept: Kept = field(default_factory=Kept)
    cwds: dict[str, str] = field(default_factory=dict)
    surfaces: Surfaces = field(default_factory=Surfaces)
    leaving: dict[tuple[str, str], str] = field(default_factory=dict)
    writing: dict[tuple[str, str], Foreseen] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    beaten: set[tuple[str, Beat]] = field(default_factory=set)
    places: tuple[Identity | None, Guarded] | None = None
    ours: dict[str, str] = field(default_factory=dict)
    settings: Settings = field(default_factory=lambda: Settings(rules_known=False))
    glance: Glance = field(default_factory=lambda: Glance(()))
    lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def of(cls, home: Home, edit_action: str = "replace") -> Guard:
        """A guard for a home that nobody in this process guards yet; `edit_action` changes an entry in this host."""
        roots = {str(home.path), os.path.realpath(home.path), os.path.realpath(home.memories)}
        ours = {key: value for key, value in os.environ.items() if key.startswith(("MEMORY_SHAPER_", "HERMES_YOLO"))}
        mark_children()
        watch = Watch(home, Flights(home.data / "flights"), edit_action)
        return cls(home, watch, ours=ours, glance=Glance(tuple(sorted(roots))))

    def before(self, call: Call) -> Verdict:
        """The verdict on a call that is about to run; an allowed call that can write counts as in flight from now."""
        self._glance(call)
        if call.tool in READERS:
            return ALLOWED
        verdict = self._judge(call)
        if verdict.answer is Answer.APPROVE:
            verdict = self._ask(call, verdict, load(self.home, self.ours))
        if verdict.answer is Answer.BLOCK:
            return self._refuse(call, verdict)
        if call.call:
            self.watch.flights.take_off(call.session, call.call, call.tool)
        return verdict

    def after(self, call: Call, result: object, landed: bool) -> None:
        """Look after the files once a call has run; `landed` says that no later hook of this call is to come."""
        if call.tool in READERS:
            self._glance(call)
            return
        self._remember(call, result)
        foreseen = self.writing.get((call.session, call.call))
        if foreseen is not None and (foreseen.named or self.watch.said or not self.watch.quiet()):
            settings = self._known_settings()
            sweep(self.watch, foreseen, settings, call.source)
            self.watch.look(settings, call.source, topics=True)
        else:
            self._glance(call)
        if landed and call.call:
            self._land(call)

    def ended(self, call: Call, result: object, status: str) -> None:
        """Note whether a refusal was kept; a refused call that ran counts as in flight, so its damage is undone."""
        beat = self.kept.judge(call, result, status)
        if beat is Beat.IGNORED:
            self.watch.flights.take_off(call.session, call.call, call.tool)
            self.beaten.discard((self.surfaces.of(call.session), beat))
            if self.kept.first(call.session):
                self.watch.tell(refusals.NOT_ENFORCED)
        if beat:
            self._beat(self.surfaces.of(call.session), beat)

    def _land(self, call: Call) -> None:
        self.writing.pop((call.session, call.call), None)
        self._note_running(self.watch.flights.land(call.session, call.call, call.tool), call.session)
        if names.INDEX in self.watch.granted.pop((call.session, call.call), ()):
            self._end_promises(call, staged=False)

    def begin(self, session: str, surface: str, rested: bool = False) -> None:
        """A session begins, ends or thinks: look at the files, and note once that the guard is alive there.

        `rested` says that none of its calls is running.
        """
        self.surfaces.begin(session, surface)
        source = Source(session=session, surface=self.surfaces.of(session), pid=os.getpid())
        self.watch.look(self._known_settings(), source, topics=rested)
        if rested:
            self.watch.flights.rest(session)
            for key in [key for key in list(self.watch.granted) if key[0] == session]:
                self.watch.granted.pop(key, None)
        self._beat(source.surface, Beat.LOADED)

    def fired(self, session: str) -> None:
        """Note once that the host has called us about a tool call on a surface."""
        self._beat(self.surfaces.of(session), Beat.FIRED)

    def _beat(self, surface: str, beat: Beat) -> None:
        if (surface, beat) in self.beaten or not self.home.memories.is_dir():
            return
        self.beaten.add((surface, beat))
        with self.watch.record() as record:
            record.counters.beat(Heartbeat(surface, beat, os.getpid(), edit.now()))

    def _known_settings(self) -> Settings:
        """The settings, the last good ones while the config is unreadable: damage is put back all the same."""
        try:
            self.settings = load(self.home, self.ours)
        except Unreadable as error:
            self.watch.tell(f"memory-shaper: {error}")
        return self.settings

    def _glance(self, call: Call) -> None:
        if not self.watch.quiet():
            self.watch.look(self._known_settings(), call.source)

    def _judge(self, call: Call) -> Verdict:
        if call.tool == "memory":
            return judge_memory_call(self.watch, call, load(self.home, self.ours))
        reading = self._read(call)
        self._foresee(call, reading)
        if not reading.effects and not reading.runs:
            return ALLOWED
        settings = load(self.home, self.ours)
        if (kept_out := refused_name(reading.effects, self.home.memories, settings.rules)) is not None:
            return kept_out
        verdict = judge_effects(reading.effects, reading.runs, self._guarded(), str(settings["critical"]))
        if verdict.target == names.CONFIG and self._leaves_switches(call, reading):
            return ALLOWED
        if verdict.rule == "index-write" and verdict.target == names.INDEX and not self.watch.is_index():
            return ALLOWED  # a memory of prose: only wiping it out is stopped, and that is seen afterwards
        if verdict.rule == "index-write" and verdict.target == names.INDEX:
            return self._whole_rewrite(call, reading, settings) or verdict
        return verdict

    def _foresee(self, call: Call, reading: Reading) -> None:
        """What is to be known when the call has run: whether it may write a topic, where it leaves the terminal."""
        key = (call.session, call.call)
        writes = any(effect.act is not Act.READ for effect in reading.effects)
        if call.call and (writes or call.tool in STARTERS):
            kept_out = self._known_settings().rules if writes else self.settings.rules
            self.watch.said.hear(call.args, kept_out)
            closely, unseen = bool(self.watch.said), writes or reading.opaque
            self.writing[key] = foresee(reading.effects, unseen, self.home.memories, kept_out, closely)
        if call.tool == "terminal" and reading.cwd and call.call:
            self.leaving[key] = reading.cwd

    def folder_of(self, session: str) -> str | None:
        """The folder that a session works in, as far as it is known."""
        return self.cwds.get(session) or launch_folder()

    def _read(self, call: Call) -> Reading:
        cwd = self.folder_of(call.session)
        if call.tool == "terminal" and only_command(call.args) and self.glance.elsewhere(call.args["command"], cwd):
            return _NOTHING
        if says_nothing(call.args):
            return _NOTHING
        from ..calls.disk import DiskWorld  # half of all modules: the first call that needs them waits, no host does
        from ..calls.reader import read_call

        if not self.environment:
            self.environment = {**os.environ, "HERMES_HOME": str(self.home.path)}
        return read_call(call.tool, call.args, DiskWorld(cwd, self.environment))

    def _guarded(self) -> Guarded:
        """The guarded places; looked up again when the index has changed."""
        known = self.watch.known.get(names.INDEX)
        identity = known.identity if known else None
        if self.places is None or self.places[0] != identity:
            critical = [str(self.home.memories / name) for name in self.watch.critical_topics()]
            own = [str(path) for path in (self.home.path / "plugins" / NAME, self.home.data, _CODE)]
            paths = (str(self.home.index), str(self.home.archive_index))
            self.places = (identity, Guarded.of(*paths, critical, own, str(self.home.config)))
        return self.places[1]

    def _whole_rewrite(self, call: Call, reading: Reading, settings: Settings) -> Verdict | None:
        """A file tool that writes the index whole, and right: the human may allow it."""
        content = call.args.get("content") if isinstance(call.args, Mapping) else None
        if not isinstance(content, str) or not writes_only(reading, self.home.index):
            return None
        if self._rewrite_fault(content, settings):
            return None
        key = change_key([self.watch.index_text(), content])
        return Verdict(Answer.APPROVE, "whole-rewrite", names.INDEX, refusals.WHOLE_REWRITE, key)

    def _leaves_switches(self, call: Call, reading: Reading) -> bool:
        """A file tool that writes config.yaml and leaves what switches the guard alone."""
        if not writes_only(reading, self.home.config):
            return False
        document = store.read_if_there(self.home.config)
        return leaves_alone(call.tool, call.args, document.text if document else "")

    def _rewrite_fault(self, content: str, settings: Settings) -> bool:
        folder, cap = self.watch.folder, settings.cap
        faults = [one for one in rules.check(rules.Scope(content, folder, cap)) if one.severity is Severity.ERROR]
        harm = faults or damage(self.watch.index_text(), content, folder, folder, cap)
        return bool(harm) or not is_fit(content, settings.rules)

    def _ask(self, call: Call, verdict: Verdict, settings: Settings) -> Verdict:
        if settings.approvals_off or self.surfaces.unattended(call.session) in settings.unasked:
            message = refusals.OWN_BLOCKED if verdict.rule.startswith("own-") else refusals.CRITICAL_BLOCKED
            return replace(verdict, answer=Answer.BLOCK, message=message)
        self._note(call, EventKind.ASKED, verdict, settings)
        if verdict.rule in ("critical", "whole-rewrite") and call.tool != "memory":
            self.watch.granted[call.session, call.call] = frozenset({verdict.target})
        if verdict.rule == "whole-rewrite":
            with self.watch.record(settings) as record:
                promise(record, call, self.watch.index_text().encode(), str(call.args["content"]).encode())
        return verdict

    def _refuse(self, call: Call, verdict: Verdict) -> Verdict:
        # Where a rule names no file, only the same words again are the same mistake.
        key = (call.session, verdict.rule, verdict.target or str(hash(verdict.message)))
        with self.lock:
            self.refused[key] += 1
            times = self.refused[key]
        self._note(call, EventKind.BLOCKED, verdict, Settings())
        message = verdict.message if times == 1 else refusals.again(verdict.rule, verdict.target, times)
        self.kept.refused(call, message)
        return replace(verdict, message=message)

    def _note(self, call: Call, kind: EventKind, verdict: Verdict, settings: Settings) -> None:
        log.info("%s %s by %s", kind.value, verdict.rule, call.tool)
        try:
            with self.watch.record(settings) as record:
                record.journal.note(Event(kind, edit.now(), verdict.target, rule=verdict.rule, source=call.source))
        except MemoryShaperError as error:
            self.watch.tell(f"memory-shaper: {error}")

    def _remember(self, call: Call, result: object) -> None:
        """What a result tells about later calls: the terminal's folder, a process left running, a staged write."""
        if call.tool not in ("memory", "terminal"):
            return
        told = table(result)
        if call.tool == "memory":
            if told.get("staged") is True or told.get("success") is not True:
                self._end_promises(call, staged=told.get("staged") is True)
            return
        left = self.leaving.pop((call.session, call.call), None)
        if told.get("exit_code") == 0 and left:
            self.cwds[call.session] = left
        if isinstance(cwd := told.get("cwd"), str):
            self.cwds[call.session] = cwd
        if isinstance(pid := told.get("pid"), int) and pid > 0:
            self._note_running([pid], call.session)

    def _end_promises(self, call: Call, staged: bool) -> None:
        with self.watch.record() as record:
            end = record.promises.hold if staged else record.promises.drop
            end(call.session, call.call)

    def _note_running(self, pids: list[int], session: str) -> None:
        if not pids:
            return
        with self.watch.record() as record:
            for pid in pids:
                record.flights.background_started(Background(process(pid), this_process(), session, edit.now()))
