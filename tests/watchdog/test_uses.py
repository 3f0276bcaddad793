"""Which rows of a session are uses."""

import json
import unicodedata

import pytest
from memory_shaper.watchdog.stamps import moment
from memory_shaper.watchdog.topics import Topics
from statedb import GOOD, MEM, NOW, TOPICS, StateDb, call_text, names


@pytest.fixture
def db(tmp_path):
    db = StateDb(tmp_path)
    db.add("user", "question")
    return db


def test_use__says_what_when_and_where(db):
    """A use carries the name, the call's time in UTC, the session, the turn and the row of the call."""
    row = db.read("deploy.md", call_id="call_ab6bea482e05")
    (use,) = db.scan().uses
    assert ("deploy.md", moment(NOW + 2), "s", 1, row) == (use.name, use.at, use.session, use.turn, use.message_id)
    assert use.at.isoformat().endswith("+00:00")
    assert use.key == "call_ab6bea482e05"


def test_use__once_a_turn_and_file(db):
    """Two reads in one turn are one use, a read in the next turn is another."""
    db.read("deploy.md")
    db.read("deploy.md")
    db.add("user", "next")
    db.read("deploy.md")
    assert names(db.scan()) == ["deploy.md", "deploy.md"]


def test_turns__of_two_sessions_do_not_mix(db):
    """Sessions whose rows interleave keep their own turns."""
    db.add("user", "other", session="t")
    db.read("deploy.md")
    db.read("deploy.md", session="t")
    assert [(use.session, use.turn) for use in db.scan().uses] == [("s", 1), ("t", 2)]


@pytest.mark.parametrize(
    "result",
    [
        '{"content": "", "error": "File not found: x", "similar_files": ["/m/deploy.md"]}',
        '{"error": "no, not this"}',
        '{"error": "blocked"}\n[a note behind it]',
        '{"success": false}',
        '{"status": "error", "output": "Traceback", "exit_code": 1}',
        '{"output": "# deploy", "exit_code": 1, "error": null}',
        "Tool 'read_file' does not exist. Available tools: terminal",
        "Error: no",
        "",
        None,
    ],
)
def test_failed_read__is_no_use(db, result):
    """An error, a block, a non-zero exit, an unknown tool and a result that is missing are no uses."""
    db.read("deploy.md", result)
    assert names(db.scan()) == []


@pytest.mark.parametrize(
    "result",
    [
        '{"status": "unchanged", "dedup": true, "content_returned": false}',
        '{"output": "# deploy", "exit_code": 0, "error": null}\n[a note behind it]',
        "<persisted-output>\nThis tool result was too large",
        "1|# deploy",
        '{"content": "an error in the text", "not_found": false}',
        "[" * 100_000,
    ],
)
def test_good_read__is_a_use(db, result):
    """A result that a plugin added to, one moved to a file, bare text and a repeated read are successes."""
    db.read("deploy.md", result)
    assert names(db.scan()) == ["deploy.md"]


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("write_file", {"path": f"{MEM}/deploy.md", "content": "x"}),
        ("patch", {"path": f"{MEM}/deploy.md"}),
        ("search_files", {"path": f"{MEM}/deploy.md", "pattern": "x"}),
        ("read_file", {"path": "/elsewhere/deploy.md"}),
        ("read_file", {"path": f"{MEM}/deploy.md.bak"}),
        ("read_file", {"path": f"{MEM}/my-deploy.md"}),
        ("read_file", {"path": f"{MEM}/MEMORY.md"}),
        ("read_file", {"path": f"{MEM}/archived memories/deploy.md"}),
        ("terminal", {"command": f"cp {MEM}/deploy.md /tmp/x"}),
        ("terminal", {"command": f"grep {MEM}/deploy.md {MEM}/x; grep {MEM}/postgres.md"}),
        ("terminal", {"command": f"cat {MEM}/deploy.md", "background": True}),
    ],
)
def test_other_calls__are_no_uses(db, tool, args):
    """Writes, searches, copies, other folders and other names are no reads of a topic."""
    db.call(tool, args)
    assert names(db.scan()) == []


@pytest.mark.parametrize(
    ("tool", "args", "name"),
    [
        ("terminal", {"command": f"cat {MEM}/deploy.md"}, "deploy.md"),
        ("terminal", {"command": f"grep -n '' x || grep {MEM}/deploy.md"}, "deploy.md"),
        ("execute_code", {"code": f"print(open('{MEM}/deploy.md').read())"}, "deploy.md"),
        ("mcp_files_read", {"file_path": f"{MEM}/deploy.md"}, "deploy.md"),
        ("read_file", {"path": "deploy.md"}, "deploy.md"),
        ("read_file", {"path": "old.md"}, "old.md"),
        ("read_file", {"path": f"{MEM}/archived memories/old.md"}, "old.md"),
        ("read_file", {"path": f"{MEM}/x.md"}, "x.md"),
        ("read_file", {"path": f"{MEM}/部署.md"}, "部署.md"),
        ("read_file", {"path": unicodedata.normalize("NFD", f"{MEM}/café.md")}, "café.md"),
        ("tool_call", {"calls": [{"name": "mcp_read", "arguments": {"path": f"{MEM}/x.md"}}]}, "x.md"),
    ],
)
def test_reads__by_any_route_are_uses(db, tool, args, name):
    """Shell, program, other tools, the host's bridge, bare names, the archive and every name count."""
    db.call(tool, args)
    assert [name] == names(db.scan())


def test_bridge__shares_one_result(db):
    """Two calls through one bridge call are both read by its one result."""
    inner = [{"name": "mcp_read", "arguments": {"path": f"{MEM}/{name}"}} for name in ("x.md", "deploy.md")]
    db.call("tool_call", {"calls": inner})
    assert names(db.scan()) == ["x.md", "deploy.md"]


def test_program_that_ends_well__but_missed_the_file(db):
    """A program that prints its read's error and ends with 0 has not read the file."""
    output = json.dumps({"output": f"{{'error': 'File not found: {MEM}/deploy.md'}}", "exit_code": 0})
    db.call("execute_code", {"code": f"print(read_file('{MEM}/deploy.md'))"}, output)
    assert names(db.scan()) == []


@pytest.mark.parametrize("stored", [True, False])
def test_old_shape__is_paired_by_order(db, stored):
    """Calls stored as name and args, without an id, take the results in their order."""
    calls = [{"name": "read_file", "args": {"path": f"{MEM}/{name}"}} for name in ("x.md", "deploy.md")]
    db.add("assistant", "", json.dumps(calls) if stored else json.dumps(calls).encode())
    db.add("tool", '{"error": "no"}')
    db.add("tool", GOOD)
    assert names(db.scan()) == ["deploy.md"]


def test_result_after_the_next_question__is_not_the_calls(db):
    """A call whose result is missing does not take that of a later call with the same id."""
    db.read("x.md", None, call_id="call_0")
    db.add("user", "next")
    db.read("deploy.md", call_id="call_0")
    assert names(db.scan()) == ["deploy.md"]


def test_result_before_other_rows__finds_its_call(db):
    """Results come in any order, with other rows between."""
    first, second = (call_text("read_file", {"path": f"{MEM}/{name}"}, name) for name in ("x.md", "deploy.md"))
    db.add("assistant", "", json.dumps(json.loads(first) + json.loads(second)))
    db.add("tool", '{"error": "no"}', call_id="deploy.md")
    db.add("system", "note")
    db.add("tool", GOOD, call_id="x.md")
    assert names(db.scan()) == ["x.md"]


def test_topics__spelling_follows_the_index():
    """Any Unicode form of a name is the name as the index spells it."""
    decomposed = unicodedata.normalize("NFD", "café.md")
    topics = Topics((unicodedata.normalize("NFD", "/é"),), frozenset({decomposed}))
    assert decomposed == topics.named("/é/café.md") == topics.named(unicodedata.normalize("NFD", "/é/café.md"))
    assert TOPICS.named("C:\\m\\deploy.md") is None
