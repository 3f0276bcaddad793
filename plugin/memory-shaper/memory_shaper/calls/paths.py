"""Path arithmetic on text alone: no disk is asked and no link is followed. Pure."""

from __future__ import annotations

import ntpath
import posixpath
import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from .effects import World

MAX_PATH = 32_768
"""Longest text, in characters, that is taken for a path."""

_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)\})", re.ASCII)


def absolute(path: str, cwd: str | None) -> str | None:
    """The path made absolute and lexically normalised; None where it is empty, broken or its folder is unknown."""
    if not path or "\0" in path or len(path) > MAX_PATH:
        return None
    if _DRIVE.match(path):
        return ntpath.normpath(path)
    if not path.startswith("/"):
        if cwd is None:
            return None
        path = posixpath.join(cwd, path)
    return posixpath.normpath("/" + path.lstrip("/"))


def expand_user(path: str, env: Mapping[str, str]) -> str:
    """`~` and `~/…` with HOME; another user's home stays as it is written."""
    home = env.get("HOME", "")
    if home and (path == "~" or path.startswith("~/")):
        return home + path[1:]
    return path


def expand_variables(path: str, env: Mapping[str, str]) -> str:
    """`$NAME` and `${NAME}` by the environment; an unset one stays as it is written."""
    return _VARIABLE.sub(lambda hit: env.get(hit[1] or hit[2], hit[0]), path)


def without_scheme(path: str) -> str:
    """The path that a `file:` address names, its %-escapes read; other text unchanged."""
    if path[:5].lower() != "file:":
        return path
    rest = path[5:]
    if rest.startswith("//"):
        host, slash, tail = rest[2:].partition("/")
        rest = slash + tail if host in ("", "localhost") else rest
    return unquote(rest)


def files_below(world: World, folder: str, limit: int) -> Iterator[str]:
    """At most `limit` paths of what lies below a folder, folders included, breadth first."""
    waiting = [folder]
    for at in waiting:
        for name in world.names(at):
            if limit <= 0:
                return
            limit -= 1
            path = posixpath.join(at, name)
            yield path
            if world.is_folder(path):
                waiting.append(path)
