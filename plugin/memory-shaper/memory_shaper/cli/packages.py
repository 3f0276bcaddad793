"""The packages that this Python may do without, and what is lost without each."""

from __future__ import annotations

import importlib.util

OPTIONAL = {
    "jieba": "Chinese words are cut by a simpler rule",
    "rapidfuzz": "misspelt words are not found",
    "watchdog": "changes are noticed at the next look, not at once",
    "yaml": "config.yaml is read by a small reader that knows plain values only",
}
_INSTEAD = {"yaml": "ruamel"}


def absent() -> list[str]:
    """The names of the optional packages that are not there, nor what serves as well."""
    return [name for name in OPTIONAL if not (_there(name) or (name in _INSTEAD and _there(_INSTEAD[name])))]


def _there(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ValueError:  # a module in memory that says nothing of where it came from
        return False
