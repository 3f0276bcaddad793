"""Write-ahead notes: what a change of several files is going to do, with every text, before the first file is touched.

A change is carried out under the host's lock. So whoever holds that lock and finds an unfinished intent knows that its
process is gone, and can say of each step by the disk alone whether it was done: no file has a part in two steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from ..model import Identity
from .accepted import AcceptedStates
from .database import Database, Row
from .journal import ORIGIN, Event, Journal, origin_event, origin_values
from .texts import Texts
from .times import moment_or_none, stamp


@dataclass(frozen=True, slots=True)
class Write:
    """A file goes from one content to another; None means absent, so this also makes and removes files."""

    file: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Move:
    """A file with this content gets another name, where there was no file before."""

    file: str
    target: str
    digest: str


Step = Write | Move
Look = Callable[[str], str | None]


class Progress(StrEnum):
    """How far a step has got, seen from the disk."""

    DONE = "done"
    TODO = "todo"
    COPIED = "copied"  # of a move: both names hold the content, the old one is still to be removed
    FOREIGN = "foreign"  # somebody else has changed the file since


def progress(step: Step, look: Look) -> Progress:
    """How far a step has got; `look` gives the digest of a file's content now, None where it is absent.

    >>> progress(Move("a.md", "archived memories/a.md", "d1"), {"a.md": "d1"}.get)
    <Progress.TODO: 'todo'>
    """
    if isinstance(step, Write):
        found = look(step.file)
        if found == step.after:
            return Progress.DONE
        return Progress.TODO if found == step.before else Progress.FOREIGN
    states = {
        (None, step.digest): Progress.DONE,
        (step.digest, None): Progress.TODO,
        (step.digest, step.digest): Progress.COPIED,
    }
    return states.get((look(step.file), look(step.target)), Progress.FOREIGN)


@dataclass(frozen=True, slots=True)
class Intent:
    """A change of several files: its steps in order, and the event that it will be in the journal."""

    id: int
    steps: tuple[Step, ...]
    event: Event
    finished_at: datetime | None = None


class Intents:
    """The intents in a record."""

    def __init__(self, database: Database, texts: Texts, journal: Journal, accepted: AcceptedStates) -> None:
        self._database = database
        self._texts = texts
        self._journal = journal
        self._accepted = accepted

    def begin(self, steps: Sequence[Step], contents: Iterable[bytes], event: Event) -> int:
        """Write down a change before its first step; the id of the intent.

        `contents` are the texts before and after. ValueError where a written text is neither among them nor stored,
        or where a file has a part in two steps: such a change could not be undone, or not be judged half-way.
        """
        _check_apart(steps)
        marks = ", ".join("?" * 10)
        with self._database.transaction(durable=True):
            self._store(steps, contents, event.at)
            number = self._database.add(f"INSERT INTO intents ({ORIGIN}) VALUES ({marks})", *origin_values(event))
            for place, step in enumerate(steps):
                sql = (
                    "INSERT INTO steps (intent, place, kind, file, target, before, after) VALUES (?, ?, ?, ?, ?, ?, ?)"
                )
                self._database.add(sql, number, place, *_step_values(step))
        return number

    def unfinished(self) -> list[Intent]:
        """The intents that were neither finished nor cancelled, oldest first."""
        numbers = self._database.rows("SELECT id FROM intents WHERE finished_at IS NULL ORDER BY id")
        found = [self.intent(number) for (number,) in numbers]
        return [intent for intent in found if intent is not None]

    def intent(self, number: int) -> Intent | None:
        """One intent, finished or not, None where there is none (any more)."""
        row = self._database.row(f"SELECT {ORIGIN}, finished_at FROM intents WHERE id = ?", number)
        if row is None:
            return None
        sql = "SELECT kind, file, target, before, after FROM steps WHERE intent = ? ORDER BY place"
        steps = tuple(self._database.read(_step, step) for step in self._database.rows(sql, number))
        event, finished_at = self._database.read(lambda whole: (origin_event(whole[:10]), whole[10]), row)
        return Intent(number, steps, event, moment_or_none(finished_at))

    def finish(self, number: int, now: datetime, watched: Mapping[str, Identity | None]) -> list[int]:
        """Say that all steps are done: one event for each file that changed, and the accepted states of the watched.

        `watched` names the changed files whose new state is accepted, with how they look now (None: absent). Returns
        the ids of the events, none where the intent is not open any more: finishing twice is finishing once.
        """
        with self._database.transaction(durable=True):
            intent = self.intent(number)
            if intent is None or intent.finished_at is not None:
                return []
            self._database.run("UPDATE intents SET finished_at = ? WHERE id = ?", stamp(now), number)
            events = [event for step in intent.steps for event in _events(step, replace(intent.event, at=now))]
            return [self._note(replace(event, intent=number), watched) for event in events]

    def cancel(self, number: int) -> bool:
        """Say that no step is done, or that all are undone again; False where the intent is not open any more."""
        with self._database.transaction(durable=True):
            if not self._database.run("DELETE FROM intents WHERE id = ? AND finished_at IS NULL", number):
                return False
            self._database.run("DELETE FROM steps WHERE intent = ?", number)
        return True

    def _store(self, steps: Sequence[Step], contents: Iterable[bytes], at: datetime) -> None:
        last: str | None = None
        for content in contents:
            last = self._texts.put(content, at, like=last)
        named = {digest for step in steps if isinstance(step, Write) for digest in (step.before, step.after)}
        if missing := sum(not self._texts.has(digest) for digest in named if digest):
            raise ValueError(f"{missing} of the texts that the steps write or replace were not handed in")

    def _note(self, event: Event, watched: Mapping[str, Identity | None]) -> int:
        if event.file in watched:
            return self._accepted.settle(event, watched[event.file])
        return self._journal.note(event)


def _check_apart(steps: Sequence[Step]) -> None:
    files = [file for step in steps for file in _files(step)]
    if len(set(files)) < len(files):
        raise ValueError("a file has a part in two steps of one change")


def _files(step: Step) -> tuple[str, ...]:
    return (step.file,) if isinstance(step, Write) else (step.file, step.target)


def _events(step: Step, event: Event) -> list[Event]:
    """What a finished step is in the journal; a move is a file that went and one that came."""
    if isinstance(step, Write):
        return [replace(event, file=step.file, before=step.before, after=step.after)]
    went = replace(event, file=step.file, before=step.digest, after=None)
    return [went, replace(event, file=step.target, before=None, after=step.digest)]


def _step_values(step: Step) -> tuple[str, str, str, str | None, str | None]:
    if isinstance(step, Write):
        return ("write", step.file, "", step.before, step.after)
    return ("move", step.file, step.target, step.digest, step.digest)


def _step(row: Row) -> Step:
    kind, file, target, before, after = row
    if kind == "move":
        return Move(file, target, after)
    if kind == "write":
        return Write(file, before, after)
    raise ValueError("unknown kind of step")
