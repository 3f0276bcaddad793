"""`test_retrieval.py`: routed, searched, or not looked at all."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from memory_shaper.recall.retrieval import in_prompt
from memory_shaper.recall.retrieval_report import main
from statedb import StateDb
from tools import REPOSITORY, Place

FAILED = json.dumps({"content": "", "error": "File not found: deploy.md"})


@pytest.fixture
def state(home: Place) -> StateDb:
    """The host's database, with a question in it."""
    made = StateDb(home.home.path)
    made.add("user", "how do we deploy?")
    return made


def verdict(home: Place, capsys: pytest.CaptureFixture[str], *words: str, expect: str = "java-performance.md") -> str:
    code = main(["--last", "--home", str(home.home.path), "--expect", expect, "--json", *words])
    said = json.loads(capsys.readouterr().out)
    assert (code == 0) is (said["verdict"] == "routed" and said.get("in_prompt", "yes") == "yes")
    return str(said["verdict"])


def path(home: Place, name: str = "java-performance.md") -> str:
    return str(home.memories / name)


def test_a_read_without_a_search_is_routing(home: Place, state: StateDb, capsys) -> None:
    """The file was read by its path."""
    state.call("read_file", {"path": path(home)})
    assert verdict(home, capsys) == "routed"


@pytest.mark.parametrize("command", ["cat {}", "head -50 '{}'", "sed -n 1,20p {}"])
def test_a_command_that_prints_the_file_is_routing(home: Place, state: StateDb, capsys, command: str) -> None:
    """So is a read by the terminal, and by a bare name."""
    state.call("terminal", {"command": command.format(path(home))}, '{"output": "text", "exit_code": 0}')
    assert verdict(home, capsys) == "routed"


def test_a_bare_name_is_routing(home: Place, state: StateDb, capsys) -> None:
    """The plugin resolves bare names, and the host stores what the model wrote."""
    state.call("read_file", {"path": "java-performance.md"})
    assert verdict(home, capsys) == "routed"


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("search_files", {"pattern": "heap"}),
        ("search_files", {"pattern": "java"}),
        ("memory_search", {"query": "heap"}),
        ("terminal", {"command": "grep -rl heap ~/.hermes/memories"}),
        ("terminal", {"command": "ls ~/.hermes/memories"}),
        ("execute_code", {"code": "import os; print(os.listdir('.'))"}),
    ],
)
def test_a_search_that_showed_the_name_is_searching(home: Place, state: StateDb, capsys, tool: str, args: dict) -> None:
    """Whatever word was searched for, and by whatever tool."""
    state.call(tool, args, json.dumps({"output": "java-performance.md:3: heap"}), call_id="c1")
    state.call("read_file", {"path": path(home)}, call_id="c2")
    assert verdict(home, capsys) == "searched"


def test_a_search_that_showed_nothing_is_no_matter(home: Place, state: StateDb, capsys) -> None:
    """Nor one that showed a file with a longer name, nor one after the read."""
    state.call("search_files", {"pattern": "x"}, json.dumps({"output": "my-java-performance.md: x"}), call_id="c1")
    state.call("read_file", {"path": path(home)}, call_id="c2")
    state.call("search_files", {"pattern": "x"}, json.dumps({"output": "java-performance.md: x"}), call_id="c3")
    assert verdict(home, capsys) == "routed"


def test_the_archive_index_is_no_search(home: Place, state: StateDb, capsys) -> None:
    """Reading the line of a file in an index is the way it is meant to be found."""
    shown = json.dumps({"output": "a,b,c,d,e → java-performance.md"})
    state.call("terminal", {"command": f"cat '{home.home.archive_index}'"}, shown, call_id="c1")
    state.call("read_file", {"path": path(home)}, call_id="c2")
    assert verdict(home, capsys) == "routed"


def test_a_failed_read_is_not_looking(home: Place, state: StateDb, capsys) -> None:
    """By the file tool and by the terminal."""
    state.call("read_file", {"path": path(home)}, FAILED, call_id="c1")
    gone = json.dumps({"output": f"cat: {path(home)}: No such file or directory", "exit_code": 1})
    state.call("terminal", {"command": f"cat {path(home)}"}, gone, call_id="c2")
    assert verdict(home, capsys) == "not looked at"


def test_another_file_is_not_looking(home: Place, state: StateDb, capsys) -> None:
    """`my-java-performance.md` is not `java-performance.md`, and a write is no read."""
    (home.memories / "my-java-performance.md").write_text("x")
    state.call("read_file", {"path": path(home, "my-java-performance.md")}, call_id="c1")
    state.call("write_file", {"path": path(home), "content": "x"}, '{"success": true}', call_id="c2")
    assert verdict(home, capsys) == "not looked at"


def test_a_search_without_a_read_is_searching(home: Place, state: StateDb, capsys) -> None:
    """The answer came from a snippet."""
    state.call("memory_search", {"query": "heap"}, json.dumps({"notes": [{"id": "java-performance.md"}]}))
    assert verdict(home, capsys) == "searched"


def test_names_in_any_script(home: Place, state: StateDb, capsys) -> None:
    """A name that JSON escapes is found in either form."""
    (home.memories / "部署.md").write_text("x")
    state.call("search_files", {"pattern": "x"}, json.dumps({"output": "部署.md: x"}), call_id="c1")
    state.call("read_file", {"path": path(home, "部署.md")}, call_id="c2")
    assert verdict(home, capsys, expect="部署.md") == "searched"


def test_calls_of_a_bridge_are_seen(home: Place, state: StateDb, capsys) -> None:
    """`tool_call` around `memory_search` is a search."""
    bridged = {"calls": [{"name": "memory_search", "arguments": {"query": "heap"}}]}
    state.call("tool_call", bridged, json.dumps({"notes": [{"id": "java-performance.md"}]}), call_id="c1")
    state.call("read_file", {"path": path(home)}, call_id="c2")
    assert verdict(home, capsys) == "searched"


def test_one_session_of_many(home: Place, state: StateDb, capsys) -> None:
    """`--session` judges the one that is named."""
    state.call("read_file", {"path": path(home)}, session="old")
    state.call("search_files", {"pattern": "x"}, "{}", session="new")
    arguments = ["--home", str(home.home.path), "--expect", "java-performance.md", "--session"]
    assert (main([*arguments, "old"]), main([*arguments, "new"]), main([*arguments, "none"])) == (0, 1, 2)
    capsys.readouterr()


@pytest.mark.parametrize("column", ["system_prompt", "system_prompt_hash"])
@pytest.mark.parametrize(("line", "code"), [("a,b,c → java-performance.md", 0), ("a → b, see java-performance.md", 1)])
def test_the_line_in_the_prompt(home: Place, state: StateDb, capsys, column: str, line: str, code: int) -> None:
    """Wherever the host keeps the prompt, only the index line counts, not an arrow from somewhere."""
    state.call("read_file", {"path": path(home)})
    state.do(f"CREATE TABLE sessions (id TEXT, {column} TEXT)")
    state.do("CREATE TABLE system_prompts (hash TEXT, prompt TEXT)")
    stored = f"You are.\n{line}\nEnd"
    state.do("INSERT INTO system_prompts VALUES ('h', ?)", stored)
    state.do("INSERT INTO sessions VALUES ('s', ?)", "h" if column.endswith("hash") else stored)
    arguments = ["--home", str(home.home.path), "--expect", "java-performance.md", "--last", "--check-prompt"]
    assert main(arguments) == code
    assert ("is in the" in capsys.readouterr().out) is (code == 0)


def test_a_prompt_that_was_not_kept_is_unknown(home: Place, state: StateDb, capsys) -> None:
    """No table of prompts is no traceback."""
    state.call("read_file", {"path": path(home)})
    assert main(["--home", str(home.home.path), "--expect", "java-performance.md", "--last", "--check-prompt"]) == 1
    assert "kept no" in capsys.readouterr().out
    assert in_prompt("a,b → x.md\r\n".replace("\r", ""), "x.md")


def test_what_cannot_be_read_is_said(home: Place, tmp_path: Path, capsys) -> None:
    """No database, no session, no table: exit 2 and one sentence."""
    missing, empty, other = (tmp_path / name for name in ("missing.db", "empty.db", "other.db"))
    StateDb(tmp_path, name="empty.db")
    other.write_bytes(b"x" * 5000)
    for file in (missing, empty, other):
        assert main(["--db", str(file), "--home", str(home.home.path), "--last", "--expect", "a.md"]) == 2
        assert str(file) in capsys.readouterr().err


def test_the_database_stays_as_it_is(home: Place, state: StateDb, capsys) -> None:
    """Reading writes nothing, and the script runs from a clone."""
    state.call("read_file", {"path": path(home)})
    before = state.path.read_bytes()
    script = REPOSITORY / "scripts" / "test_retrieval.py"
    words = ["--last", "--expect", "java-performance.md", "--home", str(home.home.path)]
    done = subprocess.run([sys.executable, str(script), *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith("java-performance.md: routed")
    assert state.path.read_bytes() == before
