"""The home that the tests of the plugin play in, sessions told call by call, and what they leave behind."""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory_shaper.record import Event, EventKind, Heartbeat, Record

from hosts.endpoint import Call, Script, ToolResult, Turn, decide
from hosts.harness import OUR_PLUGIN, Home, Host, Session, make_home, session

HEADING = "# Memory index: a routing table\n# Read the file of a line whose keywords come up"
CRITICAL = "!!how,write,memory,format,keyword,entry,template → how-to-write-memories.md"
PINNED = "!project,deploy,release,pipeline,staging,rollback → deploy-pipeline.md"
JAVA = "java,springframework,jvm,garbagecollection,heap,profiling,jmx → java-performance.md"
JAVA_NEW = JAVA.replace("jmx", "jfr")
PYTHON = "python,venv,packaging,poetry,ruff,pytest,typing → python-env.md"
DOCKER = "docker,compose,volumes,network,restart → new-topic.md"
ENTRIES = (CRITICAL, PINNED, JAVA, PYTHON)
NAMES = ("how-to-write-memories.md", "deploy-pipeline.md", "java-performance.md", "python-env.md", "new-topic.md")
JOINS = {"canonical": "\n§\n", "newline": "\n"}


def joined(entries: Iterable[str], form: str = "canonical") -> str:
    """An index of these entries below the heading, in one of the two forms."""
    return JOINS[form].join((HEADING, *entries))


def indexed_home(
    folder: Path, form: str = "canonical", config: dict[str, Any] | None = None, plugins: Iterable[Path] = (OUR_PLUGIN,)
) -> Home:
    """A home with four entries, their topic files, one topic file without an entry, and something about the user."""
    files = {"MEMORY.md": joined(ENTRIES, form), "USER.md": "likes tea", **{name: f"about {name}\n" for name in NAMES}}
    return make_home(folder, files, plugins, config)


def entries(home: Home) -> tuple[str, ...]:
    """The lines of the index that are entries, in order, whatever its form."""
    return tuple(line for line in home.index.read_text(encoding="utf-8").splitlines() if "→" in line)


def memory(action: str, content: str = "", old_text: str = "", **more: Any) -> Call:
    """A call of the memory tool on the index."""
    fields = {"content": content, "old_text": old_text}
    return "memory", {"action": action, "target": "memory", **{k: v for k, v in fields.items() if v}, **more}


def terminal(command: str, **more: Any) -> Call:
    """A call of the terminal."""
    return "terminal", {"command": command, **more}


@dataclass(frozen=True, slots=True)
class Step:
    """One call, what the model was told, and the entries of the index before and after it."""

    call: Call
    text: str
    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def data(self) -> Any:
        """The result read as JSON."""
        return json.loads(self.text)

    @property
    def refused(self) -> str:
        """The message of the refusal, "" where the call ran."""
        try:
            error = str(self.data.get("error") or "")
        except ValueError:
            return ""
        return error if "memory-shaper: refused" in error else ""

    @property
    def suggested(self) -> list[Call]:
        """The calls that a refusal tells the model to send."""
        return calls_in(self.refused)


def calls_in(text: str) -> list[Call]:
    """The calls written out in a message, as name and JSON."""
    reader, found = json.JSONDecoder(), []
    for match in re.finditer(r"\b(memory|memory_remember|write_file) (?=\{)", text):
        arguments, _ = reader.raw_decode(text, match.end())
        found.append((match.group(1), arguments))
    return found


Move = Call | Callable[[list[str]], Call]
"""A call, or what makes it from the texts of the results so far."""


def play(
    host: Host,
    home: Home,
    moves: Iterable[Move],
    prepare: Callable[[], object] = lambda: None,
    **options: Any,
) -> tuple[list[Step], Session]:
    """Run one session of one call a turn; `prepare` is done before each."""
    made: list[Call] = []
    seen: list[tuple[str, ...]] = []

    def look() -> None:
        seen.append(entries(home) if home.index.exists() else ())

    def turn(move: Move) -> Turn:
        def make(results: list[ToolResult]) -> list[Call]:
            look()
            prepare()
            call = move([result.text for result in results]) if callable(move) else move
            made.append(call)
            look()
            return [deferred(host, call)]

        return decide(make)

    def last(_: list[ToolResult]) -> list[Call]:
        look()
        return []

    done = session(host, home, Script(main=[*map(turn, moves), decide(last)]), **options)
    texts = [result.text for result in done.results]
    assert len(texts) == len(made) == (len(seen) - 1) / 2, (texts, done.ended)
    return [Step(*step) for step in zip(made, texts, seen[1::2], seen[2::2], strict=True)], done


OURS = ("memory_remember",)


def deferred(host: Host, call: Call) -> Call:
    """A call as a model of this host sends it."""
    name, arguments = call
    return ("tool_call", {"calls": [{"name": name, "arguments": arguments}]}) if host.defers and name in OURS else call


def events(home: Home, *kinds: EventKind) -> list[Event]:
    """The journal of a home, oldest first: all of it or the events of these kinds."""
    with Record.open(home.path / "plugin-data" / "memory-shaper" / "record.db") as record:
        found = record.journal.since(0, 10_000)
    return [event for event in found if not kinds or event.kind in kinds]


def beats(home: Home) -> list[Heartbeat]:
    """The signs of life in a home's record."""
    with Record.open(home.path / "plugin-data" / "memory-shaper" / "record.db") as record:
        return list(record.counters.beats())


def log_lines(home: Home) -> list[str]:
    """Every line of every log of the home."""
    files = sorted((home.path / "logs").rglob("*.log"))
    return [line for file in files for line in file.read_text(encoding="utf-8", errors="replace").splitlines()]


def assert_quiet_logs(home: Home, *secrets: str) -> None:
    """No log line of ours is an error, no traceback goes through our code, and none of the given texts was logged."""
    lines = log_lines(home)
    ours = [line for line in lines if "memory_shaper" in line or "memory-shaper" in line]
    assert not [line for line in ours if " ERROR " in line or "Traceback" in line or "plugin/" in line]
    assert not [line for line in lines for secret in secrets if secret in line]
