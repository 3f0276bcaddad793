"""Archiving and restoring as plans: what moves, what stays, and that the way back ends where it began."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper import grammar, host, names
from memory_shaper.archive import HEADING, CannotRestore, Shelf, bring_back, free_name, put_away
from memory_shaper.model import Entry, Folder
from tools import CANONICAL, ENTRIES, FOLDER, check_clean

CRITICAL, PINNED, JAVA, PYTHON = ENTRIES
LEFT = host.join(part for part in CANONICAL.split("\n§\n") if part != JAVA)
SHELVED = f"{HEADING}\n§\n{JAVA}\n"


def shelf(index: str = CANONICAL, archive: str = "", live: Folder = FOLDER, archived: Folder | None = None) -> Shelf:
    return Shelf(index, archive, live, archived or Folder())


def files(*found: str) -> Folder:
    return Folder(frozenset(found))


def test_a_line_and_its_file_move() -> None:
    """The line leaves the index for the archive index word for word, and its file moves along."""
    plan = put_away(shelf(), ["java-performance.md"])
    assert (plan.index, plan.archive, plan.moves) == (LEFT, SHELVED, (("java-performance.md",) * 2,))
    assert [str(entry) for entry in plan.lines] == [JAVA]


def test_nothing_asked_nothing_changed() -> None:
    """No target, or one that no line names, leaves both texts as they were."""
    plan = put_away(shelf(archive=SHELVED), ["unknown.md"])
    assert (plan.index, plan.archive, plan.moves) == (CANONICAL, SHELVED, ())


@pytest.mark.parametrize(
    ("name", "folder", "why"),
    [
        ("MEMORY.md", files("MEMORY.md"), "the index"), ("memory.md", files("MEMORY.md"), "the index"),
        ("USER.md", files("USER.md"), "the profile"), ("archived-memories.md", files("archived-memories.md"), "ours"),
        ("gone.md", files("other.md"), "missing"), ("d.md", Folder(frozenset(), frozenset({"d.md"})), "a folder"),
    ],
)  # fmt: skip
def test_what_never_moves(name: str, folder: Folder, why: str) -> None:
    """A line that names a system file, a folder or nothing leaves, and no file moves."""
    line = f"a,b,c,d,e → {name}"
    plan = put_away(shelf(host.join([CANONICAL, line]), live=folder), [name])
    assert (CANONICAL, (), f"{HEADING}\n§\n{line}\n") == (plan.index, plan.moves, plan.archive), why


def test_a_file_that_another_line_needs_stays() -> None:
    """A line that left the index takes its file along only if no other line names it."""
    gone = grammar.parse_entry("a1,b1,c1,d1,e1 → python-env.md")
    assert gone is not None
    assert put_away(shelf(), (), [gone]).moves == ()


def test_two_lines_of_one_file_become_one() -> None:
    """Two lines for one file are archived as one line with the words of both, and the file moves once."""
    second = "java,jvm,g1,zgc,jfr → java-performance.md"
    plan = put_away(shelf(host.join([CANONICAL, second])), ["java-performance.md"])
    assert (plan.moves, plan.index) == ((("java-performance.md",) * 2,), LEFT)
    assert plan.archive == SHELVED.replace(",jmx", ",jmx,g1,zgc,jfr")


def test_a_taken_name_is_rewritten() -> None:
    """Where the archive has a file of that name, both are kept and the newer line names the new file."""
    old = "old,words,of,java,x → java-performance.md"
    before = f"{HEADING}\n§\n{old}\n"
    plan = put_away(shelf(archive=before, archived=files("java-performance.md")), ["java-performance.md"])
    moved = JAVA.replace("performance.md", "performance-2.md")
    assert f"{before}§\n{moved}\n" == plan.archive
    assert plan.moves == (("java-performance.md", "java-performance-2.md"),)


def test_of_two_twins_one_is_meant() -> None:
    """Of two lines whose names differ in case only, the one that was named goes."""
    lines = ["a,b,c,d,e → Deploy.md", "f,g,h,i,j → deploy.md"]
    plan = put_away(shelf(host.join(lines), live=files("Deploy.md", "deploy.md")), ["deploy.md"])
    assert (lines[0], (("deploy.md", "deploy.md"),)) == (plan.index, plan.moves)


def test_a_name_in_the_other_form_is_found() -> None:
    """A line in composed form takes along the file whose name is decomposed, and the other way round."""
    plan = put_away(shelf("a,b,c,d,e → é.md", live=files("e\u0301.md")), ["e\u0301.md"])
    assert (plan.index, plan.moves) == ("", (("e\u0301.md", "e\u0301.md"),))


@pytest.mark.parametrize(
    "line", ["a, b,c,d,e -> x.md", "a，b，c，d，e　→　x.md", "!! A,b,c → x.md", "a,,b → x.md", "a、b、c→x.md"]
)
def test_lines_move_word_for_word(line: str) -> None:
    """A line with slips in it is archived as it stands."""
    assert f"{HEADING}\n§\n{line}\n" == put_away(shelf(line, live=files("x.md")), ["x.md"]).archive


def test_what_users_wrote_in_the_archive_index_stays() -> None:
    """Prose, blank lines and line ends of the archive index are kept."""
    mine = "my own words\r\n\r\n§\r\na,b,c,d,e → old.md\r\n§\r\nmore"
    plan = put_away(shelf(archive=mine, archived=files("old.md")), ["java-performance.md"])
    assert f"{mine}\r\n§\r\n{JAVA}" == plan.archive


def test_the_archive_index_is_a_clean_index() -> None:
    """What archiving writes has no finding of its own."""
    plan = put_away(shelf(), ["java-performance.md", "python-env.md"])
    check_clean(plan.archive, files("java-performance.md", "python-env.md"), cap=None)


def test_restore_is_the_way_back() -> None:
    """A restored line stands at the end of the index, and the archive index is what it was."""
    away = put_away(shelf(archive=f"{HEADING}\n"), ["python-env.md"])
    back = bring_back(
        shelf(away.index, away.archive, files("MEMORY.md"), files("python-env.md")), "python-env.md", 2200
    )
    assert (CANONICAL, f"{HEADING}\n", (("python-env.md",) * 2,)) == (back.index, back.archive, back.moves)


@pytest.mark.parametrize(
    ("target", "live", "cap", "said"),
    [
        ("nope.md", FOLDER, 2200, '"nope.md" is not in the archive; it holds: java-performance.md'),
        ("java-performance.md", FOLDER, 2200, "exists in the live folder too"),
        ("Java-Performance.md", files("JAVA-performance.md"), 2200, "exists in the live folder too"),
        ("java-performance.md", files("x.md"), 300, "of 300 characters; archive another entry first"),
    ],
)
def test_restore_that_cannot_be(target: str, live: Folder, cap: int, said: str) -> None:
    """A restore that has no line, no free name or no room says so."""
    with pytest.raises(CannotRestore, match=said.replace("(", r"\(").replace(";", ".")):
        bring_back(shelf(LEFT, SHELVED, live, files("java-performance.md")), target, cap)


@pytest.mark.parametrize(
    ("taken", "name"), [([], "a.md"), (["a.md"], "a-2.md"), (["A.md", "a-2.MD"], "a-3.md"), (["a-2.md"], "a.md")]
)
def test_free_name(taken: list[str], name: str) -> None:
    """A free name is the name itself or the first free number, in any case."""
    assert name == free_name("a.md", set(map(names.same, taken)))


WORDS = st.from_regex("[a-z部+]{1,4}", fullmatch=True)
LINES = st.builds(
    lambda mark, words, arrow, name: f"{mark}{','.join(words)}{arrow}{name}.md",
    st.sampled_from(["", "!", "!!"]), st.lists(WORDS, min_size=2, max_size=6), st.sampled_from([" → ", "→", " -> "]),
    st.sampled_from(["a", "b", "B", "é", "e\u0301", "c d", "x"]),
)  # fmt: skip
TEXTS = st.tuples(
    st.lists(st.one_of(LINES, st.sampled_from(["# h", "prose it is", "§", ""])), max_size=8),
    st.sampled_from(["\n", "\r\n", "\n§\n"]),
    st.sampled_from(["", "\n"]),
).map(lambda parts: parts[1].join(parts[0]) + parts[2])


@given(TEXTS, TEXTS, st.sets(st.sampled_from(["a.md", "b.md", "B.md", "é.md", "e\u0301.md", "x.md"])), st.data())
def test_nothing_is_ever_lost(index: str, archive: str, live: set[str], data: st.DataObject) -> None:
    """Whatever is archived, every keyword stands in one of the two texts, every file moves once to a free name."""
    targets = data.draw(st.lists(st.sampled_from(["a.md", "b.md", "é.md", "c d.md", "x.md"]), max_size=3))
    held = files(*data.draw(st.sets(st.sampled_from(["a.md", "A-2.md", "x.md"]))))
    plan = put_away(shelf(index, archive, files(*live), held), targets)
    assert all(not names.is_system(new) and old in live for old, new in plan.moves)
    olds, news = [old for old, _ in plan.moves], [names.same(new) for _, new in plan.moves]
    assert len(set(olds)) == len(olds) and len(set(news)) == len(news)
    assert {names.same(name) for name in held.files}.isdisjoint(news)
    here = {word for entry in (*of(plan.index), *of(plan.archive)) for word in entry.keywords}
    assert {word for entry in of(index) for word in entry.keywords} <= here
    named = {entry.target for entry in of(plan.index)}
    assert not named.intersection(olds)


def of(text: str) -> list[Entry]:
    """The entries of a text."""
    return [entry for _, entry in grammar.parse(text).entries()]
