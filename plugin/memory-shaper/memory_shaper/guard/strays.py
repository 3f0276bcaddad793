"""Processes that a call left running without telling of them: `cmd &`, nohup, setsid. Shell, Linux only.

A child inherits its host's environment, so a mark set there tells which processes descend from this host, even once
their parents are gone. Of those, the ones that started during a call and outlive it may still write: it is they that
are noted, like a process whose id the terminal's result gives. Left out are children that the host itself looks after
(the kernel of execute_code, servers) and what shares the host's own terminal, where a person may be at work. A process
with an emptied environment (`env -i`) is not seen; what it does later is reported as damage from outside.
"""

from __future__ import annotations

import functools
import os
import time
from pathlib import Path

# Hosts hand only some variables on to execute_code, among them all that begin with TERM.
MARK = "TERM_MEMORY_SHAPER"
STARTERS = frozenset(["terminal", "execute_code", "process", "process_manage"])
_PROC = Path("/proc")
_TRIES, _PAUSE = 10, 0.002  # seconds
_MOST = 500  # ids that are tried one by one; beyond that, the list of processes is shorter
# In /proc/PID/stat after the name in brackets.
_STATE, _PARENT, _TERMINAL = 0, 1, 4


def mark_children() -> None:
    """Let every process that starts from here on carry the mark of this one."""
    os.environ[MARK] = str(os.getpid())


@functools.cache
def _load() -> int:
    return os.open("/proc/loadavg", os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))


def newest() -> int:
    """The id of the process that started last, 0 where the system does not tell."""
    try:
        return int(os.pread(_load(), 200, 0).split()[-1])
    except (OSError, ValueError, IndexError):
        return 0


def left_running(since: int) -> list[int]:
    """The ids of the processes of this host that started after `since` was the newest, and outlive their call."""
    now = newest() if since else 0
    if not now or now == since:
        return []
    terminal = (_fields(os.getpid()) or [""] * 5)[_TERMINAL]
    return [pid for pid in _started(since, now) if _is_stray(pid, terminal)]


def _started(since: int, now: int) -> list[int]:
    if since < now <= since + _MOST:
        return list(range(since + 1, now + 1))
    pids = [int(name) for name in os.listdir(_PROC) if name.isdecimal()]
    return [pid for pid in pids if since < pid <= now or (now < since and (pid > since or pid <= now))]


def _is_stray(pid: int, terminal: str) -> bool:
    fields = _fields(pid)
    if fields is None or fields[_STATE] in "ZX" or (terminal != "0" and fields[_TERMINAL] == terminal):
        return False
    looked_after = int(fields[_PARENT]) == os.getpid() != 1  # a host that is process 1 inherits every orphan
    return not looked_after and _carries_mark(pid)


def _fields(pid: int) -> list[str] | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].decode("ascii", "replace").split()
    except OSError:
        return None


def _carries_mark(pid: int) -> bool:
    mark = f"{MARK}={os.getpid()}".encode()
    try:
        for _ in range(_TRIES):
            found = Path(f"{_PROC}/{pid}/environ").read_bytes()
            if found:
                return mark in found.split(b"\0")
            time.sleep(_PAUSE)  # for a moment of its start a process shows no environment
    except OSError:
        return False
    return False
