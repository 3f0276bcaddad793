"""What a trial shows: whether a host that was asked to write what must be refused has kept the refusal. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_REFUSED = "memory-shaper: refused"


@dataclass(frozen=True, slots=True)
class Seen:
    """One call of the trial: its tool, the result that the model got, and whether the index was whole afterwards."""

    tool: str
    result: str
    whole: bool

    @property
    def kept(self) -> bool:
        """Whether the model was told that the call was refused, and nothing was written."""
        return _REFUSED in self.result and self.whole


@dataclass(frozen=True, slots=True)
class Signs:
    """What the plugin noted in the trial: that it was loaded, that a hook was called, the tools whose calls it refused,
    and, as `registered.taken` has it, which of its commands are another's."""

    loaded: bool = False
    fired: bool = False
    refused: frozenset[str] = frozenset()
    taken: str = ""


@dataclass(frozen=True, slots=True)
class Proof:
    """`enforced` is None where the trial came to nothing; `reason` is a sentence, `taken` as in `Signs`."""

    enforced: bool | None
    reason: str
    taken: str = ""


def judged(seen: Sequence[Seen], signs: Signs, trouble: str) -> Proof:
    """The proof in what was seen; `trouble` is what kept the session from its end."""
    if not seen:
        return Proof(None, trouble or "the session offered neither write_file nor memory, or made no call")
    passed = [one for one in seen if not one.kept]
    tools = " and ".join(one.tool for one in seen)
    if not passed:
        return Proof(True, f"the host refused {tools} in a session on a throw-away copy of this home", signs.taken)
    return Proof(
        False, f"{' and '.join(one.tool for one in passed)} wrote what it must not: {_why(passed, signs)}", signs.taken
    )


def _why(passed: Sequence[Seen], signs: Signs) -> str:
    after = "; the damage was put back afterwards" if all(one.whole for one in passed) else ""
    if not signs.loaded and not signs.fired:
        return "the host did not load the plugin"
    if not signs.fired:
        return f"the host loaded the plugin and called none of its hooks before a tool{after}"
    if all(one.tool in signs.refused for one in passed):
        return f"the guard refused, and the host made the call all the same{after}"
    return f"the guard let the call pass{after}"
