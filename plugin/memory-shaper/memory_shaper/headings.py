"""The heading of an index: the routing rule that is resident in every session. Pure but for the user's own folder."""

from __future__ import annotations

import os

from .settings import Home, Settings

_FULL = (
    "# Memory index: a routing table, not a summary\n"
    "# If the talk touches several keywords of one line, or what they stand for, first read that file in {folder} in "
    "full, then answer; the best whole set wins"
)
SHORT = "# Memory index: a routing table"


def heading(kind: str, folder: str) -> str:
    """The heading: `full` carries the whole rule and names the folder, `short` (under 50 characters) leaves the rule to
    the prompt section that a newer host takes outside the cap."""
    return _FULL.format(folder=folder) if kind == "full" else SHORT


def new_index(home: Home, settings: Settings) -> str:
    """The text of an index that has no entry yet."""
    return heading(str(settings["heading"]), shown(home)) + "\n"


def shown(home: Home) -> str:
    """The memories folder as a reader can open it: with `~` where it lies below the user's own folder."""
    path, user = str(home.memories), os.path.expanduser("~")
    return "~" + path[len(user) :] if user != "/" and path.startswith(user + os.sep) else path
