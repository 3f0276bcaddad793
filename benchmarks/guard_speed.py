"""What does the guard cost a session? Times of the hooks for calls of every kind, and of loading the plugin.

Run `python benchmarks/guard_speed.py [--json]`. Each time is the best of many short measurements of processor time (a
session of 100 calls: of wall time), so that a busy machine disturbs it little. Bounds are those of the
design; the exit code is 1 where one is broken.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from common import PACKAGE
from memory_shaper import plugin

# name: (unit, bound)
BOUNDS: Mapping[str, tuple[str, float]] = {
    "read_file, before": ("µs", 25),
    "read_file, after": ("µs", 25),
    "unrelated tool, before": ("µs", 25),
    "unrelated tool, after": ("µs", 25),
    "terminal of 200 characters, before": ("µs", 60),
    "terminal of 200 characters, after": ("µs", 60),
    "terminal that names the index, before": ("µs", 1_000),
    "memory call on 60 entries, before": ("µs", 1_000),
    "memory call on 1,000 entries, before": ("µs", 10_000),
    "200 kB of shell, before": ("µs", 200_000),
    "200 kB of Python, before": ("µs", 200_000),
    "session of 100 calls, all hooks": ("ms", 50),
    "loading and registering": ("ms", 15),
}
PLAIN = "npm run build && cat dist/report.txt | grep -E 'error|warn' | sort | uniq -c > /tmp/out.txt; echo done "
LOADING = """
import sys, time
class Context:
    def __getattr__(self, name): return lambda *a, **k: None
import json, logging, os, re, sqlite3, threading, pathlib, dataclasses, struct, argparse, shlex, hashlib, zlib
before = set(sys.modules)
start = time.process_time()
from memory_shaper import plugin
plugin.register(Context())
print((time.process_time() - start) * 1000)
third = {'jieba', 'yaml', 'rapidfuzz', 'watchdog', 'ruamel'}
print(sorted(third & (set(sys.modules) - before)))
"""


def make_home(root: Path, entries: int) -> Path:
    """A home whose index has so many entries, each with its topic file."""
    memories = root / ".hermes" / "memories"
    memories.mkdir(parents=True)
    lines = ["# Memory index\n# Routing: read the file of a touched line"]
    for number in range(entries):
        (memories / f"topic-{number}.md").write_text("text\n", encoding="utf-8")
        words = ",".join(f"word{number}x{place}" for place in range(12))
        lines.append(f"{words} → topic-{number}.md")
    (memories / "new-topic.md").write_text("new\n", encoding="utf-8")
    (memories / "MEMORY.md").write_text("\n§\n".join(lines), encoding="utf-8")
    config = "memory:\n  memory_char_limit: 1000000\nplugins:\n  enabled: [memory-shaper]\n"
    (root / ".hermes" / "config.yaml").write_text(config, encoding="utf-8")
    os.environ["HERMES_HOME"] = str(root / ".hermes")
    (root / "work").mkdir()
    os.chdir(root / "work")
    return memories


def best(work: Callable[[], object], times: int, rounds: int = 40) -> float:
    """The best processor time of one run, in microseconds."""
    found = []
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(times):
            work()
        found.append((time.process_time() - start) / times)
    return min(found) * 1e6


def before(tool: str, args: Any) -> Callable[[], object]:
    return lambda: plugin.on_pre_tool_call(tool_name=tool, args=args, session_id="s", tool_call_id="c", task_id="t")


def after(tool: str, args: Any, result: str = '{"output": "", "exit_code": 0}') -> Callable[[], object]:
    fields = {"tool_name": tool, "args": args, "result": result, "session_id": "s", "tool_call_id": "c"}
    return lambda: plugin.on_post_tool_call(**fields)


def hooks(memories: Path) -> dict[str, float]:
    """The times of single hooks in a home of 60 entries."""
    terminal = {"command": (PLAIN + "x" * 200)[:200]}
    index = {"command": f"grep -n java {memories}/MEMORY.md | head -5"}
    words = "alpha,beta,gamma,delta,epsilon → new-topic.md"
    add = {"target": "memory", "action": "add", "content": words}
    shell = ("echo some words | sort > /tmp/out; " * 6_000)[:200_000] + f" cat {memories}/MEMORY.md"
    library = Path(argparse.__file__).read_text(encoding="utf-8")
    code = (library * 3)[:200_000].rpartition("\ndef ")[0]
    before("terminal", terminal)()
    return {
        "read_file, before": best(before("read_file", {"path": "/tmp/x"}), 500),
        "read_file, after": best(after("read_file", {"path": "/tmp/x"}), 500),
        "unrelated tool, before": best(before("browser_exec", {"url": "x"}), 300),
        "unrelated tool, after": best(after("browser_exec", {"url": "x"}), 300),
        "terminal of 200 characters, before": best(before("terminal", terminal), 200),
        "terminal of 200 characters, after": best(after("terminal", terminal), 200),
        "terminal that names the index, before": best(before("terminal", index), 20),
        "memory call on 60 entries, before": best(before("memory", add), 5),
        "200 kB of shell, before": best(before("terminal", {"command": shell}), 1, 3),
        "200 kB of Python, before": best(before("execute_code", {"code": code}), 1, 3),
    }


def session(memories: Path) -> float:
    """All hooks of 100 mixed calls, two of which edit the index, in milliseconds of wall time."""
    calls: Sequence[tuple[str, Mapping[str, object]]] = [
        *[("read_file", {"path": "/tmp/x"})] * 30,
        *[("terminal", {"command": PLAIN})] * 30,
        *[("write_file", {"path": "/tmp/x.py", "content": "x" * 5_000})] * 20,
        *[("execute_code", {"code": "print(sum(range(10)))\n" * 20})] * 8,
        *[("browser_exec", {"url": "x"})] * 10,
    ]
    spent = 0.0
    for number in range(100):
        tool, args = calls[number % len(calls)] if number % 50 else ("memory", {})
        if tool == "memory":
            action = "add" if number == 0 else "remove"
            line = "alpha,beta,gamma,delta,epsilon → new-topic.md"
            args = {"target": "memory", "action": action, "content": line, "old_text": line}
        start = time.perf_counter()
        before(tool, args)()
        spent += time.perf_counter() - start
        if tool == "memory":
            text = (memories / "MEMORY.md").read_text(encoding="utf-8")
            text = text + "\n§\n" + line if number == 0 else text.replace("\n§\n" + line, "")
            (memories / "MEMORY.md").write_text(text, encoding="utf-8")
        start = time.perf_counter()
        after(tool, args, '{"success": true}')()
        fields = {"tool_name": tool, "args": args, "result": "{}", "session_id": "s", "tool_call_id": "c"}
        plugin.on_transform_tool_result(**fields)
        spent += time.perf_counter() - start
    (memories / "new-topic.md").write_text("new\n", encoding="utf-8")
    return spent * 1e3


def loading() -> float:
    """Importing the plugin and registering it, in milliseconds; no third-party package may be imported."""
    env = {**os.environ, "PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": ""}  # as installed: compiled once
    times = []
    for _ in range(12):
        done = subprocess.run([sys.executable, "-c", LOADING], env=env, capture_output=True, text=True, check=True)
        taken, third_party = done.stdout.splitlines()
        assert third_party == "[]", third_party
        times.append(float(taken))
    return min(times)


def main() -> int:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    as_json = parser.parse_args().json
    with tempfile.TemporaryDirectory(prefix="guard-speed-") as folder:
        small = make_home(Path(folder) / "small", 60)
        times = hooks(small)
        times["session of 100 calls, all hooks"] = min(session(small) for _ in range(10))
        large = make_home(Path(folder) / "large", 1_000)
        add = {"target": "memory", "action": "add", "content": "alpha,beta,gamma,delta,epsilon → new-topic.md"}
        before("memory", add)()
        times["memory call on 1,000 entries, before"] = best(before("memory", add), 1, 10)
        assert large.is_dir()
        times["loading and registering"] = loading()
        plugin.close()
        os.chdir("/")
    if as_json:
        print(json.dumps({"python": platform.python_version(), "times": times, "bounds": dict(BOUNDS)}, indent=2))
    else:
        for name, (unit, bound) in BOUNDS.items():
            print(f"{name:42} {times[name]:12,.1f} {unit} (at most {bound:,.0f})")
    return int(any(times[name] > bound for name, (_, bound) in BOUNDS.items()))


if __name__ == "__main__":
    sys.exit(main())
