"""Rows of the host's state.db to uses: which topic files were read, once a turn and file. Pure.

A *use* is a read of a topic file that succeeded: through a file tool, a shell command, a program or a tool behind the
host's bridge. Writes, copies, listings, searches over many files and failed reads are none, and a call whose result is
missing counts as not seen. A *turn* is what lies between two user messages of a session.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from ..calls.effects import Act, Effect, Reading, World
from . import results
from .stamps import moment
from .toolcalls import BrokenCalls, Call, read_calls
from .topics import Past, Topics

ReadCall = Callable[[str, Mapping[str, object], World], Reading]
"""What would this call do? (tool name, arguments, machine) -> Reading; never raises."""

OPEN_SESSIONS = 10_000
"""Sessions whose turn is kept open while rows stream by; the longest silent one is closed first."""

_PATH_KEYS = ("path", "file_path", "filepath", "filename", "file")
_SEARCHING_TOOL = re.compile(r"search|find|list|glob|grep", re.I)
_PROGRAMS = {"terminal", "execute_code"}
_SEARCHERS = {"grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack"}
_LOOK = ("ls", "stat", "find", "wc", "du", "file", "test", "[", "[[", "tree", "realpath", "readlink")
_COMPARE = ("md5sum", "sha1sum", "sha256sum", "cksum", "cmp")
_CARRY = ("cp", "mv", "rsync", "scp", "install", "ln", "tar", "zip", "gzip", "dd", "git", "touch")
_SILENT = {*_LOOK, *_COMPARE, *_CARRY}  # these open a file, and none of its text reaches the model
_CHANCE_PROOF = re.compile(r"(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{8}")


@dataclass(frozen=True, slots=True)
class Message:
    """A user's message, or one with calls that may name a topic file; `at` is Unix seconds, None where unknown.

    `calls` is the stored text of the calls where it is short, else it is fetched.
    """

    id: int
    session: str
    role: str
    at: float | None
    calls: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a call: its row and its text."""

    id: int
    text: str


class Texts(Protocol):
    """Fetches what a tally needs besides the messages it is given."""

    def calls(self, row: int) -> str:
        """The stored calls of one row, empty where it is gone."""

    def answer(self, message: Message, call_id: str, place: int) -> Answer | None:
        """The result of a call in this message: by its id, or, where it has none, by its place among the calls.

        None where there is none before the session's next user message.
        """


@dataclass(frozen=True, slots=True)
class Use:
    """One use. `turn` is the row of the user message before it, `message_id` the row of the call, `at` the call's time.

    The host copies rows (compression, branches, undo) under new ids and in other sessions. Two uses with the same name
    and `key` are one and the same: the key is the id that the model's service gave the call, or, where that is none
    that is unique, the time of the call to the microsecond.
    """

    name: str
    at: datetime
    session: str
    turn: int
    message_id: int
    key: str


@dataclass(slots=True)
class _Turn:
    opened: int
    at: float | None
    cwd: str | None = None
    seen: set[str] = field(default_factory=set)


class Tally:
    """Takes messages in the order of their ids and gives the uses; rows up to `since` are only looked back at."""

    def __init__(self, texts: Texts, topics: Topics, read_call: ReadCall, since: int = 0) -> None:
        self._texts, self._topics, self._read_call, self._since = texts, topics, read_call, since
        self._turns: dict[str, _Turn] = {}
        self._counted: set[tuple[str, str]] = set()
        self.broken: list[int] = []

    def take(self, message: Message) -> list[Use]:
        """The uses in this message: the reads among its calls that succeeded after the row `since`."""
        turn = self._turn(message)
        if message.at is not None:
            turn.at = message.at
        calls = self._calls(message) if message.role == "assistant" else ()
        return [use for place, call in enumerate(calls) for use in self._uses(turn, message, call, place)]

    def _turn(self, message: Message) -> _Turn:
        turn = self._turns.pop(message.session, None)
        if turn is None:
            turn = _Turn(message.id, message.at)
        elif message.role == "user":
            turn = _Turn(message.id, message.at or turn.at, turn.cwd)
        self._turns[message.session] = turn
        if len(self._turns) > OPEN_SESSIONS:
            del self._turns[next(iter(self._turns))]
        return turn

    def _calls(self, message: Message) -> tuple[Call, ...]:
        try:
            return read_calls(message.calls or self._texts.calls(message.id) or "[]")
        except BrokenCalls:
            if message.id > self._since:
                self.broken.append(message.id)
            return ()

    def _names(self, turn: _Turn, call: Call) -> tuple[str, ...]:
        """The topics that the call reads if it works; a shell command moves the turn to the folder it ends in."""
        reading = self._read_call(call.tool, self._absolute(call), Past(self._topics, turn.cwd))
        if call.tool == "terminal":
            turn.cwd = reading.cwd or turn.cwd
        if _SEARCHING_TOOL.search(call.tool) or call.args.get("background") is True:
            return ()
        return tuple(dict.fromkeys(_read_names(reading.effects, self._topics)))

    def _absolute(self, call: Call) -> Mapping[str, object]:
        bare = {key: call.args[key] for key in _PATH_KEYS if key in call.args and call.tool not in _PROGRAMS}
        paths = {key: self._topics.resolved(value) for key, value in bare.items() if isinstance(value, str)}
        return {**call.args, **{key: path for key, path in paths.items() if path}}

    def _uses(self, turn: _Turn, message: Message, call: Call, place: int) -> Iterator[Use]:
        names = [name for name in self._names(turn, call) if name not in turn.seen]
        answer = self._texts.answer(message, call.id, place) if names else None
        at = message.at or turn.at
        if answer is None or at is None or not results.succeeded(answer.text):
            return
        key = call.id if _CHANCE_PROOF.search(call.id) else f"{at:.6f}"
        for name in names:
            if call.tool in _PROGRAMS and results.missed(answer.text, name):
                continue
            turn.seen.add(name)
            if (name, key) not in self._counted and answer.id > self._since:
                yield Use(name, moment(at), message.session, turn.opened, message.id, key)
            self._counted.add((name, key))


def _read_names(effects: tuple[Effect, ...], topics: Topics) -> Iterator[str]:
    changed = {(effect.path, effect.via) for effect in effects if effect.act is not Act.READ}
    reads = [effect for effect in effects if effect.act is Act.READ and (effect.path, effect.via) not in changed]
    named = [(effect.via, name) for effect in reads if not effect.tree and (name := topics.named(effect.path))]
    searched = {name for via, name in named if via in _SEARCHERS}
    for via, name in named:
        if via not in _SILENT and (via not in _SEARCHERS or len(searched) == 1):
            yield name
