"""Spot checks: what is dropped, what counts as chance, what was won and lost."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.recall.cases import BadCases, Case, read_cases
from memory_shaper.recall.spotchecks import (
    BadSnapshot,
    Tried,
    Verdict,
    Why,
    changed,
    digest,
    level,
    rank_of,
    read_snapshot,
    sift,
    snapshot,
    words_of,
)

STORE = {"deploy.md": words_of("deploy.md", "The canary goes first."), "tea.md": words_of("tea.md", "绿茶 at noon")}
RANKS = st.none() | st.integers(1, 15)


def tried(*ranks: int | None, others: tuple[int | None, ...] = ()) -> list[Tried]:
    """Questions q0, q1 … with these ranks, all with the same ranks of paraphrases."""
    return [Tried(Case(f"q{number}", ("deploy.md",)), rank, others) for number, rank in enumerate(ranks)]


def verdict(before: list[Tried], after: list[Tried], depth: int = 5) -> Verdict:
    return changed(after, read_snapshot(snapshot(before)), level(after, depth)).verdict


@pytest.mark.parametrize(
    ("case", "why"),
    [
        (Case("canary"), Why.NOTHING),
        (Case("canary", ("gone.md",)), Why.NO_FILE),
        (Case("which colour?", ("deploy.md",)), Why.NO_WORD),
        (Case("which canary?", ("deploy.md",)), None),
        (Case("canaries", ("Deploy",)), None),
        (Case("deploy", ("deploy.md",)), None),
        (Case("绿茶", ("gone.md", "tea.md")), None),
    ],
)
def test_what_no_search_can_answer_is_dropped(case: Case, why: Why | None) -> None:
    """No file, a missing file, and no word of the question in it; stems, other spelling and file names count."""
    kept, dropped = sift([case], STORE)
    assert [one.why for one in dropped] == ([why] if why else [])
    assert kept == ([] if why else [case])


def test_paraphrases_are_sifted_too() -> None:
    """One without a word of the file is dropped, the question and the other paraphrases stay."""
    kept, dropped = sift([Case("canary?", ("deploy.md",), ("go first", "colour"))], STORE)
    assert kept == [Case("canary?", ("deploy.md",), ("go first",))]
    assert [(one.wording, one.why) for one in dropped] == [("colour", Why.NO_WORD)]


def test_the_rank_is_that_of_the_first_expected_file() -> None:
    """Live or archived, in any case, with or without its ending; a note in a sub-folder goes by its whole name."""
    hits = ["x.md", "archived memories/Deploy.md", "deploy.md", "sub/tea.md"]
    assert [rank_of(Case("", expect), hits) for expect in (("deploy",), ("tea.md",), ("sub/tea.md", "no.md"), ())] == [
        2, None, 4, None,
    ]  # fmt: skip


def test_the_floor_is_the_difference_of_the_arms() -> None:
    """Two questions found as asked and half of their paraphrases make a floor of a half; without paraphrases it is 0."""
    found = level([*tried(1, 5, others=(2, 9)), *tried(6)], 5)
    assert (found.hits, found.paired, found.plain, found.worded, found.floor) == (2, 2, 2, 1, Fraction(1, 2))
    assert level(tried(1, 5), 5).floor == 0


def test_a_change_up_to_the_floor_is_a_draw() -> None:
    """One lost of two is lost without a floor, and a draw with a floor of a half."""
    assert verdict(tried(1, 1), tried(1, 6)) is Verdict.LOST
    assert verdict(tried(1, 6), tried(1, 5)) is Verdict.WON
    assert verdict(tried(1, 1), tried(1, 6, others=(9,))) is Verdict.DRAW
    assert verdict(tried(1, 1), tried(1, 6), depth=15) is Verdict.DRAW


def test_won_and_lost_are_told_question_by_question() -> None:
    """As many won as lost are a draw in which both are named; questions of one run only are not compared."""
    before = read_snapshot(snapshot(tried(1, 9, 2)))
    after = [*tried(None, 3, 4), Tried(Case("new", ("tea.md",)), None)]
    change = changed(after, before, level(after, 5))
    assert (change.won, change.lost, change.compared, change.verdict) == (("q1",), ("q0",), 3, Verdict.DRAW)


def test_another_expected_file_is_another_question() -> None:
    """The digest goes by the question and the files, in any order, and not by the paraphrases."""
    one = Case("q", ("a.md", "b.md"))
    assert digest(one) == digest(Case("q", ("b", "A.md"), ("p",)))
    assert len({digest(one), digest(Case("q", ("a.md",))), digest(Case("Q", ("a.md", "b.md")))}) == 3


@given(st.lists(st.tuples(st.text(min_size=1), RANKS), unique_by=lambda row: row[0]))
def test_a_snapshot_holds_ranks_and_no_text(rows: list[tuple[str, int | None]]) -> None:
    """What is saved is read, and all that depends on the questions is sha256 in hex."""
    ran = [Tried(Case(text, ("deploy.md",)), rank) for text, rank in rows]
    ranks = read_snapshot(snapshot(ran))
    assert ranks == {digest(one.case): one.rank for one in ran}
    assert all(len(key) == 64 and set(key) <= set("0123456789abcdef") for key in ranks)


@pytest.mark.parametrize(
    "text",
    ["", "x", "null", "[]", "{}", "[" * 100_000, '{"kind": "other"}', "\x00", "9" * 5000]
    + [
        json.dumps({"kind": "memory-shaper spot checks", "version": version, "ranks": ranks})
        for version, ranks in ((2, {}), (1, None), (1, []), (1, {"a": True}), (1, {"a": 0}), (1, {"a": "1"}))
    ],
)  # fmt: skip
def test_what_is_no_snapshot_is_refused(text: str) -> None:
    """Anything else than our own JSON is named, never taken for an empty snapshot."""
    with pytest.raises(BadSnapshot):
        read_snapshot(text)


def test_paraphrases_are_read_from_the_tests() -> None:
    """A list or one text; anything else is refused."""
    rows = [{"question": "a", "expect": "x.md", "paraphrases": value} for value in (["b", "c"], "b", None)]
    assert [case.paraphrases for case in read_cases({"tests": rows})] == [("b", "c"), ("b",), ()]
    with pytest.raises(BadCases):
        read_cases({"tests": [{"question": "a", "expect": "x.md", "paraphrases": [1]}]})
