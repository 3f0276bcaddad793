"""Proposed keywords: telling words of the text, never filler."""

from __future__ import annotations

import pytest
from memory_shaper.keywords import propose


def test_no_filler_and_nothing_too_short() -> None:
    """Function words, numbers, laughter and words of one or two letters are no keywords."""
    found = propose("Binance in an at 服务器挂了 部署 the and for 12345 哈哈 go", [])
    assert {"binance", "部署"} <= set(found)
    assert not {"in", "an", "at", "the", "and", "for", "12345", "哈哈", "go"} & set(found)


@pytest.mark.parametrize(
    "word", "api sql log ssh key get put run use set redis mysql json yaml http rest grpc jwt oauth tcp udp".split()
)
def test_short_technical_words_stay(word: str) -> None:
    """Three letters are enough for a technical word."""
    assert word in propose(f"the {word} was there", [])


def test_a_segmenter_gives_whole_words() -> None:
    """With words from a dictionary a long run is cut there, without one into pairs."""
    words = {"向量数据库改用新引擎": ["向量", "数据库", "改用", "新", "引擎"]}
    found = propose("向量数据库改用新引擎", [], segment=words.__getitem__)
    assert set(found[:4]) == {"向量", "数据库", "改用", "引擎"}
    assert {"向量", "数据"} <= set(propose("向量数据库改用新引擎", []))
