"""One tool call as a hook sees it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from ..record import Source


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call as a hook sees it."""

    tool: str
    args: Any
    session: str = ""
    call: str = ""
    surface: str = ""

    @property
    def source(self) -> Source:
        return Source(self.tool, self.session, self.call, self.surface, os.getpid())
