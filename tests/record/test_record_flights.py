"""Flights, background processes, and telling one process from another."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from memory_shaper.record import Background, Flight, Process, alive, process, this_process
from memory_shaper.record.flights import LONGEST_FLIGHT
from record_tools import NOW, later, opened

HERE, GONE = Process(1000, "5"), Process(2000, "6")


def is_here(one: Process) -> bool:
    """A machine on which only HERE runs."""
    return one == HERE


def test_a_call_is_in_flight_until_it_lands(tmp_path: Path) -> None:
    """A flight ends with its own call of its own host."""
    with opened(tmp_path) as record:
        number = record.flights.take_off(Flight("s1", "c1", "terminal", HERE, NOW))
        assert [Flight("s1", "c1", "terminal", HERE, NOW, number)] == record.flights.in_flight(NOW, is_here)
        assert [
            record.flights.land("s1", "c2", HERE),
            record.flights.land("s1", "c1", GONE),
            record.flights.land("s1", "c1", HERE),
        ] == [0, 0, 1]
        assert record.flights.in_flight(NOW, is_here) == []


def test_the_flights_of_a_dead_host_are_swept(tmp_path: Path) -> None:
    """A host that is gone has no call in flight, and its rows go for good."""
    with opened(tmp_path) as record:
        record.flights.take_off(Flight("s1", "c1", "terminal", GONE, NOW))
        assert record.flights.in_flight(NOW, is_here) == []
        assert record.flights.in_flight(NOW, lambda _: True) == []


def test_a_flight_ends_after_an_hour(tmp_path: Path) -> None:
    """A call whose end was never told is not in flight for ever."""
    with opened(tmp_path) as record:
        record.flights.take_off(Flight("s1", "c1", "terminal", HERE, NOW))
        assert len(record.flights.in_flight(later(minutes=59), is_here)) == 1
        assert record.flights.in_flight(NOW + LONGEST_FLIGHT, is_here) == []


def test_a_background_process_counts_for_five_seconds_more(tmp_path: Path) -> None:
    """A process counts while it runs and until five seconds after it was first missed."""
    with opened(tmp_path) as record:
        record.flights.background_started(Background(HERE, GONE, "s1", NOW))
        running = [
            [one.ended_at for one in record.flights.background_alive(later(seconds=second), probe)]
            for second, probe in ((90, is_here), (100, lambda _: False), (104.9, is_here), (105, is_here))
        ]
        assert [[None], [later(seconds=100)], [later(seconds=100)], []] == running


def test_this_process_is_alive() -> None:
    """The process that asks is alive, and no other with its id is."""
    assert alive(this_process())
    assert alive(Process(os.getpid()))
    if this_process().started:
        assert not alive(Process(os.getpid(), "1"))


@pytest.mark.parametrize("number", [0, -1, -2, 2**31, 2**63, 2**80])
def test_what_is_no_process_id_is_not_alive(number: int) -> None:
    """Groups of processes and numbers that no process can have are not alive."""
    assert not alive(Process(number))


def test_a_process_that_ended_is_not_alive() -> None:
    """An ended process is not alive, before and after somebody waits for it."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    seen = process(child.pid)
    assert alive(seen)
    child.stdin.close()
    if hasattr(os, "waitid"):
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert not seen.started or not alive(seen)
    child.wait()
    assert not alive(seen)
