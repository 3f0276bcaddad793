"""A walk through the command, on a sample home: python examples/walkthrough.py [--write]

Every command is really run, one process each. Times, numbers of events and scores are replaced, so that the page is the
same every day; `--write` puts it into docs/walkthrough.md.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sample import ROOT, make

PAGE = ROOT / "docs" / "walkthrough.md"
_CONFIG = """\
memory:
  memory_char_limit: 1350
plugins:
  entries:
    memory-shaper:
      settings:
        archive_to: 0.88
"""
_BAD = {"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "terminal",
        "tool_input": {"command": "sed -i s/deploy/delpoy/ ~/.hermes/memories/MEMORY.md"}}  # fmt: skip
_GOOD = _BAD | {"tool_input": {"command": "grep -c → ~/.hermes/memories/MEMORY.md"}}
_PROSE = _BAD | {
    "tool_name": "memory",
    "tool_input": {"action": "add", "target": "memory", "content": "Ann likes tea."},
}
_HEAD = """\
# A walk through the command

This page is made by `python examples/walkthrough.py --write`: every command below was run, on the example memories with
three months of sessions.
Moments, numbers of events and scores are replaced, so that the page is the same every day.
"""


@dataclass(frozen=True, slots=True)
class Step:
    """A title, what is to be seen, and the commands with what they are given on standard input."""

    title: str
    words: str
    commands: tuple[tuple[tuple[str, ...], Mapping[str, object] | None], ...]


def step(title: str, words: str, *commands: tuple[str, ...]) -> Step:
    """A step whose commands read nothing."""
    return Step(title, words, tuple((command, None) for command in commands))


STEPS = (
    step("What there is", "Twelve lines, in two languages; `!` pins a line, `!!` makes it critical.", ("list",)),
    step(
        "Is it in order?",
        "Each fault has a rule. This index has none; it is only nearly full, since its home allows it little room.",
        ("verify",),
    ),
    step(
        "Which line does a question touch?",
        "No model is asked: whole keyword sets are compared, by stem, in parts, and across slips of the keys.",
        ("route", "How do I roll back the relaese?", "--explain"),
        ("route", "输入法的词库怎么同步到新电脑？", "--explain"),
    ),
    step(
        "What no line names is found by search",
        "In topic files, in the archive, in past sessions; by tag where a note has tags in its front matter.",
        ("search", "cache key of the lock file", "--limit", "1"),
        ("search", "青霉素", "--tags", "健康", "--limit", "1"),
        ("search", "搬家 押金", "--scope", "archive", "--limit", "1"),
        ("search", "bicycle tyre", "--scope", "sessions", "--limit", "1"),
    ),
    Step(
        "The guard",
        "The same guard that the plugin runs, as a hook command: reading is free, a write to the index is refused, and "
        "prose is answered with the call to send instead.",
        ((("hook",), _GOOD), (("hook",), _BAD), (("hook",), _PROSE)),
    ),
    step(
        "To the archive and back",
        "Nothing is deleted: line and file move together, and a restored line is the one that left.",
        ("archive", "travel-japan.md"),
        ("list", "--archive"),
        ("restore", "travel-japan.md"),
    ),
    step(
        "What the watchdog would do",
        "The config of this home allows 1,350 characters, so the coldest lines would go; what was read lately stays.",
        ("maintain", "--dry-run"),
    ),
    step(
        "Taking it back",
        "Every change is in the journal, with the text before it.",
        ("mark", "postgres.md", "pinned"),
        ("undo",),
        ("history", "-n", "4"),
    ),
)


def main() -> int:
    """Print the page, or write it."""
    text = page()
    if "--write" in sys.argv[1:]:
        PAGE.write_text(text, encoding="utf-8")
        print(PAGE.relative_to(ROOT))
    else:
        print(text, end="")
    return 0


def page() -> str:
    """The page, from commands run in a throw-away home."""
    with tempfile.TemporaryDirectory(prefix="memory-shaper-walk-") as folder:
        home = make(Path(folder) / ".hermes", datetime.now(UTC))
        (home.path / "config.yaml").write_text(_CONFIG, encoding="utf-8")
        return "\n".join([_HEAD, *(_shown(one, Path(folder)) for one in STEPS)])


def _shown(one: Step, folder: Path) -> str:
    runs = "\n\n".join(_run(words, given, folder) for words, given in one.commands)
    return f"## {one.title}\n\n{one.words}\n\n```text\n{runs}\n```\n"


def _run(words: tuple[str, ...], given: Mapping[str, object] | None, folder: Path) -> str:
    text = json.dumps(given, ensure_ascii=False) if given else ""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("HERMES_", "MEMORY_SHAPER_"))}
    env |= {"HOME": str(folder), "PYTHONPATH": str(ROOT / "plugin" / "memory-shaper"), "TZ": "UTC", "NO_COLOR": "1"}
    env |= {"PYTHONIOENCODING": "utf-8", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "memory_shaper", *words],
        input=text, capture_output=True, text=True, encoding="utf-8", cwd=folder, env=env, check=False,
    )  # fmt: skip
    shell = " ".join(word if re.fullmatch(r"[\w.+-]+", word, re.ASCII) else f"'{word}'" for word in words)
    piped = f"$ echo '{text}' | memory-shaper {shell}" if given else f"$ memory-shaper {shell}"
    said = "\n".join(filter(None, (_indented(done.stdout), done.stderr.strip("\n"))))
    lines = [piped, _plain(said, folder) or "(nothing: the call may go on)"]
    return "\n".join(lines if done.returncode == 0 else [*lines, f"(exit {done.returncode})"])


def _indented(out: str) -> str:
    """JSON of the hook with line ends, so that it can be read; other output as it is."""
    text = out.strip("\n")
    return json.dumps(json.loads(text), ensure_ascii=False, indent=1) if text.startswith("{") else text


def _plain(text: str, folder: Path) -> str:
    """The text without what changes from run to run."""
    text = text.replace(str(folder), "~")
    text = re.sub(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?", "YYYY-MM-DD HH:MM", text)
    text = re.sub(r"\b\d{4}-\d\d-\d\d\b", "YYYY-MM-DD", text)
    text = re.sub(
        r"(undo|event|undo +of|back by) \d+|(?m:^\d+)(?=  YYYY)", lambda found: f"{found[1] or ''} N".strip(), text
    )
    return re.sub(r"\b[01]\.\d{2,4}\b", "0.nn", text)


if __name__ == "__main__":
    sys.exit(main())
