"""Who has a call in flight: this process knows it, and others can tell."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest
from memory_shaper.guard.flights import LONGEST, Flights
from memory_shaper.record import alive
from record_tools import start

PILOT = """
import sys
from pathlib import Path
from memory_shaper.guard.flights import Flights
flights = Flights(Path(sys.argv[1]))
flights.take_off("s", "c", "terminal")
print("ready", flush=True)
if sys.stdin.readline() == "land\\n":
    flights.land("s", "c", "terminal")
    print("landed", flush=True)
    sys.stdin.readline()
    flights.close()
"""


@pytest.fixture
def flights(tmp_path: Path) -> Flights:
    """The flights of this process, with its beacon taken away at the end."""
    found = Flights(tmp_path / "flights")
    yield found  # type: ignore[misc]
    found.close()


def test_own_flights(flights: Flights) -> None:
    """A call counts from take-off to landing, each one for itself, also where two have no id."""
    assert not flights.own()
    flights.take_off("s", "1", "terminal")
    flights.take_off("s", "2", "terminal")
    flights.land("s", "1", "terminal")
    assert flights.own()
    flights.land("s", "2", "terminal")
    assert not flights.own()


def test_landing_twice_is_landing_once(flights: Flights) -> None:
    """A landing without a take-off changes nothing."""
    flights.land("s", "1", "terminal")
    flights.take_off("s", "1", "terminal")
    flights.land("s", "1", "terminal")
    flights.land("s", "1", "terminal")
    assert not flights.own()


def test_another_process_is_seen(flights: Flights, tmp_path: Path) -> None:
    """Another process is seen in flight, and no longer once its call has landed."""
    flights.take_off("s", "1", "write_file")
    pilot = start(PILOT, str(tmp_path / "flights"))
    assert pilot.stdin is not None and pilot.stdout is not None and pilot.stdout.readline() == "ready\n"
    now = time.time()
    assert [pilot.pid] == [who.pid for who in flights.others(now)]
    assert flights.others(now - 60) == []
    assert flights.others(now + LONGEST + 60) == []
    pilot.stdin.write("land\n")
    pilot.stdin.flush()
    assert pilot.stdout.readline() == "landed\n"
    assert flights.others(time.time()) == []
    pilot.communicate("end\n")


def test_a_killed_process_leaves_its_flight(flights: Flights, tmp_path: Path) -> None:
    """A process that was killed in a call is still named, and known to be dead."""
    pilot = start(PILOT, str(tmp_path / "flights"))
    assert pilot.stdout is not None and pilot.stdout.readline() == "ready\n"
    assert [alive(who) for who in flights.others(time.time())] == [True]
    pilot.send_signal(signal.SIGKILL)
    pilot.communicate()
    assert [alive(who) for who in flights.others(time.time())] == [False]


def test_beacons_of_the_dead_are_swept(flights: Flights, tmp_path: Path) -> None:
    """The beacon of a process that is gone goes, one of a living process stays."""
    pilot = start(PILOT, str(tmp_path / "flights"))
    assert pilot.stdout is not None and pilot.stdout.readline() == "ready\n"
    (beacon,) = (tmp_path / "flights").iterdir()
    flights.sweep()
    assert beacon.exists()
    pilot.kill()
    pilot.communicate()
    flights.sweep()
    assert not beacon.exists()


@pytest.mark.parametrize(("name", "data"), [("x.flight", b""), ("1-2.flight", b"short"), ("-.flight", b"\0" * 24)])
def test_foreign_files_are_stepped_over(flights: Flights, tmp_path: Path, name: str, data: bytes) -> None:
    """A file in the folder that is no beacon says nothing about anybody."""
    (tmp_path / "flights").mkdir()
    (tmp_path / "flights" / name).write_bytes(data)
    assert flights.others(time.time()) == []
    flights.sweep()


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    """Where no beacon can be made the process still knows its own flights."""
    (tmp_path / "file").write_text("")
    flights = Flights(tmp_path / "file" / "flights")
    flights.take_off("s", "1", "terminal")
    assert flights.own() and flights.others(time.time()) == []
    flights.close()
