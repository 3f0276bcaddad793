"""What the benchmark asks about is what it says it is."""

from __future__ import annotations

from collections import Counter

import pytest
from tools import benchmark

keeping = benchmark("keeping")
grading = benchmark("grading")
MEMORIES = keeping.memories()
CALLS = benchmark("guard_calls").rows()


def test_there_are_memories_in_two_languages() -> None:
    """At least twenty-four, both English and Chinese, under different names."""
    assert len(MEMORIES) >= 24 and len({memory.name for memory in MEMORIES}) == len(MEMORIES)
    assert Counter(memory.name.isascii() for memory in MEMORIES)[False] >= 6


@pytest.mark.parametrize("memory", MEMORIES, ids=[memory.name for memory in MEMORIES])
def test_a_memory_is_complex(memory: keeping.Memory) -> None:  # type: ignore[name-defined]
    """500 to 900 characters, twenty keywords, five questions whose answers stand in this memory and in no other."""
    assert 500 <= len(memory.text) <= 900
    assert len(set(memory.keywords)) == 20 and len(memory.probes) == 5
    for probe in memory.probes:
        assert probe.value in memory.text
        others = (other.text for other in MEMORIES if other is not memory)
        assert not any(grading.holds(grading.normal(text), probe.value) for text in others), probe


def test_there_are_fifty_facts_in_five_categories() -> None:
    """Ten of each category, the answer of each inside its text."""
    facts = [fact for topic in benchmark("facts").topics() for fact in topic.facts]
    assert set(Counter(fact.category for fact in facts).values()) == {10} and len(facts) == 50
    assert [fact for fact in facts if fact.probe.value not in fact.text] == []


def test_the_corpus_of_calls_is_large_and_varied() -> None:
    """At least 120 calls, each once, damaging and harmless ones of several families."""
    assert len(CALLS) >= 120 and len({(row.tool, str(row.args)) for row in CALLS}) == len(CALLS)
    families = {(row.kind, row.family) for row in CALLS}
    assert min(Counter(kind for kind, _ in families).values()) >= 4
    assert {row.kind for row in CALLS} == {"damaging", "harmless"}
