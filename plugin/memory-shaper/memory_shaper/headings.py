"""The heading of an index: the routing rule that is resident in every session. Pure but for the user's own folder."""

from __future__ import annotations

import os

from .settings import Home, Settings

FULL_MOST, SHORT_MOST = 220, 50  # characters; every one is paid for in every session
_FULL = (
    "# Memory index: a routing table, not a summary\n"
    "# If the talk touches several keywords of one line, or what they stand for, first read that file in {folder} in "
    "full, then answer"
)
_END = "; the best whole set wins"
SHORT = "# Memory index: a routing table"


def heading(kind: str, folder: str) -> str:
    """The heading: `full` carries the whole rule and names the folder, `short` (at most 50 characters) leaves the rule
    to the prompt section that a newer host takes outside the cap.

    A folder whose name would take it beyond 220 characters is not named: the plugin finds bare names as well.
    """
    if kind != "full":
        return SHORT
    named = _FULL.format(folder=folder if folder.isprintable() else "the memories folder")
    tries = (named + _END, named, _FULL.format(folder="the memories folder") + _END)
    return next(text for text in tries if len(text) <= FULL_MOST)


def new_index(home: Home, settings: Settings) -> str:
    """The text of an index that has no entry yet."""
    return heading(str(settings["heading"]), shown(home)) + "\n"


def shown(home: Home) -> str:
    """The memories folder as a reader can open it: with `~` where it lies below the user's own folder."""
    return collapsed(str(home.memories))


def collapsed(path: str) -> str:
    """A path with `~` for the user's own folder, as it is where it lies elsewhere."""
    user = os.path.expanduser("~").rstrip(os.sep)
    return "~" + path[len(user) :] if user and (path + os.sep).startswith(user + os.sep) else path
