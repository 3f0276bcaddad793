"""Real hosts as values: throw-away homes, one-turn sessions against a scripted endpoint, and what came of them."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hosts.endpoint import Call, Endpoint, Request, Script, ToolResult, Turn
from hosts.install import COMMAND, REPOSITORY, environment, is_installed

OUR_PLUGIN = REPOSITORY / "plugin" / "memory-shaper"
PROBE = Path(__file__).resolve().parent / "probe"
"""A plugin that writes every hook call to `hooks.jsonl` in the home."""
LINGER = Path(__file__).resolve().parent / "linger"
"""A plugin that lets the background review of a one-turn session come to its end."""
NO_ENDPOINT = "http://127.0.0.1:1/v1"


@dataclass(frozen=True, slots=True)
class Host:
    """One installed host."""

    version: str
    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def hermes(self) -> Path:
        return self.folder / "bin" / "hermes"

    @property
    def edit(self) -> str:
        """The action of the memory tool that changes an entry."""
        return "replace" if self.version == "0.19" else "patch"

    @property
    def defers(self) -> bool:
        """True where tools of plugins are hidden behind `tool_search` and `tool_call`."""
        return self.version != "0.19"


def find_host(version: str) -> Host:
    """The installed host of that version.

    Raises LookupError, with the command that installs it, when it is missing.
    """
    if not is_installed(version):
        raise LookupError(f"Hermes {version} is not installed at {environment(version)}; run: {COMMAND}")
    return Host(version, environment(version))


@dataclass(frozen=True, slots=True)
class Home:
    """A throw-away HERMES_HOME, beside a throw-away HOME and an empty folder to work in."""

    folder: Path

    @property
    def path(self) -> Path:
        return self.folder / "hermes"

    @property
    def memories(self) -> Path:
        return self.path / "memories"

    @property
    def index(self) -> Path:
        return self.memories / "MEMORY.md"

    @property
    def config(self) -> Path:
        return self.path / "config.yaml"

    @property
    def work(self) -> Path:
        return self.folder / "work"

    def environ(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """All that a child process may know of this machine."""
        known = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        ours = {"HOME": str(self.folder / "user"), "HERMES_HOME": str(self.path), "LANG": "C.UTF-8"}
        return known | ours | dict(extra or {})

    def point_at(self, url: str) -> None:
        """Turn the config to another endpoint and leave alone whatever else the host wrote into it."""
        text = self.config.read_text(encoding="utf-8")
        self.config.write_text(re.sub(r"http://127\.0\.0\.1:\d+/v1", url, text), encoding="utf-8")

    def hooks(self, *names: str) -> list[dict[str, Any]]:
        """What the probe plugin wrote down, in order: all of it, or the calls of the named hooks."""
        lines = (self.path / "hooks.jsonl").read_text(encoding="utf-8").splitlines()
        return [call for call in map(json.loads, lines) if not names or call["hook"] in names]

    def rows(self, query: str, *values: Any) -> list[dict[str, Any]]:
        """Rows of the host's state.db, opened read-only."""
        with closing(sqlite3.connect(f"file:{self.path / 'state.db'}?mode=ro", uri=True)) as database:
            database.row_factory = sqlite3.Row
            return [dict(row) for row in database.execute(query, values)]


def make_home(
    folder: Path,
    memories: Mapping[str, str] | None = None,
    plugins: Iterable[Path] = (OUR_PLUGIN,),
    config: Mapping[str, Any] | None = None,
) -> Home:
    """Build a home in an empty folder.

    `memories` maps file names (sub-folders allowed) to texts, `plugins` are folders that are copied and enabled,
    `config` is merged into the config section by section.
    """
    home = Home(folder)
    for place in (home.memories, home.work, folder / "user", home.path / "plugins"):
        place.mkdir(parents=True, exist_ok=True)
    names = [_copy_plugin(plugin, home) for plugin in plugins]
    # JSON is YAML, so the harness needs no YAML library.
    home.config.write_text(json.dumps(_merged(_base_config(names), config or {}), indent=1), encoding="utf-8")
    for name, text in (memories or {}).items():
        target = home.memories / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())
    return home


def _copy_plugin(plugin: Path, home: Home) -> str:
    shutil.copytree(plugin, home.path / "plugins" / plugin.name, ignore=shutil.ignore_patterns("__pycache__"))
    return plugin.name


def _base_config(plugins: list[str]) -> dict[str, Any]:
    return {
        "model": {"default": "fake", "provider": "custom", "base_url": NO_ENDPOINT, "api_key": "sk-fake"},
        "plugins": {"enabled": plugins},
        "memory": {"memory_enabled": True, "user_profile_enabled": True},
        "approvals": {"timeout": 3},
    }


def _merged(base: Mapping[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in extra.items():
        both = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
        merged[key] = _merged(merged[key], value) if both else value
    return merged


@dataclass(frozen=True, slots=True)
class Ended:
    """A process that came to its end; `timed_out` when it had to be killed."""

    code: int
    out: str
    err: str
    timed_out: bool = False


def run(
    command: list[str],
    home: Home,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = 90,
    given: str = "",
) -> Ended:
    """Run a process in a group of its own, in the home's environment; the group never outlives this call."""
    # A folder of its own with a short name: 0.19 makes a socket there, and a socket's path may have 108 bytes.
    with TemporaryDirectory(prefix="ms", ignore_cleanup_errors=True) as temporary:
        process = subprocess.Popen(
            command, cwd=cwd or home.work, env=home.environ({"TMPDIR": temporary, **(env or {})}), text=True,
            start_new_session=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        try:
            out, err = process.communicate(given, timeout=timeout)
            return Ended(process.returncode, out, err)
        except subprocess.TimeoutExpired:
            _kill_group(process)
            out, err = process.communicate()
            return Ended(process.returncode, out, err, timed_out=True)
        finally:
            _kill_group(process)


def _kill_group(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


@dataclass(frozen=True, slots=True)
class Session:
    """One finished session: the process, every request, and the endpoint with the results of the calls."""

    ended: Ended
    requests: list[Request]
    endpoint: Endpoint

    @property
    def results(self) -> list[ToolResult]:
        """The results of the conversation's own calls; those of another lane: `endpoint.results(lane)`."""
        return self.endpoint.results()

    def lane(self, name: str) -> list[Request]:
        return [request for request in self.requests if request.lane == name]

    @property
    def system(self) -> str:
        """The system prompt of the conversation."""
        return self.lane("main")[0].system

    @property
    def user(self) -> str:
        """The user's message as the model saw it first."""
        return self.lane("main")[0].user


def session(
    host: Host,
    home: Home,
    turns: Script | Iterable[Turn],
    prompt: str = "Go on.",
    *,
    yolo: bool = True,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    timeout: float = 90,
) -> Session:
    """Run `hermes chat -q PROMPT -Q` once against the scripted turns.

    What a deciding turn raised is raised here.
    """
    script = turns if isinstance(turns, Script) else Script(main=turns)
    command = [str(host.hermes), "chat", "-q", prompt, "-Q", *(["--yolo"] if yolo else [])]
    with Endpoint(script) as endpoint:
        home.point_at(endpoint.url)
        ended = run(command, home, cwd, env, timeout)
    if endpoint.errors:
        raise endpoint.errors[0]
    return Session(ended, endpoint.requests, endpoint)


def hermes(host: Host, home: Home, *args: str, timeout: float = 90) -> Ended:
    """Run a command of the host that needs no model."""
    return run([str(host.hermes), *args], home, timeout=timeout)


def host_python(host: Host, home: Home, code: str, *args: str, given: str = "") -> Ended:
    """Run a snippet in the host's own interpreter, where its modules can be imported; `given` is its stdin."""
    return run([str(host.python), "-c", code, *args], home, given=given)


def plugin_call(host: Host, name: str, arguments: Mapping[str, Any]) -> Call:
    """The call by which a model of this host reaches a tool that a plugin registered."""
    if host.defers:
        return "tool_call", {"calls": [{"name": name, "arguments": arguments}]}
    return name, arguments
