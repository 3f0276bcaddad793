"""The plan for a prose memory: nothing lost, lines that verify clean, the same every time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper import grammar, host, rules
from memory_shaper.migrate.cutting import cut
from memory_shaper.migrate.parts import Plan
from memory_shaper.model import Folder
from memory_shaper.sayings import SAYINGS
from memory_shaper.secrets import secrets
from memory_shaper.terms import terms
from migrate_tools import FORTY, HEADING, after, index_plan, prose_plan

_WORDS = (
    "postgres,backup,nightly,router,wifi,piano,lesson,deploy,staging,花生,过敏,备份,the,a,is,Miriam,E4017,→,x".split(
        ","
    )
)
PROSE = st.lists(st.lists(st.sampled_from(_WORDS), min_size=1, max_size=12).map(" ".join), min_size=1, max_size=25)


def check(plan: Plan, text: str, cap: int = host.DEFAULT_CAP) -> None:
    """Every text of every entry is in a topic, and both indexes have no finding."""
    held = [one.data.decode() for one in plan.topics]
    assert all(any(piece.text in topic for topic in held) for piece in cut(text).pieces)
    assert [found.rule for found in rules.check(rules.Scope(plan.index, after(plan), cap))] == []
    shelved = Folder(frozenset(one.name for one in plan.topics if one.archived) | {"archived-memories.md"})
    assert [found.rule for found in rules.check(rules.Scope(plan.archive or HEADING, shelved, None))] == []
    named = {entry.target for index in (plan.index, plan.archive) for _, entry in grammar.parse(index).entries()}
    assert named == {one.name for one in plan.topics}


def test_forty_entries_fit_and_verify_clean() -> None:
    """Forty mixed entries: Chinese, arrows, several lines, secrets and a repeat."""
    plan = prose_plan(FORTY)
    check(plan, FORTY)
    assert len(host.parts(FORTY)) == 40
    assert any("more than once" in note for note in plan.notes)
    assert host.size(plan.index) <= 0.9 * host.DEFAULT_CAP


def test_the_last_go_to_the_archive_where_there_is_no_room() -> None:
    """A cap of 900 characters: the archive takes the rest, with whole lines, and the plan says how many."""
    plan = prose_plan(FORTY, 900)
    check(plan, FORTY, 900)
    archived = [one.archived for one in plan.topics]
    assert archived == sorted(archived)
    assert f"{sum(archived)} of {len(archived)} topics do not fit" in "".join(plan.notes)


def test_the_same_subject_becomes_one_topic() -> None:
    """Two texts that begin with the same rare word share a file, and the plan says which word it was."""
    text = "Postgres runs on host alpha.\n§\nThe piano teacher is Ms Grant.\n§\nPostgres dumps go to the vault nightly."
    plan = prose_plan(text)
    together = next(one for one in plan.topics if len(one.group.pieces) == 2)
    assert [piece.number for piece in together.group.pieces] == [1, 3]
    assert "postgres" in together.group.why


def test_near_repeats_become_one_topic_that_holds_both() -> None:
    """Both texts stay as they are."""
    one, two = (
        "The staging server is called heron and runs Debian.",
        "The staging server is called heron and runs Debian 12.",
    )
    plan = prose_plan(f"{one}\n§\nLikes rye bread with butter.\n§\n{two}")
    held = next(topic.data.decode() for topic in plan.topics if one in topic.data.decode())
    assert two in held
    assert next(topic for topic in plan.topics if len(topic.group.pieces) > 1).group.why == "say nearly the same"


def test_no_secret_becomes_a_keyword_or_a_name() -> None:
    """The secrets of the forty entries are named by kind and line, and stand in the topic files only."""
    plan = prose_plan(FORTY)
    assert [(one.kind, FORTY.split("\n")[one.line - 1].count("FAKE") > 0) for one in plan.secrets[:3]] == [
        ("an API key (sk-…)", True),
        ("a GitHub token", True),
        ("an AWS access key", True),
    ]
    assert plan.secrets[3].kind == "a private key"
    assert not secrets(plan.index)
    assert "fake" not in (plan.index + plan.archive).lower()


@pytest.mark.parametrize("text", ["ok", "记", "x\n§\ny\n§\nz", "42", "§§", "→", "the of and"])
def test_a_text_that_says_next_to_nothing_still_gets_a_line(text: str) -> None:
    """Five keywords, none generic: nothing is lost for being short."""
    check(prose_plan(text), text)


def test_an_empty_memory_stays_as_it_is() -> None:
    """No text, no plan."""
    assert (prose_plan("").index, prose_plan("\n \n").index) == ("", "\n \n")


@pytest.mark.parametrize("word", ["authorized_keys", "metasploit", "sliver"])
def test_no_keyword_hides_its_entry(word: str) -> None:
    """Words that the host's scanner takes for an attack stay in the file and out of the line."""
    text = f"The {word} file is checked every night by the audit script of Henrietta."
    check(prose_plan(text), text)
    assert word not in prose_plan(text).index


def test_line_ends_stay() -> None:
    """An index made from a file with CRLF has CRLF, and so have the texts."""
    plan = prose_plan("First line of alpha\r\nsecond line\r\n§\r\nThe router is in the cellar\r\n")
    assert "\n" not in plan.index.replace("\r\n", "")
    assert b"alpha\r\nsecond" in plan.topics[0].data


@given(PROSE)
def test_any_prose_gives_a_clean_index_and_loses_nothing(entries: list[str]) -> None:
    """Whatever the words, and the same plan every time."""
    text = "\n§\n".join(entries)
    plan = prose_plan(text)
    check(plan, text)
    assert prose_plan(text) == plan


@given(PROSE)
def test_what_was_made_needs_nothing_more(entries: list[str]) -> None:
    """A migrated index is an index, and a second plan for it changes nothing."""
    plan = prose_plan("\n§\n".join(entries))
    again = index_plan(plan.index, *after(plan).files)
    assert (again.index, again.topics) == (plan.index, ())


@given(st.text(max_size=60))
def test_any_text_can_be_taken_over(text: str) -> None:
    """Control characters, lone brackets, other scripts: a plan, never an error."""
    text = text.encode("utf-8", "replace").decode()
    plan = prose_plan(text)
    held = "".join(one.data.decode() for one in plan.topics)
    assert all(piece.text in held for piece in cut(text).pieces)


def test_names_of_things_and_codes_count_more_than_plain_words() -> None:
    """Codes first, then commands, names and plain words; dates, hashes and numbers are no words at all."""
    found = {
        term.word: term.form
        for term in terms("Since 2026-02-11 error E4017 hits Kessler; run `flush` on 8a1c2f3e4d5b6a79")
    }
    assert found["e4017"] > found["flush"] > found["kessler"] > found["error"]
    assert not {"2026-02-11", "8a1c2f3e4d5b6a79"} & set(found)


def test_no_word_that_people_say_breaks_a_rule() -> None:
    """The table of everyday words: each would pass as a keyword."""
    said = sorted({word for others in SAYINGS.values() for word in others})
    lines = [f"{','.join(said[at : at + 10])} → t{at}.md" for at in range(0, len(said) - 5, 10)]
    found = rules.check(rules.Scope(host.join([HEADING, *lines]), None, None))
    assert [one.message for one in found if one.rule.startswith("keyword-") and one.rule != "keyword-count"] == []


def test_the_medicine_is_a_keyword_and_always_is_none() -> None:
    """Of equal Chinese words the first in the text leads, and everyday words are left out."""
    allergy = "对青霉素过敏，看病时一定要先告诉医生，千万别忘了带病历。"
    (topic,) = prose_plan(allergy).topics
    assert {"青霉素", "过敏"} <= set(topic.keywords[:3]) and "一定" not in topic.keywords


def test_chinese_is_cut_at_everyday_words_without_a_dictionary() -> None:
    """No word begins in the middle of another one that is known."""
    found = [term.word for term in terms("对青霉素过敏，看病时一定要先告诉医生。")]
    assert found[:2] == ["青霉素", "过敏"] and "时一" not in found
