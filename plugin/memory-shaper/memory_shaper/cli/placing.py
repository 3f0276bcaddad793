"""Putting files into a home and taking them out again: planned as values first, then carried out. Shell."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .. import store
from ..errors import Refused
from ..settings import Home
from .parts import PLUGIN, SKILL, Part, is_source, parts, root_of
from .receipt import Receipt

_REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class Placing:
    """One file of a home gets a new content; None means absent, before or after.

    `foreign` says that what stands there is not as we installed it: a copy of it is kept.
    """

    target: str
    before: bytes | None
    after: bytes | None
    foreign: bool = False

    @property
    def action(self) -> str:
        """What happens, in one word."""
        return "create" if self.before is None else "remove" if self.after is None else "replace"


def wanted(home: Home) -> list[Part]:
    """The files that belong into this home. Raises Refused where a folder of ours is a link to somewhere else."""
    linked = is_source(home)
    for place in (PLUGIN, SKILL):
        if (home.path / place).is_symlink() and not (linked and place == PLUGIN):
            raise Refused(f"{home.path / place}: is a link, and nothing is installed through it; remove the link first")
    return [part for part in parts() if not (linked and part.target.startswith(f"{PLUGIN}/"))]


def to_install(home: Home, receipt: Receipt, found: Collection[Part]) -> list[Placing]:
    """What has to be written, and what an older version left behind. Raises Unreadable."""
    steps = []
    for part in found:
        before, after = store.read_bytes(home.path / part.target), part.content()
        if before != after:
            ours = before is None or store.digest(before) == receipt.files.get(part.target)
            steps.append(Placing(part.target, before, after, foreign=not ours))
    for target in sorted(receipt.files.keys() - kept_from(receipt, found) - {part.target for part in found}):
        before = store.read_bytes(home.path / target)
        if before is not None and store.digest(before) == receipt.files[target]:
            steps.append(Placing(target, before, None))
    return steps


def kept_from(receipt: Receipt, found: Collection[Part]) -> set[str]:
    """The installed files of parts that are not at hand now: they are nothing that an older version left behind."""
    roots = {root_of(part.target) for part in found}
    return {target for target in receipt.files if root_of(target) not in roots}


def to_remove(home: Home, receipt: Receipt, found: Iterable[Part]) -> tuple[list[Placing], list[str]]:
    """What `--uninstall` takes away, and the files that somebody has changed since, which stay."""
    ours = {part.target: {store.digest(part.content())} for part in found}
    for target, digest in receipt.files.items():
        ours.setdefault(target, set()).add(digest)
    steps, left = [], []
    linked = (home.path / PLUGIN).is_symlink()  # what lies behind a link is not of this home
    for target, digests in sorted(ours.items()):
        if linked and root_of(target) == PLUGIN:
            continue
        before = store.read_bytes(home.path / target)
        if before is not None and store.digest(before) in digests:
            steps.append(Placing(target, before, None))
        elif before is not None:
            left.append(target)
    return steps, left


def new_folders(home: Home, targets: Iterable[str]) -> list[str]:
    """The folders that have to be made for some places, from the outside in."""
    found: dict[str, None] = {}
    for target in targets:
        for parent in reversed(Path(target).parents[:-1]):
            if parent.as_posix() not in found and not (home.path / parent).is_dir():
                found[parent.as_posix()] = None
    return list(found)


def kept(step: Placing) -> str:
    """Where, below the folder of the record, the copy of a replaced file is kept."""
    return f"{_REPLACED}/{step.target}.{store.digest(step.before or b'')[:8]}"


def carry_out(home: Home, steps: Iterable[Placing]) -> None:
    """Do it, file by file. Raises ReadOnly or Unreadable; a second run does the rest."""
    for step in steps:
        path = home.path / step.target
        try:
            if step.foreign and step.before is not None:
                _put(home.data / kept(step), step.before)
            if step.after is None:
                path.unlink(missing_ok=True)
            else:
                _put(path, step.after)
        except OSError as error:
            raise store.failed(path, error) from error


def _put(path: Path, data: bytes) -> None:
    # Nothing here is the only copy of anything, so nothing waits for the disk.
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_bytes(data)
    os.replace(fresh, path)


def clear_folders(home: Home, folders: Iterable[str], steps: Iterable[Placing]) -> None:
    """Remove the folders that are ours and empty by now, the compiled code of removed modules included."""
    mine = {*folders, *_inside(steps)}
    for folder in sorted(mine, key=lambda name: name.count("/"), reverse=True):
        path = home.path / folder
        if path.is_symlink() or not path.is_dir():
            continue
        with suppress(OSError):  # it is not empty, so it is still wanted
            if folder.startswith(PLUGIN):
                _drop_compiled(path / "__pycache__")
            path.rmdir()


def _inside(steps: Iterable[Placing]) -> Iterator[str]:
    for step in steps:
        for parent in map(Path.as_posix, Path(step.target).parents):
            if any(f"{parent}/".startswith(f"{root}/") for root in (PLUGIN, SKILL)):
                yield parent


def _drop_compiled(cache: Path) -> None:
    if cache.is_dir():
        for compiled in cache.glob("*.pyc"):
            compiled.unlink()
        cache.rmdir()
