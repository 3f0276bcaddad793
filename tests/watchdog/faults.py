"""Runs of the watchdog that are killed, or whose disk is full, at one file operation after another.

    python tests/watchdog/faults.py FOLDER kill|full COUNT|all [rules]
    python tests/watchdog/faults.py FOLDER instants COUNT [rules]

With `rules` the rules of keeping archive what the watchdog has left, and propose a merge.

Works in a process of its own that forks for each run. Prints one line a fault that it finds, and at the end how many
runs there were. The operations are counted by wrapping functions of `os` and of sqlite3 in the forked process only.
"""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent / "plugin" / "memory-shaper")]

from homes import NOW, House, index, line, targets, tree  # noqa: E402
from memory_shaper.errors import MemoryShaperError  # noqa: E402
from memory_shaper.settings import Home  # noqa: E402
from memory_shaper.watchdog.run import run  # noqa: E402

FILE_OPERATIONS = ("replace", "rename", "link", "unlink", "mkdir", "fsync", "fchmod", "chmod")
GROWING = {"open", "write", "fsync", "mkdir", "link", "sql"}
LINES = [line(f"topic{number}") for number in range(9)]
Hook = Callable[[str, int], None]


RULES = "plugins:\n  entries:\n    memory-shaper:\n      settings:\n        archive_unused_days: 60\n"


def make(folder: Path, rules: str = "") -> House:
    """A home in which a run renames, orders and archives four of nine topics, one of them to a name that is taken."""
    house = House(folder, *LINES, text="\n".join([index(), *LINES]))
    house.config(f"memory:\n  memory_char_limit: 900\n{rules}")
    house.write("archived memories/topic8.md", "an older one")
    house.write("archived memories/archived-memories.md", index(line("older").replace("older.md", "topic8.md")))
    house.read("topic5.md", 20, 2)
    return house


def counted(hook: Hook) -> None:
    """Call the hook before each operation that changes the disk, from now on in this process."""
    number = 0

    def tick(name: str) -> None:
        nonlocal number
        number += 1
        hook(name, number)

    def wrap(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any, **more: Any) -> Any:
            tick(name)
            return function(*args, **more)

        return wrapped

    for name in FILE_OPERATIONS:
        setattr(os, name, wrap(name, getattr(os, name)))
    opened = os.open

    def open_(path: Any, flags: int, *args: Any, **more: Any) -> int:
        if flags & (os.O_CREAT | os.O_WRONLY | os.O_RDWR):
            tick("open")
        return opened(path, flags, *args, **more)

    os.open = open_

    class Counted(sqlite3.Connection):
        def execute(self, sql: str, *args: Any) -> sqlite3.Cursor:
            if not sql.lstrip().upper().startswith(("SELECT", "PRAGMA")):
                tick("sql")
            return super().execute(sql, *args)

    connect = sqlite3.connect
    sqlite3.connect = lambda *args, **more: connect(*args, factory=Counted, **more)


def forked(work: Callable[[], None]) -> int:
    """Do something in a forked process; its exit code, negative for a signal."""
    child = os.fork()
    if not child:
        try:
            work()
            os._exit(0)
        except MemoryShaperError as error:
            os._exit(error.code)
        except BaseException as error:
            print(f"fault: {type(error).__name__}: {error}", flush=True)
            os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def once(house: House) -> None:
    run(house.home, house.settings, lambda: NOW)


def interrupted(house: House, at: int, how: str) -> int:
    """A run that ends at its operation number `at`: killed, or for want of space from there on."""

    def hook(name: str, number: int) -> None:
        if how == "kill" and number == at:
            os.kill(os.getpid(), signal.SIGKILL)
        if how == "full" and number >= at and name in GROWING:
            if name == "sql":
                error = sqlite3.OperationalError("database or disk is full")
                error.sqlite_errorcode = sqlite3.SQLITE_FULL
                raise error
            raise OSError(errno.ENOSPC, "No space left on device")

    def work() -> None:
        counted(hook)
        once(house)

    return forked(work)


def check(house: House, before: dict[str, bytes], what: str) -> None:
    """After one more run every line and every file is there, once; after another one nothing has changed."""
    try:
        once(house)
    except MemoryShaperError as error:
        print(f"fault: {what}: the next run: {error}")
        return
    for fault in faults(house, before):
        print(f"fault: {what}: {fault}")
    left = tree(house.memories)
    once(house)
    if tree(house.memories) != left:
        print(f"fault: {what}: a further run changes something")


def faults(house: House, before: dict[str, bytes]) -> Iterator[str]:
    wanted = sorted(house_line for house_line in (*LINES, line("older").replace("older.md", "topic8.md")))
    lines = [text for text in (*house.index.splitlines(), *house.archive_index.splitlines()) if "→" in text]
    named = sorted(text.replace("topic8-2.md", "topic8.md") for text in lines)
    if named != wanted:
        yield f"{len(lines)} lines, not {len(wanted)}"
    for name, data in before.items():
        places = [house.memories / name, house.home.archive / name, house.home.archive / name.replace(".md", "-2.md")]
        holders = [path for path in places if path.is_file() and path.read_bytes() == data]
        if len(holders) != 1:
            yield f"{name} is there {len(holders)} times"
    for folder, text in ((house.memories, house.index), (house.home.archive, house.archive_index)):
        if dangling := [target for target in targets(text) if not (folder / target).is_file()]:
            yield f"dangling: {dangling}"


def fresh(folder: Path, template: Path) -> House:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(template, folder, symlinks=True)
    house = object.__new__(House)
    house.home, house.now = Home(folder, "given"), NOW
    return house


def operations(house: House) -> int:
    """How many operations a whole run has."""
    read, write = os.pipe()

    def work() -> None:
        total = [0]

        def hook(name: str, number: int) -> None:
            total[0] = number

        counted(hook)
        once(house)
        os.write(write, str(total[0]).encode())

    assert forked(work) == 0
    return int(os.read(read, 20))


def every(folder: Path, how: str, most: int) -> int:
    """A run for each operation, or for `most` of them, evenly spread."""
    template = folder / "template"
    total = operations(fresh(folder / "home", template))
    before = {path.name: path.read_bytes() for path in sorted((template / "memories").glob("topic*.md"))}
    steps = range(1, total + 1) if total <= most else sorted(random.Random(7).sample(range(1, total + 1), most))
    for at in steps:
        house = fresh(folder / "home", template)
        code = interrupted(house, at, how)
        if code not in ((-signal.SIGKILL, 0) if how == "kill" else (0, 2, 3)):  # 0: it was done before
            print(f"fault: {how} at {at}: exit code {code}")
        check(house, before, f"{how} at {at} of {total}")
    return len(steps)


def instants(folder: Path, count: int) -> int:
    """Runs that are killed at random instants."""
    template = folder / "template"
    before = {path.name: path.read_bytes() for path in sorted((template / "memories").glob("topic*.md"))}
    house = fresh(folder / "home", template)
    begun = time.perf_counter()
    forked(lambda: once(house))
    longest = time.perf_counter() - begun
    draw = random.Random(11)
    for number in range(count):
        house = fresh(folder / "home", template)
        child = os.fork()
        if not child:
            once(house)
            os._exit(0)
        time.sleep(draw.uniform(0, longest))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        check(house, before, f"instant {number}")
    return count


if __name__ == "__main__":
    place, how = Path(sys.argv[1]), sys.argv[2]
    tempfile.gettempdir()  # found by writing a file, once a process: not to be counted as an operation of a run
    count = sys.maxsize if sys.argv[3] == "all" else int(sys.argv[3])
    shutil.rmtree(place / "template", ignore_errors=True)
    make(place / "template", RULES if "rules" in sys.argv[4:] else "")
    done = instants(place, count) if how == "instants" else every(place, how, count)
    print(f"runs: {done}")
