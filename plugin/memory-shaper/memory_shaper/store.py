"""Reading and writing markdown: bytes kept, links followed, under the host's own lock. Shell, the only writer."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .errors import Busy, Missing, ReadOnly, Unreadable
from .model import Folder, Identity

LOCK_SECONDS = 2.0
_READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)


@dataclass(frozen=True, slots=True)
class Document:
    """A markdown file as it was read: its exact bytes, the text they decode to (line ends kept), its identity."""

    path: Path
    data: bytes
    text: str
    identity: Identity

    @property
    def digest(self) -> str:
        return digest(self.data)


def digest(data: bytes) -> str:
    """The sha256 of some bytes, in hex."""
    import hashlib

    return hashlib.sha256(data).hexdigest()


def identify(path: Path) -> Identity | None:
    """The identity of a file, links followed; None where there is none."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _unreadable(path, error) from error
    return Identity(found.st_mtime_ns, found.st_size, found.st_ino)


def read(path: Path) -> Document:
    """Read a file whole.

    Raises Missing, or Unreadable for a file that is there and cannot be read or is not UTF-8 (the byte is named).
    """
    try:
        with open(path, "rb") as file:
            found = os.fstat(file.fileno())
            data = file.read()
    except FileNotFoundError as error:
        raise Missing(f"{path}: there is no such file") from error
    except OSError as error:
        raise _unreadable(path, error) from error
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Unreadable(f"{path}:{line}: byte {error.start} is not UTF-8; save the file as UTF-8") from error
    return Document(path, data, text, Identity(found.st_mtime_ns, found.st_size, found.st_ino))


def read_if_there(path: Path) -> Document | None:
    """Read a file, or None where there is none. Raises Unreadable."""
    try:
        return read(path)
    except Missing:
        return None


def _unreadable(path: Path, error: OSError) -> Unreadable:
    return Unreadable(f"{path}: cannot be read ({error.strerror or type(error).__name__}); nothing was changed")


def list_folder(path: Path) -> Folder:
    """The names in a folder. Raises Missing or Unreadable: a folder that cannot be listed is never an empty one."""
    files: set[str] = set()
    folders: set[str] = set()
    try:
        with os.scandir(path) as found:
            for item in found:
                (folders if _is_folder(item) else files).add(item.name)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise Missing(f"{path}: there is no such folder") from error
    except OSError as error:
        raise _unreadable(path, error) from error
    return Folder(frozenset(files), frozenset(folders))


def _is_folder(item: os.DirEntry[str]) -> bool:
    try:
        return item.is_dir()
    except OSError:  # a loop of links leads nowhere
        return False


def write(path: Path, data: bytes, expected: bytes | None) -> Identity:
    """Replace a file atomically: temporary file beside it, fsync, rename. Links are followed, mode and owner kept.

    `expected` are the bytes that the caller read, None for a file that must not exist yet; where the file is
    something else by now, nothing is written. A new file gets mode 0600. Raises Busy, ReadOnly or Unreadable.
    """
    real = Path(os.path.realpath(path))
    found = read_bytes(real)
    if found != expected:
        raise Busy(f"{path}: changed meanwhile; nothing was written, try again")
    try:
        _replace(real, data)
    except OSError as error:
        raise failed(path, error) from error
    written = identify(real)
    if written is None:
        raise Busy(f"{path}: vanished right after it was written; try again")
    return written


def read_bytes(path: Path) -> bytes | None:
    """The bytes of a file, None where there is none. Raises Unreadable."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _unreadable(path, error) from error


def failed(path: Path, error: OSError) -> ReadOnly | Unreadable:
    """The error to show for a write that the system refused."""
    if error.errno in _READ_ONLY:
        return ReadOnly(f"{path}: read-only ({error.strerror}); nothing changed")
    return Unreadable(f"{path}: cannot be written ({error.strerror or type(error).__name__}); nothing changed")


def _replace(real: Path, data: bytes) -> None:
    import tempfile

    mode, owner = 0o600, None
    with contextlib.suppress(FileNotFoundError):
        before = real.stat()
        mode, owner = stat.S_IMODE(before.st_mode), (before.st_uid, before.st_gid)
    handle, temporary = tempfile.mkstemp(dir=real.parent, prefix=".mem_", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            _dress(file.fileno(), temporary, mode, owner)
            os.fsync(file.fileno())
        os.replace(temporary, real)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
    sync_folder(real.parent)


def _dress(handle: int, temporary: str, mode: int, owner: tuple[int, int] | None) -> None:
    if hasattr(os, "fchown") and owner is not None and owner != (os.geteuid(), os.getegid()):
        with contextlib.suppress(PermissionError):  # only root may give files away; the mode is kept all the same
            os.fchown(handle, *owner)
    if hasattr(os, "fchmod"):
        os.fchmod(handle, mode)
    else:
        os.chmod(temporary, mode)


def sync_folder(folder: Path) -> None:
    """Make renames in a folder durable; where folders cannot be opened (Windows) the system does it by itself.

    The rename has happened by now: a file system that cannot flush a folder is no reason to say that it failed.
    """
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextlib.contextmanager
def locked(index: Path, seconds: float = LOCK_SECONDS) -> Iterator[None]:
    """Hold the host's own lock of an index (`MEMORY.md.lock`), waiting at most `seconds`; never nest it.

    Raises Busy where somebody else holds it longer, ReadOnly where the lock file cannot be made.
    """
    path = index.with_suffix(index.suffix + ".lock")
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        handle = os.open(path, flags, 0o600)
    except FileNotFoundError as error:
        raise Missing(f"{index.parent}: there is no such folder") from error
    except OSError as error:
        raise failed(path, error) from error
    try:
        try:
            _acquire(handle, index, time.monotonic() + seconds)
        except OSError as error:  # a file system that knows no locks
            raise failed(path, error) from error
        yield
    finally:
        os.close(handle)


def _acquire(handle: int, index: Path, deadline: float) -> None:
    while not _try_lock(handle):
        if time.monotonic() >= deadline:
            raise Busy(f"{index}: another program holds its lock; try again")
        time.sleep(0.01)


def _try_lock(handle: int) -> bool:
    try:
        import fcntl
    except ImportError:
        return _try_lock_windows(handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _try_lock_windows(handle: int) -> bool:
    import msvcrt

    try:
        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    except OSError:
        return False
    return True
