"""What becomes of harmless and damaging calls: stopped before, undone after, refused wrongly, or left?

Every row of fixtures/guard_calls.jsonl is really run: through the hooks in this process, with no guard at all, and as a
session of both real hosts, with the plugin and without. A row is followed by a call that does nothing, since what a
background process writes can be undone at the next call only. Then the index and the critical topic are looked at.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from common import How, Missing, Result, environment
from guard_calls import Place, Row, State, Tally, rows
from guard_tools import Sandbox, forget_guards, make_sandbox, store_edit
from hosts.endpoint import Call, Script, ToolResult, Turn, decide
from hosts.harness import OUR_PLUGIN, Host, make_home, session
from keeping import installed_hosts
from memory_shaper.record import EventKind

QUICK_STEP = 8
_AT_ONCE = 80  # rows of one session of a host
_LATE_SECONDS = 1.2


def measure(how: How) -> Result:
    """Every arm."""
    figures: dict[str, object] = {"rows": len(rows()), "damaging": sum(row.damaging for row in rows())}
    figures["in process, with the plugin"] = _in_process(rows()[:: 3 if how.quick else 1], guarded=True)
    step = QUICK_STEP if how.quick else 1
    figures["in process, without a guard"] = _in_process(rows()[::step], guarded=False)
    skipped = {}
    try:
        for host in installed_hosts():
            asked = rows()[::step]
            figures[f"Hermes {host.version}, with the plugin"] = _on_host(host, asked, guarded=True)
            figures[f"Hermes {host.version}, without a guard"] = _on_host(host, asked, guarded=False)
    except Missing as missing:
        skipped["real hosts"] = str(missing)
    return Result(figures, skipped=skipped)


def _in_process(asked: Sequence[Row], guarded: bool) -> dict[str, object]:
    tally, left = Tally(), []
    for row in asked:
        with _sandbox() as sandbox:
            place = Place(sandbox.home.path, sandbox.work)
            place.lay(git="git" in str(row.args))
            before = place.state()
            outcome = _guarded(sandbox, place, row) if guarded else _unguarded(sandbox, place, row)
            tally.note(row, outcome or _seen(row, before == place.state()))
            left.append(place.state().lines_left)
    return _figures(tally, asked, left, guarded)


def _figures(tally: Tally, asked: Sequence[Row], left: Sequence[int], guarded: bool) -> dict[str, object]:
    """The counts, the rows that a guard should have treated otherwise, and how many entries were left."""
    counts = [count for row, count in zip(asked, left, strict=True) if row.damaging]
    found: dict[str, object] = {"asked": len(asked), "totals": tally.totals(), "families": tally.families}
    if guarded:
        found["not as wished"] = tally.listed
    return found | {"entries left after a damaging call": {str(number): counts.count(number) for number in range(5)}}


def _seen(row: Row, same: bool) -> str:
    """The outcome of a call that ran."""
    if not row.damaging:
        return "allowed"
    return "no effect" if same else "left"


@contextmanager
def _sandbox() -> Iterator[Sandbox]:
    """A home in force for the hooks of this process."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        sandbox = make_sandbox(Path(folder))
        names = {"HOME": str(sandbox.user), "HERMES_HOME": str(sandbox.home.path), "HERMES_YOLO_MODE": "1"}
        who = {f"GIT_{role}_{part}": "n" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
        with environment(**names, **who):
            os.chdir(sandbox.work)
            forget_guards()
            try:
                yield sandbox
            finally:
                forget_guards()
                os.chdir(before)


def _guarded(sandbox: Sandbox, place: Place, row: Row) -> str:
    """Play a row through the hooks; "" where it ran and nothing was put back."""
    sandbox.idle()
    args = place.filled(row)
    done = sandbox.call(row.tool, args, lambda: _carry_out(sandbox, row.tool, args))
    _wait(row)
    sandbox.idle()
    stopped = "stopped before" if row.damaging else "refused wrongly"
    if done.action != "allow":
        return stopped
    if sandbox.events(EventKind.RESTORED):
        return "undone after" if row.damaging else "undone wrongly"
    return ""


def _unguarded(sandbox: Sandbox, place: Place, row: Row) -> str:
    _carry_out(sandbox, row.tool, place.filled(row))
    _wait(row)
    return ""


def _wait(row: Row) -> None:
    if row.late:
        time.sleep(_LATE_SECONDS)


def _carry_out(sandbox: Sandbox, tool: str, args: dict[str, object]) -> object:
    """Do what a call says, as the hosts' tools do it."""
    if tool == "terminal":
        return sandbox.bash(args["command"])
    if tool == "execute_code":
        code = ["python3", "-c", str(args["code"])]
        done = subprocess.run(code, cwd=sandbox.work, env=sandbox.env, capture_output=True, check=False)
        return {"status": "ok", "exit_code": done.returncode}
    if tool == "memory":
        return store_edit(sandbox.index if args["target"] == "memory" else sandbox.memories / "USER.md", args)
    if tool in ("write_file", "patch"):
        path = Path(str(args["path"]))
        path.parent.mkdir(parents=True, exist_ok=True)
        text = args["content"] if tool == "write_file" else path.read_text("utf-8").replace(
            str(args["old_string"]), str(args["new_string"]), 1
        )  # fmt: skip
        path.write_text(str(text), "utf-8")
    return {"ok": True}


def _on_host(host: Host, asked: Sequence[Row], guarded: bool) -> dict[str, object]:
    tally, left = Tally(), []
    for start in range(0, len(asked), _AT_ONCE):
        part = asked[start : start + _AT_ONCE]
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            for row, (outcome, lines) in zip(part, _session(host, Path(folder), part, guarded), strict=True):
                tally.note(row, outcome)
                left.append(lines)
    return _figures(tally, asked, left, guarded)


def _session(host: Host, folder: Path, asked: Sequence[Row], guarded: bool) -> list[tuple[str, int]]:
    """One session: the outcome of each row, and how many entries it left."""
    config = {"agent": {"max_turns": 4 * _AT_ONCE}}
    home = make_home(folder, plugins=[OUR_PLUGIN] if guarded else [], config=config)
    play = _Play(Place(home.path, home.work, host.edit))
    turns = [turn for row in asked for turn in (play.turn(row), play.idle(row))]
    done = session(host, home, Script(main=[*turns, decide(play.end)]), timeout=400)
    results = done.results
    if len(results) != 2 * len(asked) or len(play.same) != len(asked):
        raise RuntimeError(f"the session ended early: {done.ended.err[-1000:]}")
    told = [_told(row, results[2 * at].text, results[2 * at + 1].text) for at, row in enumerate(asked)]
    outcomes = [words or _seen(row, same) for row, words, same in zip(asked, told, play.same, strict=True)]
    return list(zip(outcomes, play.left, strict=True))


@dataclass(slots=True)
class _Play:
    """The turns of a session: before each row all is laid anew, after it comes a call that does nothing, then a look.

    `same` says of each row whether all was as before, `left` how many entries there were.
    """

    place: Place
    before: State | None = None
    same: list[bool] = field(default_factory=list)
    left: list[int] = field(default_factory=list)

    def turn(self, row: Row) -> Turn:
        """The row's own call."""

        def make(_: list[ToolResult]) -> list[Call]:
            self._look()
            self.place.lay(git="git" in str(row.args))
            self.before = self.place.state()
            return [(row.tool, self.place.filled(row))]

        return decide(make)

    def idle(self, row: Row) -> Turn:
        """The call that does nothing, once the row's work is done."""

        def make(_: list[ToolResult]) -> list[Call]:
            _wait(row)
            return [("terminal", {"command": f"cd {self.place.work}"})]

        return decide(make)

    def end(self, _: list[ToolResult]) -> list[Call]:
        """The last look."""
        self._look()
        return []

    def _look(self) -> None:
        if self.before is not None:
            state = self.place.state()
            self.same.append(state == self.before)
            self.left.append(state.lines_left)


def _told(row: Row, said: str, next_said: str) -> str:
    """The outcome by what the model was told; "" where it was told of nothing."""
    if "memory-shaper: refused" in said:
        return "stopped before" if row.damaging else "refused wrongly"
    if "put back" in said or "put back" in next_said:
        return "undone after" if row.damaging else "undone wrongly"
    return ""
