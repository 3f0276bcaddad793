"""Intents: written first, judged from the disk, finished or cancelled whole."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from memory_shaper.record import EventKind, Identity, Move, Progress, Record, Write, digest_of, progress
from record_tools import NOW, event, later, opened

OLD, NEW, TOPIC = b"a -> a.md, b -> b.md", b"a -> a.md", b"all about b"
STEPS = (
    Write("archived memories/archived-memories.md", None, digest_of(OLD)),
    Move("b.md", "archived memories/b.md", digest_of(TOPIC)),
    Write("MEMORY.md", digest_of(OLD), digest_of(NEW)),
)


def begin(record: Record) -> int:
    """Begin to archive a topic."""
    return record.intents.begin(STEPS, [OLD, NEW, TOPIC], event(EventKind.ARCHIVED, rule="cold"))


def test_an_intent_is_there_before_its_first_step(tmp_path: Path) -> None:
    """Another process finds the steps in their order, the event and every text."""
    with opened(tmp_path) as record:
        number = begin(record)
    with opened(tmp_path) as record:
        (found,) = record.intents.unfinished()
        assert (number, STEPS, event(EventKind.ARCHIVED, rule="cold")) == (found.id, found.steps, found.event)
        assert [record.texts.text(digest_of(text)) for text in (OLD, NEW, TOPIC)] == [OLD, NEW, TOPIC]


def test_a_finished_intent_is_in_the_journal(tmp_path: Path) -> None:
    """Finishing writes one event a file and the accepted states of the watched files, in one group."""
    look = Identity(1, 2, 3)
    with opened(tmp_path) as record:
        number = begin(record)
        written = record.intents.finish(number, later(seconds=1), {"MEMORY.md": look, "b.md": None})
        events = record.journal.group(number)
        assert written == [each.id for each in events]
        assert [
            ("archived memories/archived-memories.md", None, digest_of(OLD)),
            ("b.md", digest_of(TOPIC), None),
            ("archived memories/b.md", None, digest_of(TOPIC)),
            ("MEMORY.md", digest_of(OLD), digest_of(NEW)),
        ] == [(each.file, each.before, each.after) for each in events]
        states = {each.file: (each.digest, each.identity) for each in record.accepted.all()}
        assert {"MEMORY.md": (digest_of(NEW), look), "b.md": (None, None)} == states
        assert (record.intents.unfinished(), record.intents.intent(number).steps) == ([], STEPS)


def test_finishing_twice_is_finishing_once(tmp_path: Path) -> None:
    """Two processes that repair the same intent leave one set of events."""
    with opened(tmp_path) as record:
        number = begin(record)
        assert len(record.intents.finish(number, NOW, {})) == 4
        assert (record.intents.finish(number, NOW, {}), record.intents.cancel(number)) == ([], False)
        assert len(record.journal.newest(50)) == 4


def test_a_cancelled_intent_leaves_nothing(tmp_path: Path) -> None:
    """Cancelling takes the intent and its steps away and writes no event."""
    with opened(tmp_path) as record:
        number = begin(record)
        assert (record.intents.cancel(number), record.intents.cancel(number)) == (True, False)
        assert (
            record.intents.intent(number),
            record.intents.unfinished(),
            record.journal.newest(5),
        ) == (None, [], [])


def test_an_intent_without_its_texts_is_refused(tmp_path: Path) -> None:
    """A change that could not be undone is not begun, and nothing of it is stored."""
    with opened(tmp_path) as record:
        with pytest.raises(ValueError, match="1 of the texts"):
            record.intents.begin(STEPS, [OLD], event())
        assert (record.intents.unfinished(), record.texts.has(digest_of(OLD))) == ([], False)


def test_a_file_in_two_steps_is_refused(tmp_path: Path) -> None:
    """A change whose partial states could not be told apart is not begun."""
    with opened(tmp_path) as record, pytest.raises(ValueError, match="two steps"):
        record.intents.begin([Write("b.md", None, None), STEPS[1]], [], event())


def test_undoing_one_event_of_a_group_undoes_the_group(tmp_path: Path) -> None:
    """All events of a change name the event that took it back, not only the one it points at."""
    with opened(tmp_path) as record:
        number = begin(record)
        record.intents.finish(number, NOW, {})
        undone = record.journal.note(event(EventKind.UNDONE, undo_of=2))
        assert {undone} == {each.reverted_by for each in record.journal.group(number)}


@pytest.mark.parametrize("done", range(4))
def test_each_step_is_judged_by_the_disk(done: int) -> None:
    """Wherever a change was cut off, the steps before are done and those after are still to do."""
    disk: dict[str, str | None] = {"MEMORY.md": digest_of(OLD), "b.md": digest_of(TOPIC)}
    for step in STEPS[:done]:
        disk[step.file] = step.after if isinstance(step, Write) else None
        if isinstance(step, Move):
            disk[step.target] = step.digest
    wanted = [Progress.DONE] * done + [Progress.TODO] * (3 - done)
    assert wanted == [progress(step, disk.get) for step in STEPS]


def test_a_change_by_somebody_else_is_foreign() -> None:
    """Of all states of the two names of a move, one is done, one to do, one half done, the rest foreign."""
    states = {
        pair: progress(Move("a", "b", "d"), dict(zip("ab", pair, strict=True)).get)
        for pair in product((None, "d", "x"), repeat=2)
    }
    known = {(None, "d"): Progress.DONE, ("d", None): Progress.TODO, ("d", "d"): Progress.COPIED}
    assert states == dict.fromkeys(states, Progress.FOREIGN) | known
    assert progress(Write("a", "old", "new"), {"a": "other"}.get) == Progress.FOREIGN
