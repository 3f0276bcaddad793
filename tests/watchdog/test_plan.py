"""Plans as values: what is ordered, what is archived, what never is, and how room is made."""

from datetime import timedelta

import pytest
from homes import HEADING, NOW, ago, index, line, many, targets
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper import grammar, host
from memory_shaper.archive import Shelf
from memory_shaper.model import Folder
from memory_shaper.watchdog.judging import Evidence, Policy, Situation, Topic
from memory_shaper.watchdog.plan import course, make_room
from memory_shaper.watchdog.ranking import Usage

SEEN = Evidence(ago(60), ago(0))


def usage(days, count=1):
    last = ago(days)
    return Usage({"{}-W{:02}".format(*last.isocalendar()): count}, last)


def topic(days=None, count=1, seen=100, **more):
    return Topic(ago(seen), usage(days, count) if days is not None else None, **more)


def situation(text, cap=2200, evidence=SEEN, ordered_at=None, archive="", **topics):
    """All targets of the index are files that are old and unused, unless said otherwise; None is a missing file."""
    known = {name: topic() for name in targets(text)} | {f"{name}.md": what for name, what in topics.items()}
    known = {name: what for name, what in known.items() if what is not None}
    shelf = Shelf(text, archive, Folder(frozenset([*known, "MEMORY.md"])), Folder())
    return Situation(shelf, known, evidence, Policy(cap), NOW, ordered_at)


def plan(now):
    """The first plan of a course, which is all of it where no more than forty entries go."""
    return course(now)[0]


def gone(made):
    return [archived.judged.entry.target for archived in made.archived]


def test_small_index__nothing_to_do():
    """An index in canonical form, in order and below its share stays as it is."""
    made = plan(situation(index(*many(3))))
    assert (made.changes, made.short, made.held) == (False, 0, "")


def test_order__by_use_among_own_slots():
    """Unmarked lines change places among themselves; heading, marked lines and strays stay where they are."""
    text = index(line("a"), line("b", mark="!"), "a stray remark", line("c"), line("d", mark="!!"), line("e"))
    made = plan(situation(text, c=topic(1), e=topic(3)))
    assert made.index == index(
        line("c"), line("b", mark="!"), "a stray remark", line("e"), line("d", mark="!!"), line("a")
    )
    assert made.reordered == 3


def test_order__ties_stay_as_they_stand():
    """Topics that were never used keep their order, whatever their age."""
    text = index(line("young"), line("old"), line("older"))
    assert not plan(situation(text, young=topic(seen=20), old=topic(seen=50), older=topic(seen=500))).changes


@pytest.mark.parametrize(("days", "changes"), [(None, True), (6.9, False), (7, True)])
def test_order__once_a_week(days, changes):
    """Without an archiving the order changes at most once a week."""
    made = plan(situation(index(line("a"), line("b")), ordered_at=ago(days) if days else None, b=topic(1)))
    assert made.changes is changes


def test_archiving__orders_too():
    """When entries are archived the order is put right at once, whenever it was last."""
    made = plan(situation(index(*many(22)), ordered_at=ago(1), topic9=topic(20)))
    assert targets(made.index)[0] == "topic9.md"


def test_canonical__is_written():
    """An index of plain lines gets its entries apart."""
    made = plan(situation("\n".join([HEADING, *many(3)])))
    assert (made.index, made.reshaped) == (index(*many(3)), True)


def test_canonical__that_does_not_fit():
    """Where the canonical form is over the cap and no room can be made, the form stays."""
    text = "\n".join([HEADING, *many(10)])
    made = plan(situation(text, cap=len(text), evidence=Evidence()))
    assert (made.changes, made.stuck) == (False, True)


def test_archive__coldest_first_down_to_the_goal():
    """From over 95 % the least needed go until 80 % is reached, and not one more."""
    made = plan(situation(index(*many(20)), topic19=topic(20), topic18=topic(30, 100)))
    assert made.size > 2090 >= 1760 >= made.after > 1760 - made.archived[0].judged.size
    assert gone(made) == [f"topic{number}.md" for number in range(12, 18)]


def test_archive__much_used_once_outlives_used_once():
    """100 uses 50 days ago are not archived before a single one 20 days ago."""
    uses = {f"topic{number}": topic(20) for number in range(20)} | {"topic7": topic(50, 100), "topic3": topic(20, 1)}
    assert "topic7.md" not in gone(plan(situation(index(*many(20)), **uses)))


PROTECTED = {
    "pinned (!)": (line("a", 150, "!"), topic()),
    "critical (!!)": (line("a", 150, "!!"), topic()),
    "used 13 days ago, in the grace window": (line("a", 150), topic(13.5)),
    "first seen 13 days ago, in the grace window": (line("a", 150), topic(seen=13.5)),
    "its file is missing": (line("a", 150), None),
    "it is a link": (line("a", 150), topic(stays="it is a link")),
}


@pytest.mark.parametrize("why", PROTECTED)
def test_archive__never(why):
    """Marked, young, used, missing and immovable topics stay, however far the index is over its cap."""
    text, known = PROTECTED[why]
    made = plan(situation(index(text), cap=500, a=known))
    assert (made.archived, made.ranked[0].stays, made.stuck) == ((), why, True)


@pytest.mark.parametrize("target", ["USER.md", "MEMORY.md", "archived-memories.md", "../x.md", ".hidden.md"])
def test_archive__system_names(target):
    """A line that names a system file or a path is left alone, and its file too."""
    made = plan(situation(index(line("a", 100).replace("a.md", target)), cap=500))
    assert (made.moves, made.ranked[0].stays.startswith("its target")) == ((), True)


def test_archive__file_that_two_lines_name():
    """A file that another line needs stays, and both lines with it."""
    made = plan(situation(index(line("a", 60), line("b", 60).replace("b.md", "a.md")), cap=500))
    assert (made.changes, {judged.stays for judged in made.ranked}) == (False, {"another line names the same file"})


@pytest.mark.parametrize(
    ("evidence", "held"),
    [
        (Evidence(), "no session of the host"),
        (Evidence(ago(13), ago(0)), "cover 13 days, and 14 days are needed"),
        (Evidence(ago(20), ago(10)), "cover 10 days"),
        (Evidence(ago(60), ago(0), "there is no state.db yet"), "there is no state.db yet"),
        (Evidence(ago(1), NOW + timedelta(days=3000)), "cover 1 day,"),
    ],
)
def test_archive__young_tally(evidence, held):
    """An empty or young tally, as on a fresh machine, archives nothing, and says why."""
    made = plan(situation(index(*many(30)), evidence=evidence))
    assert (made.archived, held in made.held, made.stuck) == ((), True, True)


def test_use_in_the_far_future__protects_nothing():
    """A stamp of a clock that was wrong does not keep a topic for ever."""
    text = index(line("a", 100), line("b", 3))
    assert gone(plan(situation(text, cap=450, a=topic(-3000), b=topic(1)))) == ["a.md"]


@pytest.mark.parametrize("marker", ["<<<<<<< HEAD", "=======", ">>>>>>> other"])
def test_merge_markers__nothing_is_sorted(marker):
    """An index in the middle of a merge is left alone and named."""
    made = plan(situation(index(*many(30)) + f"\n{marker}\n", topic9=topic(20)))
    assert (made.changes, "line 62 is a merge marker" in made.held, made.stuck) == (False, True, True)


@pytest.mark.parametrize("text", ["", "a diary\n§\nof prose, nothing else" * 200, "## Schedule\n- Daily: check"])
def test_no_index__left_alone(text):
    """A file that is no index yet is none of the watchdog's business."""
    made = plan(situation(text))
    assert (made.changes, made.stuck) == (False, False)


def test_course__many_go_in_several_plans():
    """More than forty entries go in several plans, each made for what the one before leaves, down to the same goal."""
    plans = course(situation(index(*many(200)), cap=10_000))
    assert [len(made.archived) for made in plans] == [40, 40, 40, 16]
    assert 8000 - 140 < plans[-1].after <= 8000


def test_course__ends_where_nothing_changes():
    """The plan for what a course leaves changes nothing."""
    last = course(situation(index(*many(200)), cap=10_000))[-1]
    known = {name: topic() for name in targets(last.index)}
    assert not plan(Situation(last.leaves, known, SEEN, Policy(10_000), NOW, NOW)).changes


def test_name_clash__line_gets_the_new_name():
    """Where the archive has a file of that name both are kept, and the line names its own."""
    text = index(line("a", 120), line("b", 3))
    shelf = Shelf(text, index(line("a", 5)), Folder(frozenset(["a.md", "b.md"])), Folder(frozenset(["a.md"])))
    made = plan(Situation(shelf, {"a.md": topic(), "b.md": topic(1)}, SEEN, Policy(500), NOW))
    assert (made.moves, targets(made.archive)) == ((("a.md", "a-2.md"),), ["a.md", "a-2.md"])


def test_make_room__as_much_as_is_needed():
    """Room for an entry is made from the coldest, in place, and no more than it takes."""
    now = situation(index(*many(19)), topic18=topic(20))
    free = 2200 - host.size(now.shelf.index)
    assert not make_room(now, free).changes
    made = make_room(now, free + 1)
    assert (gone(made), made.short, made.reordered) == (["topic17.md"], 0, 0)
    assert made.after + free + 1 <= 2200


def test_make_room__all_or_nothing():
    """Where the room cannot be made nothing is archived, and the missing characters are told."""
    pinned = situation(index(*many(15), *(line(f"p{n}", mark="!") for n in range(4))))
    made = make_room(pinned, 5000)
    assert (made.changes, made.short > 0, len(made.ranked)) == (False, True, 19)


def test_make_room__grace_window_holds():
    """A young tally and young topics stay here too."""
    text = index(*many(20))
    young = {f"topic{number}": topic(seen=2) for number in range(20)}
    assert not make_room(situation(text, **young), 300).changes
    assert make_room(situation(text, evidence=Evidence()), 300).held


LINES = st.lists(
    st.tuples(st.sampled_from(["", "!", "!!"]), st.integers(1, 14), st.none() | st.floats(0, 90)),
    min_size=1,
    max_size=30,
)


@given(LINES, st.sampled_from(["\n§\n", "\n", "\r\n", "\n\n"]), st.integers(50, 3000))
def test_plan__loses_no_line(rows, join, cap):
    """Whatever the index is, every line is in the index or the archive afterwards, and marked lines keep their slots."""
    names = [f"t{number}" for number in range(len(rows))]
    lines = [line(name, words, mark) for name, (mark, words, _) in zip(names, rows, strict=True)]
    uses = {name: topic(days) for name, (_, _, days) in zip(names, rows, strict=True)}
    now = situation(join.join([HEADING, *lines]), cap=cap, **uses)
    made = plan(now)
    after = [text for text in (*made.index.splitlines(), *made.archive.splitlines()) if "→" in text]
    assert sorted(after) == sorted(lines)
    assert host.size(made.index) <= max(host.size(grammar.canonical(now.shelf.index)), cap)
    if not made.archived:
        assert [n for n, t in enumerate(targets(made.index)) if lines[n].startswith("!")] == [
            n for n, t in enumerate(lines) if t.startswith("!")
        ]


@given(LINES, st.integers(50, 3000))
def test_plan__is_a_fixpoint(rows, cap):
    """A plan for what a plan leaves changes nothing."""
    names = [f"t{number}" for number in range(len(rows))]
    lines = [line(name, words, mark) for name, (mark, words, _) in zip(names, rows, strict=True)]
    uses = {f"{name}.md": topic(days) for name, (_, _, days) in zip(names, rows, strict=True)}
    made = plan(situation(index(*lines), cap=cap, **{name[:-3]: what for name, what in uses.items()}))
    left = {name: uses[name] for name in targets(made.index)}
    again = plan(Situation(made.leaves, left, SEEN, Policy(cap), NOW, NOW))
    assert not again.changes
    assert grammar.is_canonical(made.index) or host.size(made.index) > cap
