"""Four watchdogs and a writer that adds lines as the host's store does, at once, round after round.

    python tests/watchdog/together.py FOLDER ROUNDS

Prints one line a fault, and at the end how many lines were added and how many were archived.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).resolve().parents[1])]

from faults import forked  # noqa: E402
from homes import NOW, House, line, targets, tree  # noqa: E402
from memory_shaper import host  # noqa: E402
from memory_shaper.errors import Busy  # noqa: E402
from memory_shaper.record import RecordBusy  # noqa: E402
from memory_shaper.watchdog.run import run  # noqa: E402

WATCHDOGS = 4
ADDS = 12
CAP = 2200


def add(house: House, text: str) -> bool:
    """One add as the host's store makes it: lock, read, join, temporary file, flush, rename; False over the cap."""
    index = house.home.index
    with open(index.with_name("MEMORY.md.lock"), "a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        entries = host.entries(index.read_text(encoding="utf-8"))
        if text in entries or len(host.join([*entries, text])) > CAP:
            return text in entries
        handle, name = tempfile.mkstemp(dir=index.parent, suffix=".tmp", prefix=".mem_")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(host.join([*entries, text]))
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, index)
    return True


def added(house: House, text: str) -> bool:
    """An add that is tried again while there is no room, as an agent does."""
    for _ in range(60):
        if add(house, text):
            return True
        time.sleep(0.02)
    return False


def at_once(*works: Callable[[], None]) -> list[int]:
    """Do things in processes that begin at the same moment; their exit codes."""
    read, write = os.pipe()
    children = []
    for work in works:
        child = os.fork()
        if not child:
            os.close(write)
            os.read(read, 1)  # until the parent closes its end
            os._exit(forked(work) & 0xFF)
        children.append(child)
    os.close(write)
    os.close(read)
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


def watch(house: House) -> None:
    """Three runs; one that finds somebody else at work is a run."""
    for _ in range(3):
        try:
            run(house.home, house.settings, lambda: NOW)
        except (Busy, RecordBusy):
            continue


def one_round(folder: Path, number: int) -> tuple[int, int]:
    shutil.rmtree(folder, ignore_errors=True)
    base = [line(f"topic{count}") for count in range(17)]
    late = [line(f"late{number}x{count}") for count in range(ADDS)]
    house = House(folder, *base)
    for text in late:
        house.topic(text.rpartition(" → ")[2])
    files = {name: data for name, data in tree(house.memories).items() if name != "MEMORY.md"}
    note = folder / "added"

    def write() -> None:
        note.write_text("\n".join(text for text in late if added(house, text)), encoding="utf-8")

    codes = at_once(write, *[lambda: watch(house)] * WATCHDOGS)
    if any(codes):
        print(f"fault: round {number}: exit codes {codes}")
    run(house.home, house.settings, lambda: NOW)
    kept = note.read_text(encoding="utf-8").splitlines()
    for fault in found(house, [*base, *kept], files):
        print(f"fault: round {number}: {fault}")
    left = tree(house.memories)
    run(house.home, house.settings, lambda: NOW)
    if tree(house.memories) != left:
        print(f"fault: round {number}: a further run changes something")
    return len(kept), len(house.archived)


def found(house: House, wanted: list[str], files: dict[str, bytes]) -> list[str]:
    archive = house.archive_index if house.home.archive_index.exists() else ""
    lines = [text for text in (*house.index.splitlines(), *archive.splitlines()) if "→" in text]
    faults = [] if sorted(lines) == sorted(wanted) else [f"{len(lines)} lines, not {len(wanted)}"]
    for name, data in files.items():
        holders = [path for path in (house.memories / name, house.home.archive / name) if path.is_file()]
        if [path.read_bytes() for path in holders] != [data]:
            faults.append(f"{name} is there {len(holders)} times")
    gone = [target for target in targets(archive) if not (house.home.archive / target).is_file()]
    return [*faults, *(f"dangling: {target}" for target in gone)]


if __name__ == "__main__":
    counts = [one_round(Path(sys.argv[1]) / "home", number) for number in range(int(sys.argv[2]))]
    print(f"added {sum(added for added, _ in counts)}, archived {sum(archived for _, archived in counts)}")
