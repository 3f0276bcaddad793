"""Every row of the case file, through the hooks of the plugin: judged, and really run where it may run."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from guard_tools import Done, Sandbox, store_edit, until
from memory_shaper.record import EventKind
from tools import CANONICAL, CASES, REPOSITORY

FILE = CASES / "guard.jsonl"
ROWS = [json.loads(row) for row in FILE.read_text(encoding="utf-8").splitlines()] if FILE.is_file() else []
# Programs of the harmless rows; where one is not installed, a program that does nothing takes its place.
PROGRAMS = ("rg", "xxd", "systemctl", "file", "rsync", "sponge", "wget", "scp")


def filled(sandbox: Sandbox, row: dict[str, Any]) -> Any:
    """The arguments with their places filled in; what is under /tmp goes to a folder of this test."""
    places = {
        "{INDEX}": sandbox.index,
        "{MEMDIR}": sandbox.memories,
        "{HOME}": sandbox.home.path,
        "{WORK}": sandbox.work,
        "{PEER}": REPOSITORY,
    }
    text = re.sub(r"(?<![\w}])/tmp/", "{TMP}/", json.dumps(row["args"]))
    for sign, path in {**places, "{TMP}": sandbox.root / "tmp"}.items():
        text = text.replace(sign, str(path))
    return json.loads(text)


def prepare(sandbox: Sandbox) -> None:
    """The files that the rows speak of, and programs that are not installed here."""
    work, index = sandbox.work, sandbox.index
    files = {
        "harmless.py": "print('hi')\n",
        "reader.py": f"print(open({str(index)!r}).read())\n",
        "writer_open.py": f"#!/usr/bin/env python3\nopen({str(index)!r}, 'w').write('x')\n",
        "writer_path.py": f"from pathlib import Path\nPath({str(index)!r}).write_text('x')\n",
        "writer_os.py": f"import os\nos.remove({str(index)!r})\n",
        **dict.fromkeys(("a", "a.txt", "x", "app.log", "notes.txt", "data.csv", "d.txt"), "text\n"),
    }
    for name, text in files.items():
        (work / name).write_text(text, encoding="utf-8")
    (work / "writer_open.py").chmod(0o755)
    (work / "soft").symlink_to(index)
    os.link(index, work / "hard")
    for folder in ("src", "docs"):
        (work / folder).mkdir()
    for name in PROGRAMS:
        program(sandbox, name, "exit 0")


def program(sandbox: Sandbox, name: str, body: str) -> None:
    path = sandbox.root / "bin" / name
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)


def shell(sandbox: Sandbox, command: str, folder: Path) -> None:
    subprocess.run(["bash", "-ec", command], cwd=folder, env=sandbox.env, check=True, capture_output=True)


def archive(sandbox: Sandbox) -> None:
    shell(sandbox, "echo gone > MEMORY.md; zip -q b.zip MEMORY.md; rm MEMORY.md", sandbox.work)


def stash(sandbox: Sandbox) -> None:
    commands = "cp MEMORY.md ../keep; git init -q .; echo old > MEMORY.md; git add MEMORY.md; git commit -qm old"
    shell(sandbox, f"{commands}; cat ../keep > MEMORY.md; rm ../keep", sandbox.memories)


def diff(sandbox: Sandbox) -> None:
    commands = "cp MEMORY.md keep; sed '1,4d' keep > MEMORY.md; git diff --no-index keep MEMORY.md > x.diff || true"
    shell(sandbox, f"{commands}; sed -i s/keep/MEMORY.md/g x.diff; cat keep > MEMORY.md; rm keep", sandbox.memories)


def backup(sandbox: Sandbox) -> None:
    shell(sandbox, "mkdir backup; echo older > backup/MEMORY.md", sandbox.work)


def script(sandbox: Sandbox) -> None:
    (sandbox.root / "tmp" / "s.sh").write_text(f"rm {sandbox.index}\n", encoding="utf-8")


def at(sandbox: Sandbox) -> None:
    """A stand-in for `at`: what it is given runs later, in a process that no call waits for."""
    later = 'sleep 0.3; sh -c "$JOB"; touch "$DONE"'
    done = sandbox.root / "at-done"
    program(sandbox, "at", f"JOB=$(cat)\nexport JOB DONE={done}\nsetsid sh -c '{later}' >/dev/null 2>&1 </dev/null &")


def one_match(sandbox: Sandbox) -> None:
    """No lock file beside the index, so that the row's glob gives one name."""
    Path(f"{sandbox.index}.lock").unlink()


def nothing(sandbox: Sandbox) -> None:
    """These rows need no more than the files that all have."""


NEEDS: dict[str, Callable[[Sandbox], None]] = {
    "g031": one_match,
    "g064": archive,
    "g079": stash,
    "g081": diff,
    "g082": backup,
    "g131": script,
    "g132": at,
}


def run(sandbox: Sandbox, row: dict[str, Any], args: Any) -> object:
    """Do what the call says, as the host's tools do it."""
    tool = row["tool"]
    if not isinstance(args, dict):
        return {"error": "no arguments"}
    if tool == "terminal" and args.get("command"):
        return sandbox.bash(args["command"], CMD=f"rm {sandbox.index}")
    if tool == "execute_code":
        code = f"from pathlib import Path\nMEMORY_MD = Path({str(sandbox.index)!r})\n{args['code']}"
        return sandbox.bash(["python3", "-c", code])
    if tool == "memory":
        path = sandbox.index if args.get("target") == "memory" else sandbox.memories / "USER.md"
        return store_edit(path, args)
    if tool == "write_file":
        path = sandbox.work / args["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(args["content"], encoding="utf-8")
    return {"ok": True}


@pytest.mark.skipif(not ROWS, reason=f"no case file at {FILE}; MEMORY_SHAPER_CASES names its folder")
@pytest.mark.parametrize("newer", [False, True], ids=["0.19", "0.22"])
@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_row(sandbox: Sandbox, row: dict[str, Any], newer: bool) -> None:
    """What damages is stopped before or undone after and told; what is harmless is allowed and nothing is put back."""
    prepare(sandbox)
    sandbox.newer = newer
    sandbox.idle()
    NEEDS.get(row["id"], nothing)(sandbox)
    args = filled(sandbox, row)
    done = sandbox.call(row["tool"], args, lambda: run(sandbox, row, args))
    if row["expect"] == "block" and done.action == "allow":
        assert row["after_call_only"]
        check_undone(sandbox, row, done)
    else:
        assert done.action == row["expect"], done.answer.get("message")
        check_untouched(sandbox, row)


def check_undone(sandbox: Sandbox, row: dict[str, Any], done: Done) -> None:
    if row["id"] == "g132":
        until((sandbox.root / "at-done").exists)
        done = sandbox.idle()
    assert sandbox.text() == CANONICAL
    assert sandbox.index.stat().st_mode & 0o777 == 0o600
    assert "MEMORY.md" in done.note and "put back" in done.note
    assert sandbox.restored() == ["MEMORY.md"]


def check_untouched(sandbox: Sandbox, row: dict[str, Any]) -> None:
    sandbox.idle()
    assert sandbox.restored() == []
    assert sandbox.events(EventKind.DAMAGED) == []
    if row["tool"] != "memory" or row["expect"] == "block":
        assert sandbox.text() == CANONICAL
