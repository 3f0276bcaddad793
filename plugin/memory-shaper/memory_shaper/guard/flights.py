"""Which calls of an agent are running, in this process and in others. Shell.

Each host process keeps a small file open and writes into it how many calls are in flight and since when: two
microseconds a call, where a row in a database would cost a thousand. Others read these files only when a guarded file
has changed. What a call does before it lands is settled by its own process, unless that was killed.
"""

from __future__ import annotations

import contextlib
import os
import struct
import threading
import time
from pathlib import Path

from ..record import Process, alive, this_process
from . import strays

LONGEST = 3600.0  # seconds after which a call that never landed no longer counts
# Never two of these at once in a session: where one takes off, an earlier one has landed, whatever its host told of it.
_ALONE = frozenset(["memory", "terminal", "execute_code"])
_FORM = struct.Struct("<qd")  # calls in flight, the earliest start among them (Unix seconds)
_Key = tuple[str, str, str]


class Flights:
    """The calls in flight of this process, shown to others in a beacon file below `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._flying: dict[_Key, tuple[float, int]] = {}  # when it took off, and the newest process then
        self._handle: int | None = None
        self._lock = threading.Lock()

    def take_off(self, session: str, call: str, tool: str) -> None:
        """Note that a call is about to run."""
        newest = strays.newest() if tool in strays.STARTERS else 0
        with self._lock:
            if tool in _ALONE:
                self._forget([key for key in self._flying if (key[0], key[2]) == (session, tool)])
            self._flying[session, call, tool] = (time.time(), newest)
            self._show()

    def land(self, session: str, call: str, tool: str) -> list[int]:
        """Note that a call has run; the ids of the processes that it left running."""
        with self._lock:
            _, newest = self._flying.pop((session, call, tool), (0.0, 0))
            self._show()
        return strays.left_running(newest) if newest else []

    def rest(self, session: str) -> None:
        """Note that no call of a session is running: its next turn begins."""
        with self._lock:
            self._forget([key for key in self._flying if key[0] == session])
            self._show()

    def own(self) -> bool:
        """Whether a call of this process is in flight."""
        now = time.time()
        with self._lock:
            return any(now - start < LONGEST for start, _ in self._flying.values())

    def others(self, changed: float) -> list[Process]:
        """The other processes that had a call in flight when a file changed (Unix seconds); killed ones included."""
        return [who for who, count, start in self._beacons() if count > 0 and -1.0 < changed - start < LONGEST]

    def sweep(self) -> None:
        """Remove the beacons of processes that are gone; what they left behind has been settled."""
        for who, _, _ in self._beacons():
            if not alive(who):
                with contextlib.suppress(OSError):
                    self._path(who).unlink()

    def close(self) -> None:
        """Take the beacon away; nothing is in flight any more."""
        with self._lock:
            self._flying.clear()
            if self._handle is not None:
                os.close(self._handle)
                self._handle = None
                with contextlib.suppress(OSError):
                    self._path(this_process()).unlink()

    def _forget(self, keys: list[_Key]) -> None:
        for key in keys:
            del self._flying[key]

    def _show(self) -> None:
        start = min((start for start, _ in self._flying.values()), default=0.0)
        if self._handle is None:
            self._handle = self._open()
        if self._handle is not None:
            with contextlib.suppress(OSError):  # a full disk: as without a beacon
                os.pwrite(self._handle, _FORM.pack(len(self._flying), start), 0)

    def _open(self) -> int | None:
        # Without a beacon (a read-only home) the other processes cannot know; this one still does.
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return os.open(self._path(this_process()), os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        except OSError:
            return None

    def _path(self, who: Process) -> Path:
        return self._folder / f"{who.pid}-{who.started or 0}.flight"

    def _beacons(self) -> list[tuple[Process, int, float]]:
        found: list[tuple[Process, int, float]] = []
        for path in sorted(self._folder.glob("*.flight")) if self._folder.is_dir() else []:
            pid, _, started = path.stem.partition("-")
            with contextlib.suppress(OSError, ValueError, struct.error):
                who = Process(int(pid), "" if started == "0" else started)
                if who.pid != os.getpid():
                    found.append((who, *_FORM.unpack(path.read_bytes())))
        return found
