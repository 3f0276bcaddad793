"""Tool calls: what their arguments say about paths and commands."""

from __future__ import annotations

from pathlib import Path

import pytest
from calls.readers import Home, changed, words_shell
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_shaper.calls.disk import DiskWorld
from memory_shaper.calls.effects import Act, Reading
from memory_shaper.calls.tools import read_tool

WRITES = [
    ("write_file", {"path": "INDEX", "content": "x"}),
    ("write_file", {"file_path": "INDEX", "content": "x"}),
    ("write_file", {"filePath": "INDEX", "content": "x"}),
    ("write_file", {"path": "", "file_path": "INDEX"}),
    ("write_file", {"path": "/tmp/x.md", "file_path": "INDEX"}),
    ("write_file", {"path": "MEMDIR/../memories/MEMORY.md", "content": "x"}),
    ("write_file", {"path": "file://INDEX", "content": "x"}),
    ("write_file", {"path": "file:///MEMDIR/MEMORY%2Emd", "content": "x"}),
    ("write_file", {"path": "~/.hermes/memories/MEMORY.md", "content": "x"}),
    ("write_file", {"path": "$HERMES_HOME/memories/MEMORY.md", "content": "x"}),
    ("write_file", {"path": " INDEX\n", "content": "x"}),
    ("write_file", '{"path": "INDEX"}'),
    ("patch", {"mode": "replace", "path": "INDEX", "old_string": "a", "new_string": "b"}),
    ("patch", {"mode": "patch", "patch": "*** Begin Patch\n*** Update File: INDEX\n@@\n-a\n+b\n*** End Patch"}),
    ("patch", {"mode": "patch", "patch": "*** Begin Patch\n*** Add File: INDEX\n+b\n*** End Patch"}),
    ("patch", {"mode": "patch", "patch": "*** Begin Patch\n*** Delete File: INDEX\n*** End Patch"}),
    ("patch", {"mode": "patch", "patch": "*** Begin Patch\n*** Move File: INDEX -> b.md\n*** End Patch"}),
    ("patch", {"mode": "patch", "patch": "*** Begin Patch\n*** Update File: a.md\n*** Move to: INDEX\n*** End Patch"}),
    ("patch", {"mode": "patch", "patch": "*** Begin Patch\n*** Update File: INDEX\n*** Move to: a.md\n*** End Patch"}),
    ("apply_patch", {"input": "*** Begin Patch\n*** Update File: INDEX\n*** End Patch"}),
    ("unknown", {"diff": "--- aINDEX\n+++ INDEX\n@@ -1 +1 @@\n-a\n+b\n"}),
    ("unknown", {"diff": "--- INDEX\n+++ /dev/null\n"}),
    ("str_replace_editor", {"path": "INDEX", "content": "x"}),
    ("str_replace_editor", {"command": "create", "path": "INDEX"}),
    ("multi_edit", {"path": "INDEX"}),
    ("multi_edit", {"edits": [{"path": "x"}, {"path": "INDEX"}]}),
    ("delete_file", {"path": "INDEX"}),
    ("mcp_filesystem_write_file", {"path": "INDEX"}),
    ("mcp__fs__edit_file", {"path": "INDEX"}),
    ("applyEdit", {"targetFile": "INDEX"}),
    ("fs.putObject", {"uri": "file://INDEX"}),
    ("create_files", {"files": {"INDEX": "text"}}),
    ("create_files", {"files": [{"filename": "INDEX", "content": ""}]}),
    ("save_all", {"paths": ["x", "INDEX"]}),
    ("move_file", {"source": "INDEX", "destination": "/x"}),
    ("move_file", {"source": "/x", "destination": "INDEX"}),
    ("rename_file", {"path": "INDEX", "new_name": "x.md"}),
    ("copy_file", {"source": "/x", "destination": "INDEX"}),
    ("text_to_speech", {"text": "hi", "output_path": "INDEX"}),
    ("tool_call", {"name": "write_file", "arguments": {"path": "INDEX"}}),
    ("tool_call", {"calls": [{"name": "write_file", "arguments": '{"path": "INDEX"}'}]}),
    ("terminal", {"command": "rm INDEX"}),
    ("terminal", {"command": ["rm", "INDEX"]}),
    ("terminal", {"command": "rm MEMORY.md", "workdir": "MEMDIR"}),
    ("terminal", {"command": "rm MEMORY.md", "workdir": "~/.hermes/memories"}),
    ("run_command", {"cmd": "rm INDEX"}),
    ("mcp_shell_run", {"commands": ["ls", "rm INDEX"]}),
    ("process", {"action": "submit", "session_id": "p", "data": "rm INDEX"}),
    ("process_manage", {"action": "write", "input": "rm INDEX"}),
    ("execute_code", {"code": "open('INDEX', 'w')"}),
    ("execute_code", {"code": "rm INDEX", "language": "bash"}),
    ("execute_code", {"code": "fs.writeFileSync('INDEX', '')", "language": "javascript"}),
    ("mcp_sandbox_run", {"source": "open('INDEX', 'w')", "language": "python"}),
    ("execute_code", {"code": "from hermes_tools import write_file\nwrite_file('INDEX', 'x')"}),
]

HARMLESS = [
    ("write_file", {"path": "MEMORY.md", "content": "x"}),
    ("write_file", {"path": "MEMDIR/deploy.md", "content": "see INDEX"}),
    ("write_file", {"path": "notes.md", "content": "*** Begin Patch\n*** Update File: INDEX\n*** End Patch"}),
    ("patch", {"path": "notes.md", "old_string": "INDEX", "new_string": "*** Update File: INDEX"}),
    ("patch", {"mode": "patch", "patch": "*** Update File: notes.md\n@@\n *** Update File: INDEX\n+x"}),
    ("copy_file", {"source": "INDEX", "destination": "/x"}),
    ("search_files", {"path": "INDEX"}),
    ("vision_analyze", {"path": "INDEX"}),
    ("mcp_fs_read_text_file", {"path": "INDEX"}),
    ("mcp__fs__list_directory", {"path": "MEMDIR"}),
    ("getFileInfo", {"path": "INDEX"}),
    ("str_replace_editor", {"command": "view", "path": "INDEX"}),
    ("upload", {"path": "INDEX"}),
    ("memory", {"action": "add", "target": "memory", "content": "INDEX"}),
    ("delegate_task", {"goal": "write INDEX", "path": "INDEX"}),
    ("", {"path": "INDEX"}),
    ("terminal", {"command": "cat INDEX"}),
    ("process", {"action": "poll", "data": "rm INDEX"}),
    ("process", {"action": "submit", "data": "rm MEMORY.md"}),
    ("cronjob", {"prompt": "rm INDEX", "script": "rm INDEX"}),
    ("execute_code", {"code": "print(open('INDEX').read())"}),
    ("read_file", {"path": "INDEX"}),
]


def _call(home: Home, tool: str, args: object) -> Reading:
    return home.call(tool, home.fill(args))


@pytest.mark.parametrize(("tool", "args"), WRITES)
def test_a_change_of_the_index_is_seen(tmp_path: Path, tool: str, args: object) -> None:
    """A call that would change the index is read as doing so, whatever tool and argument carry it."""
    home = Home(tmp_path)
    assert str(home.index) in changed(_call(home, tool, args))


@pytest.mark.parametrize(("tool", "args"), HARMLESS)
def test_other_calls_leave_the_index_alone(tmp_path: Path, tool: str, args: object) -> None:
    """A call that reads the index, names it, or changes something else does not change it."""
    home = Home(tmp_path)
    assert str(home.index) not in changed(_call(home, tool, args))


def test_a_read_is_reported(tmp_path: Path) -> None:
    """read_file has one effect, a read, so that a topic's uses can be told."""
    home = Home(tmp_path)
    assert [effect.act for effect in _call(home, "read_file", {"path": "INDEX"}).effects] == [Act.READ]


def test_an_unknown_folder_is_opaque() -> None:
    """A relative path where the folder is unknown has no effect and makes the reading opaque."""
    reading = read_tool("write_file", {"path": "MEMORY.md"}, DiskWorld(None, {}), words_shell)
    assert (reading.effects, reading.opaque) == ((), True)


def test_a_deleted_folder_takes_all_below(tmp_path: Path) -> None:
    """A delete of a folder is one of everything in it."""
    home = Home(tmp_path)
    assert [effect.tree for effect in _call(home, "delete_directory", {"path": "MEMDIR"}).effects] == [True]


def _nested(depth: int) -> object:
    value: object = "x"
    for _ in range(depth):
        value = {"path": [value]}
    return value


HOSTILE = [None, 7, b"x", [], "", "[" * 10_000, _nested(10_000), {"path": None}, {"path": 7}, {"path": b"x"}, {1: "x"}]
HOSTILE += [{"path": "\ud800"}, {"path": "\0"}, {"path": "x" * 10_000_000}, {"patch": "*** Update File: " * 100_000}]
HOSTILE += [{"paths": ["x"] * 100_000}, {"command": [None, [["x"]]]}, {"command": {"a": 1}}, {"code": 7, "cmd": 1.5}]


@pytest.mark.parametrize("number", range(len(HOSTILE)))
@pytest.mark.parametrize(
    "tool", ["write_file", "patch", "terminal", "execute_code", "process", "tool_call", "x", "move"]
)
def test_hostile_arguments_never_raise(tool: str, number: int) -> None:
    """Wrong types, deep nesting, huge texts and broken characters are answered."""
    assert isinstance(read_tool(tool, HOSTILE[number], DiskWorld("/", {}), words_shell), Reading)


VALUES = st.recursive(
    st.none()
    | st.integers()
    | st.text(max_size=20)
    | st.binary(max_size=5)
    | st.sampled_from(["~", "$HOME", "file://"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["path", "files", "command", "code", "name"]), inner)
    ),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=12) | st.sampled_from(["tool_call", "patch", "terminal", "execute_code", "move_file"]), VALUES)
def test_random_calls_never_raise(tool: str, args: object) -> None:
    """Whatever the tool and its arguments are, there is a reading."""
    assert isinstance(read_tool(tool, args, DiskWorld("/", {"HOME": "/h"}), words_shell), Reading)
