"""Calls in flight that can write, and the background processes that such calls have started.

A call that never lands (its process was killed, or its host gave up on it) is swept: with its host, or after an hour.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from .database import Database, Row
from .processes import Process, alive
from .times import moment, moment_or_none, stamp

LONGEST_FLIGHT = timedelta(hours=1)
# How long after its end a background process may still be what changed a file.
GRACE = timedelta(seconds=5)

Alive = Callable[[Process], bool]


@dataclass(frozen=True, slots=True)
class Flight:
    """A call that can write, from just before it runs until after it; `host` is the process that runs it."""

    session: str
    call: str
    tool: str
    host: Process
    started_at: datetime
    id: int = 0


@dataclass(frozen=True, slots=True)
class Background:
    """A process that a call left running. `ended_at` is when it was first missed, None as long as it is not."""

    process: Process
    host: Process
    session: str
    seen_at: datetime
    ended_at: datetime | None = None
    id: int = 0


def _flight(row: Row) -> Flight:
    session, call, tool, pid, pid_start, started_at, number = row
    return Flight(session, call, tool, Process(pid, pid_start), moment(started_at), number)


def _background(row: Row) -> Background:
    pid, pid_start, host, host_start, session, seen_at, ended_at, number = row
    processes = (Process(pid, pid_start), Process(host, host_start))
    return Background(*processes, session, moment(seen_at), moment_or_none(ended_at), number)


class Flights:
    """The flights and background processes in a record."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def take_off(self, flight: Flight) -> int:
        """Note that a call is about to run; the id of the flight."""
        sql = """INSERT INTO flights (session, call, tool, pid, pid_start, started_at) VALUES (?, ?, ?, ?, ?, ?)"""
        who = (flight.session, flight.call, flight.tool, flight.host.pid, flight.host.started)
        with self._database.transaction():
            return self._database.add(sql, *who, stamp(flight.started_at))

    def land(self, session: str, call: str, host: Process) -> int:
        """Note that a call of this host process has run; how many flights that ends."""
        sql = "DELETE FROM flights WHERE session = ? AND call = ? AND pid = ?"
        with self._database.transaction():
            return self._database.run(sql, session, call, host.pid)

    def in_flight(self, now: datetime, host_alive: Alive = alive) -> list[Flight]:
        """The calls that are running now, oldest first; what can no longer be running is swept."""
        sql = "SELECT session, call, tool, pid, pid_start, started_at, id FROM flights ORDER BY id"
        flights = [self._database.read(_flight, row) for row in self._database.rows(sql)]
        flying = [one for one in flights if now - one.started_at < LONGEST_FLIGHT and host_alive(one.host)]
        self._forget("flights", {one.id for one in flights} - {one.id for one in flying})
        return flying

    def background_started(self, started: Background) -> int:
        """Note a process that a call left running; the id of the note."""
        sql = """INSERT INTO backgrounds (pid, pid_start, host, host_start, session, seen_at)
                 VALUES (?, ?, ?, ?, ?, ?)"""
        process, host = started.process, started.host
        who = (process.pid, process.started, host.pid, host.started, started.session)
        with self._database.transaction():
            return self._database.add(sql, *who, stamp(started.seen_at))

    def background_alive(self, now: datetime, process_alive: Alive = alive) -> list[Background]:
        """The background processes that run or were first missed less than five seconds ago; older ones are swept.

        Nobody watches between two looks, so a process counts as ended when it is first missed, and its host's end
        changes nothing: it may well outlive the host.
        """
        known = self._backgrounds()
        missed = [one for one in known if one.ended_at is None and not process_alive(one.process)]
        if missed:
            self._end(missed, now)
            known = self._backgrounds()
        recent = [one for one in known if one.ended_at is None or now - one.ended_at < GRACE]
        self._forget("backgrounds", {one.id for one in known} - {one.id for one in recent})
        return recent

    def _end(self, missed: Iterable[Background], now: datetime) -> None:
        with self._database.transaction():
            for one in missed:
                sql = "UPDATE backgrounds SET ended_at = ? WHERE id = ? AND ended_at IS NULL"
                self._database.run(sql, stamp(now), one.id)

    def _backgrounds(self) -> list[Background]:
        sql = """SELECT pid, pid_start, host, host_start, session, seen_at, ended_at, id
                 FROM backgrounds ORDER BY id"""
        return [self._database.read(_background, row) for row in self._database.rows(sql)]

    def _forget(self, table: str, numbers: set[int]) -> None:
        if numbers:
            with self._database.transaction():
                for number in numbers:
                    self._database.run(f"DELETE FROM {table} WHERE id = ?", number)
