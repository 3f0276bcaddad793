"""Names in English and Chinese texts."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.recall.entities import MOST, entities
from memory_shaper.recall.jieba_words import JiebaWords
from recall_tools import JIEBA
from tools import PACKAGE


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("We met Ada Lovelace and Dr. Smith in Oslo.", {"Ada Lovelace", "Smith", "Oslo"}),
        ("She works at the University of Bergen near New York.", {"University of Bergen", "New York"}),
        ("Ticket ABC-12 broke the API on EC2.", {"ABC-12", "API", "EC2"}),
        ("OpenAI, GitHub and PostgreSQL speak C++, .NET and node.js.",
         {"OpenAI", "GitHub", "PostgreSQL", "C++", ".NET", "node.js"}),
        ("Django templates are cached.", {"Django"}),
        ("- Redis: restart it", {"Redis"}),
    ],
)  # fmt: skip
def test_english_names(text: str, found: set[str]) -> None:
    """People, places, organisations, codes and products are found."""
    assert found <= set(entities([text]))


@pytest.mark.parametrize(
    "text",
    [
        "we email the history of each version, a small idea",
        "Email the history. Version two is small. Remember this idea!",
        "# How To Restart The Server",
        "It was Monday in May. I am NOT OK.",
        "See https://Example.com/Path and `SomeClass`.",
        "",
    ],
)
def test_no_name_where_there_is_none(text: str) -> None:
    """Common words, weekdays, headlines and addresses give no name, and no word gives a part of itself."""
    assert entities([text]) == ()


@pytest.mark.parametrize("namer", [None, JiebaWords(JIEBA).names], ids=["alone", "jieba"])
def test_chinese_names(namer) -> None:
    """Places, schools, people with titles and quoted titles are found with jieba and without."""
    text = "我在清华大学读书，住在北京市，王小明先生说《三体》很好。"
    assert {"清华大学", "北京市", "王小明", "三体"} <= set(entities([text], namer))


def test_a_dictionary_knows_more_names() -> None:
    """With jieba a bare name is found by its part of speech."""
    assert {"张伟", "杭州"} <= set(entities(["张伟去了杭州"], JiebaWords(JIEBA).names))


def test_frequent_names_come_first_and_each_once() -> None:
    """The order is by count, then by place; capitals make no second name."""
    assert entities(["Use Redis with Django", "and REDIS again, with Redis"]) == ("Redis", "Django")


@given(st.lists(st.text(), max_size=8))
def test_every_text_has_an_answer(units: list[str]) -> None:
    """Whatever the text is, at most thirty names come back, none twice and none empty."""
    found = entities(units)
    assert len(found) <= MOST and all(found) and len({name.casefold() for name in found}) == len(found)


def test_two_processes_agree() -> None:
    """The seed of Python's hashes changes nothing."""
    code = (
        "from memory_shaper.recall.entities import entities\n"
        "print(entities(['Ada met Bob, Cyd, Dora and Eve at NASA in Oslo with GitHub, Redis and Kafka', '王老师在北京市']))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(PACKAGE), "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1 and b"Kafka" in said.pop()


def test_work_grows_with_the_text() -> None:
    """A long line of capitals, or of Chinese, is no more than its length."""
    assert (
        len(entities(["Ada Bob " * 20_000, "王" * 40_000 + "公司" * 10_000, "a" * 80_000 + "B", "`" * 80_000])) <= MOST
    )
