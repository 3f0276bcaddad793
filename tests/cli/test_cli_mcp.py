"""`memory-shaper mcp`, asked by the SDK's own client over a real process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from memory_shaper.names import ARCHIVE_FOLDER
from memory_shaper.searching import close_finders
from memory_shaper.serving import SERVED, Reply, call
from recall_tools import write
from tools import CANONICAL, PACKAGE, Place

pytest.importorskip("mcp.server.context", reason="needs the SDK of the protocol")

import anyio
from mcp import ClientSession, StdioServerParameters, stdio_client, types
from memory_shaper.guard.guard import Guard

Talk = Callable[[ClientSession], Awaitable[Any]]


def environment(user: Path) -> dict[str, str]:
    return {"PYTHONPATH": str(PACKAGE), "HOME": str(user), "XDG_STATE_HOME": str(user / "state"), "PATH": os.defpath}


def talk(home: Place, *steps: Talk, args: tuple[str, ...] = ()) -> list[Any]:
    """Start the server as a process, take some steps, and return what each gave."""
    words = ["-m", "memory_shaper", "mcp", *(args or ("--home", str(home.home.path)))]
    started = StdioServerParameters(command=sys.executable, args=words, env=environment(home.home.path.parent))

    async def run() -> list[Any]:
        async with stdio_client(started) as (incoming, outgoing), ClientSession(incoming, outgoing) as session:
            await session.initialize()
            return [await step(session) for step in steps]

    return anyio.run(run)


def use(tool: str, /, **args: Any) -> Talk:
    return lambda session: session.call_tool(tool, args)


def text(result: types.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


@pytest.fixture
def reply(home: Place) -> Callable[..., Reply]:
    """Ask a tool in this process."""
    return lambda tool, /, **args: call(Guard.of(home.home), tool, args)


@pytest.fixture(autouse=True)
def _closed() -> Any:
    yield
    close_finders()


def test_the_tools_and_their_hints(home: Place) -> None:
    """Four tools are served; only memory_remember writes, none destroys, each may be called twice."""
    (listed,) = talk(home, lambda session: session.list_tools())
    hints = {tool.name: tool.annotations for tool in listed.tools}
    assert [name for name, hint in hints.items() if not hint.read_only_hint] == ["memory_remember"]
    assert list(hints) == [one.name for one in SERVED]
    assert all(hint.destructive_hint is False and hint.idempotent_hint for hint in hints.values())
    assert all(len(tool.description) < 250 for tool in listed.tools)


def test_a_whole_round(home: Place) -> None:
    """What is remembered is routed to, read in full and found, in one session; a second time changes nothing."""
    kept = {
        "text": "The boiler is serviced in March by Jansen.\n供暖每年三月检修。",
        "topic": "boiler",
        "keywords": ["boiler", "heating", "service", "jansen", "供暖", "检修"],
    }
    first, again, route, read, found = talk(
        home,
        use("memory_remember", **kept),
        use("memory_remember", **kept),
        use("route", message="when is the boiler heating service?"),
        use("read_topic", name="boiler.md"),
        use("memory_search", query="检修"),
    )
    assert not any(one.is_error for one in (first, again, route, read, found))
    assert "nothing changed" in json.loads(text(again))["message"]
    best = json.loads(text(route))["routes"][0]
    assert (best["topic"], best["sure"]) == ("boiler.md", True)
    assert "serviced in March by Jansen" in text(read)
    assert json.loads(text(found))["notes"][0]["id"] == "boiler.md"
    assert "→ boiler.md" in home.text()


def test_what_no_longer_holds_is_not_routed_to(home: Place, reply: Callable[..., Reply]) -> None:
    """A topic that says that it is over is not named by route, as for a Hermes host."""
    asked = "how is the java heap profiling done?"
    assert "java-performance.md" in reply("route", message=asked).text
    write(home.memories, "java-performance.md", "---\ninvalid_at: 2020-01-01\n---\nold\n")
    assert "java-performance.md" not in reply("route", message=asked).text


def test_errors_are_results(home: Place) -> None:
    """What goes wrong is a result marked as an error that names the next step, and the server goes on."""
    unknown, missing, empty, fine = talk(
        home,
        use("no_such_tool"),
        use("read_topic", name="nothing.md"),
        use("memory_remember", text="a note"[:0]),
        use("route", message="hello"),
    )
    assert [one.is_error for one in (unknown, missing, empty, fine)] == [True, True, True, False]
    assert "memory_search" in text(unknown) and "bare file name" in text(missing)
    assert "memory_search" in json.loads(text(fine))["next"]


def test_any_folder_can_be_served(home: Place, tmp_path: Path) -> None:
    """`--memdir` serves a folder outside of any Hermes home, an empty one too."""
    folder = tmp_path / "notes"
    folder.mkdir()
    words = {"text": "Ferns need water.", "topic": "ferns", "keywords": ["ferns", "water", "plants", "green", "daily"]}
    kept, route = talk(
        home,
        use("memory_remember", **words),
        use("route", message="do the ferns need water?"),
        args=("--memdir", str(folder)),
    )
    assert not kept.is_error, text(kept)
    assert json.loads(text(route))["routes"][0]["topic"] == "ferns.md"
    assert (folder / "ferns.md").is_file() and home.text() == CANONICAL


def test_standard_output_is_the_protocol(home: Place) -> None:
    """Every line on standard output is a message of the protocol, also where Chinese is cut for the first time."""
    write(home.memories, "zh.md", "供暖每年三月检修\n")
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    messages = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "memory_search", "arguments": {"query": "供暖检修"}}},
    ]
    env = environment(home.home.path.parent)
    command = [sys.executable, "-m", "memory_shaper", "mcp", "--home", str(home.home.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env) as process:
        assert process.stdin and process.stdout
        for message in messages:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        process.stdin.flush()
        lines = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.stdin.close()
        assert process.stdout.read() == ""
    assert [line["id"] for line in lines] == [1, 2]
    assert process.returncode == 0


@pytest.mark.parametrize(
    "name",
    ["../config.yaml", "/etc/passwd", "sub/note.md", "..\\config.yaml", "", ".", "..", "MEMORY.md", "memory.MD", "USER.md",
     "archived memories/../MEMORY.md", "archived memories/archived-memories.md", "archived-memories.md", ".hidden.md",
     "config.yaml", "a\0.md", "\ud800.md"],
)  # fmt: skip
def test_only_topics_are_read(home: Place, reply: Callable[..., Reply], name: str) -> None:
    """Paths, the indexes, hidden files and names that are none are refused."""
    (home.memories / "sub").mkdir()
    write(home.memories, "sub/note.md", "secret of a folder\n")
    write(home.memories, ".hidden.md", "hidden\n")
    assert reply("read_topic", name=name).failed


def test_links_out_are_not_followed(home: Place, reply: Callable[..., Reply], tmp_path: Path) -> None:
    """A link inside the folder is read, one that leads out of it is refused."""
    (tmp_path / "private.md").write_text("private", "utf-8")
    (home.memories / "out.md").symlink_to(tmp_path / "private.md")
    (home.memories / "in.md").symlink_to(home.memories / "new-topic.md")
    assert "leads out" in reply("read_topic", name="out.md").text
    assert reply("read_topic", name="in.md") == Reply("# new-topic.md\n")


def test_archived_topics_are_read(home: Place, reply: Callable[..., Reply]) -> None:
    """An archived topic is read by its bare name, or as search names it; a live one of the same name comes first."""
    write(home.memories, f"{ARCHIVE_FOLDER}/old.md", "old\n")
    write(home.memories, f"{ARCHIVE_FOLDER}/new-topic.md", "shelved\n")
    assert reply("read_topic", name="old").text == "old\n"
    assert reply("read_topic", name=f"{ARCHIVE_FOLDER}/old.md").text == "old\n"
    assert reply("read_topic", name="new-topic.md").text == "# new-topic.md\n"
    assert reply("read_topic", name=f"{ARCHIVE_FOLDER}/new-topic.md").text == "shelved\n"


def test_what_is_no_text_is_refused(home: Place, reply: Callable[..., Reply]) -> None:
    """Pipes, huge files and bytes that are no text are refused with a reason, and nothing hangs."""
    os.mkfifo(home.memories / "pipe.md")
    (home.memories / "huge.md").write_bytes(b"x" * 1_000_001)
    (home.memories / "bytes.md").write_bytes(b"\xff\xfe\x00")
    assert all(reply("read_topic", name=name).failed for name in ("pipe.md", "huge.md", "bytes.md"))


@pytest.mark.parametrize("args", [{}, {"name": 1}, {"message": None}, {"query": []}, {"text": {}, "topic": 3}])
@pytest.mark.parametrize("tool", [one.name for one in SERVED])
def test_wrong_arguments(reply: Callable[..., Reply], tool: str, args: dict[str, Any]) -> None:
    """Arguments that are missing or of another type are told, not raised."""
    assert reply(tool, **args).failed


def test_without_the_sdk(home: Place, tmp_path: Path) -> None:
    """Where the SDK is not installed the message names the command that installs it."""
    (tmp_path / "mcp.py").write_text("raise ImportError('not here')", "utf-8")
    env = environment(tmp_path) | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(PACKAGE)])}
    command = [sys.executable, "-m", "memory_shaper", "mcp", "--home", str(home.home.path)]
    done = subprocess.run(command, capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'memory-shaper[mcp]'" in done.stderr
