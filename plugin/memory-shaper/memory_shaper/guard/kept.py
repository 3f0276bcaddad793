"""Whether the host keeps our refusals: a refused call that runs all the same means that nobody is guarded. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..record import Beat
from .call import Call
from .results import table

_WAITING_AT_MOST = 500  # refused calls whose end was not heard of; the oldest are forgotten


@dataclass(slots=True)
class Kept:
    """The refused calls whose end is to come, and the sessions that were told that a refusal was dropped."""

    waiting: dict[tuple[str, str], str] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)

    def refused(self, call: Call, message: str) -> None:
        """A call was refused with this message. One without an id cannot be known again and is not waited for."""
        if call.call:
            self.waiting[call.session, call.call] = message
        while len(self.waiting) > _WAITING_AT_MOST:
            self.waiting.pop(next(iter(self.waiting)), None)

    def judge(self, call: Call, result: object, status: str) -> Beat | None:
        """ENFORCED where a refused call did not run, IGNORED where it did; None for other calls, or if neither is sure.

        `status` is the host's word on the call: `blocked`, `ok`, `error`, …, or "" from a host that gives none.
        """
        message = self.waiting.pop((call.session, call.call), None)
        if message is None:
            return None
        told = table(result).get("error")
        if status == "blocked" or message in (told, result):
            return Beat.ENFORCED
        return None if told or status not in ("ok", "") else Beat.IGNORED

    def first(self, session: str) -> bool:
        """Whether a session is yet to be told."""
        new = session not in self.told
        self.told.add(session)
        return new
