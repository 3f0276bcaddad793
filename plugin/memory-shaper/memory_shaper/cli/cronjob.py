"""The daily job of the watchdog in the host's scheduler: whether it is there, and registering it. Shell."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from .. import store, yamlfile
from ..errors import MemoryShaperError, Unreadable
from ..settings import Home
from . import hosting
from .checks.base import hosts
from .parts import WATCHDOG

_NAME = "memory-shaper"
_EARLY = "17 4 * * *"  # once a day, when hardly anybody is at work
_SECONDS = 120  # for a command of the host, which may have to wake up first


@dataclass(frozen=True, slots=True)
class Job:
    """A job of the scheduler that runs the watchdog."""

    id: str
    active: bool
    next_run: datetime | None = None


def jobs(home: Home) -> list[Job]:
    """The jobs that name the watchdog's script. Raises Unreadable for a list of jobs that cannot be understood."""
    document = store.read_if_there(home.path / "cron" / "jobs.json")
    if document is None:
        return []
    try:
        data = json.loads(document.text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{document.path}: the scheduler's list of jobs is no JSON") from error
    found = data.get("jobs") if isinstance(data, dict) else data
    if not isinstance(found, list):
        raise Unreadable(f"{document.path}: the scheduler's list of jobs has an unknown form")
    return [_job(row) for row in found if isinstance(row, dict) and _runs_watchdog(row)]


def _runs_watchdog(row: dict[str, object]) -> bool:
    return Path(str(row.get("script") or "")).name == WATCHDOG


def _job(row: dict[str, object]) -> Job:
    active = row.get("enabled", True) is not False and row.get("state") != "paused"
    return Job(str(row.get("id", "")), active, _moment(row.get("next_run_at")))


def _moment(value: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
        return moment and (moment if moment.tzinfo else moment.astimezone())
    except (ValueError, OverflowError, OSError):
        return None


def zone(home: Home) -> str:
    """The time zone that the host's settings name for its scheduler, "" where it is that of the machine."""
    if named := os.environ.get("HERMES_TIMEZONE", "").strip():
        return named
    try:
        value = yamlfile.parse(store.read(home.config).text, frozenset({"timezone"})).get("timezone")
    except (MemoryShaperError, yamlfile.BadYaml):  # told as the config
        return ""
    return value.strip() if isinstance(value, str) else ""


def creation() -> list[str]:
    """The words that register the job, behind the name of the host's command."""
    return ["cron", "create", _EARLY, "--name", _NAME, "--script", WATCHDOG, "--no-agent", "--deliver", "local"]


def removal(job: Job) -> list[str]:
    """The words that remove a job."""
    return ["cron", "remove", job.id]


def ask_host(home: Home, words: list[str]) -> None:
    """Run the host's command for this home. Raises MemoryShaperError, with the line to type, where it does not work."""
    program = hosting.executable()
    if not program:
        raise MemoryShaperError(f"no hermes command was found; run: {hosts(home, *words)}")
    environ = {**os.environ, "HERMES_HOME": str(home.path)}
    try:
        ended = subprocess.run(
            [program, *words], env=environ, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MemoryShaperError(f"{program}: {type(error).__name__}; run: {hosts(home, *words)}") from error
    if ended.returncode:
        raise MemoryShaperError(f"{program} ended with {ended.returncode}; run: {hosts(home, *words)}")
