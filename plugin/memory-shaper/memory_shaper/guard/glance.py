"""A first glance at a shell command: can it touch anything of ours at all? Most cannot, and need no reader. Shell.

Where the glance is wrong about a command, the look at the files after the call still finds what it did.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass, field

_LONGEST = 4000  # characters; a longer command is read
_MOST_NAMES = 2000  # names in a folder; a fuller folder is not kept in mind
# What could reach a guarded file without its name being seen: what the shell fills in, programs that carry commands.
_FILLED_IN = re.compile(r"[$`~*?\[\]{}\\\x00]|\.\.|<<")
_NAMES = ("memor", "hermes", ".md", "/proc/")
_CARRIERS = frozenset(
    """
    cd pushd eval exec source . ln find xargs parallel git tar unzip 7z cpio rsync env sudo doas nohup setsid at batch
    crontab watch ssh su busybox flock script sh bash zsh dash ksh fish python uv perl ruby node deno bun php lua
    awk gawk sed ed ex vi vim nvim nano emacs tee mount umount chroot docker systemd-run
    """.split()
)
_WORDS = re.compile(r"[^\s'\"|&;<>()=,:]+")
_SCRIPTS = (".sh", ".bash", ".py", ".rb", ".pl", ".js", ".php")


@dataclass(slots=True)
class Glance:
    """What is kept in mind between commands: of each working folder the names that a command may not use unread."""

    roots: tuple[str, ...]
    folders: dict[str, tuple[int, frozenset[str] | None]] = field(default_factory=dict)

    def elsewhere(self, command: object, cwd: str | None) -> bool:
        """Whether a command can do nothing to a guarded file, as far as a glance tells."""
        if not isinstance(command, str) or cwd is None or len(command) > _LONGEST or _FILLED_IN.search(command):
            return False
        words = _WORDS.findall(command)
        folded = command.lower()
        if any(name in folded for name in _NAMES) or not _CARRIERS.isdisjoint(map(_program, words)):
            return False
        if any(_related(cwd, root) for root in self.roots):
            return False
        special = self._special(cwd)
        if special is None or not special.isdisjoint(words):
            return False
        return not any(_is_special(word) for word in words if "/" in word)

    def _special(self, folder: str) -> frozenset[str] | None:
        """The names in a folder that are links, hard links or programs; None where there are too many to look at."""
        try:
            changed = os.stat(folder).st_mtime_ns
        except OSError:
            return None
        known = self.folders.get(folder)
        if known is None or known[0] != changed:
            known = (changed, _listed(folder))
            self.folders[folder] = known
        return known[1]


def _program(word: str) -> str:
    """A word as the name of a program: without its folder, and without a version at its end (python3.12)."""
    return word.rpartition("/")[2].rstrip("0123456789.") or word


def _related(cwd: str, root: str) -> bool:
    return cwd == root or cwd.startswith(root + os.sep) or root.startswith(cwd.rstrip(os.sep) + os.sep)


def _listed(folder: str) -> frozenset[str] | None:
    found: list[str] = []
    try:
        with os.scandir(folder) as items:
            for number, item in enumerate(items):
                if number >= _MOST_NAMES:
                    return None
                if item.name.endswith(_SCRIPTS) or _special_mode(item.stat(follow_symlinks=False)):
                    found.append(item.name)
    except OSError:
        return None
    return frozenset(found)


def _special_mode(found: os.stat_result) -> bool:
    if stat.S_ISREG(found.st_mode):
        return found.st_nlink > 1 or bool(found.st_mode & 0o111)
    return stat.S_ISLNK(found.st_mode)


def _is_special(path: str) -> bool:
    try:
        return path.endswith(_SCRIPTS) or _special_mode(os.lstat(path))
    except (OSError, ValueError):
        return False
