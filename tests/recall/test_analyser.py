"""The analyser: the same terms for the same thing, however it is written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.recall.analyser import analyse, analyse_query
from memory_shaper.recall.cut import normal
from memory_shaper.recall.stem import stem
from memory_shaper.recall.variants import to_simplified

PACKAGE = Path(__file__).resolve().parents[2] / "plugin" / "memory-shaper"


@pytest.mark.parametrize(
    "word", ["c++", "c#", ".net", "node.js", "ci/cd", "x86-64", "snake_case", "v1.2.3", "gen-itgc"]
)
def test_a_technical_word_stays_whole(word: str) -> None:
    """A technical word is a term of its own."""
    assert word in analyse(word).words


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("node.js", {"node", "js"}),
        ("ci/cd", {"ci", "cd"}),
        ("camelCase", {"camel", "case"}),
        ("HTTPServer", {"http", "server"}),
        ("src/lib/node.js", {"src", "lib", "node.js", "node", "js"}),
        ("C:\\Users\\deploy.log", {"deploy.log", "deploy", "log"}),
        ("snake_case", {"snake", "case"}),
    ],
)
def test_a_technical_word_is_found_by_its_parts(word: str, parts: set[str]) -> None:
    """The parts of a technical word are terms too."""
    assert parts <= set(analyse(word).words)


def test_a_lone_letter_is_no_part() -> None:
    """`c++` and `c#` are not found by `c`."""
    assert "c" not in analyse("c++ c# x86-64").words


def test_scripts_part_words() -> None:
    """A Latin word glued to Chinese is a word."""
    assert {"youer", "修改", "服务"} <= set(analyse("修改youer服务端的计划").words)


@pytest.mark.parametrize("word", ["timestamp", "timestamping", "TIMESTAMPS", "Timestamped"])
def test_inflections_share_a_stem(word: str) -> None:
    """Inflected forms of a word are one term."""
    assert analyse_query(word).words == ("timestamp",)


@pytest.mark.parametrize(
    ("form", "base"), [("went", "go"), ("children", "child"), ("bought", "buy"), ("indices", "index")]
)
def test_irregular_forms_share_a_stem(form: str, base: str) -> None:
    """Irregular forms find their base form."""
    assert analyse(form).words == analyse(base).words


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        *(("skies", "sky"), ("dying", "die"), ("consistency", "consist"), ("generously", "generous")),
        *(("knightly", "knight"), ("relational", "relat"), ("hopping", "hop"), ("hoping", "hope")),
        *(("replacement", "replac"), ("national", "nation"), ("controlling", "control"), ("happy", "happi")),
        *(("youth", "youth"), ("by", "by"), ("saying", "say"), ("agreed", "agre"), ("gas", "gas")),
    ],
)
def test_stems_are_porter2(word: str, expected: str) -> None:
    """Stems are those of Snowball's english stemmer."""
    assert stem(word) == expected


def test_full_width_and_case_do_not_matter() -> None:
    """Full-width letters and capitals are the plain ones."""
    assert analyse("Ｎｏｄｅ．ＪＳ").words == analyse("node.js").words


def test_traditional_meets_simplified() -> None:
    """Traditional characters give the terms of simplified ones."""
    assert analyse("過敏體質與輸入法的詞庫").words == analyse("过敏体质与输入法的词库").words


def test_the_table_of_characters_never_chains() -> None:
    """What is simplified once stays as it is."""
    text = "體醫學國會來時爲為這個們說對發後裡過還沒"
    assert to_simplified(to_simplified(text)) == to_simplified(text)


def test_stop_words_never_empty_a_query() -> None:
    """A query of stop words alone keeps them."""
    assert analyse_query("what is it").words == ("what", "is", "it")
    assert analyse_query("what is the deploy guide").words == ("deploy", "guid")


def test_chinese_is_cut_into_pairs() -> None:
    """Chinese is cut into pairs of characters, and one character stays one."""
    assert analyse("服务端").words == ("服务", "务端", "端")
    assert analyse_query("守").lone == ("守",)


@given(st.text())
def test_every_text_can_be_cut(text: str) -> None:
    """No text is an error, words and forms go in step, and no term holds a blank."""
    terms = analyse(text)
    assert len(terms.words) == len(terms.forms)
    assert not any(char.isspace() or char == "\0" for word in (*terms.words, *terms.forms) for char in word)
    analyse_query(text)


@given(st.text())
def test_normal_is_stable(text: str) -> None:
    """What is normal stays as it is but for what NFKC itself opens."""
    once = normal(text)
    assert analyse(once).words == analyse(text).words


def test_terms_do_not_depend_on_the_process() -> None:
    """Two processes with different hash seeds find the same terms in the same order."""
    code = (
        "from memory_shaper.recall.analyser import analyse, analyse_query\n"
        "text = 'ci/cd snake_case camelCase 修改youer服务端 node.js going children'\n"
        "print(analyse(text), analyse_query(text))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONPATH": str(PACKAGE), "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            check=True,
            capture_output=True,
            text=True,
            encoding="utf-8",
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
