"""What the tests of the guard share: a home with a plugin in it, driven through the hooks as a host drives it."""

from __future__ import annotations

import fcntl
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memory_shaper import edit, hooks, plugin
from memory_shaper.record import Event, EventKind
from memory_shaper.settings import Home
from tools import CANONICAL, PACKAGE, TOPICS

DELIMITER = "\n§\n"
_WAIT = 30.0  # seconds until a test that waits for another process gives up


def until(condition: Callable[[], bool]) -> None:
    """Wait until something has happened in another process."""
    end = time.monotonic() + _WAIT
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


@dataclass(frozen=True, slots=True)
class Done:
    """One call: what the pre hook answered ({} for an allowed one) and the result as the model reads it."""

    answer: dict[str, str]
    result: str

    @property
    def action(self) -> str:
        return self.answer.get("action", "allow")

    @property
    def note(self) -> str:
        """What the plugin says in the result."""
        try:
            return str(json.loads(self.result).get("memory_shaper", ""))
        except (ValueError, AttributeError):
            return ""


@dataclass(slots=True)
class Sandbox:
    """A home below a user's home, a folder for work, and a host's loop around each call; `newer`: in 0.22's order."""

    root: Path
    newer: bool = False
    started: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    @property
    def user(self) -> Path:
        return self.root / "user"

    @property
    def home(self) -> Home:
        return Home(self.user / ".hermes", "given")

    @property
    def memories(self) -> Path:
        return self.home.memories

    @property
    def index(self) -> Path:
        return self.home.index

    @property
    def work(self) -> Path:
        return self.root / "work"

    @property
    def env(self) -> dict[str, str]:
        """The environment of a command that the host runs."""
        return {**os.environ, "PATH": f"{self.root / 'bin'}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}

    def text(self) -> str:
        return self.index.read_text(encoding="utf-8")

    def call(self, tool: str, args: Any, run: Callable[[], object] | None = None, session: str = "s") -> Done:
        """One call as the host makes it: judged, run where it is allowed (or approved), looked after."""
        names = {"tool_name": tool, "args": args, "session_id": session, "tool_call_id": f"c{next(self._numbers)}"}
        answer = plugin.on_pre_tool_call(**names) or {}
        if answer.get("action") == "block":
            refusal = json.dumps({"error": answer["message"]})
            plugin.on_post_tool_call(**names, result=refusal, status="blocked")
            return Done(answer, refusal)
        made = run() if run else {"ok": True}
        result = made if isinstance(made, str) else json.dumps(made)
        return Done(answer, self._after(names, result))

    def _after(self, names: dict[str, Any], result: str) -> str:
        changed: str | None = None
        hooks = [plugin.on_post_tool_call, plugin.on_transform_tool_result]
        for hook in reversed(hooks) if self.newer else hooks:
            if hook is plugin.on_post_tool_call or self.newer or names["tool_name"] != "memory":
                changed = hook(**names, result=result) or changed
        return changed or result

    def terminal(self, command: Any, session: str = "s", cwd: Path | None = None, **more: Any) -> Done:
        """A call of the terminal that is really run by bash."""
        return self.call("terminal", {"command": command, **more}, lambda: self.bash(command, cwd), session)

    def bash(self, command: Any, cwd: Path | None = None, **env: str) -> dict[str, object]:
        """Run a command as a host does: in a session of its own, without a terminal; the result of the tool."""
        words = ["bash", "-c", command] if isinstance(command, str) else list(command)
        with tempfile.TemporaryFile() as output:
            options: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": output}
            started = subprocess.Popen(
                words, cwd=cwd or self.work, env=self.env | env, start_new_session=True, **options
            )
            self.started.append(started)
            code = started.wait(timeout=60)
        return {"output": "", "exit_code": code}

    def python(self, code: str, session: str = "s") -> Done:
        """A call of execute_code that is really run."""

        def run() -> dict[str, object]:
            done = subprocess.run([sys.executable, "-c", code], cwd=self.work, env=self.env, capture_output=True)
            return {"status": "ok", "exit_code": done.returncode}

        return self.call("execute_code", {"code": code}, run, session)

    def memory(self, session: str = "s", **args: Any) -> Done:
        """A call of the host's memory tool, carried out as the host's store does it."""
        args = {"target": "memory", **args}
        return self.call("memory", args, lambda: store_edit(self.index, args), session)

    def idle(self, session: str = "s") -> Done:
        """A call that has nothing to do with files."""
        return self.call("browser_exec", {"url": "x"}, session=session)

    def events(self, kind: EventKind | None = None) -> list[Event]:
        """The newest events of the journal, the newest first."""
        with edit.open_record(self.home) as record:
            return record.journal.newest(1000, kind=kind)

    def restored(self) -> list[str]:
        """The files that were put back, in their order."""
        return [event.file for event in reversed(self.events(EventKind.RESTORED))]


def make_sandbox(root: Path, text: str = CANONICAL) -> Sandbox:
    """A home with an index, every topic file, an empty folder for work and a switched-on plugin."""
    sandbox = Sandbox(root)
    for folder in (sandbox.memories, sandbox.work, root / "bin", root / "tmp", sandbox.home.path / "plugins"):
        folder.mkdir(parents=True)
    for name in (*TOPICS, "new-topic.md"):
        (sandbox.memories / name).write_text(f"# {name}\n", encoding="utf-8")
    sandbox.index.write_text(text, encoding="utf-8")
    sandbox.index.chmod(0o600)
    sandbox.home.config.write_text("plugins:\n  enabled: [memory-shaper]\n", encoding="utf-8")
    return sandbox


def forget_guards() -> None:
    """What a host does at its end; the next hook begins anew."""
    plugin.close()
    hooks._guards.clear()
    hooks._noted.clear()


@contextmanager
def host_lock(index: Path) -> Iterator[None]:
    """The lock that the host's store takes, waiting as long as it has to."""
    with open(f"{index}.lock", "a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def store_edit(index: Path, args: dict[str, Any]) -> dict[str, object]:
    """What the host's store makes of a call: lock, read again, change, temporary file, fsync, replace."""
    with host_lock(index):
        text = index.read_text(encoding="utf-8") if index.exists() else ""
        entries = list(dict.fromkeys(part.strip() for part in text.split(DELIMITER) if part.strip()))
        for operation in args.get("operations") or [args]:
            error = _edit(entries, operation)
            if error:
                return {"success": False, "error": error}
        write_whole(index, DELIMITER.join(entries).encode())
    return {"success": True}


def _edit(entries: list[str], operation: dict[str, Any]) -> str:
    content = (operation.get("content") or "").strip()
    if operation.get("action") == "add":
        entries.extend([content] if content not in entries else [])
        return ""
    at = [place for place, entry in enumerate(entries) if (operation.get("old_text") or "").strip() in entry]
    if len(at) != 1:
        return f"{len(at)} entries matched"
    entries[at[0] : at[0] + 1] = [content] if operation["action"] == "replace" else []
    return ""


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file as the host's store and most editors do."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".mem_")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(name, path)


def elsewhere(sandbox: Sandbox, code: str, *args: str) -> subprocess.Popen[str]:
    """Another host process: Python that runs `code` with this home, the plugin and these helpers on its path.

    It knows `s`, the sandbox, and `args`; it talks through its pipes.
    """
    head = (
        "import os, sys, time, json\nfrom pathlib import Path\nfrom memory_shaper import edit, hooks, plugin\n"
        "from guard_tools import *\nfrom tools import *\ns = Sandbox(Path(sys.argv[1]))\nargs = sys.argv[2:]\n"
    )
    paths = f"{PACKAGE}:{Path(__file__).parent}"
    env = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [sys.executable, "-c", head + code + "\nplugin.close()\n", str(sandbox.root), *args]
    return subprocess.Popen(command, env=env, cwd=sandbox.work, text=True, **pipes)


def line(process: subprocess.Popen[str]) -> str:
    """The next line that another process says; where it says none, what went wrong there."""
    assert process.stdout is not None and process.stderr is not None
    said = process.stdout.readline()
    assert said, process.stderr.read()
    return said.strip()


def say(process: subprocess.Popen[str], text: str = "go") -> None:
    """Say a line to another process."""
    assert process.stdin is not None
    process.stdin.write(text + "\n")
    process.stdin.flush()


def finish(process: subprocess.Popen[str]) -> str:
    """What a process said until its end, which must be a good one."""
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return out
