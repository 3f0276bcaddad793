"""Absolute, lexically normalised paths of both worlds; no disk is asked."""

from __future__ import annotations

import ntpath
import posixpath
import re

_DRIVE = re.compile(r"[A-Za-z]:")
_OWN_FOLDER = re.compile(r"/+proc/+(?:self|thread-self)/+cwd(?=/|\Z)")


def absolute(path: str, cwd: str | None) -> str | None:
    r"""The path as an absolute one, seen from `cwd`; None where that cannot be known.

    A folder such as `C:\Users` makes it a Windows path. `/proc/self/cwd` is the folder itself.

    >>> absolute("../b", "/x/a")
    '/x/b'
    >>> absolute(r"..\b", r"C:\x\a")
    'C:\\x\\b'
    """
    if "\0" in path or not path:
        return None
    windows = _DRIVE.match(cwd) if cwd else None
    if windows:
        return ntpath.normpath(ntpath.join(cwd or "", path))
    if path[0] == "/":
        found = _OWN_FOLDER.match(path)
        if not found:
            return _normal(path)
        path = "." + path[found.end() :]
    return _normal(posixpath.join(cwd, path)) if cwd else None


def _normal(path: str) -> str:
    normal = posixpath.normpath(path)
    return normal[1:] if normal.startswith("//") else normal


def join(folder: str, name: str) -> str:
    """A name in a folder; an absolute name stays as it is, an unknown folder stays unknown."""
    return posixpath.join(folder, name) if folder else name


def base(path: str) -> str:
    """The last name of a path, trailing slashes ignored."""
    return path.rstrip("/").rpartition("/")[2]
