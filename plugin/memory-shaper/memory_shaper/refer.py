"""Names resolve: the bare name of an indexed or archived topic in a read becomes the path of its file. Shell."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import names
from .settings import Home

_READS = ("read", "view", "open", "cat")
_KEYS = ("path", "file_path", "filePath", "file", "filename")


def resolved(tool: str, args: Any, home: Home, cwd: str | None) -> dict[str, Any] | None:
    """The arguments of a read with the topic's absolute path in them, None where nothing is to be changed.

    A name is taken for a topic where no such file is to be found from the working folder, and the memories folder or
    its archive holds it.
    """
    if not isinstance(args, Mapping) or not _reads(tool):
        return None
    changed = {
        key: found
        for key in _KEYS
        if isinstance(value := args.get(key), str) and (found := topic_path(value, home, cwd)) is not None
    }
    return {**args, **changed} if changed else None


def _reads(tool: str) -> bool:
    parts = tool.lower().replace("-", "_").split("_")
    return any(word in parts for word in _READS) and "terminal" not in parts


def topic_path(path: str, home: Home, cwd: str | None) -> str | None:
    """The absolute path of the topic that a relative path can only mean, None for any other path."""
    name = names.bare(path.strip(), home.path.name)
    if not name or names.same(name)[-3:] != ".md":
        return None
    if os.path.exists(os.path.join(cwd or os.getcwd(), path)):
        return None
    for folder in (home.memories, home.archive):
        if found := _in(folder, name):
            return str(found)
    return None


def _in(folder: Path, name: str) -> Path | None:
    path = folder / name
    if path.is_file():
        return path
    wanted = names.same(name)
    try:
        with os.scandir(folder) as found:
            twin = next((item.name for item in found if names.same(item.name) == wanted), None)
    except OSError:
        return None
    return folder / twin if twin else None
