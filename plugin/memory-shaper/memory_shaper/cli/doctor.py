"""`doctor`: everything that can be wrong with a home, each with the one command that mends it. Changes nothing."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ..errors import MemoryShaperError
from ..record import Record
from ..record.errors import RecordError
from ..settings import Home, Settings
from ..watchdog.rehearsal import copied
from . import hosting
from .checks import lists, machine, memory, plugin, recall, upkeep
from .checks.base import Check, Diagnosis, Patient, State, problem
from .live.verdict import Proof
from .request import Json, Outcome, Request
from .screen import Screen, counted, padded, visible

_MACHINE: tuple[Check, ...] = (machine.base, machine.interpreters, machine.host, machine.packages)
_HOME: tuple[Check, ...] = (
    plugin.folder, plugin.switched_on, plugin.at_work, plugin.enforced, plugin.names, plugin.commands,
    memory.index, memory.archive, memory.copies, memory.droppings, memory.rights, memory.private,
    recall.sidecar, recall.keywords, upkeep.record, upkeep.watchdog, upkeep.search, lists.lists, lists.lock,
)  # fmt: skip
_COLOURS = {State.OK: "green", State.NOTE: "yellow", State.PROBLEM: "red"}


def doctor(request: Request) -> Outcome:
    """All findings about the home; exit code 1 where there is a problem."""
    settings, about_config = machine.config(request.home)
    there = request.home.path.is_dir()
    with _patient(request.home, settings) as patient:
        found = [*_made(machine.place, patient), *(about_config if there else ())]
        found += [one for check in (*_MACHINE, *(_HOME if there else ())) for one in _made(check, patient)]
        proof = _proof(patient) if there and request.flag("live") else None
        found = [*_open(found, proof), *plugin.proven(patient, proof)] if proof else found
    count = Counter(one.state for one in found)
    problems, notes = count[State.PROBLEM], count[State.NOTE]
    lines = [line for one in found for line in _shown(one, request.screen)]
    total = f"{counted(problems, 'problem')}, {counted(notes, 'note')}, {count[State.OK]} ok"
    data = _data(request, found, problems, notes) | {"enforced": proof.enforced if proof else None}
    return Outcome("\n".join([*lines, total]), data, 1 if problems else 0)


def _open(found: list[Diagnosis], proof: Proof) -> list[Diagnosis]:
    """The findings without the ones that the trial has just answered, since what mends them is the trial itself."""
    return [one for one in found if proof.enforced is None or not plugin.is_unproven(one)]


def _proof(patient: Patient) -> Proof:
    """What a session of the host on a throw-away copy of the home shows."""
    from .live import trial

    program = hosting.executable()
    if not program:
        return Proof(
            None, "no hermes command was found beside this Python or on the path; put your `hermes` on the PATH"
        )
    try:
        return trial.prove(patient.home, program)
    except (MemoryShaperError, OSError) as error:
        return Proof(None, str(error))


def _made(check: Check, patient: Patient) -> list[Diagnosis]:
    """What a check gives, and what keeps it from its work as a finding of its own."""
    found: list[Diagnosis] = []
    try:
        found.extend(check(patient))
    except (MemoryShaperError, OSError) as error:
        name = check.__name__.replace("_", "-")
        found.append(problem(name, f"this could not be looked at: {error}", patient.ours("verify")))
    return found


@contextmanager
def _patient(home: Home, settings: Settings) -> Iterator[Patient]:
    """The home with a copy of its record, an empty one where there is none or where it cannot be read."""
    source = home.data / "record.db"
    with ExitStack() as stack:
        try:
            record, trouble = stack.enter_context(copied(home)), ""
        except RecordError as error:
            empty = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="memory-shaper-"))) / source.name
            record, trouble = stack.enter_context(Record.open(empty)), str(error).replace(str(error.path), str(source))
        yield Patient(home, settings, record, source.exists(), trouble)


def _shown(one: Diagnosis, screen: Screen) -> list[str]:
    head = screen.paint(padded(one.state.value, 9), _COLOURS[one.state])
    lines = [f"{head}{padded(one.check, 17)}{visible(one.message)}"]
    return [*lines, f"{'':9}{padded('', 17)}→ {visible(one.command)}"] if one.command else lines


def _data(request: Request, found: list[Diagnosis], problems: int, notes: int) -> Json:
    return {
        "home": str(request.home.path),
        "home_source": request.home.source,
        "checks": [
            {"check": one.check, "state": one.state.value, "message": one.message, "command": one.command}
            for one in found
        ],
        "problems": problems,
        "notes": notes,
    }
