"""A headless Chromium, driven over pipes: open a page as a phone or a desk sees it, ask it things, take its picture.

It speaks the browser's own debugging protocol (JSON texts that end in NUL) and needs nothing but the browser.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe",
)  # fmt: skip
_SECONDS = 60.0


def program() -> str | None:
    """The browser of this machine, None where there is none."""
    return next(filter(None, map(shutil.which, _NAMES)), None)


class Browser:
    """One running browser with one tab; `events` are those of the tab since the last `open`."""

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back = to, back
        self._number = 0
        self._rest = b""
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.do("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.do("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for part in ("Page", "Network", "Runtime", "Log", "Accessibility"):
            self.do(f"{part}.enable")

    def do(self, method: str, **params: Any) -> dict[str, Any]:
        """One command, and its result. Raises RuntimeError where the browser refuses it."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def _next(self) -> dict[str, Any]:
        until = time.monotonic() + _SECONDS
        while b"\0" not in self._rest:
            if not select.select([self._back], [], [], max(0.0, until - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self._back, 1 << 20)
            if not piece:
                raise ConnectionError("the browser has ended")
            self._rest += piece
        text, _, self._rest = self._rest.partition(b"\0")
        return json.loads(text)

    def open(self, path: Path, width: int, height: int = 800, dark: bool = False) -> None:
        """Load a file as a screen of this size and scheme shows it."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.do("Emulation.setDeviceMetricsOverride", **size)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.do("Emulation.setEmulatedMedia", features=scheme)
        self.events.clear()
        self.do("Page.navigate", url=path.absolute().as_uri())
        while not self.told("Page.loadEventFired"):
            self.events.append(self._next())

    def told(self, *methods: str) -> list[dict[str, Any]]:
        """What the tab told by these events since the page was opened."""
        return [event["params"] for event in self.events if event.get("method") in methods]

    def ask(self, script: str) -> Any:
        """The value of an expression in the page. Raises RuntimeError where it fails."""
        found = self.do("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"])
        return found["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key such as Tab."""
        for kind in ("keyDown", "keyUp"):
            self.do("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=9)

    def picture(self, path: Path) -> None:
        """Write what the screen shows as PNG."""
        path.write_bytes(base64.b64decode(self.do("Page.captureScreenshot", format="png")["data"]))


@contextmanager
def browser() -> Iterator[Browser]:
    """Start the browser of this machine with an empty profile, and end it again."""
    name = program()
    if name is None:
        raise FileNotFoundError("no Chromium is installed")
    (read, to), (back, write) = _pipe(), _pipe()
    with tempfile.TemporaryDirectory(prefix="memory-shaper-browser-", ignore_cleanup_errors=True) as profile:
        actions = [
            (os.POSIX_SPAWN_DUP2, read, 3),
            (os.POSIX_SPAWN_DUP2, write, 4),
            *((os.POSIX_SPAWN_OPEN, out, os.devnull, os.O_WRONLY, 0) for out in (1, 2)),
        ]
        argv = [name, *_OPTIONS, f"--user-data-dir={profile}", "about:blank"]
        pid = os.posix_spawn(name, argv, os.environ, file_actions=actions, setsid=True)
        os.close(read)
        os.close(write)
        try:
            yield Browser(to, back)
        finally:
            os.close(to)
            os.close(back)
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _pipe() -> tuple[int, int]:
    """A pipe whose ends lie above the two numbers that the browser wants."""
    low = os.pipe()
    first, second = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in low)
    for end in low:
        os.close(end)
    return first, second
