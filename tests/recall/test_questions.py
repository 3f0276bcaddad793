"""Which messages are questions, and which of them no line matched."""

from __future__ import annotations

import pytest
from memory_shaper.model import Entry
from memory_shaper.recall.questions import is_question, judged
from memory_shaper.recall.route import LONGEST, Router
from memory_shaper.recall.sessions import asked
from statedb import StateDb

ROUTER = Router([Entry("", ("deploy", "release", "rollback"), "deploy.md")])


@pytest.mark.parametrize("text", ["", "ok", "thanks!", "yes, please do", "???", "好的", "x" * (LONGEST + 1) + " y?"])
def test_small_talk_and_pastes_are_no_questions(text: str) -> None:
    """Nothing that names a subject, or far too much of it."""
    assert not is_question(text)


@pytest.mark.parametrize("text", ["rollback?", "how do we roll back the release", "输入法的词库怎么同步", "部署？"])
def test_a_subject_makes_a_question(text: str) -> None:
    """A question mark with a subject, or a few telling words without one."""
    assert is_question(text)


def test_a_question_without_a_line_is_missed() -> None:
    """Matched, missed, and small talk left out."""
    said = [(1.0, "how do we rollback a release?"), (2.0, "what is the landlord's number?"), (3.0, "ok")]
    assert [(one.at, one.missed) for one in judged(ROUTER, said)] == [(1.0, False), (2.0, True)]


def test_only_people_ask(tmp_path) -> None:
    """Messages of the agent and results of tools are left out, and so is what is older."""
    state = StateDb(tmp_path)
    for role, text, at in (("user", "old", 1.1e9), ("user", "new", 1.7e9), ("assistant", "said", 1.7e9)):
        state.add(role, text, at=at)
    assert [said.text for said in asked(state.path, 1.6e9, 10)] == ["new"]
    assert [said.text for said in asked(state.path, 0, 1)] == ["new"]
    assert asked(tmp_path / "none.db", 0, 10) == []
