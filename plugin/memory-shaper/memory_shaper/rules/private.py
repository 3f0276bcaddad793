"""The rule about what should not be in a memory at all. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from ..secrets import masked, secrets
from .base import Fault, Scope

_FIX = "take it out by hand, and write down where it is kept instead"


def secret(scope: Scope) -> Iterator[Fault]:
    """A key, a password, a card or an identity number, in a line or in the name of a file beside the index."""
    for found in secrets(scope.text):
        yield Fault(found.line, told(found.kind), _FIX, f"[{found.kind}]")
    for name in sorted(scope.folder.files if scope.folder else ()):
        for found in secrets(name):
            yield Fault(0, f'the name of the file "{masked(name)}" holds {found.kind}', "rename the file")


def told(kind: str) -> str:
    """The sentence about what stands in a text: its kind, never its value."""
    return f"{kind} stands here for every model and tool to read"
