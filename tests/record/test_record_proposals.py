"""Proposals: stored once, closed once, never made again where they were rejected."""

from __future__ import annotations

from pathlib import Path

from memory_shaper.record import Proposal, State, digest_of_proposal
from record_tools import NOW, later, opened


def proposal(text: str = "x", **more: object) -> Proposal:
    return Proposal("remember", NOW, "a.md", "a title", {"text": text, "keywords": ["a", "b"]}, "tests", **more)


def test_a_proposal_comes_back_as_it_was(tmp_path: Path) -> None:
    """Number, time, kind, target, title, payload, source and state are read as they were written."""
    with opened(tmp_path) as record:
        number = record.proposals.add(proposal())
        found = record.proposals.proposal(number)
    assert (found.id, found.at, found.kind, found.target, found.title) == (1, NOW, "remember", "a.md", "a title")
    assert (found.payload, found.source, found.state) == ({"text": "x", "keywords": ["a", "b"]}, "tests", State.OPEN)


def test_the_same_proposal_is_not_made_twice(tmp_path: Path) -> None:
    """One that is open is not added again, nor one that was rejected, another text is."""
    with opened(tmp_path) as record:
        first = record.proposals.add(proposal())
        assert record.proposals.add(proposal()) is None
        assert record.proposals.close(first, State.REJECTED, later(days=1))
        assert record.proposals.add(proposal()) is None
        assert record.proposals.add(proposal("y")) == 2


def test_an_applied_proposal_may_be_made_again(tmp_path: Path) -> None:
    """What was applied and came up anew is a new proposal."""
    with opened(tmp_path) as record:
        first = record.proposals.add(proposal())
        record.proposals.close(first, State.APPLIED, NOW)
        assert record.proposals.add(proposal()) == 2


def test_a_proposal_is_closed_once(tmp_path: Path) -> None:
    """What was applied cannot be rejected afterwards, and a number that is none closes nothing."""
    with opened(tmp_path) as record:
        first = record.proposals.add(proposal())
        assert record.proposals.close(first, State.APPLIED, NOW)
        assert not record.proposals.close(first, State.REJECTED, NOW)
        assert not record.proposals.close(77, State.REJECTED, NOW)
        assert record.proposals.list() == []
        assert [one.state for one in record.proposals.list(None)] == [State.APPLIED]


def test_a_dropped_proposal_leaves_nothing(tmp_path: Path) -> None:
    """Dropping takes a proposal out of the record whatever its state."""
    with opened(tmp_path) as record:
        first = record.proposals.add(proposal())
        assert record.proposals.drop(first)
        assert not record.proposals.drop(first)
        assert record.proposals.list(None) == []


def test_the_digest_does_not_depend_on_order() -> None:
    """The keys of a payload may come in any order."""
    one, other = {"a": 1, "b": 2}, {"b": 2, "a": 1}
    assert digest_of_proposal("k", "t", one) == digest_of_proposal("k", "t", other)
