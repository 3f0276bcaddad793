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
_UNCLEAR = re.compile(r"[$`~*?\[\]{}\\\x00]|\.\.|<<")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
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
    real: dict[str, bool] = field(default_factory=dict)  # of a folder: whether it is, holds or lies in a place of ours

    def elsewhere(self, command: object, cwd: str | None) -> bool:
        """Whether a command can do nothing to a guarded file, as far as a glance tells."""
        if not isinstance(command, str) or cwd is None or len(command) > _LONGEST or _UNCLEAR.search(command):
            return False
        if any("/" in part and " " in part for part in _QUOTED.findall(command)):
            return False  # a path with a blank in it, whose words cannot be told apart here
        bare = command.replace("'", "").replace('"', "")  # as the shell does it: MEM"ORY" is MEMORY
        folded = bare.lower()
        if any(name in folded for name in _NAMES):
            return False
        words = set(_WORDS.findall(bare))
        if not _CARRIERS.isdisjoint(map(_program, words)):
            return False
        special = self._special(cwd)
        if special is None or any(name in words or (" " in name and name in bare) for name in special):
            return False
        return not any(self._reaches(os.path.join(cwd, word)) for word in words if "/" in word)

    def _related(self, path: str) -> bool:
        """Whether a path is, holds or lies in a place of ours."""
        return any(_below(path, root) or _below(root, path) for root in self.roots)

    def _reaches(self, path: str) -> bool:
        if _is_special(path):
            return True
        folder = os.path.dirname(path)
        if folder not in self.real or len(self.real) > _MOST_NAMES:
            self.real[folder] = self._related(os.path.realpath(folder))
        return self.real[folder] and self._related(os.path.realpath(path))

    def _special(self, folder: str) -> frozenset[str] | None:
        """The names in a folder that are links, hard links or programs; None where it is near ours, or has too many."""
        try:
            changed = os.stat(folder).st_mtime_ns
        except OSError:
            return None
        known = self.folders.get(folder)
        if known is None or known[0] != changed:
            known = (changed, None if self._related(os.path.realpath(folder)) else _listed(folder))
            self.folders[folder] = known
        return known[1]


_BENIGN = frozenset(("query", "q", "question", "goal", "title", "message", "prompt", "description", "url", "limit"))
_WORD = re.compile(r"[\w-]*")


def says_nothing(args: object) -> bool:
    """Whether the arguments of a tool name no file and hold no command: plain words, questions, web addresses."""
    if not isinstance(args, dict) or len(args) > 8:
        return False
    for key, value in args.items():
        if isinstance(value, str):
            plain = value.startswith("http") if key == "url" and ":" in value else key in _BENIGN
            if not plain and not _WORD.fullmatch(value):
                return False
        elif value is not None and not isinstance(value, int | float):
            return False
    return True


def _program(word: str) -> str:
    """A word as the name of a program: without its folder, and without a version at its end (python3.12)."""
    return word.rpartition("/")[2].rstrip("0123456789.") or word


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


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


def only_command(args: object) -> bool:
    """Whether the arguments of a terminal's call are a command for the folder where the terminal stands."""
    return isinstance(args, dict) and isinstance(args.get("command"), str) and not args.get("workdir")


def launch_folder() -> str | None:
    """The folder in which this process was started, None where it is gone."""
    try:
        return os.getcwd()
    except OSError:
        return None
