"""The report over sessions: how often was a topic routed, searched or not looked at?"""

from __future__ import annotations

import json

import pytest
from memory_shaper.recall.retrieval_report import main
from statedb import StateDb
from tools import Place

INDEX = "# Memory\n§\njava,jvm,heap,gc,jmx → java.md\n§\ndeploy,release,pipeline,staging,canary → deploy.md"


@pytest.fixture
def state(home: Place) -> StateDb:
    """Two sessions: one found the note by searching, the other one by its line; a third asked and did not look."""
    home.home.index.write_text(INDEX, "utf-8")
    for name in ("java.md", "deploy.md"):
        (home.memories / name).write_text("x")
    made = StateDb(home.home.path)
    read = {"path": str(home.memories / "deploy.md")}
    made.add("user", "how do we release the canary?", session="searched")
    made.call("search_files", {"pattern": "canary"}, json.dumps({"output": "deploy.md: x"}), "searched", "c1")
    made.call("read_file", read, session="searched", call_id="c2")
    made.add("user", "how do we release the canary?", session="routed")
    made.call("read_file", read, session="routed", call_id="c3")
    made.add("user", "is the jvm heap large enough for gc?", session="silent")
    made.add("user", "hello", session="small talk")
    return made


def report(home: Place, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["--home", str(home.home.path), "--report", *words]) == 0
    return capsys.readouterr().out


def test_each_session_is_counted(home: Place, state: StateDb, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each session that was about a topic, the newest first, and the sum."""
    assert report(home, capsys, "--last", "10").splitlines() == [
        "silent: 0 routed, 0 searched, 1 not looked at",
        "routed: 1 routed, 0 searched, 0 not looked at",
        "searched: 0 routed, 1 searched, 0 not looked at",
        "4 sessions, 1 without a topic: 1 routed, 1 searched, 1 not looked at",
    ]


def test_the_last_ones_only(home: Place, state: StateDb, capsys: pytest.CaptureFixture[str]) -> None:
    """`--last N` looks at N sessions, `--session` at one; JSON names the topics."""
    told = json.loads(report(home, capsys, "--last", "2", "--json"))
    assert [row["session"] for row in told["sessions"]] == ["small talk", "silent"]
    assert (told["routed"], told["searched"], told["not_looked_at"]) == (0, 0, 1)
    assert told["sessions"][1]["not_looked_at"] == ["java.md"]
    assert report(home, capsys, "--session", "routed").startswith("routed: 1 routed")


@pytest.mark.parametrize(
    "words", [["--last"], ["--last", "3", "--expect", "a.md"], ["--last", "0", "--report"], ["--report"]]
)
def test_half_a_question_is_none(
    home: Place, state: StateDb, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    """One session with the topic expected, or a report; anything else is a matter of usage."""
    with pytest.raises(SystemExit) as ended:
        main(["--home", str(home.home.path), *words])
    assert ended.value.code == 2 and "usage" in capsys.readouterr().err


def test_the_database_is_only_read(home: Place, state: StateDb, capsys: pytest.CaptureFixture[str]) -> None:
    """A report changes no byte of it, and a missing one is said."""
    before = state.path.read_bytes()
    report(home, capsys, "--last", "10")
    assert state.path.read_bytes() == before
    state.path.unlink()
    assert main(["--home", str(home.home.path), "--report", "--last"]) == 2
