"""Floors under the quality of search, on samples of the public sets; skipped where these are not at hand."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from tools import benchmark

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("MEMORY_SHAPER_DATA", ROOT.parent / "shared" / "data"))


def data(name: str) -> Path:
    """Return a file of the data folder; without it the test is skipped."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} is not below $MEMORY_SHAPER_DATA")
    return path


def sampled(corpus: object, step: int) -> object:
    """Keep every so many-th question of a corpus."""
    return replace(corpus, questions=corpus.questions[::step])  # type: ignore[type-var, attr-defined]


def test_english_conversations_are_found() -> None:
    """Every seventh question of LoCoMo: the right session comes first in 76 of 100, among five in 93."""
    path = data("locomo10-tune.json")
    tools = benchmark("retrieval_tools")
    corpora = [sampled(corpus, 7) for corpus in benchmark("locomo").read(path)]
    row = tools.measure(corpora, tools.ours).row()
    assert row["hit@1"] >= 76
    assert row["hit@5"] >= 93


def test_chinese_days_are_found() -> None:
    """Every fifth question of one LifeBench user: the right day comes first in 70 of 100, among five in 90."""
    path = data("lifebench-zh/lumingqiang.json")
    tools = benchmark("retrieval_tools")
    corpora = [sampled(corpus, 5) for corpus in benchmark("lifebench").read(path)]
    row = tools.measure(corpora, tools.ours).row()
    assert row["hit@1"] >= 70
    assert row["hit@5"] >= 90
