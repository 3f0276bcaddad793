"""One archive with the truth of a home: packed, looked through before anything of it is believed, unpacked. Shell.

    manifest.json          format, version, moment, size and digest and time of each file, questions with their answers
    memories/…             every file of the memories folder, its sub-folders and the archive included
    record.db              a whole copy of the record
    data/NAME              tables that the user has put beside the record; no code, no database, nothing of ours

A `.zip` or a `.tar.gz`; no sidecar, which is built again. Only plain names of plain files are taken out of one: no
links, no paths that lead elsewhere, nothing that the manifest does not name with this content.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import stat
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from .. import __version__, names, store
from ..errors import Refused, Unreadable, Usage
from ..privacy.given import plain, rules_of
from ..privacy.rules import NO_RULES, Rules
from ..settings import PATTERNS

FORMAT = 1
MANIFEST = "manifest.json"
RECORD = "record.db"
MEMORIES = "memories/"
DATA = "data/"
TABLES = (".txt", ".tsv", ".csv", ".yaml", ".yml")  # the endings of tables; a restore must not plant anything that runs
_MOST_FILES = 200_000
_MOST_BYTES = 4_000_000_000  # unpacked, so that a small file cannot fill the disk
_WRONG = "this is no whole backup of memory-shaper"


@dataclass(frozen=True, slots=True)
class Packed:
    """A file in an archive: its bytes, and when it was changed (ns since 1970)."""

    data: bytes
    mtime: int


@dataclass(frozen=True, slots=True)
class Backup:
    """What an archive holds: files by their name in it, settings by name, the cap, questions with the names of the
    notes that answered them, and the rules about what is kept."""

    files: Mapping[str, Packed]
    settings: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    cap: int | None = None
    queries: tuple[tuple[str, tuple[str, ...]], ...] = ()
    made_at: str = ""
    rules: Rules = NO_RULES


def write(path: Path, backup: Backup) -> int:
    """Write an archive at a new place, readable by its owner only; its size in bytes.

    Raises Usage for another ending than .zip, .tar.gz or .tgz, Refused where the file exists.
    """
    pack = _packer(path)
    if os.path.lexists(path):
        raise Refused(f"{path}: the file exists, and a backup overwrites nothing; choose another name")
    files = {MANIFEST: Packed(_manifest(backup), 0), **dict(sorted(backup.files.items()))}
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                pack(file, files)
                file.flush()
                os.fsync(file.fileno())
            _link(temporary, path)
        finally:
            Path(temporary).unlink(missing_ok=True)
        return path.stat().st_size
    except OSError as error:
        raise store.failed(path, error) from error


def _link(temporary: str, path: Path) -> None:
    try:
        os.link(temporary, path)
    except FileExistsError as error:
        raise Refused(f"{path}: the file has appeared, and a backup overwrites nothing") from error
    except (OSError, NotImplementedError):  # a file system without hard links
        os.replace(temporary, path)


def _manifest(backup: Backup) -> bytes:
    rows = {
        name: {"sha256": hashlib.sha256(file.data).hexdigest(), "size": len(file.data), "mtime": file.mtime}
        for name, file in sorted(backup.files.items())
    }
    value = {
        "format": FORMAT,
        "version": __version__,
        "made_at": backup.made_at or datetime.now(UTC).isoformat(),
        "settings": dict(backup.settings),
        "rules": plain(backup.rules),
        "cap": backup.cap,
        "queries": [{"query": query, "names": list(found)} for query, found in backup.queries],
        "files": rows,
    }
    return json.dumps(value, indent=1, sort_keys=True).encode()


Pack = Callable[[io.BufferedWriter, Mapping[str, Packed]], None]


def _packer(path: Path) -> Pack:
    if path.name.endswith(".zip"):
        return _zip
    if path.name.endswith((".tar.gz", ".tgz")):
        return _tar
    raise Usage(f"{path.name}: a backup is a file that ends in .zip, .tar.gz or .tgz")


def _zip(file: io.BufferedWriter, files: Mapping[str, Packed]) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, one in files.items():
            row = zipfile.ZipInfo(name)
            row.compress_type = zipfile.ZIP_DEFLATED
            row.external_attr = (stat.S_IFREG | 0o600) << 16
            packed.writestr(row, one.data)


def _tar(file: io.BufferedWriter, files: Mapping[str, Packed]) -> None:
    with tarfile.open(fileobj=file, mode="w:gz", format=tarfile.PAX_FORMAT, compresslevel=6) as packed:
        for name, one in files.items():
            row = tarfile.TarInfo(name)
            row.size, row.mode, row.mtime = len(one.data), 0o600, one.mtime // 10**9
            packed.addfile(row, io.BytesIO(one.data))


def read(path: Path) -> Backup:
    """Read an archive whole and prove it against its manifest; nothing is written.

    Raises Missing, Unreadable for a file that is no whole backup, Refused for one that holds what a backup never does.
    """
    if not path.exists():
        store.read(path)  # raises, with the name
    try:
        files = dict(_members(path))
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError, ValueError, NotImplementedError) as error:
        raise Unreadable(f"{path}: {_WRONG} ({type(error).__name__})") from error
    except RuntimeError as error:  # zipfile says so of an encrypted one
        raise Unreadable(f"{path}: {_WRONG}, or it is encrypted") from error
    return _proved(path, files)


def _members(path: Path) -> Iterator[tuple[str, bytes]]:
    left = _Left(path)
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as packed:
            for row in packed.infolist():
                kind = stat.S_IFMT(row.external_attr >> 16)
                left.take(row.filename, row.file_size, kind in (0, stat.S_IFREG) and not row.is_dir())
                yield row.filename, packed.read(row)
        return
    with tarfile.open(path, "r:gz") as unpacked:
        for member in unpacked:
            left.take(member.name, member.size, member.isreg())
            found = unpacked.extractfile(member)
            yield member.name, found.read() if found else b""


@dataclass(slots=True)
class _Left:
    """What an archive may still hold. `take` raises Refused for what no backup holds."""

    path: Path
    files: int = _MOST_FILES
    size: int = _MOST_BYTES
    seen: set[str] = field(default_factory=set)
    folders: set[str] = field(default_factory=set)

    def take(self, name: str, size: int, plain: bool) -> None:
        self.files -= 1
        self.size -= size
        if fault := _fault(name, plain):
            raise Refused(f"{self.path}: the member {name[:80]!r} {fault}; nothing was restored")
        if self.files < 0 or self.size < 0:
            raise Refused(f"{self.path}: unpacked it is larger than any backup; nothing was restored")
        same = names.same(name)
        if same in self.seen:
            raise Refused(f"{self.path}: two members have the name {name[:80]!r}; nothing was restored")
        self.seen.add(same)
        above = {same[:at] for at, sign in enumerate(same) if sign == "/"}
        self.folders |= above
        if same in self.folders or not above.isdisjoint(self.seen):
            raise Refused(f"{self.path}: {name[:80]!r} meets a file where it needs a folder; nothing was restored")


def _fault(name: str, plain: bool) -> str:
    if not plain:
        return "is no plain file"
    parts = name.split("/")
    if not name.isprintable() or "\\" in name or ":" in parts[0] or any(part in ("", ".", "..") for part in parts):
        return "has a name that leads elsewhere"
    inside = name.startswith(MEMORIES) and len(parts) > 1
    beside = name.startswith(DATA) and len(parts) == 2 and name.endswith(TABLES)
    if not (inside or beside or name in (MANIFEST, RECORD)) or any(part.startswith(".") for part in parts):
        return "does not belong into a backup"
    return ""


def _proved(path: Path, files: dict[str, bytes]) -> Backup:
    try:
        manifest = json.loads(files.pop(MANIFEST))
        if manifest["format"] != FORMAT:
            raise Unreadable(f"{path}: this backup has format {manifest['format']!r}; upgrade memory-shaper")
        rows = {str(name): (row["sha256"], _time(row["mtime"])) for name, row in manifest["files"].items()}
        queries = tuple((str(row["query"]), tuple(map(str, row["names"]))) for row in manifest["queries"])
        settings = {str(name): _scalar(value) for name, value in manifest["settings"].items()}
        cap = None if manifest["cap"] is None else int(manifest["cap"])
        made_at = str(manifest["made_at"])
        rules = rules_of(**{name: manifest.get("rules", {}).get(name) for name in PATTERNS})
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError, RecursionError) as error:
        raise Unreadable(f"{path}: {_WRONG} (its manifest cannot be read)") from error
    if rows.keys() != files.keys():
        raise Unreadable(f"{path}: {_WRONG} ({len(rows.keys() ^ files.keys())} files are missing or too many)")
    if changed := [name for name, data in files.items() if hashlib.sha256(data).hexdigest() != rows[name][0]]:
        raise Unreadable(f"{path}: {_WRONG} ({changed[0][:80]!r} is not what was packed)")
    packed = {name: Packed(data, rows[name][1]) for name, data in files.items()}
    return Backup(packed, settings, cap, queries, made_at, rules)


def _time(value: object) -> int:
    """A time of a file in nanoseconds since 1970, of the years 1678 to 2261, which every system can set."""
    if isinstance(value, int) and abs(value) < 2**63:
        return value
    raise ValueError("a time of no file")


def _scalar(value: object) -> str | int | float | bool:
    if isinstance(value, str | int | float):
        return value
    raise TypeError("a setting is no plain value")
