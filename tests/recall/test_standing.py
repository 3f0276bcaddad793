"""Which notes stand: on which day, for whom, in which project; and everything can be taken back."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.model import Entry
from memory_shaper.recall.fronts import Fronts
from memory_shaper.recall.standing import Claim, View, Viewer, circles, marked_keys, replaced
from recall_tools import ask, sidecar_of, write

TODAY = date(2026, 3, 10)


def shown(viewer: Viewer, *claims: Claim) -> list[str]:
    """The names of the notes that a viewer sees."""
    view = View(viewer, claims)
    return [claim.name for claim in claims if view.shows(claim)]


@pytest.mark.parametrize(
    ("row", "held"),
    [
        ({"invalid_at": "2026-03-11"}, True),
        ({"invalid_at": "2026-03-10"}, False),
        ({"valid_until": "2026-03-11"}, True),
        ({"valid_until": "2026-03-10"}, True),
        ({"valid_until": "2026-03-09"}, False),
        ({"valid_until": "someday"}, True),
    ],
)
def test_a_note_holds_until_its_day(row: dict[str, str], held: bool) -> None:
    """`invalid_at` is the first day on which a note does not hold, `valid_until` the last on which it does."""
    assert bool(shown(Viewer(day=TODAY), Claim("a.md", **row))) is held


def test_a_replaced_note_is_hidden_live_and_archived() -> None:
    """The successor alone is shown, wherever the old note lies and however it is named."""
    new = Claim("new.md", supersedes=("Old",))
    old = (Claim("old.md"), Claim("archived memories/old.md"), Claim("elsewhere/old.md"))
    assert shown(Viewer(day=TODAY), new, *old) == ["new.md", "elsewhere/old.md"]


def test_a_marked_topic_is_not_hidden_by_another_note() -> None:
    """A topic that the user has marked stays in sight, whatever another note says it replaces; its own end counts."""
    claims = (
        Claim("new.md", supersedes=("old.md", "over.md")),
        Claim("old.md"),
        Claim("over.md", invalid_at="2020-01-01"),
    )
    marked = marked_keys([Entry("!", ("a", "b"), "old.md"), Entry("!!", ("a", "b"), "over.md")])
    assert shown(Viewer(day=TODAY, marked=marked), *claims) == ["new.md", "old.md"]


def test_without_a_day_everything_is_shown() -> None:
    """Who asks for what no longer holds sees what was replaced and what is over."""
    claims = (Claim("new.md", supersedes=("old.md",)), Claim("old.md"), Claim("b.md", invalid_at="2020-01-01"))
    assert shown(Viewer(), *claims) == ["new.md", "old.md", "b.md"]


def test_the_past_is_shown_as_it_was() -> None:
    """As of a day, what came later neither shows nor replaces, and what was over later still holds."""
    new = Claim("new.md", day=date(2026, 2, 1), supersedes=("old.md",))
    old = Claim("old.md", day=date(2025, 1, 1), invalid_at="2026-02-15")
    assert shown(Viewer(day=date(2026, 1, 1), past=True), new, old) == ["old.md"]
    assert shown(Viewer(day=TODAY, past=True), new, old) == ["new.md"]


def test_a_chain_leaves_the_last_one() -> None:
    """A note that was replaced still replaces what it did: only the newest stands."""
    chain = (Claim("a.md"), Claim("b.md", supersedes=("a.md",)), Claim("c.md", supersedes=("b.md",)))
    assert shown(Viewer(day=TODAY), *chain) == ["c.md"]


def test_a_circle_and_a_dangling_name_hide_nothing() -> None:
    """Notes that replace each other or themselves all stay, and a name of no note does no harm."""
    circle = (Claim("a.md", supersedes=("b.md",)), Claim("b.md", supersedes=("a.md", "gone.md")))
    assert shown(Viewer(day=TODAY), *circle) == ["a.md", "b.md"]
    assert shown(Viewer(day=TODAY), Claim("a.md", supersedes=("a.md",))) == ["a.md"]


def test_another_agents_note_replaces_nothing_of_ours() -> None:
    """What a viewer cannot see does not hide what he can."""
    claims = (Claim("new.md", agent="b", supersedes=("old.md",)), Claim("old.md"))
    assert shown(Viewer(agent="a", day=TODAY), *claims) == ["old.md"]


ALPHA, BETA, PLAIN = Claim("alpha.md", project="Alpha"), Claim("beta.md", project="beta"), Claim("plain.md")


@pytest.mark.parametrize(
    ("viewer", "seen"),
    [
        (Viewer(project="alpha"), ["alpha.md", "plain.md"]),
        (Viewer(folder="/home/u/src/alpha/lib"), ["alpha.md", "plain.md"]),
        (Viewer(folder="/home/u/alpha/beta"), ["beta.md", "plain.md"]),
        (Viewer(folder="C:\\src\\BETA"), ["beta.md", "plain.md"]),
        (Viewer(folder="/home/u/other"), ["alpha.md", "beta.md", "plain.md"]),
        (Viewer(project="all", folder="/home/u/alpha"), ["alpha.md", "beta.md", "plain.md"]),
        (Viewer(project="gamma"), ["plain.md"]),
    ],
)
def test_inside_a_project_the_others_are_hidden(viewer: Viewer, seen: list[str]) -> None:
    """The project is the one asked for, else the innermost folder that bears the name of one."""
    assert shown(viewer, ALPHA, BETA, PLAIN) == seen


ARROWS = st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda pair: tuple(map(str, pair))), max_size=20)


@given(ARROWS)
def test_some_note_of_each_family_stands(arrows: set[tuple[str, str]]) -> None:
    """However notes replace each other, not all of them are hidden, and the order does not matter."""
    claims = [Claim(f"{one}.md", supersedes=(f"{other}.md",)) for one, other in arrows]
    gone = replaced(claims)
    assert gone == replaced(reversed(claims))
    assert not arrows or gone < {f"{name}.md" for arrow in arrows for name in arrow}
    assert circles(circles(arrows)) == circles(arrows)


def test_search_answers_with_the_successor(tmp_path: Path) -> None:
    """A correction leaves one answer, the old one is found when it is asked for, and the row undone brings it back."""
    with sidecar_of(
        tmp_path, old="the router of device A is X", new="---\nsupersedes: [old.md]\n---\nthe router of device A is Y"
    ) as sidecar:
        assert ask(sidecar, "router of device A", today=TODAY) == ["new.md"]
        assert sorted(ask(sidecar, "router of device A")) == ["new.md", "old.md"]
        write(sidecar.memories, "new.md", "the router of device A is Y")
        assert sorted(ask(sidecar, "router of device A", today=TODAY)) == ["new.md", "old.md"]


def test_filters_come_before_the_cut(tmp_path: Path) -> None:
    """Of sixty notes of another project and one of ours, ours is found with a limit of one."""
    notes = {f"b{number}": "---\nproject: beta\n---\nkiwi kiwi" for number in range(60)}
    with sidecar_of(tmp_path, ours="---\nproject: alpha\n---\nkiwi", **notes) as sidecar:
        assert ask(sidecar, "kiwi", limit=1, project="alpha", today=TODAY) == ["ours.md"]
        assert ask(sidecar, "kiwi", limit=1, folder="/src/alpha", today=TODAY) == ["ours.md"]


def test_as_of_finds_what_held_then(tmp_path: Path) -> None:
    """A search as of a day gives the old answer before the change and the new one after it."""
    with sidecar_of(
        tmp_path,
        old="---\ncreated: 2025-01-01\n---\nthe office is in Bonn",
        new="---\ncreated: 2026-02-01\nsupersedes: [old.md]\n---\nthe office is in Kiel",
    ) as sidecar:
        assert ask(sidecar, "office", as_of=date(2026, 1, 1)) == ["old.md"]
        assert ask(sidecar, "office", as_of=date(2026, 2, 1)) == ["new.md"]


def entries(*targets: str) -> list[Entry]:
    return [Entry("", ("a", "b"), target) for target in targets]


def test_fronts_follow_the_files(tmp_path: Path) -> None:
    """A line whose topic is over is not shown, and is again when its row is taken out; a missing file says nothing."""
    fronts, viewer = Fronts(tmp_path), Viewer(day=TODAY)
    path = write(tmp_path, "a.md", "---\ninvalid_at: 2026-01-01\n---\ntext")
    lines = entries("a.md", "missing.md")
    assert [entry.target for entry in fronts.shown(lines, viewer)] == ["missing.md"]
    path.write_text("text", "utf-8")
    assert [entry.target for entry in fronts.shown(lines, viewer)] == ["a.md", "missing.md"]
