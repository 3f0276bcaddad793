"""The user's own functions: `custom.py` in the data folder, with `should_remember` and `extract_facts`. Shell.

It is the user's code and runs as such, but what it does wrong never reaches a session: an exception, a wrong type or
too long a time counts as no answer, the rule of ours takes its place, and the log names the function and the error.
All of it runs in threads of its own, what its answers do when they are read included.
"""

from __future__ import annotations

import logging
import os
import stat
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar

from .facts import Fact, facts_of
from .talk import Message

log = logging.getLogger("memory_shaper")
NAME = "custom.py"
_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_MOST = 1_000  # items of an answer that are read
T = TypeVar("T")


class _Wrong(Exception):
    """An answer of the wrong type; the message says which."""


class Custom:
    """The functions of a data folder; each method gives None where there is none or it fails.

    Loading the file and each of its functions have `seconds` in all; what has used them up is not asked again.
    """

    def __init__(self, folder: Path, seconds: float = 10) -> None:
        self._seconds = seconds
        self._used: dict[str, float] = {}
        self._names: Mapping[str, object] = self._load(folder / NAME)

    @property
    def finds_facts(self) -> bool:
        """Whether the user has a function that takes the model's place."""
        return callable(self._names.get("extract_facts"))

    def should_remember(self, text: str) -> bool | None:
        """Whether the user's function wants a text kept."""
        function = self._names.get("should_remember")
        if not callable(function):
            return None
        return self._in_time("should_remember", lambda: _truth(function(text)))

    def extract_facts(self, messages: Sequence[Message]) -> list[Fact] | None:
        """The facts that the user's function finds; malformed ones are skipped."""
        function = self._names.get("extract_facts")
        if not callable(function):
            return None
        told = [{"role": one.role, "content": one.text} for one in messages]
        return self._in_time("extract_facts", lambda: _facts(function(told)))

    def _load(self, path: Path) -> Mapping[str, object]:
        """The names that the file defines, none where it is missing, open to others, or does not run."""
        try:
            found = path.stat()
            source = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return {}
        except (OSError, UnicodeDecodeError) as error:
            _wrong(NAME, type(error).__name__)
            return {}
        if os.name == "posix" and (found.st_mode & _OTHERS or found.st_uid not in (os.geteuid(), 0)):
            _wrong(NAME, "others may write it, so it is not run")
            return {}
        return self._in_time(NAME, lambda: _names_of(source, path)) or {}

    def _in_time(self, name: str, work: Callable[[], T]) -> T | None:
        """What a piece of work comes to in the time that is left for its name; one that hangs is left behind."""
        left = self._seconds - self._used.get(name, 0.0)
        if left <= 0:
            return None
        answers: list[T | None] = []

        def run() -> None:
            try:
                answers.append(work())
            except BaseException as error:  # the user's code may raise anything, and this thread is there for it alone
                _wrong(name, str(error) if type(error) is _Wrong else type(error).__name__)
                answers.append(None)

        begun = time.monotonic()
        thread = threading.Thread(target=run, name=f"memory-shaper-{name}", daemon=True)
        thread.start()
        thread.join(left)
        self._used[name] = self._used.get(name, 0.0) + time.monotonic() - begun
        if not answers:
            self._used[name] = self._seconds
            _wrong(name, f"no answer in {self._seconds:g} s")
            return None
        return answers[0]


def _names_of(source: str, path: Path) -> Mapping[str, object]:
    names: dict[str, object] = {"__name__": "memory_shaper_custom", "__file__": str(path)}
    exec(compile(source, str(path), "exec"), names)  # the user's own program, as a plugin of theirs would be
    return names


def _truth(answer: object) -> bool | None:
    if answer is None or answer is True or answer is False:
        return answer
    raise _Wrong("no truth value")


def _facts(answer: object) -> list[Fact] | None:
    if answer is None:
        return None
    if not isinstance(answer, list | tuple):
        raise _Wrong("no list")
    items = list(islice(answer, _MOST))
    found = list(facts_of(items))
    if len(found) < len(items):
        _wrong("extract_facts", f"{len(items) - len(found)} malformed items")
    return found


def _wrong(name: str, trouble: str) -> None:
    log.warning("memory-shaper: custom %s: %s", name, trouble)
