"""Which line takes whose question."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.model import Entry
from memory_shaper.recall.collisions import MOST_LINES, collisions
from memory_shaper.recall.route import route

WORDS = st.lists(st.sampled_from(["deploy", "deploys", "release-notes", "release", "部署", "服务端", "vacuum", "c++"]),
                 min_size=1, max_size=4, unique=True)  # fmt: skip
INDEXES = st.lists(WORDS, min_size=1, max_size=5).map(
    lambda rows: [Entry("", tuple(words), f"t{place}.md") for place, words in enumerate(rows)]
)


def test_lines_of_their_own_do_not_meet() -> None:
    """Keywords without anything in common lead to their own line alone."""
    assert collisions([Entry("", ("postgres", "vacuum"), "a.md"), Entry("", ("输入法", "词库"), "b.md")]) == []


def test_equals_go_to_the_line_further_up() -> None:
    """The same word in two lines is taken by the first and only shared by the second."""
    one, two = collisions([Entry("", ("deploy", "x1"), "a.md"), Entry("", ("deploy", "y1"), "b.md")])
    assert (one.owner, one.taken, one.shared) == (0, (), ("deploy",))
    assert (two.owner, two.taken, two.shared) == (1, ("deploy",), ())


@given(INDEXES)
def test_it_says_what_route_says(entries: list[Entry]) -> None:
    """A keyword is taken by another line exactly where route leads it there."""
    taken = {(one.owner, word, one.taker) for one in collisions(entries) for word in one.taken}
    led = {
        (place, word, entries.index(routes[0].entry))
        for place, entry in enumerate(entries)
        for word in entry.keywords
        if (routes := route(word, entries)) and routes[0].entry != entry
    }
    assert taken == led


def test_a_word_of_every_line_costs_one_question() -> None:
    """Far more lines than are looked at give no more than a bounded number of pairs."""
    entries = [Entry("", ("deploy", f"own{place}"), f"t{place}.md") for place in range(MOST_LINES + 100)]
    assert len(collisions(entries)) <= MOST_LINES * 2 * 20
