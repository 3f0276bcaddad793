"""Two sessions in one home, and the host's own store beside them: every line survives."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from memory_shaper.record import EventKind

from hosts.endpoint import Call
from hosts.harness import Home, Host, host_python
from hosts.scenes import CRITICAL, JAVA, JAVA_NEW, PINNED, PYTHON, Step, entries, events, indexed_home, memory, play

EACH = 12
PATIENCE = 60.0
STORE = """
import json, os, sys, time
from tools import memory_tool
lines = json.load(sys.stdin)
store = memory_tool.MemoryStore(memory_char_limit=100_000)
while not os.path.exists(sys.argv[1]):
    time.sleep(0.02)
for line in lines:
    answer = store.add("memory", line)
    assert answer["success"], answer
    time.sleep(0.1)
"""


def lines_of(who: str, count: int) -> list[str]:
    return [f"{who}{n},alpha{n},beta{n},gamma{n},delta{n} → {who}-{n}.md" for n in range(count)]


def wait_for(file: Path) -> None:
    """Wait until another thread has made a file."""
    ends = time.monotonic() + PATIENCE
    while not file.exists():
        assert time.monotonic() < ends, f"{file.name} never came to be"
        time.sleep(0.05)


def test_together__no_line_is_lost(host: Host, tmp_path: Path) -> None:
    """Lines added by two guarded sessions and by the host's store at the same time are all there, and none is undone."""
    home = indexed_home(tmp_path, config={"memory": {"memory_char_limit": 100_000}})
    wanted = {who: lines_of(who, count) for who, count in (("one", EACH), ("two", EACH), ("store", 4 * EACH))}
    for lines in wanted.values():
        for line in lines:
            (home.memories / line.rpartition("→ ")[2]).write_text("text\n", encoding="utf-8")
    one, two = home.work / "one-has-begun", home.work / "two-has-begun"

    def first_of_one(_: list[str]) -> Call:
        one.touch()
        wait_for(two)
        return memory("add", wanted["one"][0])

    def first_of_two(_: list[str]) -> Call:
        two.touch()
        return memory("add", wanted["two"][0])

    def session_two() -> list[Step]:
        wait_for(one)  # by then the first session has read from config.yaml where its own endpoint is
        moves = [first_of_two, *(memory("add", line) for line in wanted["two"][1:]), memory("remove", old_text=PYTHON)]
        return play(host, home, moves, timeout=150)[0]

    moves = [first_of_one, *(memory("add", line) for line in wanted["one"][1:]), memory(host.edit, JAVA_NEW, JAVA)]
    with ThreadPoolExecutor(2) as pool:
        told = pool.submit(store_adds, host, home, two, wanted["store"])
        second = pool.submit(session_two)
        steps = play(host, home, moves, timeout=150)[0] + second.result()
        assert told.result() == ""
    assert [step.text for step in steps if step.data.get("success") is not True] == []
    found = entries(home)
    assert found[:3] == (CRITICAL, PINNED, JAVA_NEW)
    assert sorted(found[3:]) == sorted(line for lines in wanted.values() for line in lines)
    assert not events(home, EventKind.RESTORED, EventKind.DAMAGED)


def store_adds(host: Host, home: Home, begun: Path, lines: list[str]) -> str:
    """Add lines through the host's store, as another of its processes would; what went wrong."""

    ended = host_python(host, home, STORE, str(begun), given=json.dumps(lines))
    return ended.err if ended.code else ""
