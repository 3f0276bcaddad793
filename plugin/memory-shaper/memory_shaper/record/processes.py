"""Is a process still the one that was seen? By its id and its start time, since ids are used again."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

# In /proc/PID/stat, after the name in brackets: state first, start time (ticks since boot) as the twentieth.
_STATE, _START = 0, 19
_DEAD = frozenset("ZXx")
_UNKNOWN = ("", "")


@dataclass(frozen=True, slots=True)
class Process:
    """A process by its id and its start time as the system writes it, empty where the system does not tell."""

    pid: int
    started: str = ""


def process(pid: int) -> Process:
    """The process that has this id now; its start is empty where it is gone or the system does not tell."""
    return Process(pid, _look(pid)[1])


def this_process() -> Process:
    """The process that is asking."""
    return process(os.getpid())


def alive(known: Process) -> bool:
    """Whether this very process still runs; one that has ended but was not yet waited for does not."""
    if not _exists(known.pid):
        return False
    state, started = _look(known.pid)
    return state not in _DEAD and (not known.started or not started or started == known.started)


if sys.platform == "win32":
    # On Windows `os.kill(pid, 0)` is no question: it sends a key press or ends the process.
    import ctypes
    from ctypes import wintypes

    _QUERY, _STILL_ACTIVE, _NO_RIGHT = 0x1000, 259, 5

    def _exists(pid: int) -> bool:
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.OpenProcess.restype = wintypes.HANDLE
        if not 0 < pid < 1 << 32:
            return False
        handle = kernel.OpenProcess(_QUERY, False, pid)
        if not handle:
            return ctypes.get_last_error() == _NO_RIGHT
        code = wintypes.DWORD()
        known = kernel.GetExitCodeProcess(wintypes.HANDLE(handle), ctypes.byref(code))
        kernel.CloseHandle(wintypes.HANDLE(handle))
        return not known or code.value == _STILL_ACTIVE

else:

    def _exists(pid: int) -> bool:
        if pid <= 0:  # To `os.kill` these are groups of processes.
            return False
        try:
            os.kill(pid, 0)
        except (ProcessLookupError, OverflowError):
            return False
        except PermissionError:
            return True
        return True


def _look(pid: int) -> tuple[str, str]:
    """State letter and start time of a process, both empty where there is no /proc or no such process."""
    try:
        line = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return _UNKNOWN
    fields = line.rpartition(")")[2].split()
    return (fields[_STATE], fields[_START]) if len(fields) > _START else _UNKNOWN
