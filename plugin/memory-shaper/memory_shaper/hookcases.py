"""A table of tool calls with the verdict each must get, and a run of it in a copy of a home. Shell.

Cases are lines of JSON: `tool`, `args`, `expect` (allow, block, approve), and optionally `id`. In texts {INDEX} stands
for the index, {MEMDIR} for its folder, {HOME} for the Hermes home, {WORK} for a scratch folder, {TOPIC} for a topic.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import grammar, names, store
from .errors import MemoryShaperError, Unreadable
from .guard.call import Call
from .guard.guard import Guard
from .settings import Home, find_home

_WRITES = (
    "echo x > {INDEX}", "echo x >> {INDEX}", "cat a | tee {INDEX}", "cp a.txt {INDEX}", "mv {INDEX} {WORK}/gone",
    "rm -rf {MEMDIR}", "sed -i s/a/b/ {INDEX}", "truncate -s 0 {INDEX}", "cd {MEMDIR} && echo x > MEM*.md",
    "F={INDEX}; echo x > $F", "bash <<'EOF'\nrm {INDEX}\nEOF", "python3 -c \"open('{INDEX}','w')\"",
    "git -C {MEMDIR} checkout -- MEMORY.md", "find {MEMDIR} -name MEMORY.md -delete", "perl -pi -e s/a/b/ {INDEX}",
)  # fmt: skip
_READS = (
    "cat {INDEX}", "grep -n deploy {INDEX} | head -3", "wc -m < {INDEX}", "cp {INDEX} {WORK}/backup.md",
    "ls -la {MEMDIR}", "diff {INDEX} {WORK}/old.md", "sed -n 1,5p {INDEX}", "git commit -m 'docs -> MEMORY.md'",
    "echo note >> docs/MEMORY.md",
    "python3 -c \"print(open('{INDEX}').read())\"", "ls | grep -E 'a|b' | sort > {WORK}/out.txt",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """One call and the verdict it must get."""

    name: str
    tool: str
    args: Any
    expect: str


def built_in() -> Iterator[Case]:
    """The cases that hold in every home with an index."""
    for command in _WRITES:
        yield Case(command, "terminal", {"command": command}, "block")
    for command in _READS:
        yield Case(command, "terminal", {"command": command}, "allow")
    yield Case("write_file the index", "write_file", {"path": "{INDEX}", "content": "x"}, "block")
    yield Case("write_file a new topic", "write_file", {"path": "{MEMDIR}/a-new-topic.md", "content": "x"}, "allow")
    yield Case("read_file the index", "read_file", {"path": "{INDEX}"}, "allow")
    yield Case("execute_code that writes", "execute_code", {"code": "open('{INDEX}', 'w').write('x')"}, "block")
    yield Case("execute_code that reads", "execute_code", {"code": "print(open('{INDEX}').read())"}, "allow")
    yield Case("config.yaml", "write_file", {"path": "{HOME}/config.yaml", "content": "plugins: []"}, "approve")
    add = {"action": "add", "target": "memory"}
    yield Case("memory: a dead target", "memory", add | {"content": "k1,k2,k3,k4,k5 → no-such-file.md"}, "block")
    yield Case("memory: four keywords", "memory", add | {"content": "k1,k2,k3,k4 → no-such-file.md"}, "block")
    yield Case("memory: prose", "memory", add | {"content": "The user likes short answers."}, "block")
    yield Case("memory: a mark", "memory", add | {"content": "!k1,k2,k3,k4,k5 → {TOPIC}"}, "block")
    yield Case("memory: the user profile", "memory", {"action": "add", "target": "user", "content": "prose"}, "allow")


def read_cases(path: Path) -> list[Case]:
    """The cases of a JSON lines file. Raises Unreadable with the line that is none."""
    cases = []
    for number, line in enumerate(store.read(path).text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            cases.append(Case(str(row.get("id", number)), row["tool"], row["args"], row["expect"]))
        except (ValueError, KeyError, AttributeError, TypeError) as error:
            raise Unreadable(f"{path}:{number}: no case of tool, args and expect ({type(error).__name__})") from error
    return cases


def run(home: Home, cases: Iterable[Case]) -> list[tuple[Case, str]]:
    """Each case with the verdict it got, judged in a throw-away copy of the home's memories."""
    _must_be_index(home)
    with tempfile.TemporaryDirectory(prefix="memory-shaper-") as folder:
        copy = _copied(home, Path(folder) / "hermes")
        work = Path(folder) / "work"
        work.mkdir()
        values = {
            "{INDEX}": str(copy.index),
            "{MEMDIR}": str(copy.memories),
            "{HOME}": str(copy.path),
            "{WORK}": str(work),
            "{TOPIC}": _free_topic(copy),
        }
        return [(case, _judge(copy, case, values, number)) for number, case in enumerate(cases)]


def _must_be_index(home: Home) -> None:
    if not grammar.is_index(grammar.parse(store.read(home.index).text)):
        raise Unreadable(f"{home.index}: is no index yet, and the cases are about one; see: memory-shaper migrate")


def _copied(home: Home, path: Path) -> Home:
    copy = Home(path, "copy")
    shutil.copytree(home.memories, copy.memories, ignore=shutil.ignore_patterns("*.lock"))
    return copy


def _free_topic(home: Home) -> str:
    taken = {names.same(entry.target) for _, entry in grammar.parse(store.read(home.index).text).entries()}
    name = next(f"topic-{number}.md" for number in range(len(taken) + 1) if f"topic-{number}.md" not in taken)
    (home.memories / name).write_text("a topic without an entry\n", encoding="utf-8")
    return name


def _judge(home: Home, case: Case, values: dict[str, str], number: int) -> str:
    args = _filled(case.args, values)
    guard = Guard.of(home)
    guard.cwds["cases"] = values["{WORK}"]
    verdict = guard.before(Call(case.tool, args, "cases", f"case-{number}"))
    guard.watch.flights.close()
    return str(verdict.answer)


def _filled(value: Any, values: dict[str, str]) -> Any:
    if isinstance(value, str):
        for name, text in values.items():
            value = value.replace(name, text)
        return value
    if isinstance(value, list):
        return [_filled(item, values) for item in value]
    return {key: _filled(item, values) for key, item in value.items()} if isinstance(value, dict) else value


def main(argv: list[str]) -> int:
    """Judge the cases in a copy of a home and print each verdict; 0 where all are as expected, 1 where not."""
    import argparse

    parser = argparse.ArgumentParser(prog="test_hook_cases.py", description=main.__doc__)
    parser.add_argument("--home", help="a Hermes home with an index; nothing in it is changed")
    parser.add_argument("--cases", type=Path, help="a file of cases as JSON lines; else the built-in ones")
    options = parser.parse_args(argv)
    try:
        home = find_home(os.environ, options.home)
        results = run(home, read_cases(options.cases) if options.cases else list(built_in()))
    except (MemoryShaperError, OSError) as error:
        print(f"test_hook_cases: {error}")
        return 2
    for case, got in results:
        print(f"{'ok  ' if got == case.expect else 'FAIL'} {got:7} {case.name.splitlines()[0][:100]}")
    wrong = sum(got != case.expect for case, got in results)
    print(f"{len(results) - wrong} passed, {wrong} failed in a copy of {home.memories}")
    return 1 if wrong else 0
