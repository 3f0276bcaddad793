"""The packages that this Python may do without, and what is lost without each."""

from __future__ import annotations

from ..recall.installed import is_installed

OPTIONAL = {
    "jieba": "Chinese words are cut by a simpler rule",
    "rapidfuzz": "misspelt words are not found",
    "watchdog": "changes are noticed at the next look, not at once",
    "yaml": "config.yaml is read by a small reader that knows plain values only",
}
_INSTEAD = {"yaml": "ruamel"}


def absent() -> list[str]:
    """The names of the optional packages that are not there, nor what serves as well."""
    return [name for name in OPTIONAL if not (is_installed(name) or _served(name))]


def _served(name: str) -> bool:
    return name in _INSTEAD and is_installed(_INSTEAD[name])
