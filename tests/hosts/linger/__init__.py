"""A plugin that keeps `hermes chat -q` alive until the background review is over, as a long session would."""

import threading
from typing import Any


def _wait(**_: Any) -> None:
    for thread in threading.enumerate():
        if thread.name == "bg-review":
            thread.join(25)


def register(ctx: Any) -> None:
    """Wait where the host says that the session is ending."""
    ctx.register_hook("on_session_finalize", _wait)
