"""File names: which ones the index may hold, which belong to the system, to an editor or to a sync service. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import lru_cache

CONFIG = "config.yaml"
INDEX = "MEMORY.md"
USER = "USER.md"
ARCHIVE_INDEX = "archived-memories.md"
ARCHIVE_FOLDER = "archived memories"
SYSTEM = frozenset({INDEX, USER, ARCHIVE_INDEX})

_SYSTEM_FOLDED = frozenset(name.casefold() for name in SYSTEM)
_WINDOWS_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
_UNPORTABLE = re.compile(r'[<>:"|?*\x00-\x1f\x7f]')
_SIMPLE = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_+-]|\.(?!\.)){0,150}\.md")
_LONGEST_NAME = 200  # bytes; 255 is what file systems hold, the rest is room for suffixes of copies

_CONFLICT_COPIES = (
    re.compile(r"(?P<stem>.+?)\.sync-conflict-\d{8}-\d{6}(-[A-Z0-9]+)?(?P<ext>\.[^.]+)", re.IGNORECASE),  # Syncthing
    re.compile(r"(?P<stem>.+?) \([^()]*conflicted copy[^()]*\)(?P<ext>\.[^.]+)", re.IGNORECASE),  # Dropbox, Maestral
    re.compile(r"(?P<stem>.+?)[_-]conflict-\d{6,}[^.]*(?P<ext>\.[^.]+)", re.IGNORECASE),  # ownCloud, Nextcloud
    re.compile(r"(?P<stem>.+?) \([^()]*(?:conflict|冲突)[^()]*\)(?P<ext>\.[^.]+)", re.IGNORECASE),
    re.compile(r"(?P<stem>.+?) \d{1,2}(?P<ext>\.md)", re.IGNORECASE),  # Finder and iCloud: "deploy 2.md"
    re.compile(r"(?P<stem>.+?)[._-](?:BACKUP|BASE|LOCAL|REMOTE)[._-]\d+(?P<ext>\.[^.]+)"),  # git mergetool
)
_MAY_BE_COPY = re.compile(r"conflict|冲突| \d{1,2}\.|BACKUP|BASE|LOCAL|REMOTE", re.IGNORECASE)
_DROPPINGS = re.compile(
    r"""\.                      # hidden: .x.swp, .mem_x.tmp, .DS_Store, .x.icloud
      | .*~$                    # backups of editors
      | \#.*\#$                 # emacs autosave
      | \d+$                    # vim's write test, 4913
      | .*\.(?:tmp|temp|swp|swo|swx|bak|orig|rej|lock|part|crdownload|partial|icloud|old)$
      | .*\.bak[.-]?[\w-]*$     # MEMORY.md.bak-20260101, .bak.1767225600
      | .*\.(?:wd-tmp|archived-.*)$
      | README\.md$ """,
    re.VERBOSE | re.IGNORECASE,
)


def nfc(name: str) -> str:
    """The composed form (NFC) of a name."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


@lru_cache(maxsize=8192)
def same(name: str) -> str:
    """The form under which two spellings of one name are equal on some system: NFC and case-folded."""
    return name.lower() if name.isascii() else nfc(nfc(name).casefold())


def is_system(name: str) -> bool:
    """Whether a name (in any case) is the index, USER.md or the archive index."""
    return same(name) in _SYSTEM_FOLDED


def fault(name: str) -> str:
    """What keeps a name from being a target, as the end of a sentence "the target …"; "" where nothing does."""
    if _SIMPLE.fullmatch(name) and not _WINDOWS_DEVICES.fullmatch(name) and not is_system(name):
        return ""
    if "/" in name or "\\" in name or name.startswith("~"):
        return "is a path, and a target is the bare name of a file beside the index"
    if is_system(name):
        return "is a system file, never a topic"
    if not name.endswith(".md"):
        return 'does not end in ".md"'
    if name.startswith("."):
        return "is hidden"
    return _unportable(name)


def _unportable(name: str) -> str:
    if name.startswith("-"):
        return 'begins with "-", which commands take for an option'
    if any(char.isspace() for char in name):
        return "contains a blank; use - instead"
    if _UNPORTABLE.search(name) or "§" in name or "→" in name or "," in name or "，" in name:
        return "contains a character that not every system or the index format can hold"
    if any(unicodedata.category(char) in ("Cf", "Cc", "Cs", "Co") for char in name):
        return "contains an invisible character"
    if _WINDOWS_DEVICES.fullmatch(name) or name.removesuffix(".md").endswith("."):
        return "cannot exist on Windows"
    if len(name.encode("utf-8", "surrogatepass")) > _LONGEST_NAME:
        return f"is longer than {_LONGEST_NAME} bytes"
    return ""


def is_dropping(name: str) -> bool:
    """Whether a name is an editor's or tool's temporary or backup file, a lock, hidden, or a README."""
    return _DROPPINGS.match(name) is not None


def conflict_copy_of(name: str, others: Collection[str] = ()) -> str:
    """The name whose conflict copy `name` is, "" where it is none.

    "deploy 2.md" counts only where "deploy.md" is among the `others`: a number may be a part of a name.
    """
    if not _MAY_BE_COPY.search(name):
        return ""
    for pattern in _CONFLICT_COPIES:
        if match := pattern.fullmatch(name):
            original = match["stem"] + match["ext"]
            if r" \d{1,2}" not in pattern.pattern or original in others:
                return original
    return ""


def is_topic(name: str, others: Collection[str] = ()) -> bool:
    """Whether a file of the folder counts as a topic file: markdown, no system file, dropping or conflict copy."""
    return (
        same(name).endswith(".md")
        and not is_system(name)
        and not is_dropping(name)
        and not conflict_copy_of(name, others)
    )


def bare(path: str, home: str = "") -> str:
    """The file name of a path that could mean a topic: bare, or below a folder called memories; "" for another path.

    `home` is the name of the Hermes home's own folder.
    """
    path = path.replace("\\", "/").removeprefix("./")
    for prefix in ("$HERMES_HOME/", "${HERMES_HOME}/", "~/.hermes/", *([f"{home}/"] if home else [])):
        path = path.removeprefix(prefix)
    path = path.removeprefix("memories/").removeprefix(ARCHIVE_FOLDER + "/")
    return "" if "/" in path or path.startswith("~") else path
