"""The record and the watchdog: readable, finished, and lately at work. Shell: reads the scheduler's list of jobs."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from datetime import datetime, timedelta

from ... import edit
from ...errors import MemoryShaperError
from ...headings import collapsed
from ...recall.vectors.state import state_of
from ...recall.vectors.vault import REBUILD
from ...watchdog.run import RAN
from .. import cronjob
from ..screen import counted, local, visible
from .base import Diagnosis, Patient, note, ok, problem

_LATE = timedelta(days=3)


def record(patient: Patient) -> Iterator[Diagnosis]:
    """The record: there, readable, and no change left half-done."""
    path = patient.home.data / "record.db"
    if patient.trouble:
        aside = shlex.join(["mv", str(path), f"{path}.damaged"])
        yield problem("record", patient.trouble, aside)
        return
    if not patient.recorded:
        yield note("record", f"there is no record yet; the first change or session makes {collapsed(str(path))}")
        return
    yield ok("record", f"the record is readable and holds {counted(patient.record.journal.count(), 'event')}")
    unfinished = len(patient.record.intents.unfinished())
    if unfinished:
        told = (
            f"{counted(unfinished, 'change')} of a process that was killed is half-done; any changing verb repairs it"
        )
        yield problem("unfinished", told, patient.ours("fix"))


def watchdog(patient: Patient) -> Iterator[Diagnosis]:
    """The last run of the watchdog and the job that starts it."""
    try:
        jobs = cronjob.jobs(patient.home)
    except MemoryShaperError as error:
        yield note("watchdog-job", str(error), patient.hosts("cron", "list"))
        return
    active = [job for job in jobs if job.active]
    if active:
        yield ok("watchdog-job", f"the scheduler runs the watchdog{_next_run(patient, active[0])}")
    elif jobs:
        yield problem("watchdog-job", "the watchdog's job is paused", patient.hosts("cron", "resume", jobs[0].id))
    else:
        told = "no job of the scheduler runs the watchdog, so uses are not counted and nothing is archived by itself"
        yield note("watchdog-job", told, patient.ours("install", "--cron"))
    yield from _last_run(patient, bool(active))


def _next_run(patient: Patient, job: cronjob.Job) -> str:
    """When the job runs next, in the scheduler's zone and in that of this machine."""
    zone = cronjob.zone(patient.home)
    zoned = f" (time zone: {visible(zone)})" if zone else " (time zone: that of the machine)"
    if job.next_run is None:
        return zoned
    own, here = job.next_run.isoformat(" ", "minutes"), local(job.next_run)
    return f", next at {own}{zoned}" + (f", which is {here} here" if here != own else "")


def _last_run(patient: Patient, scheduled: bool) -> Iterator[Diagnosis]:
    last = _moment(patient.record.counters.meta(RAN))
    if last is None:
        yield note("watchdog-run", "the watchdog has never run in this home", patient.ours("maintain"))
    elif scheduled and edit.now() - last > _LATE:
        told = f"the watchdog has a daily job and last ran {local(last)}; does the host's gateway run?"
        yield problem("watchdog-run", told, patient.hosts("cron", "status"))
    else:
        yield ok("watchdog-run", f"the watchdog last ran {local(last)}")


def _moment(text: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError:
        return None


def search(patient: Patient) -> Iterator[Diagnosis]:
    """How notes are found, and what is amiss with the endpoint for embeddings; it is not asked."""
    found = state_of(patient.home, patient.settings)
    if found.trouble:
        yield problem("search", found.line, patient.ours("index", *(["--rebuild"] if REBUILD in found.trouble else [])))
    else:
        yield ok("search", f"notes are found {found.line}")
