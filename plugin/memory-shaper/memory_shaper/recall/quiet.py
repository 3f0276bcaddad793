"""The lock by which a workflow asks for quiet: no hints, while searches that are asked for go on. Shell: one file.

`recall.lock` beside the record holds when it ends: a time (ISO, UTC where no zone is given), a number of seconds from
when it was written, or nothing for as long as the file is there.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from ..settings import Home

LOCK = "recall.lock"
_LONGEST = 200  # characters that say a time


@dataclass(frozen=True, slots=True)
class Quiet:
    """Whether hints are asked to stay away, and what has to be said about the lock, "" for nothing."""

    asked: bool = False
    told: str = ""


def quiet(home: Home, now: datetime) -> Quiet:
    """Return whether a workflow has asked for quiet; a lock that cannot be read asks for nothing."""
    path = home.data / LOCK
    try:
        text = path.read_text(encoding="utf-8")[:_LONGEST].strip()
        written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except FileNotFoundError:
        return Quiet()
    except (OSError, UnicodeDecodeError, OverflowError) as error:
        return Quiet(told=f"{LOCK} cannot be read and is not heeded ({type(error).__name__})")
    if not text:
        return Quiet(True, f"{LOCK} keeps hints away without an end")
    until = _until(text, written)
    if until is None:
        return Quiet(told=f"{LOCK} holds neither a time nor a number of seconds and is not heeded")
    if now >= until:
        return Quiet()
    return Quiet(True, f"{LOCK} keeps hints away until {until.astimezone(UTC).isoformat(timespec='seconds')}")


def _until(text: str, written: datetime) -> datetime | None:
    """Read when a lock ends, None for what is no time."""
    try:
        return written + timedelta(seconds=float(text))
    except (ValueError, OverflowError):
        pass
    try:
        until = datetime.fromisoformat(text)
    except ValueError:
        return None
    return until if until.tzinfo else until.replace(tzinfo=UTC)
