"""The door to Hermes: what the host calls, turned into calls of the guard."""

from __future__ import annotations

from typing import Any


def register(ctx: Any) -> None:
    """Register hooks, tools and commands with the host."""
