"""Whether an optional package is there, asked without loading it. Shell: the import system."""

from __future__ import annotations

from importlib.util import find_spec


def is_installed(name: str) -> bool:
    """Tell whether a package can be found; where the finders of this Python fail, it cannot."""
    try:
        return find_spec(name) is not None
    except Exception:  # a module in memory without origin (ValueError), or a finder of somebody else's with any error
        return False
