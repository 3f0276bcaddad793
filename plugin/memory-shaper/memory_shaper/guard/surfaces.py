"""Where sessions run: a terminal, a chat platform, a scheduler; and whether a human can be asked there."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

_NOBODY_THERE = ("webhook", "msgraph_webhook", "api_server")


@dataclass(slots=True)
class Surfaces:
    """The surface of each session of this process, in the host's words."""

    known: dict[str, str] = field(default_factory=dict)

    def begin(self, session: str, surface: str) -> None:
        """A session was heard of; a surface that is not named is not noted."""
        if surface:
            self.known[session] = surface

    def of(self, session: str) -> str:
        """Where a session runs; a sub-agent runs where the last session began."""
        return self.known.get(session) or next(reversed(self.known.values()), "unknown")

    def unattended(self, session: str) -> str:
        """Why nobody can be asked in a session, as the host's settings name it; "" where somebody may be there."""
        surface = self.of(session)
        if surface == "cron" or os.environ.get("HERMES_CRON_SESSION"):
            return "cron"
        if os.environ.get("HERMES_SINGLE_QUERY_SESSION"):
            return "single_query"
        return "unattended" if surface in _NOBODY_THERE else ""
