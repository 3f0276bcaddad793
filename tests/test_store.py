"""Reading and writing markdown: bytes, modes and links are kept, and nothing is written over somebody's change."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
from pathlib import Path

import pytest
from memory_shaper import store
from memory_shaper.errors import Busy, MemoryShaperError, Missing, ReadOnly, Unreadable
from record_tools import output, start

HOLDER = """
import sys
from pathlib import Path
from memory_shaper import store
with store.locked(Path(sys.argv[1])):
    print("ready", flush=True)
    sys.stdin.readline()
"""
FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from memory_shaper import store
from memory_shaper.errors import Unreadable
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    store.write(Path(sys.argv[1]), b"x" * 100_000, b"old")
except Unreadable as error:
    print(error.code, "cannot be written" in str(error))
"""


def put(path: Path, data: bytes = b"old", mode: int = 0o600) -> Path:
    """A file with that content and mode."""
    path.write_bytes(data)
    path.chmod(mode)
    return path


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("data", [b"", b"a\r\nb\rc\n", b"\xef\xbb\xbfa", "é→\u2028".encode(), b"\x00"])
def test_bytes_are_kept(tmp_path: Path, data: bytes) -> None:
    """What is read is what is on disk, and what is written is what was given, line ends and all."""
    path = put(tmp_path / "a.md")
    store.write(path, data, b"old")
    found = store.read(path)
    assert (data, data.decode()) == (found.data, found.text)
    assert store.identify(path) == found.identity


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o660, 0o444, 0o644])
def test_mode_is_kept(tmp_path: Path, mode: int) -> None:
    """A rewritten file is neither more nor less open than before."""
    path = put(tmp_path / "a.md", mode=mode)
    store.write(path, b"new", b"old")
    assert mode == mode_of(path)


def test_new_file_is_private(tmp_path: Path) -> None:
    """A file that was not there gets mode 0600."""
    store.write(tmp_path / "a.md", b"new", None)
    assert mode_of(tmp_path / "a.md") == 0o600


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files away")
def test_owner_is_kept(tmp_path: Path) -> None:
    """Rewriting another user's file as root leaves it that user's."""
    path = put(tmp_path / "a.md")
    os.chown(path, 1234, 2345)
    store.write(path, b"new", b"old")
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 2345)


def test_links_are_followed(tmp_path: Path) -> None:
    """A linked index stays a link, also through two links; the file it leads to is rewritten."""
    put(tmp_path / "real.md")
    (tmp_path / "middle.md").symlink_to("real.md")
    (tmp_path / "link.md").symlink_to(tmp_path / "middle.md")
    store.write(tmp_path / "link.md", b"new", b"old")
    assert (tmp_path / "link.md").is_symlink() and (tmp_path / "middle.md").is_symlink()
    assert (tmp_path / "real.md").read_bytes() == b"new"


def test_folder_link_is_followed(tmp_path: Path) -> None:
    """An index in a linked folder is rewritten where it really is, and nothing is left beside it."""
    (tmp_path / "vault").mkdir()
    put(tmp_path / "vault" / "a.md")
    (tmp_path / "memories").symlink_to(tmp_path / "vault")
    store.write(tmp_path / "memories" / "a.md", b"new", b"old")
    assert os.listdir(tmp_path / "vault") == ["a.md"]


@pytest.mark.parametrize(("there", "expected"), [(b"other", b"old"), (None, b"old"), (b"other", None)])
def test_somebody_elses_change_is_kept(tmp_path: Path, there: bytes | None, expected: bytes | None) -> None:
    """A file that is not what the caller read is not replaced."""
    path = tmp_path / "a.md"
    if there is not None:
        put(path, there)
    with pytest.raises(Busy, match="changed meanwhile"):
        store.write(path, b"new", expected)
    assert there == store.read_bytes(path)


def test_missing_is_not_unreadable(tmp_path: Path) -> None:
    """No file is Missing, or None where that is asked for; a folder in its place is unreadable."""
    with pytest.raises(Missing):
        store.read(tmp_path / "a.md")
    assert (
        store.read_if_there(tmp_path / "a.md"),
        store.read_bytes(tmp_path / "a.md"),
        store.identify(tmp_path / "a.md"),
    ) == (None, None, None)
    for read in (store.read, store.read_if_there, store.read_bytes):
        with pytest.raises(Unreadable, match="nothing was changed"):
            read(tmp_path)


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    """A byte that is not UTF-8 is named with its line."""
    path = put(tmp_path / "a.md", b"one\ntwo \xff\n")
    with pytest.raises(Unreadable, match=r"a\.md:2: byte 8 is not UTF-8"):
        store.read(path)


def test_listing_tells_files_from_folders(tmp_path: Path) -> None:
    """A folder named like a topic is no file; links count as what they lead to; no folder is an error."""
    put(tmp_path / "a.md")
    (tmp_path / "d.md").mkdir()
    (tmp_path / "l.md").symlink_to("d.md")
    (tmp_path / "gone.md").symlink_to("nowhere")
    found = store.list_folder(tmp_path)
    assert ({"a.md", "gone.md"}, {"d.md", "l.md"}) == (found.files, found.folders)
    for path in (tmp_path / "none", tmp_path / "a.md"):
        with pytest.raises(Missing):
            store.list_folder(path)


def test_lock_is_the_hosts(tmp_path: Path) -> None:
    """The lock is the file beside the index that the host locks, private, and free again after use."""
    for _ in range(2):
        with store.locked(tmp_path / "MEMORY.md"):
            assert os.listdir(tmp_path) == ["MEMORY.md.lock"]
    assert mode_of(tmp_path / "MEMORY.md.lock") == 0o600


def held(index: Path) -> subprocess.Popen[str]:
    """Another process that holds the lock."""
    process = start(HOLDER, str(index))
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    return process


def test_a_held_lock_is_busy(tmp_path: Path) -> None:
    """While another process holds the lock we give up as busy, and get it when that one lets go."""
    process = held(tmp_path / "MEMORY.md")
    with pytest.raises(Busy, match="another program"), store.locked(tmp_path / "MEMORY.md", 0.05):
        pytest.fail("the lock was given twice")
    assert store.LOCK_SECONDS == 2.0
    process.communicate("go\n")
    with store.locked(tmp_path / "MEMORY.md", 0.05):
        assert process.returncode == 0


def test_a_killed_holder_lets_go(tmp_path: Path) -> None:
    """A process that is killed leaves no lock behind."""
    process = held(tmp_path / "MEMORY.md")
    process.send_signal(signal.SIGKILL)
    process.communicate()
    with store.locked(tmp_path / "MEMORY.md", 0.05):
        assert process.returncode == -signal.SIGKILL


def test_a_lock_that_is_a_link_is_refused(tmp_path: Path) -> None:
    """A link in place of the lock file is not followed."""
    (tmp_path / "MEMORY.md.lock").symlink_to(tmp_path / "victim")
    with pytest.raises(MemoryShaperError), store.locked(tmp_path / "MEMORY.md"):
        pytest.fail("a link was locked")
    assert not (tmp_path / "victim").exists()


def test_no_folder_no_lock(tmp_path: Path) -> None:
    """Without the folder there is no lock, and the folder is not made."""
    with pytest.raises(Missing), store.locked(tmp_path / "none" / "MEMORY.md"):
        pytest.fail("locked in a missing folder")
    assert not (tmp_path / "none").exists()


def test_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    """A write that does not fit leaves the old bytes and no temporary file."""
    path = put(tmp_path / "a.md")
    assert output(start(FULL_DISK, str(path))) == "2 True\n"
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"old", ["a.md"])


@pytest.fixture
def read_only(tmp_path: Path) -> Path:
    """A folder that nobody can write to: a read-only mount for root, a mode for everybody else."""
    folder = tmp_path / "ro"
    folder.mkdir()
    put(folder / "MEMORY.md")
    if os.geteuid() == 0:
        if subprocess.run(["mount", "--bind", folder, folder], capture_output=True, check=False).returncode:
            pytest.skip("root cannot mount here")
        done = subprocess.run(["mount", "-o", "remount,bind,ro", folder], capture_output=True, check=False)
        if done.returncode:
            subprocess.run(["umount", folder], check=True)
            pytest.skip("root cannot mount read-only here")
    else:
        folder.chmod(0o555)
    yield folder  # type: ignore[misc]
    if os.geteuid() == 0:
        subprocess.run(["umount", folder], check=True)
    else:
        folder.chmod(0o755)


def test_read_only(read_only: Path) -> None:
    """On a read-only file system reading works, and writing or locking says read-only (exit code 4)."""
    index = read_only / "MEMORY.md"
    assert store.read(index).data == b"old"
    with pytest.raises(ReadOnly, match="read-only"):
        store.write(index, b"new", b"old")
    with pytest.raises(ReadOnly) as caught, store.locked(index):
        pytest.fail("locked")
    assert caught.value.code == 4


@pytest.mark.parametrize(
    ("number", "kind"),
    [(errno.EROFS, ReadOnly), (errno.EACCES, ReadOnly), (errno.EPERM, ReadOnly), (errno.ENOSPC, Unreadable)],
)
def test_kind_of_failure(number: int, kind: type[Exception]) -> None:
    """What the system refuses for want of rights is read-only, all else unreadable; both say that nothing changed."""
    error = store.failed(Path("a.md"), OSError(number, "why"))
    assert (kind, True) == (type(error), "nothing changed" in str(error))
