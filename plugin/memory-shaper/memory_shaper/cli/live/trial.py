"""The trial: two writes that must be refused, made by a real session on a throw-away home. Shell: starts the host.

The throw-away home has the plugins and settings of the real one and an index of its own, and goes when the trial ends.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from ... import store, yamlfile
from ...errors import MemoryShaperError, Unreadable
from ...record import Beat, EventKind, Record
from ...registered import TAKEN
from ...settings import Home
from .endpoint import MODEL, Ask, Endpoint, Script
from .verdict import Proof, Seen, Signs, judged

_SECTIONS = frozenset({"memory", "plugins", "approvals"})
_INDEX = "# Memory index: a routing table\n§\nself,test,throw,away,home → self-test.md"
_PROSE = "A self-test of memory-shaper: this sentence must not get into the index."
_SECONDS = 180.0  # a host that starts for the first time may have to unpack itself
_PASSED_ON = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "VIRTUAL_ENV")  # no keys, no other home
_HEAVY = shutil.ignore_patterns("__pycache__", ".git", "node_modules", ".venv", "venv", "*.db", "*.pyc")


def prove(home: Home, program: str) -> Proof:
    """What the host's command does with two refused writes, in a copy of the home. Raises Unreadable for its config."""
    config = _config(home)
    # A short name: an older host makes a socket in its temporary folder, and a socket's path may have 108 bytes.
    with tempfile.TemporaryDirectory(prefix="ms", ignore_cleanup_errors=True) as folder:
        copy = Home(Path(folder) / "hermes", "given")
        _furnish(home, copy)
        calls = [
            Ask("write_file", {"path": str(copy.index), "content": _PROSE}),
            Ask("memory", {"action": "add", "target": "memory", "content": _PROSE}),
        ]
        script = Script(calls, lambda: store.read_bytes(copy.index))
        with Endpoint(script) as endpoint:
            model = {"default": MODEL, "provider": "custom", "base_url": endpoint.url, "api_key": MODEL}
            copy.config.write_text(json.dumps(config | {"model": model}, default=str), encoding="utf-8")
            trouble = _session(program, copy, Path(folder))
        before = _INDEX.encode()
        answers = zip(calls, script.results, script.seen, strict=False)
        seen = [Seen(ask.tool, result, data == before) for ask, result, data in answers if ask.tool in script.offered]
        return judged(seen, _signs(copy), trouble)


def _config(home: Home) -> dict[str, object]:
    """The sections of config.yaml that decide about plugins and memory; the rest, keys of models included, stays."""
    document = store.read_if_there(home.config)
    try:
        tree = yamlfile.parse(document.text if document else "", _SECTIONS)
    except yamlfile.BadYaml as error:
        raise Unreadable(f"{home.config}: config unreadable ({error})") from error
    return {str(name): tree[name] for name in tree if name in _SECTIONS}


def _furnish(home: Home, copy: Home) -> None:
    """Make the throw-away home: an index with one entry, and the plugins of the real home."""
    copy.memories.mkdir(parents=True)
    for place in ("user", "work", "tmp"):
        (copy.path.parent / place).mkdir()
    copy.index.write_text(_INDEX, encoding="utf-8")
    (copy.memories / "self-test.md").write_text("# Self-test\n", encoding="utf-8")
    if (home.path / "plugins").is_dir():
        with suppress(shutil.Error):  # what another plugin holds that cannot be copied
            shutil.copytree(home.path / "plugins", copy.path / "plugins", ignore=_HEAVY, ignore_dangling_symlinks=True)


def _session(program: str, copy: Home, folder: Path) -> str:
    """Run one session to its end; what kept it from one, "" where nothing did."""
    environ = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    environ |= {"HERMES_HOME": str(copy.path), "HOME": str(folder / "user"), "TMPDIR": str(folder / "tmp")}
    environ["PYTHONDONTWRITEBYTECODE"] = "1"
    try:
        process = subprocess.Popen(
            [program, "chat", "-q", "This is a self-test.", "-Q"], cwd=folder / "work", env=environ,
            start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True, encoding="utf-8", errors="replace",
        )  # fmt: skip
    except OSError as error:
        return f"{program} cannot be started ({error.strerror})"
    try:
        err = process.communicate(timeout=_SECONDS)[1]
    except subprocess.TimeoutExpired:
        return f"the session did not end within {_SECONDS:.0f} s"
    finally:
        _end(process)
    last = err.strip().splitlines()[-1][:200] if err.strip() else "it said nothing"
    return f"{program} ended with {process.returncode}: {last}" if process.returncode else ""


def _end(process: subprocess.Popen[str]) -> None:
    """End what the session has left running."""
    with suppress(OSError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    if process.stderr:
        process.stderr.close()


def _signs(copy: Home) -> Signs:
    """What the plugin noted of itself in the throw-away home."""
    path = copy.data / "record.db"
    if not path.exists():
        return Signs()
    try:
        with Record.open(path) as record:
            beats = {beat.event for beat in record.counters.beats()}
            refused = {event.source.tool for event in record.journal.newest(100, kind=EventKind.BLOCKED)}
            return Signs(
                Beat.LOADED in beats, Beat.FIRED in beats, frozenset(refused), record.counters.meta(TAKEN) or ""
            )
    except MemoryShaperError:
        return Signs(True)
