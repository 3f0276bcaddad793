"""The gate: what may hold a fact, and why not."""

from __future__ import annotations

import pytest
from memory_shaper.extract.gate import Decision, Gate, judge


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[CONTEXT COMPACTION — REFERENCE ONLY] x", "machine"), ("  \n[System note: x", "machine"),
        ("[IMPORTANT: Background process 3 ended", "machine"), ("[context compaction is a feature", "fact"),
        ("a" * 2000, "fact"), ("a" * 2001, "long"), ("[System: " + "a" * 3000, "machine"),
        ("可以的。", "confirmation"), ("👍 可以的", "confirmation"), ("OK", "confirmation"), ("部署", "confirmation"),
        ("目前情况？", "confirmation"), ("弄好了吗?", "confirmation"), ("重启吧", "confirmation"),
        ("可以，但是把 CH 内存闸改成 0.5", "fact"), ("部署方案选 A 先灰度", "fact"), ("继续把完整方案执行到底", "fact"),
        ("---", "paste"), ("|---|---|", "paste"), ("=" * 40, "paste"), ("", "paste"),
        ("用户对花生过敏", "fact"), ("I use vim", "fact"), ("端口是 8080", "fact"),
    ],
)  # fmt: skip
def test_what_passes_the_gate(text: str, reason: str) -> None:
    """Machine text, pastes, what is too long and confirmations are stopped, in that order; short facts pass."""
    passed = judge(text)
    assert passed.reason == reason
    assert (passed.decision is Decision.STORE) == (reason == "fact")


def test_the_limit_can_be_set() -> None:
    """With a limit of 100, the 101st character is too many."""
    assert [judge("b" * size, Gate(longest=100)).reason for size in (100, 101)] == ["fact", "long"]


def test_what_is_known() -> None:
    """What a memory tool wrote is rejected even if it is known; a known message is counted, a known fact passes."""
    text = "Ann drinks oolong tea"
    assert judge(text, from_memory=True, known="turn").reason == "memory-tool"
    assert judge(text, known="turn").decision is Decision.COUNT
    assert judge(text, known="fact").decision is Decision.STORE


def test_a_gate_that_is_off_stops_nothing() -> None:
    """Everything passes, for a reason of its own."""
    assert {(judge(text, Gate(on=False)).decision, judge(text, Gate(on=False)).reason) for text in ("OK", "---")} == {
        (Decision.STORE, "off")
    }
