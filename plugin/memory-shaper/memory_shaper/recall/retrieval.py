"""Did a session find a topic by the index, by searching, or did it not look? From the host's rows. Pure.

*routed*: the file was read, and no search had shown its name before. *searched*: a search, a listing or a shell command
had shown the name first, or showed it and nothing was read. *not looked at*: neither; a read that failed is none.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..watchdog.toolcalls import BrokenCalls, Call, read_calls
from ..watchdog.topics import Topics
from ..watchdog.uses import Answer, Message, ReadCall, Tally

_SEARCHING = re.compile(r"search|find|list|glob|grep", re.IGNORECASE)
_PROGRAMS = frozenset(("terminal", "execute_code", "process", "process_manage"))
_SEARCHER = re.compile(r"\b(?:e?grep|rg|find|fd|ls|locate|ack|ag|tree|dir)\b")
_LONGEST = 200_000  # characters of a result that are looked through


class Verdict(StrEnum):
    """How the session came to the topic."""

    ROUTED = "routed"
    SEARCHED = "searched"
    NOT_LOOKED = "not looked at"


@dataclass(frozen=True, slots=True)
class Row:
    """One message of a session as the host stored it; "" for what is not there."""

    id: int
    role: str
    content: str = ""
    call_id: str = ""
    calls: str = ""
    at: float | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict with the rows it rests on: where the file was read, where a search showed it (None: nowhere)."""

    verdict: Verdict
    read: int | None
    shown: int | None
    shown_by: str = ""

    @property
    def why(self) -> str:
        """The reason in one sentence."""
        if self.verdict is Verdict.ROUTED:
            return f"read in message {self.read}, and no search had shown its name before"
        if self.verdict is Verdict.NOT_LOOKED:
            return "no read of it succeeded, and no search showed its name"
        then = f"before the read in message {self.read}" if self.read is not None else "and it was never read"
        return f"{self.shown_by} showed its name in message {self.shown}, {then}"


def judge(rows: Sequence[Row], name: str, topics: Topics, read_call: ReadCall) -> Report:
    """Judge how the rows of one session, in order, came to the topic file `name`."""
    read = next((row for row, used in _uses(rows, topics, read_call) if _form(used) == _form(name)), None)
    shown = next(_shown(rows, _Rows(rows), name), None)
    if shown and (read is None or shown[0] < read):
        return Report(Verdict.SEARCHED, read, *shown)
    return Report(Verdict.NOT_LOOKED if read is None else Verdict.ROUTED, read, None)


def reads(rows: Sequence[Row], topics: Topics, read_call: ReadCall) -> tuple[str, ...]:
    """Return the topics that the rows of one session read, each once, in order."""
    return tuple(dict.fromkeys(name for _, name in _uses(rows, topics, read_call)))


def _uses(rows: Sequence[Row], topics: Topics, read_call: ReadCall) -> Iterator[tuple[int, str]]:
    """Yield each read of a topic that succeeded, as (message, topic)."""
    tally = Tally(_Rows(rows), topics, read_call)
    for row in rows:
        if row.role in ("user", "assistant"):
            for use in tally.take(Message(row.id, "", row.role, row.at or 1e9, row.calls)):
                yield row.id, use.name


class _Rows:
    """The texts that a tally asks for, out of the rows at hand."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self._place = {row.id: place for place, row in enumerate(rows)}

    def calls(self, row: int) -> str:
        return self._rows[self._place[row]].calls

    def answer(self, message: Message, call_id: str, place: int) -> Answer | None:
        """The result of a call: by its id, else by its place, before the next message of the user or the model."""
        behind = []
        for row in self._rows[self._place[message.id] + 1 :]:
            if row.role != "tool":
                break
            behind.append(row)
        named = [row for row in behind if row.call_id == call_id] if call_id else behind[place : place + 1]
        return Answer(named[0].id, named[0].content) if named else None


def _shown(rows: Sequence[Row], texts: _Rows, name: str) -> Iterator[tuple[int, str]]:
    """Yield the results in which a search, a listing or a command names the file; a line of an index is no find."""
    for row in rows:
        for place, call in enumerate(_calls(row)):
            if _looks_around(call, name):
                answer = texts.answer(Message(row.id, "", row.role, row.at), call.id, place)
                if answer and _names(_plain(answer.text), name):
                    yield answer.id, call.tool


def _looks_around(call: Call, name: str) -> bool:
    """Whether a call can show names; a command that names the file itself and does not search opens it."""
    if call.tool not in _PROGRAMS:
        return _SEARCHING.search(call.tool) is not None
    text = json.dumps(call.args, ensure_ascii=False)
    return _form(name) not in _form(text) or _SEARCHER.search(text) is not None


def _calls(row: Row) -> tuple[Call, ...]:
    try:
        return read_calls(row.calls) if row.role == "assistant" and row.calls else ()
    except BrokenCalls:
        return ()


def in_prompt(prompt: str, name: str) -> bool:
    """Tell whether a system prompt holds the index line of a file, and not just an arrow from somewhere."""
    wanted = re.escape(_form(name))
    return re.search(rf"^[^\n→]*\S → {wanted}[ \t]*$", _form(prompt), re.MULTILINE) is not None


def _names(text: str, name: str) -> bool:
    wanted = re.escape(_form(name))
    return re.search(rf"(?<!→ )(?<![\w.-]){wanted}(?![\w-])", _form(text)) is not None


def _plain(text: str) -> str:
    """A stored result with the escapes of its JSON undone."""
    text = text[:_LONGEST]
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return json.dumps(value, ensure_ascii=False)


def _form(text: str) -> str:
    return unicodedata.normalize("NFC", text)
