"""From a proposal to the edits it stands for, and carrying them out: under the lock, journaled, undoable. Shell.

Planning changes nothing, so what is shown and what is done are the same value.
"""

from __future__ import annotations

from collections.abc import Mapping

from .. import archive, edit, names, store
from ..archive import Shelf
from ..errors import Refused
from ..guard.refusals import full
from ..guard.room import make_room
from ..host import size
from ..recall.standing import key_of
from ..record import Event, EventKind, Proposal, Record, Source, State
from ..remember import NoRoom, Note, admitted, planned
from ..settings import Home, Settings
from . import uniting
from .scene import Made, Planner, Scene, leaving, scene, text, words


def plan(at: Scene, proposal: Proposal) -> Made:
    """What applying a proposal would do now.

    Raises Refused where it cannot be applied, NoRoom where a line does not fit.
    """
    planner = PLANNERS.get(proposal.kind)
    if planner is None:
        raise Refused(
            f"a proposal of kind {proposal.kind} is only told, there is nothing to apply; reject it when done"
        )
    return planner(at, proposal.payload)


def apply(home: Home, record: Record, settings: Settings, proposal: Proposal, source: Source) -> list[int]:
    """Carry a proposal out and close it; the ids of the journal's events, none where all was as it wants.

    The caller holds no lock. Raises Refused, Busy, ReadOnly or Unreadable; the proposal stays open then.
    """
    edit.make_folder(home, home.memories)
    try:
        return _apply(home, record, settings, proposal, source)
    except NoRoom as full_index:
        room = make_room(home, settings, record, full_index.draft)
        if not room.made:
            before = size(full_index.draft.before)
            raise Refused(full(full_index.need, before, settings.cap, room.coldest)) from full_index
    return _apply(home, record, settings, proposal, source)


def _apply(home: Home, record: Record, settings: Settings, proposal: Proposal, source: Source) -> list[int]:
    with store.locked(home.index):
        edit.repair(home, record)
        made = plan(scene(home, settings), proposal)
        event = Event(EventKind.CHANGED, edit.now(), rule=f"proposal-{proposal.kind}", source=source)
        events = edit.carry_out(home, record, made.edits, event) if made.edits else []
        record.proposals.close(proposal.id, State.APPLIED, edit.now())
    return events


def _remembered(at: Scene, payload: Mapping[str, object]) -> Made:
    """Keep a note; `supersedes` names topics that it takes the place of."""
    old = words(payload, "supersedes")
    front = tuple((name, value) for name in ("type", "project") if (value := text(payload, name)))
    note = Note(
        text=text(payload, "text"),
        topic=text(payload, "topic"),
        keywords=words(payload, "keywords"),
        tags=words(payload, "tags"),
        front=(*front, ("supersedes", f"[{', '.join(old)}]")) if old else front,
        replaces=text(payload, "replaces"),
    )
    note = admitted(note, at.settings.rules)
    return _superseding(at, note, old) if old else _kept(at, note)


def _kept(at: Scene, note: Note) -> Made:
    made = planned(at.home, at.settings, note, at.shelf, at.index)
    return Made(made.edits, f"{'made' if made.kept.created else 'added to'} {made.kept.topic}")


def _superseding(at: Scene, note: Note, old: tuple[str, ...]) -> Made:
    """The old topics go to the archive first, so that their lines make room for the new one."""
    archived = {names.same(name) for name in at.shelf.archived.files}
    away = archive.put_away(at.shelf, leaving(at, tuple(name for name in old if key_of(name) not in archived)))
    still = Shelf(away.index, away.archive, at.shelf.live, at.shelf.archived)
    made = planned(at.home, at.settings, note, still, away.index.encode())
    if any(names.same(made.kept.topic) == names.same(moved) for moved, _ in away.moves):
        raise Refused(f"{made.kept.topic} cannot take the place of itself; give another topic")
    gone = archive.Plan(made.index or away.index, away.archive, away.moves)
    topics = [one for one in made.edits if isinstance(one, edit.NewText) and one.file != names.INDEX]
    edits = (*topics, *edit.edits_to_archive(at.home, gone, at.index, at.shelved))
    return Made(edits, f"{made.kept.topic} takes the place of {', '.join(old)}")


# remember: {text, topic?, keywords?, tags?, type?, project?}. update: the same with `topic` and `replaces`, a passage
# of its file. supersede: the same with `supersedes`, a list of topics.
# merge: {into, from}. group: {topic, from}. correct: {topic, replaces}. A contradiction has no planner.
PLANNERS: dict[str, Planner] = {
    "remember": _remembered,
    "update": _remembered,
    "supersede": _remembered,
    "merge": uniting.merge,
    "group": uniting.group,
    "correct": uniting.correct,
}
