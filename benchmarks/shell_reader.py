"""How long does the shell reader take, for everyday commands and for hostile ones of 200 kB?

Run `python benchmarks/shell_reader.py [--json]`.
Figures are processor time, the best of several runs: other work on the machine counts little.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import common  # noqa: F401  (puts the package on the path)
from memory_shaper.calls.shell.run import read_command

SIZE = 200_000
INDEX = "/home/me/.hermes/memories/MEMORY.md"


@dataclass(frozen=True, slots=True)
class Bare:
    """A world without files."""

    cwd: str | None = "/home/me"
    env: Mapping[str, str] = field(default_factory=lambda: {"HOME": "/home/me"})

    def names(self, folder: str) -> Sequence[str]:
        """Nothing is there."""
        return ()

    def is_folder(self, path: str) -> bool:
        """Nothing is a folder."""
        return False

    def text(self, path: str) -> str | None:
        """No file has a text."""
        return None


EVERYDAY = {
    "ls": "ls -la",
    "pipe": "cat app.log | grep ERR | sort | uniq -c | head -20",
    "200 characters": "cd /home/me/project && git status --short && git diff --stat HEAD~1 -- src/app.py "
    "&& python -m pytest -q tests/test_app.py -k 'not slow' 2>&1 | tail -20 && echo finished with all of it now",
    "here-document": "cat > notes.md <<'EOF'\n" + "a line of text\n" * 40 + "EOF",
}


def filled(piece: str, end: str = "") -> str:
    """The piece as often as it fits into SIZE."""
    return piece * ((SIZE - len(end)) // len(piece)) + end


HOSTILE = {
    "one long word": filled("x", f" > {INDEX}"),
    "one long quote": "echo '" + filled("x ", "'") + f" > {INDEX}",
    "here-document": f"cat > {INDEX} <<'EOF'\n" + filled("some words of a long text\n", "EOF"),
    "here-document with $": f"cat > {INDEX} <<EOF\n" + filled("some $words of a long text\n", "EOF"),
    "words": "echo " + filled("word ", f"> {INDEX}"),
    "commands": filled("echo some words here\n", f"echo x > {INDEX}"),
    "short commands": filled("a;", f"echo x > {INDEX}"),
    "blanks": filled(" ", f"echo x > {INDEX}"),
    "$((((": "echo " + filled("$(("),
    "((((": filled("("),
    "{{{{": filled("{"),
    "echo {{{{": "echo " + filled("{"),
    "{a,b}{a,b}": "echo " + filled("{a,b}"),
    "double quotes": filled('"'),
    "odd quotes": filled('"\'"'),
    "backticks": filled("`"),
    "backslashes": filled("\\"),
    "$x$x": "echo " + filled("$x"),
    "${x:-": "echo " + filled("${x:-"),
    "pipes": filled("a|"),
    "redirects": "echo " + filled("> a "),
    "globs": "echo " + filled("a*b ", ""),
    "stars": "echo " + filled("*"),
    "if if": filled("if true; then "),
    "functions": filled("f(){ "),
    "here-documents": filled("cat <<E\n"),
    "newlines": filled("\n"),
    "assignments": filled("a=1\n"),
    "doubling": "a=xx;" + filled("a=$a$a;"),
    "doors": filled("&& || ; & "),
    "sed": "sed '" + filled("s/a/b/;") + "' x",
    "awk": "awk '" + filled('print > "f";') + "' x",
    "find": "find . " + filled("-name x -o "),
    "folders": filled("cd a;"),
    "or": filled("a || "),
    "case": "case x in " + filled("a) b;; "),
}


def best(command: str, rounds: int, repeat: int = 1) -> float:
    """Microseconds of the fastest of some rounds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(repeat):
            read_command(command, Bare())
        times.append((time.process_time() - start) / repeat)
    return min(times) * 1e6


def main(argv: Sequence[str]) -> int:
    """Print the figures."""
    figures = {name: best(text, 10, 100) for name, text in EVERYDAY.items()}
    large = {name: best(text, 2) for name, text in HOSTILE.items()}
    if "--json" in argv:
        print(json.dumps({"python": platform.python_version(), "everyday_us": figures, "200kB_us": large}, indent=2))
        return 0
    for name, figure in figures.items():
        print(f"{name:22} {figure:10.1f} µs")
    print(f"-- {SIZE:,} characters")
    for name, figure in large.items():
        print(f"{name:22} {figure / 1000:10.1f} ms")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
