"""The user's own functions: `custom.py` in the data folder, with `should_remember` and `extract_facts`. Shell.

It is the user's code and runs as such, but what it does wrong never reaches a session: an exception, a wrong type or
too long a time counts as no answer, the rule of ours takes its place, and the log names the function and the error.
"""

from __future__ import annotations

import logging
import os
import stat
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from .facts import Fact, facts_of
from .talk import Message

log = logging.getLogger("memory_shaper")
NAME = "custom.py"
_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class Custom:
    """The functions of a data folder; each method gives None where there is none or it fails."""

    def __init__(self, folder: Path, seconds: float = 10) -> None:
        self._seconds = seconds
        self._names = _load(folder / NAME)

    @property
    def finds_facts(self) -> bool:
        """Whether the user has a function that takes the model's place."""
        return callable(self._names.get("extract_facts"))

    def should_remember(self, text: str) -> bool | None:
        """Whether the user's function wants a text kept."""
        answer = self._call("should_remember", text)
        if answer is not None and not isinstance(answer, bool):
            _wrong("should_remember", "no truth value")
            return None
        return answer

    def extract_facts(self, messages: Sequence[Message]) -> list[Fact] | None:
        """The facts that the user's function finds; malformed ones are skipped."""
        answer = self._call("extract_facts", [{"role": one.role, "content": one.text} for one in messages])
        if answer is None:
            return None
        if not isinstance(answer, list | tuple):
            _wrong("extract_facts", "no list")
            return None
        found = list(facts_of(answer))
        if len(found) < len(answer):
            _wrong("extract_facts", f"{len(answer) - len(found)} malformed items")
        return found

    def _call(self, name: str, argument: object) -> object:
        function = self._names.get(name)
        if not callable(function):
            return None
        return _in_time(name, function, argument, self._seconds)


def _load(path: Path) -> Mapping[str, object]:
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
    names: dict[str, object] = {"__name__": "memory_shaper_custom", "__file__": str(path)}
    try:
        exec(compile(source, str(path), "exec"), names)  # the user's own program, as a plugin of theirs would be
    except (Exception, SystemExit) as error:
        _wrong(NAME, type(error).__name__)
        return {}
    return names


def _in_time(name: str, function: Callable[..., object], argument: object, seconds: float) -> object:
    """What a function answers within its time; one that hangs is left behind."""
    answers: list[object] = []

    def run() -> None:
        try:
            answers.append(function(argument))
        except (Exception, SystemExit) as error:
            _wrong(name, type(error).__name__)
            answers.append(None)

    thread = threading.Thread(target=run, name=f"memory-shaper-{name}", daemon=True)
    thread.start()
    thread.join(seconds)
    if not answers:
        _wrong(name, f"no answer in {seconds:g} s")
        return None
    return answers[0]


def _wrong(name: str, trouble: str) -> None:
    log.warning("memory-shaper: custom %s: %s", name, trouble)
