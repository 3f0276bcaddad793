"""When a dead endpoint is asked again, so that it does not cost every search its time limit. Pure."""

from __future__ import annotations

from dataclasses import dataclass

FIRST = 30.0
LONGEST = 900.0


@dataclass(frozen=True, slots=True)
class Breaker:
    """How often in a row an endpoint failed, until when (seconds of the clock) it is left alone, and what was wrong."""

    failures: int = 0
    until: float = 0.0
    trouble: str = ""

    def is_open(self, now: float) -> bool:
        """Tell whether the endpoint is left alone. A clock that was set back does not make that last longer."""
        return now < self.until <= now + LONGEST

    def failed(self, trouble: str, now: float) -> Breaker:
        """One more failure: it is left alone for 30 s, each time twice as long, 15 minutes at most.

        >>> [round(Breaker(n).failed("x", 0).until) for n in (0, 1, 2, 50)]
        [30, 60, 120, 900]
        """
        pause = min(FIRST * 2 ** min(self.failures, 10), LONGEST)
        return Breaker(self.failures + 1, now + pause, trouble)
