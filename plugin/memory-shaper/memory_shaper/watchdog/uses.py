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
from typing import NamedTuple, Protocol

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


class Message(NamedTuple):
    """One row, without its long texts; `at` is Unix seconds, None where the stamp tells no time.

    `marked`: its calls may name a topic file or change the folder, and are worth reading; `calls` holds them where
    they are short. (A tuple, because a pass makes a million of them.)
    """

    id: int
    session: str
    role: str
    at: float | None
    call_id: str = ""
    marked: bool = False
    calls: str | None = None


class Texts(Protocol):
    """Fetches the long texts of one row by its id; None where the row is gone or the text is empty."""

    def calls(self, row: int) -> str | None:
        """The `tool_calls` column."""

    def result(self, row: int) -> str | None:
        """The `content` column."""


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
class _Waiting:
    """A call whose result has not come by yet."""

    call: Call
    message: Message
    names: tuple[str, ...]


@dataclass(slots=True)
class _Turn:
    opened: int
    at: float | None
    cwd: str | None = None
    seen: set[str] = field(default_factory=set)
    waiting: dict[str, _Waiting] = field(default_factory=dict)
    nameless: list[_Waiting] = field(default_factory=list)


class Tally:
    """Takes messages in the order of their ids and gives the uses; rows up to `since` are only looked back at."""

    def __init__(self, texts: Texts, topics: Topics, read_call: ReadCall, since: int = 0) -> None:
        self._texts, self._topics, self._read_call, self._since = texts, topics, read_call, since
        self._turns: dict[str, _Turn] = {}
        self._counted: set[tuple[str, str]] = set()
        self.broken: list[int] = []

    def take(self, message: Message) -> tuple[Use, ...]:
        """The uses that this message completes: it is the result of a reading call."""
        turn = self._turn(message)
        if message.at is not None:
            turn.at = message.at
        if message.marked and message.role == "assistant":
            self._wait(turn, message)
        elif message.role == "tool" and (waiting := _answered(turn, message.call_id)):
            return tuple(self._uses(turn, waiting, message.id))
        return ()

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

    def _wait(self, turn: _Turn, message: Message) -> None:
        try:
            calls = read_calls(message.calls or self._texts.calls(message.id) or "[]")
        except BrokenCalls:
            if message.id > self._since:
                self.broken.append(message.id)
            return
        for call in calls:
            waiting = _Waiting(call, message, self._names(turn, call))
            if not call.id:
                turn.nameless.append(waiting)
            elif waiting.names:
                _add(turn.waiting, call.id, waiting)

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

    def _uses(self, turn: _Turn, waiting: _Waiting, row: int) -> Iterator[Use]:
        names = [name for name in waiting.names if name not in turn.seen]
        result = self._texts.result(row) if names else None
        at = waiting.message.at or turn.at
        if result is None or at is None or not results.succeeded(result):
            return
        program = waiting.call.tool in _PROGRAMS
        for name in names:
            if program and results.missed(result, name):
                continue
            turn.seen.add(name)
            use = Use(name, moment(at), waiting.message.session, turn.opened, waiting.message.id, _key(waiting, at))
            new = (name, use.key) not in self._counted
            self._counted.add((name, use.key))
            if new and row > self._since:
                yield use


def _key(waiting: _Waiting, at: float) -> str:
    return waiting.call.id if _CHANCE_PROOF.search(waiting.call.id) else f"{at:.6f}"


def _add(waiting: dict[str, _Waiting], call_id: str, new: _Waiting) -> None:
    """Calls through one bridge share an id, and so a result."""
    old = waiting.get(call_id)
    same_row = old is not None and old.message.id == new.message.id
    waiting[call_id] = _Waiting(new.call, new.message, old.names + new.names) if old and same_row else new


def _answered(turn: _Turn, call_id: str) -> _Waiting | None:
    """The call that a result belongs to: by its id, or the oldest one of those that were stored without an id."""
    if call_id in turn.waiting:
        return turn.waiting.pop(call_id)
    return turn.nameless.pop(0) if turn.nameless else None


def _read_names(effects: tuple[Effect, ...], topics: Topics) -> Iterator[str]:
    changed = {(effect.path, effect.via) for effect in effects if effect.act is not Act.READ}
    reads = [effect for effect in effects if effect.act is Act.READ and (effect.path, effect.via) not in changed]
    named = [(effect.via, name) for effect in reads if not effect.tree and (name := topics.named(effect.path))]
    searched = {name for via, name in named if via in _SEARCHERS}
    for via, name in named:
        if via not in _SILENT and (via not in _SEARCHERS or len(searched) == 1):
            yield name
