"""Watching the memories folder while it is worked on: verifies and reports, never changes a file. Shell.

Events of the `watchdog` library only say when to look; without it, or on a network mount, which sends none, the clock
does. What changed is found by comparing two looks, so atomic renames are changes and not a removal and a new file, and
a file that is missing for a moment during a save is not gone: an absence counts from the second look on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from .. import names, rules, store
from ..errors import MemoryShaperError
from ..model import Finding
from ..settings import Home, Settings
from . import folder

QUIET = 0.4
"""Seconds without an event after which the folder is looked at; an absence has to last as long once more."""

INTERVAL = 5.0
"""Seconds between two looks by the clock."""

Say = Callable[[str], None]


def _print(line: str) -> None:
    print(line, flush=True)


@dataclass(slots=True)
class Seen:
    """What the last look found: the digest of each topic file and index, the findings, and what was missing once."""

    digests: Mapping[str, str] = field(default_factory=dict)
    findings: frozenset[tuple[str, str]] = frozenset()
    missing: frozenset[str] = frozenset()


def watch(
    home: Home, settings: Settings, poll: bool = False, say: Say = _print, stop: threading.Event | None = None,
    refresh: Callable[[], None] | None = None, interval: float = INTERVAL, shown: str = "",
) -> int:  # fmt: skip
    """Report what changes in a home's memories folder until `stop` is set or the user interrupts; the exit code.

    `poll` looks by the clock, every `interval` seconds, instead of waiting for events; `refresh` is called after each
    change, for what is derived from the files; `shown` is the folder as people may pass it on.
    Raises Missing where there is no folder, Unreadable.
    """
    stop = stop or threading.Event()
    try:
        with _woken(home.memories, poll, interval) as (wait, how):
            seen = looked(home, settings, None)[0]
            say(f"watching {shown or home.memories} ({how}), findings: {len(seen.findings)}; interrupt to end")
            while wait(stop, bool(seen.missing)):
                seen = _report(home, settings, seen, say, refresh)
    except KeyboardInterrupt:
        pass
    return 0


def _report(home: Home, settings: Settings, seen: Seen, say: Say, refresh: Callable[[], None] | None) -> Seen:
    try:
        now, news = looked(home, settings, seen)
    except MemoryShaperError as error:  # half-written, or gone for a moment: the next look will tell
        say(str(error))
        return seen
    for line in news:
        say(line)
    if news and refresh is not None:
        refresh()
    return now


def looked(home: Home, settings: Settings, before: Seen | None) -> tuple[Seen, list[str]]:
    """One look, and what changed since the one before, a line each. Raises Missing or Unreadable."""
    known = folder.files(home.memories)
    wanted = [*folder.topics(known), *(known[name] for name in (names.INDEX,) if name in known)]
    readable = [file.name for file in wanted if file.readable]
    digests = {name: summed for name in readable if (summed := folder.digest(home.memories / name))}
    findings = verified(home, settings)
    if before is None:
        return Seen(digests, frozenset(finding.key for finding in findings)), []
    absent = frozenset(before.digests.keys() - digests.keys())
    waiting = absent - before.missing
    kept = digests | {name: before.digests[name] for name in waiting}
    news = [*_changes(before.digests, kept), *([] if waiting else _verdicts(before, findings))]
    told = before.findings if waiting else frozenset(finding.key for finding in findings)
    return Seen(kept, told, waiting), news


def verified(home: Home, settings: Settings) -> list[Finding]:
    """All findings in the index of a home as it stands; none where there is no index. Raises Missing, Unreadable."""
    document = store.read_if_there(home.index)
    if document is None:
        return []
    listed = store.list_folder(home.memories)
    return rules.check(rules.Scope(document.text, listed, settings.cap, settings.number("near_cap")))


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    for name in sorted(before.keys() | after.keys()):
        if name not in after:
            yield f"{name}: gone"
        elif name not in before:
            yield f"{name}: new"
        elif before[name] != after[name]:
            yield f"{name}: changed"


def _verdicts(before: Seen, findings: list[Finding]) -> Iterator[str]:
    fresh = [finding for finding in findings if finding.key not in before.findings]
    for finding in fresh:
        place = f":{finding.line}:{finding.column}" if finding.line else ""
        yield f"{names.INDEX}{place}: {finding.severity}[{finding.rule}]: {finding.message}"
    if mended := len(before.findings - {finding.key for finding in findings}):
        yield f"{names.INDEX}: findings mended: {mended}, left: {len(findings)}"


Wait = Callable[[threading.Event, bool], bool]


@contextmanager
def _woken(path: Path, poll: bool, interval: float) -> Iterator[tuple[Wait, str]]:
    """A function that waits until it is time for a look, False once `stop` is set; and how it knows, for people."""
    woken = threading.Event()
    observer = None if poll else _observer(path, woken)

    def wait(stop: threading.Event, soon: bool) -> bool:
        if observer is None:
            return not stop.wait(QUIET if soon else interval)
        while not stop.is_set() and not soon and not woken.wait(0.2):
            pass
        while True:  # until nothing has happened for a moment
            woken.clear()
            if stop.wait(QUIET):
                return False
            if not woken.is_set():
                return True

    try:
        yield wait, f"every {interval:g} seconds" if observer is None else "by events"
    finally:
        if observer is not None:
            observer()


def _observer(path: Path, woken: threading.Event) -> Callable[[], None] | None:
    """Set `woken` at each event in a folder; the function that ends it, None where the library is missing."""
    try:
        from watchdog.events import FileSystemEvent, FileSystemEventHandler
        from watchdog.observers import Observer
    except ImportError:
        return None

    class Handler(FileSystemEventHandler):
        def on_any_event(self, event: FileSystemEvent) -> None:
            if event.event_type not in ("opened", "closed_no_write"):  # our own looking
                woken.set()

    observer = Observer()
    observer.schedule(Handler(), str(path), recursive=False)
    observer.start()

    def end() -> None:
        observer.stop()
        observer.join()

    return end
