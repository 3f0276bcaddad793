"""Bringing two versions of an index together."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from memory_shaper import merging

HEAD = "# h"
A, B, C, D = (f"{word}1,{word}2 → {word}.md" for word in "abcd")


def text(*parts: str) -> str:
    """A text in canonical form."""
    return "\n§\n".join(parts)


VERSIONS = st.lists(st.sampled_from([A, B, C, D, "prose", "!" + A, "a9 → a.md"]), unique=True).map(
    lambda parts: text(HEAD, *parts)
)


def test_an_undone_line_goes_and_a_later_one_stays() -> None:
    """Taking back an added line keeps what was added after it."""
    assert merging.three_way(text(HEAD, A, B), text(HEAD, A, B, C), text(HEAD, A)) == merging.Merged(text(HEAD, A, C))


def test_a_line_comes_back_at_its_place() -> None:
    """Taking back a removal puts the line behind the one that it followed."""
    assert merging.three_way(text(HEAD, A, C), text(HEAD, A, C, D), text(HEAD, A, B, C)).text == text(HEAD, A, B, C, D)


def test_the_order_comes_back() -> None:
    """Taking back a new order restores the old one."""
    assert merging.three_way(text(HEAD, B, A), text(HEAD, B, A, C), text(HEAD, A, B)).text == text(HEAD, A, C, B)


def test_a_line_changed_by_both_is_a_conflict() -> None:
    """A line that was changed again since cannot be taken back."""
    assert merging.three_way(text("!" + A), text("a9 → a.md"), text(A)).conflicts == ("a.md",)


@settings(max_examples=200)
@given(VERSIONS, VERSIONS)
def test_a_side_that_did_nothing_has_no_say(base: str, other: str) -> None:
    """Where one side is the base, the other one is the result."""
    assert merging.three_way(base, base, other) == merging.Merged(other)
    assert sorted(merging.three_way(base, other, base).text.split("\n§\n")) == sorted(other.split("\n§\n"))


def test_a_union_has_the_keywords_of_both() -> None:
    """One line a target, ours first, with the stronger mark."""
    assert merging.union(text(HEAD, A), text("# x", "!a2,a3 → a.md", B), 20) == text(HEAD, "!a1,a2,a3 → a.md", B)


@settings(max_examples=200)
@given(VERSIONS, VERSIONS)
def test_a_union_loses_no_line(ours: str, theirs: str) -> None:
    """Every target and every other line of both sides is there, and a second union adds nothing."""
    both = merging.union(ours, theirs, 20)
    assert set(merging.targets(both)) == set(merging.targets(ours)) | set(merging.targets(theirs))
    assert ("prose" in both) == ("prose" in ours or "prose" in theirs)
    assert merging.union(both, theirs, 20) == both


def test_merge_markers_give_both_sides() -> None:
    """The versions between the markers are told apart; the common ancestor is left out."""
    marked = f"{HEAD}\n<<<<<<< HEAD\n{A}\n||||||| base\nx\n=======\n{B}\n>>>>>>> other\n{C}\n"
    assert merging.sides(marked) == (f"{HEAD}\n{A}\n{C}\n", f"{HEAD}\n{B}\n{C}\n")
    assert merging.sides(text(A)) is None


def test_a_line_that_both_changed_is_settled_word_by_word() -> None:
    """What either added is there, what either took out is not, and the mark is that of the side that changed it."""
    base = text(HEAD, "!a1,a2,a3,a4,a5,a6 → a.md")
    merged = merging.settled(base, text(HEAD, "a1,a2,a3,a4,a5,a7 → a.md"), text(HEAD, "!a1,a2,a3,a4,a6,a8 → a.md"), 20)
    assert merged == merging.Merged(text(HEAD, "a1,a2,a3,a4,a7,a8 → a.md"), ("a.md",))


def test_what_one_changed_and_the_other_removed_stays() -> None:
    """A removal never takes a change with it."""
    for ours, theirs in ((text(HEAD, A + "x"), text(HEAD)), (text(HEAD), text(HEAD, A + "x"))):
        assert merging.settled(text(HEAD, A), ours, theirs, 20).text == text(HEAD, A + "x")


@settings(max_examples=200)
@given(VERSIONS, VERSIONS, VERSIONS)
def test_settling_loses_nothing_that_is_new(base: str, ours: str, theirs: str) -> None:
    """Every target that either side added or kept changing is there once merged, and merging a side with itself is it."""
    merged = set(merging.targets(merging.settled(base, ours, theirs, 20).text))
    old, mine, other = (set(merging.targets(one)) for one in (base, ours, theirs))
    assert (mine | other) - old <= merged and mine & other <= merged
    assert merging.settled(base, ours, ours, 20).text == ours
