"""How long does reading a call take? Times of unrelated calls, file tools and large programs.

Run `python benchmarks/call_reader.py [--json]`; times are the best of five, in microseconds of processor time.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import common  # noqa: F401  (puts the package on the path)
from memory_shaper.calls.disk import DiskWorld
from memory_shaper.calls.effects import Reading, World
from memory_shaper.calls.other import read_other
from memory_shaper.calls.python import read_python
from memory_shaper.calls.tools import read_tool

SIZE = 200_000
WORLD = DiskWorld("/work", {"HOME": "/home/u"})


def _shell(command: str | Sequence[str], world: World) -> Reading:
    return Reading()


def _tool(tool: str, args: object, world: World) -> Reading:
    return Reading()


def _call(tool: str, args: object) -> Callable[[], object]:
    return lambda: read_tool(tool, args, WORLD, _shell)


def _python(code: str) -> Callable[[], object]:
    return lambda: read_python(code, WORLD, _shell, _tool)


def _filled(piece: str) -> str:
    return piece * (SIZE // len(piece))


def _cases() -> dict[str, tuple[int, Callable[[], object]]]:
    """The name of each case, how often it is repeated for one measurement, and the case."""
    library = Path(argparse.__file__).read_text(encoding="utf-8")
    return {
        "unrelated tool": (10_000, _call("web_search", {"query": "x"})),
        "unknown tool without a path": (10_000, _call("open_door", {"door": "x"})),
        "read_file": (10_000, _call("read_file", {"path": "/a/b.md"})),
        "write_file of 2 MB": (100, _call("write_file", {"path": "/a/b.md", "content": "x" * 2_000_000})),
        "patch of 200 kB": (10, _call("patch", {"patch": _filled("*** Update File: a.md\n@@\n-a\n+b\n")})),
        "200 kB of Python, argparse.py": (1, _python((library * 3)[:SIZE].rpartition("\ndef ")[0])),
        "200 kB of Python, calls of open": (1, _python(_filled("open('/tmp/a', 'w').write('some text')\n"))),
        "200 kB of Python, nested too deeply": (1, _python(_filled("open("))),
        "a program that recurses": (1, _python("def f(a):\n    f(a)\n    f(a)\nf(1)\n")),
        "200 kB of JavaScript": (1, lambda: read_other("node", _filled("fs.writeFileSync('/tmp/a', text);\n"), WORLD)),
    }


def _best(repeats: int, work: Callable[[], object]) -> float:
    """Microseconds of processor time for one call of `work`, the best of five measurements."""
    times = []
    for _ in range(5):
        start = time.process_time_ns()
        for _ in range(repeats):
            work()
        times.append((time.process_time_ns() - start) / repeats / 1000)
    return min(times)


def main() -> int:
    """Measure and print; 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    times = {name: round(_best(repeats, work), 2) for name, (repeats, work) in _cases().items()}
    if options.json:
        print(json.dumps({"python": platform.python_version(), "microseconds": times}))
    else:
        for name, microseconds in times.items():
            print(f"{microseconds:12,.1f} µs  {name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
