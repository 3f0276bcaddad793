"""What is there twice, what contradicts, what belongs together: proposed, the same for any order of the topics."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_shaper.lifecycle.alike import Likeness, candidates, compare
from memory_shaper.lifecycle.joining import grouped, joined_keywords, merged
from memory_shaper.lifecycle.model import Topic
from memory_shaper.lifecycle.passages import passages, said
from memory_shaper.lifecycle.proposing import Wish, proposals
from memory_shaper.model import Entry
from memory_shaper.recall.notes import own_date, read_front
from memory_shaper.record import Proposal

NOW = datetime(2026, 3, 10, 4, 0, tzinfo=UTC)


def topic(name: str, text: str, keywords: str = "one,two,three,four,five", mark: str = "") -> Topic:
    front = read_front(text)
    entry = Entry(mark, tuple(keywords.split(",")), name)
    return Topic(name, text, NOW, front, own_date(name, front), entry)


def proposed(*topics: Topic, **wish: bool) -> list[Proposal]:
    return proposals(topics, Wish(NOW, **wish))


def kinds(*topics: Topic) -> list[str]:
    return [one.kind for one in proposed(*topics)]


LONG = "payments searches mobile apps with logs metrics traces dashboards alerts backups disks racks and routers"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("The user is allergic to peanuts.", "the user is allergic to  peanuts", Likeness.SAME),
        ("- The user is allergic to peanuts", "The user is allergic to peanuts.", Likeness.SAME),
        ("The user is allergic to peanuts", "The user is not allergic to peanuts", Likeness.CONTRARY),
        ("用户对花生过敏", "用户对花生不过敏", Likeness.CONTRARY),
        ("The api port is 8080", "The api port is 9090", Likeness.CONTRARY),
        ("Release v1.2 of the api is stable", "Release v1.3 of the api is stable", Likeness.CONTRARY),
        ("The dentist visit is on 2026-03-01", "The dentist visit is on 2026-03-08", Likeness.CONTRARY),
        ("Backups are enabled on the server", "Backups are disabled on the server", Likeness.CONTRARY),
        ("用户喜欢香菜和辣椒", "用户讨厌香菜和辣椒", Likeness.APART),
        ("Alice likes green tea", "Bob likes green tea", Likeness.APART),
        ("primary copies from replica", "replica copies from primary", Likeness.APART),
        ("port: 8080", "port: 9090", Likeness.APART),
        ("The backup of the server runs every night", "Backups of the server run every night", Likeness.NEAR),
        ("the api port is 8080", "the grey cat sleeps", Likeness.APART),
        ("", "", Likeness.SAME),
        ("The language for systems work is C++.", "The language for systems work is C#.", Likeness.APART),
        ("The heater in the bath runs at 20°", "The heater in the bath runs at 20%", Likeness.CONTRARY),
        ("The grade of the student in maths is A+", "The grade of the student in maths is A-", Likeness.APART),
        ("> 5 users may log in to the server", "< 5 users may log in to the server", Likeness.CONTRARY),
        ("+5 points for the red team", "-5 points for the red team", Likeness.CONTRARY),
        ("+ 5 points for the red team", "- 5 points for the red team", Likeness.CONTRARY),
        ("The cellar has -5 degrees in winter", "The cellar has +5 degrees in winter", Likeness.CONTRARY),
        ("The plan costs $5 a month for the team", "The plan costs €5 a month for the team", Likeness.CONTRARY),
        ("- [ ] pay the tax bill of the house", "- [x] pay the tax bill of the house", Likeness.CONTRARY),
        ("✅ tests of the pipeline", "❌ tests of the pipeline", Likeness.CONTRARY),
        ("Ship before the review of the team ends", "Ship after the review of the team ends", Likeness.CONTRARY),
        ("The user is vegan at home", "The user is hardly vegan at home", Likeness.CONTRARY),
        ("Do not deploy on friday and never skip tests", "Deploy on friday and skip tests", Likeness.CONTRARY),
        ("> The user is allergic to peanuts", "* the user is allergic to peanuts.", Likeness.SAME),
        (f"The server is in Berlin and serves {LONG}", f"The server is in Munich and serves {LONG}", Likeness.APART),
        (
            f"The backup runs on Monday and copies {LONG}",
            f"The backup runs on Tuesday and copies {LONG}",
            Likeness.APART,
        ),
        ("```sh\nls -l things here\n```", "```sh\nls -L things here\n```", Likeness.NEAR),
    ],
)
def test_likeness(one: str, other: str, expected: Likeness) -> None:
    """A negation, a value, a sign or an opposite is a contradiction; another subject, word or order is neither."""
    assert compare(said(one), said(other)) is expected
    assert compare(said(other), said(one)) is expected


WORDS = st.lists(st.sampled_from("kiwi fig lemon pear not 8080 9090 never plum date".split()), max_size=8).map(" ".join)


@given(WORDS, WORDS)
def test_a_likeness_never_hides_a_negation_or_a_value(one: str, other: str) -> None:
    """Two texts that are near each other deny equally often, and not each of them has a value of its own."""
    mine, theirs = said(one), said(other)
    if compare(mine, theirs) is Likeness.NEAR:
        assert mine.denials == theirs.denials
        assert not (mine.values - theirs.values and theirs.values - mine.values)


def test_candidates_stay_bounded() -> None:
    """Of a thousand texts that share their words each is paired with a few dozen others at most."""
    texts = [said(f"alpha beta gamma delta w{number % 7} x{number}") for number in range(1000)]
    assert len(candidates(texts)) <= 40 * len(texts)


def test_passages_give_the_text() -> None:
    """Passages lie in order and hold every word; front matter, blank lines and nothing else is between them."""
    text = "---\ntitle: x\n---\n# Head\n\nA line\nthat goes on.\n\n- one\n- two\n\n```sh\n# no heading\n\nls\n```\ntail"
    found = passages(text)
    assert [one.text for one in found] == [
        "# Head", "A line\nthat goes on.", "- one", "- two", "```sh\n# no heading\n\nls\n```", "tail",
    ]  # fmt: skip
    assert all(text[one.start : one.end] == one.text for one in found)


TEXT = "The staging database runs on otter, and it is dumped every night to the store in the cellar."


def test_an_identical_pair_is_proposed_once() -> None:
    """Two topics with one text and one date give one merge, into one of them; the other goes."""
    made = proposed(topic("a.md", TEXT), topic("b.md", TEXT))
    assert [(one.kind, dict(one.payload)) for one in made] == [("merge", {"into": "a.md", "from": ["b.md"]})]


def test_a_topic_inside_another_is_taken_in() -> None:
    """A short topic whose text the longer one has as well is proposed to go, whichever is named first."""
    made = proposed(topic("a.md", TEXT), topic("b.md", f"# Otter\n\n{TEXT}\n\nIt has four disks."))
    assert [dict(one.payload) for one in made] == [{"into": "b.md", "from": ["a.md"]}]


def test_code_alone_counts_as_text() -> None:
    """Topics of nothing but the same code are the same."""
    assert kinds(topic("a.md", "```\nls -l\n```\n"), topic("b.md", "```\nls -l\n```")) == ["merge"]


def test_the_allergy_pair_is_a_contradiction() -> None:
    """It is told with both passages and never merged, in either language."""
    made = proposed(
        topic("a.md", "The user is allergic to peanuts."), topic("b.md", "The user is not allergic to peanuts.")
    )
    assert [one.kind for one in made] == ["contradiction"]
    assert made[0].payload["passages"] == ["The user is allergic to peanuts.", "The user is not allergic to peanuts."]
    assert kinds(topic("a.md", "用户对花生过敏"), topic("b.md", "用户对花生不过敏")) == ["contradiction"]


def test_a_contradiction_inside_twins_is_told_first() -> None:
    """Topics that agree but for one value are not merged."""
    long = " ".join(f"word{letter}" for letter in "abcdefghij")
    one, other = (f"{long} holds.\n\n{TEXT}\n\nThe api port is {port}." for port in (8080, 9090))
    assert kinds(topic("a.md", one), topic("b.md", other)) == ["contradiction"]


def test_a_title_holds_no_text() -> None:
    """What stands in a list names files only."""
    made = proposed(
        topic("a.md", "The user is allergic to peanuts."), topic("b.md", "The user is not allergic to peanuts.")
    )
    assert "peanut" not in made[0].title


def test_a_correction_names_what_it_corrects() -> None:
    """A passage that says it corrects is proposed to replace the one before it that it is most like."""
    made = proposed(topic("nas.md", "The disk is full.\n\nDevice A is X.\n\nCorrection: device A is Y."))
    assert [(one.kind, one.payload["replaces"]) for one in made] == [("correct", "Device A is X.")]


def test_two_days_do_not_contradict() -> None:
    """What happened on one day and what on another are both true."""
    log = "- 2026-01-01 deployed v1.2 of the api to otter\n- 2026-01-02 deployed v1.3 of the api to otter\n"
    assert kinds(topic("log.md", log)) == []
    pair = (f"---\ntype: history\n---\nThe talk with Ada took {minutes} minutes" for minutes in (20, 40))
    assert kinds(*(topic(f"{number}.md", text) for number, text in enumerate(pair))) == []


@pytest.mark.parametrize("row", ["agent: scout", "project: beta"])
def test_another_agent_and_another_project_are_left_alone(row: str) -> None:
    """Equal texts of two agents, or of two projects, stay two."""
    assert kinds(topic("a.md", TEXT), topic("b.md", f"---\n{row}\n---\n{TEXT}")) == []


def test_marked_topics_stay() -> None:
    """A pinned topic takes the other in, of two marked ones neither goes, a critical one is not touched."""
    made = proposed(topic("a.md", TEXT), topic("b.md", TEXT, mark="!"))
    assert [dict(one.payload) for one in made] == [{"into": "b.md", "from": ["a.md"]}]
    assert kinds(topic("a.md", TEXT, mark="!"), topic("b.md", TEXT, mark="!")) == []
    assert kinds(topic("a.md", TEXT), topic("b.md", TEXT, mark="!!")) == []


GREEK = {"a.md": "alpha,beta,gamma,x,y", "b.md": "beta,gamma,alpha,delta,z", "c.md": "gamma,delta,beta,alpha,w"}


def test_three_small_topics_of_one_subject_become_one() -> None:
    """They are proposed together with what they share as name; two are too few."""
    topics = [topic(name, f"a short text about {name}", words) for name, words in GREEK.items()]
    made = proposed(*topics)
    assert [(one.kind, one.payload["from"]) for one in made] == [("group", ["a.md", "b.md", "c.md"])]
    assert kinds(*topics[:2]) == []


POOL = [
    topic("a.md", TEXT), topic("b.md", TEXT), topic("c.md", f"{TEXT}\n\nMore of it."),
    topic("d.md", "The api port is 8080"), topic("e.md", "The api port is 9090"), topic("f.md", "The api port is 7070"),
    *(topic(f"g{name}", f"about {name}", words) for name, words in GREEK.items()),
    topic("h.md", "Device A is X.\n\nCorrection: device A is Y."), topic("i.md", f"---\nagent: w\n---\n{TEXT}"),
]  # fmt: skip


@settings(max_examples=60)
@given(st.permutations(POOL))
def test_the_order_of_the_topics_does_not_matter(topics: list[Topic]) -> None:
    """The same topics give the same proposals in the same order, however they come."""
    assert proposed(*topics) == proposed(*POOL)


SMALL = st.lists(
    st.sampled_from(["- one", "- two\n", "# Head", "plain text", TEXT, "", "```\ncode\n\nmore\n```"]), max_size=6
)


@given(SMALL, st.lists(SMALL, max_size=3))
def test_merging_loses_no_passage(mine: list[str], others: list[list[str]]) -> None:
    """Every passage of every topic is in the merged one, those of the first in their order and untouched."""
    text, more = "\n\n".join(mine), ["\n\n".join(parts) for parts in others]
    whole = merged(text, more)
    assert whole.startswith(text.rstrip("\n"))
    keys = {said(one.text).key for one in passages(whole)}
    assert all(said(one.text).key in keys for part in (text, *more) for one in passages(part))


@pytest.mark.parametrize(
    ("one", "other"),
    [("C++.", "C#."), ("20°", "20%"), ("A+", "A-"), ("> 5 users", "< 5 users"), ("+5 points", "-5 points"), (">5", "5"),
     ("5'", '5"'), ("3. May", "4. May"), ("done ✅", "done ❌"), ("f()", "f"), ("```\nls -l\n```", "```\nls -L\n```")],
)  # fmt: skip
def test_merging_keeps_what_differs_in_signs_alone(one: str, other: str) -> None:
    """A sign at the edge of a passage is a part of what it says."""
    assert merged(f"{one}\n", [f"{other}\n"]) == f"{one}\n\n{other}\n"


def test_merging_joins_the_tags() -> None:
    """The tags of the one that goes are those of the one that stays as well."""
    whole = merged("---\ntags: [a]\n---\none\n", ["---\ntags: [b, a]\n---\ntwo\n"])
    assert whole == "---\ntags: [a, b]\n---\none\n\ntwo\n"


def test_a_group_holds_each_text_with_a_link_back() -> None:
    """Paths, numbers, names and dates are all kept, since the texts are; front matter names the sources and a level."""
    texts = [("a.md", "See /opt/x, 10.0.0.7, ABC-123 on 2026-01-02.\n"), ("b.md", "---\ntags: [t]\n---\nAda: 42\n")]
    whole = grouped("ada and x", texts, 2)
    front = read_front(whole)
    assert (front.kind, front.tags) == ("summary", ("t",))
    assert "sources: [a.md, b.md]\nlevel: 2\n" in whole
    assert all(part in whole for part in ("See /opt/x, 10.0.0.7, ABC-123 on 2026-01-02.", "Ada: 42", "## a.md"))


def test_keywords_are_joined() -> None:
    """All keywords of all lines once each, the shared ones first, and what a line cannot hold is counted."""
    lines = [Entry("", ("a", "b", "C"), "x.md"), Entry("", ("c", "d"), "y.md")]
    assert joined_keywords(lines) == (("c", "a", "b", "d"), 0)
    many = [Entry("", tuple(f"w{number}" for number in range(start, start + 15)), "x.md") for start in (0, 15)]
    assert joined_keywords(many)[1] == 10


def test_notes_with_and_without_dates_are_compared() -> None:
    """A date, a time with a zone and none at all raise nothing, and of equals one stays."""
    rows = ("created: 2026-01-01", "created: 2026-01-01T10:00:00+02:00", "title: x", "created: 2026-01-01T10:00:00")
    topics = [topic(f"n{number}.md", f"---\n{row}\n---\n{TEXT}") for number, row in enumerate(rows)]
    made = proposed(*topics)
    assert len(made) == 1 and len(made[0].payload["from"]) == 3  # type: ignore[arg-type]
