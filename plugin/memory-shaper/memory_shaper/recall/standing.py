"""Which notes stand, for whom and on which day: expiry, what replaces what, projects, agents. Pure.

Nothing is ever taken out for good: a row removed from a note's front matter brings the note back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from .. import names
from ..model import Entry
from .notes import Front

EVERY = "all"
"""The name of a project that means each of them."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a note says of itself: `name` is its file below the memories folder, `day` its own date.

    `invalid_at` is the raw text of the day from which it no longer holds, `valid_until` of the last day on which it
    does; `supersedes` are the notes it replaces.
    """

    name: str
    day: date | None = None
    agent: str = ""
    project: str = ""
    invalid_at: str = ""
    valid_until: str = ""
    supersedes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who asks: an agent ("" sees the notes of all), in a project ("": the one that `folder` lies in), for a `day`.

    `day` None shows what no longer holds too; `past` leaves out what is dated after the day; `marked` are the keys of
    the topics with a mark, which no other note's word hides.
    """

    agent: str = ""
    project: str = ""
    folder: str = ""
    day: date | None = None
    past: bool = False
    marked: frozenset[str] = frozenset()


def claim_of(name: str, front: Front, day: date | None) -> Claim:
    """The claim of a note with this front matter; `day` is its own date."""
    over = (front.invalid_at, front.valid_until)
    return Claim(name, day, front.agent, front.project, *over, front.supersedes)


def claim_from(name: str, day: date | None, facts: Mapping[str, object]) -> Claim:
    """The claim of a note by what the sidecar keeps of its front matter."""
    old = facts.get("supersedes", ())
    agent, project, invalid, until = (
        str(facts.get(key, "")) for key in ("agent", "project", "invalid_at", "valid_until")
    )
    replaces = tuple(map(str, old)) if isinstance(old, list | tuple) else ()
    return Claim(name, day, agent, project, invalid, until, replaces)


class View:
    """The notes as a viewer sees them; `claims` are those of all notes, or at least of those that say anything."""

    def __init__(self, viewer: Viewer, claims: Iterable[Claim]) -> None:
        every = tuple(claims)
        self.viewer = viewer
        self.project = _project(viewer, {claim.project for claim in every})
        seen = [claim for claim in every if claim.supersedes and self._mine(claim) and self._dated(claim)]
        self._gone = replaced(seen) - viewer.marked if viewer.day else frozenset()

    def shows(self, claim: Claim) -> bool:
        """Whether a note is to be shown."""
        if not self._mine(claim) or not self._dated(claim):
            return False
        day = self.viewer.day
        if day is None:
            return True
        return not is_over(claim, day) and self._gone.isdisjoint(keys_of(claim.name))

    def _mine(self, claim: Claim) -> bool:
        if self.viewer.agent and claim.agent not in ("", self.viewer.agent):
            return False
        return not self.project or not claim.project or _same(claim.project, self.project)

    def _dated(self, claim: Claim) -> bool:
        day = self.viewer.day
        return not (self.viewer.past and day and claim.day and claim.day > day)


def is_over(claim: Claim, day: date) -> bool:
    """Whether a note says of itself that it does not hold on a day; what is no date says nothing."""
    over, until = read_day(claim.invalid_at), read_day(claim.valid_until)
    return bool((over and over <= day) or (until and until < day))


def read_day(text: str) -> date | None:
    """The day of an ISO date or time, None for any other text.

    >>> read_day("2026-03-01T10:00:00Z"), read_day("soon")
    (datetime.date(2026, 3, 1), None)
    """
    try:
        return datetime.fromisoformat(text).date() if text else None
    except ValueError:
        return None


def replaced(claims: Iterable[Claim]) -> frozenset[str]:
    """The keys of the notes that others replace; notes that replace each other in a circle all stay.

    >>> sorted(replaced([Claim("c.md", supersedes=("b",)), Claim("b.md", supersedes=("a.md",))]))
    ['a.md', 'b.md']
    >>> sorted(replaced([Claim("a.md", supersedes=("b.md",)), Claim("b.md", supersedes=("a.md",))]))
    []
    """
    arrows = {(own_key(claim.name), key_of(old)) for claim in claims for old in claim.supersedes}
    return frozenset(old for _, old in arrows - circles(arrows))


def circles(arrows: Collection[tuple[str, str]]) -> set[tuple[str, str]]:
    """Those of some arrows that lie on a circle or between two: what is left when all loose ends are taken off."""
    left = set(arrows)
    touching: dict[str, set[tuple[str, str]]] = {}
    starting, ending = Counter(one for one, _ in left), Counter(other for _, other in left)
    for arrow in left:
        for name in arrow:
            touching.setdefault(name, set()).add(arrow)
    loose = [name for name in touching if not starting[name] or not ending[name]]
    while loose:
        for arrow in touching.pop(loose.pop(), set()) & left:
            left.discard(arrow)
            starting[arrow[0]] -= 1
            ending[arrow[1]] -= 1
            loose += [name for name in arrow if not starting[name] or not ending[name]]
    return left


def marked_keys(entries: Iterable[Entry]) -> frozenset[str]:
    """The keys of the topics of those entries that have a mark."""
    return frozenset(own_key(entry.target) for entry in entries if entry.mark)


def key_of(name: str) -> str:
    """The form in which a name written in `supersedes` is compared; `.md` may be left out."""
    name = name.strip()
    return names.same(name if names.same(name).endswith(".md") else f"{name}.md")


def own_key(name: str) -> str:
    """The key that a note is named by: its bare name for a topic, live or archived, else its whole name."""
    folder, _, bare = name.rpartition("/")
    return names.same(bare if folder in ("", names.ARCHIVE_FOLDER) else name)


def keys_of(name: str) -> frozenset[str]:
    """All keys under which a note may be named."""
    return frozenset((own_key(name), names.same(name)))


def _project(viewer: Viewer, known: Collection[str]) -> str:
    """The project that the viewer is in: the given one, else the innermost known one of the folder's names; "" none."""
    if viewer.project:
        return "" if _same(viewer.project, EVERY) else viewer.project
    forms = {names.same(project) for project in known if project}
    parts = viewer.folder.replace("\\", "/").split("/") if forms else []
    return next((part for part in reversed(parts) if names.same(part) in forms), "")


def _same(one: str, other: str) -> bool:
    return names.same(one) == names.same(other)
