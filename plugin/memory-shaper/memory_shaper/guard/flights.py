"""Which calls of an agent are running, in this process and in others. Shell.

Each host process keeps a small file open and writes into it how many calls are in flight and when the last one landed:
two microseconds a call, where a row in a database would cost a thousand. Others read these files only when a guarded
file has changed.
"""

from __future__ import annotations

import contextlib
import os
import struct
import threading
import time
from pathlib import Path

from ..record import Process, alive, process, this_process

LINGER = 5.0  # seconds after its end in which a call may still be what changed a file
LONGEST = 3600.0  # seconds after which a call that never landed no longer counts
_FORM = struct.Struct("<qdd")  # calls in flight, the earliest start among them, the last landing (Unix seconds)


class Flights:
    """The calls in flight of this process, shown to others in a beacon file below `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._flying: dict[tuple[str, str, str], float] = {}
        self._landed = 0.0
        self._handle: int | None = None
        self._lock = threading.Lock()

    def take_off(self, session: str, call: str, tool: str) -> None:
        """Note that a call is about to run."""
        with self._lock:
            self._flying[session, call, tool] = time.time()
            self._show()

    def land(self, session: str, call: str, tool: str) -> None:
        """Note that a call has run."""
        with self._lock:
            if self._flying.pop((session, call, tool), None) is not None:
                self._landed = time.time()
            self._show()

    def own(self, since: float = 0.0) -> bool:
        """Whether a call of this process is in flight, one that took off after `since` where that is given."""
        now = time.time()
        with self._lock:
            return any(now - start < LONGEST and start >= since for start in self._flying.values())

    def others(self, changed: float) -> list[Process]:
        """The other processes that had a call in flight when a file changed (Unix seconds); dead ones included."""
        return [who for who, count, start, landed in self._beacons() if _overlaps(count, start, landed, changed)]

    def sweep(self) -> None:
        """Remove the beacons of processes that are gone for long."""
        for who, _, _, _ in self._beacons():
            path = self._path(who)
            with contextlib.suppress(OSError):
                if not alive(who) and time.time() - path.stat().st_mtime > LONGEST:
                    path.unlink()

    def close(self) -> None:
        """Take the beacon away; nothing is in flight any more."""
        with self._lock:
            if self._handle is not None:
                os.close(self._handle)
                self._handle = None
                with contextlib.suppress(OSError):
                    self._path(this_process()).unlink()

    def _show(self) -> None:
        start = min(self._flying.values(), default=0.0)
        if self._handle is None:
            self._handle = self._open()
        if self._handle is not None:
            with contextlib.suppress(OSError):  # a full disk: as without a beacon
                os.pwrite(self._handle, _FORM.pack(len(self._flying), start, self._landed), 0)

    def _open(self) -> int | None:
        # Without a beacon (a read-only home) the other processes cannot know; this one still does.
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return os.open(self._path(this_process()), os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        except OSError:
            return None

    def _path(self, who: Process) -> Path:
        return self._folder / f"{who.pid}-{who.started or 0}.flight"

    def _beacons(self) -> list[tuple[Process, int, float, float]]:
        found: list[tuple[Process, int, float, float]] = []
        for path in sorted(self._folder.glob("*.flight")) if self._folder.is_dir() else []:
            pid, _, started = path.stem.partition("-")
            with contextlib.suppress(OSError, ValueError, struct.error):
                who = Process(int(pid), "" if started == "0" else started)
                if who.pid != os.getpid():
                    found.append((who, *_FORM.unpack(path.read_bytes())))
        return found


def _overlaps(count: int, start: float, landed: float, changed: float) -> bool:
    flying = count > 0 and start <= changed + 1.0 and changed - start < LONGEST
    return flying or landed - LINGER <= changed <= landed + LINGER


__all__ = ["Flights", "process"]
