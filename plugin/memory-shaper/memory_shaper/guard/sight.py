"""A guarded file as it is found, and bringing it back to what it was: bytes, mode, owner, link. Shell."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from dataclasses import dataclass, field
from pathlib import Path

from .. import store
from ..errors import Unreadable
from ..model import Identity


@dataclass(frozen=True, slots=True)
class Shape:
    """What a file is besides its bytes: permission bits, owner and group, and where its link leads (None: no link)."""

    mode: int | None = None
    owner: tuple[int, int] | None = None
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Sight:
    """A file as it is found; `data` None means that no file is there. `odd`: something is there that is no file.

    `changed` is when it became so in Unix seconds, by the time of change, which no program can set.
    """

    identity: Identity | None = None
    data: bytes | None = None
    shape: Shape = field(default_factory=Shape)
    odd: bool = False
    changed: float = 0.0


def see(path: Path) -> Sight:
    """Look at a file. What is no regular file is never opened: a pipe would wait, a device would not end.

    Raises Unreadable where there is something that this process may not look at.
    """
    link = _link(path)
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode):
            return Sight(_identity(found), odd=True, shape=Shape(link=link), changed=_since(path))
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return Sight(odd=link is not None, shape=Shape(link=link), changed=_since(path))
    except OSError as error:
        if error.errno == errno.ELOOP:
            return Sight(odd=True, shape=Shape(link=link), changed=_since(path))
        raise Unreadable(f"{path}: cannot be read ({error.strerror}); nothing was changed") from error
    shape = Shape(stat.S_IMODE(found.st_mode), (found.st_uid, found.st_gid), link)
    return Sight(_identity(found), data, shape, changed=found.st_ctime)


def _since(path: Path) -> float:
    """When something that is no file came to be at a path, or when its folder last changed."""
    for place in (path, path.parent, path.parent.parent):
        with contextlib.suppress(OSError):
            return place.lstat().st_ctime
    return time.time()


def _identity(found: os.stat_result) -> Identity:
    return Identity(found.st_mtime_ns, found.st_size, found.st_ino)


def _link(path: Path) -> str | None:
    try:
        return os.readlink(path)
    except OSError:
        return None


def put_back(path: Path, data: bytes, shape: Shape) -> Sight:
    """Make a file what it was. A folder in its place is moved aside, a link that was not there is taken away.

    The caller holds the lock. Raises Busy, ReadOnly or Unreadable.
    """
    try:
        _make_way(path, shape.link)
    except OSError as error:
        raise store.failed(path, error) from error
    store.write(path, data, store.read_bytes(path))
    with contextlib.suppress(PermissionError):  # only root may give files away
        if shape.owner is not None and hasattr(os, "chown"):
            os.chown(path, *shape.owner)
    with contextlib.suppress(PermissionError):
        if shape.mode is not None:
            os.chmod(path, shape.mode)
    return see(path)


def _make_way(path: Path, link: str | None) -> None:
    if _link(path) != link and os.path.lexists(path):
        _take_away(path)
    if link is not None and not os.path.lexists(path):
        os.symlink(link, path)
    real = Path(os.path.realpath(path))
    if os.path.lexists(real) and not real.is_file():
        _take_away(real)


def _take_away(path: Path) -> None:
    if path.is_symlink() or not path.is_dir():
        path.unlink()
        return
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.moved-{number}")):
        number += 1
    path.rename(aside)
