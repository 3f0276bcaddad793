"""Search: everyday text in, the right note out, with honest words about it."""

from __future__ import annotations

import builtins
import importlib.util
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory_shaper.recall.search import Scope, Wish, search, verbatim
from recall_tools import ask, names, sidecar_of, write

PACKAGE = Path(__file__).resolve().parents[2] / "plugin" / "memory-shaper"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "pre-edit",
            "don't stop",
            "memory:safe",
            "(python",
            'say "hi',
            "Downloads/x",
            "GB/s",
            "a AND",
            "*",
            "NEAR(",
            "^",
        ),
        *("", " ", "\0", "-", "OR NOT", "a" * 10_000, "{words} : x", "'; DROP TABLE note_text; --", "\ud800", "😀"),
    ],
)
def test_no_text_is_query_syntax(tmp_path: Path, text: str) -> None:
    """Everyday text is never an error."""
    with sidecar_of(tmp_path, one="alpha") as sidecar:
        answer = search(sidecar, text)
        assert (answer.hits, answer.error) == ((), "")


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("pre-edit", "the pre-edit hook"),
        ("don't stop", "don't stop me"),
        ("GB/s", "reads 3 GB/s"),
        ("(python", "python"),
    ],
)
def test_signs_mean_themselves(tmp_path: Path, query: str, text: str) -> None:
    """A word with signs in it finds itself."""
    with sidecar_of(tmp_path, one=text, two="other words") as sidecar:
        assert ask(sidecar, query)[0] == "one.md"


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text())
def test_every_query_has_an_answer(tmp_path: Path, text: str) -> None:
    """Whatever is asked, scores lie between 0 and 1 and fall."""
    with sidecar_of(tmp_path, one="alpha 部署 c++ 2025-03-07", two="beta") as sidecar:
        scores = [hit.score for hit in search(sidecar, text).hits]
        assert all(0 <= score <= 1 for score in scores)
        assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("word", ["c++", "c#", ".net", "node.js", "/design", "ci/cd", "x86-64"])
def test_a_trigger_with_punctuation_finds_its_file(tmp_path: Path, word: str) -> None:
    """Words that punctuation is a part of find their own file first."""
    notes = {f"n{i}": text for i, text in enumerate(("c++", "c#", ".net", "node.js", "/design", "ci/cd", "x86-64"))}
    with sidecar_of(tmp_path, **notes) as sidecar:
        first = ask(sidecar, word)[0]
        assert notes[first.removesuffix(".md")] == word
        assert ask(sidecar, "c") == []


@pytest.mark.parametrize("word", ["timestamp", "timestamping", "TIMESTAMPS"])
def test_inflections_find_the_same_file(tmp_path: Path, word: str) -> None:
    """A word is found in every inflection."""
    with sidecar_of(tmp_path, one="how timestamps work", two="other") as sidecar:
        assert ask(sidecar, word) == ["one.md"]


@pytest.mark.parametrize("query", ["youer", "itgc", "youer 服务端 修改"])
def test_latin_glued_to_chinese_is_found(tmp_path: Path, query: str) -> None:
    """Scripts part words."""
    with sidecar_of(tmp_path, one="修改youer服务端的计划\n重跑gen-itgc后", two="别的") as sidecar:
        assert ask(sidecar, query) == ["one.md"]


def test_one_character_finds_every_file(tmp_path: Path) -> None:
    """A query of one Chinese character finds it anywhere in a word."""
    notes = {f"n{i}": text for i, text in enumerate(("守", "守夜", "看守", "坚守岗位", "保守派"))}
    with sidecar_of(tmp_path, **notes, other="利") as sidecar:
        assert set(ask(sidecar, "守")) == {f"{name}.md" for name in notes}


def test_wildcards_are_literal(tmp_path: Path) -> None:
    """`%` and `_` match nothing but themselves."""
    with sidecar_of(tmp_path, one="set 100%_done here", two="1000 undone") as sidecar:
        assert ask(sidecar, "100%_done") == ["one.md"]


def test_single_characters_alone_match_nothing(tmp_path: Path) -> None:
    """Files that share only single characters with a query are not found."""
    notes = {f"n{i}": f"他的是模样很好生动{i}" for i in range(60)}
    with sidecar_of(tmp_path, **notes, both="生日那天训练模型", one="生日") as sidecar:
        assert ask(sidecar, "生日 模型") == ["both.md", "one.md"]


def test_traditional_finds_simplified(tmp_path: Path) -> None:
    """Either script finds the other."""
    with sidecar_of(tmp_path, one="对花生过敏", two="別的東西") as sidecar:
        assert ask(sidecar, "過敏") == ["one.md"]
        assert ask(sidecar, "东西") == ["two.md"]


def test_chinese_works_without_jieba(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without jieba the best hit is the same, and the answer says what is missing."""
    real = builtins.__import__

    def refuse(name: str, *rest: object) -> object:
        if name == "jieba":
            raise ImportError(name)
        return real(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", refuse)
    with sidecar_of(tmp_path, one="部署在上海的服务器", two="上海的天气") as sidecar:
        answer = search(sidecar, "服务器部署")
        assert names(answer)[0] == "one.md"
        assert "jieba" in answer.degraded


FINDER = """import sys
class Broken:
    def find_spec(self, name, path=None, target=None):
        if name == "jieba":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Broken())
"""


@pytest.mark.parametrize(
    ("file", "text"),
    [("jieba.py", "raise OSError('broken')"), ("jieba.py", ""), ("sitecustomize.py", FINDER)],
    ids=["raises", "empty", "finder"],
)
def test_a_broken_jieba_costs_its_words_alone(tmp_path: Path, file: str, text: str) -> None:
    """Search and status work where jieba is there and cannot be loaded, or where looking for it fails."""
    (tmp_path / "broken").mkdir()
    write(tmp_path / "broken", file, text)
    write(tmp_path / "home" / "memories", "one.md", "部署在上海的服务器")
    env = {"PYTHONPATH": f"{PACKAGE}{os.pathsep}{tmp_path / 'broken'}", "HERMES_HOME": str(tmp_path / "home")}
    for verb in (["search", "服务器部署"], ["status"]):
        command = [sys.executable, "-m", "memory_shaper", *verb]
        done = subprocess.run(command, env=env, capture_output=True, text=True)
        assert "Traceback" not in done.stderr and (verb == ["status"] or "one.md" in done.stdout)


@pytest.mark.skipif(importlib.util.find_spec("jieba") is None, reason="jieba is not installed")
def test_jieba_is_silent_and_keeps_its_cache(tmp_path: Path) -> None:
    """jieba starts only for Chinese, prints nothing and writes only below our folder."""
    code = (
        "import sys; from pathlib import Path; from memory_shaper.recall.jieba_words import JiebaWords\n"
        "words = JiebaWords(Path(sys.argv[1], 'jieba')); assert 'jieba' not in sys.modules; words('部署服务器')"
    )
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    env = {"PYTHONPATH": str(PACKAGE), "TMPDIR": str(temporary)}
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], env=env, capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")
    assert list(temporary.iterdir()) == []
    assert [path.name for path in (tmp_path / "jieba").iterdir()] == ["jieba.cache"]


@pytest.mark.skipif(importlib.util.find_spec("jieba") is None, reason="jieba is not installed")
def test_jieba_is_loaded_once_for_all_homes(tmp_path: Path) -> None:
    """A second home in one process shares the dictionary, and so writes no cache of its own."""
    code = (
        "import sys; from pathlib import Path; from memory_shaper.recall.jieba_words import JiebaWords\n"
        "one, two = (JiebaWords(Path(sys.argv[1], name)) for name in ('one', 'two'))\n"
        "assert list(one('部署服务器')) == list(two('部署服务器')) != []"
    )
    env = {"PYTHONPATH": str(PACKAGE)}
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], env=env, check=True)
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_a_misspelt_word_finds_its_like(tmp_path: Path) -> None:
    """Where no word is known, the nearest known word is taken and the hit says so."""
    with sidecar_of(tmp_path, one="use kubectl rollout", two="other") as sidecar:
        hit = search(sidecar, "kubctl").hits[0]
        assert (hit.name, hit.mode) == ("one.md", "alike")
        assert hit.score < 0.5


def test_a_date_finds_the_note_of_the_day(tmp_path: Path) -> None:
    """The date of a note answers a question that names it, in either language."""
    with sidecar_of(tmp_path) as sidecar:
        for day in range(1, 20):
            write(sidecar.memories, f"log-2025-03-{day:02d}.md", "worked in the office 办公室")
        for text in ("what happened in the office on 7 March 2025?", "3月7日在办公室做了什么", "office yesterday"):
            assert ask(sidecar, text, today=date(2025, 3, 8))[0] == "log-2025-03-07.md"


def test_the_archive_stands_behind(tmp_path: Path) -> None:
    """Of two equal notes the live one comes first, and the archive can be asked alone."""
    with sidecar_of(tmp_path, live="restore the database backup") as sidecar:
        write(sidecar.memories, "archived memories/old.md", "restore the database backup")
        assert ask(sidecar, "database backup") == ["live.md", "archived memories/old.md"]
        assert ask(sidecar, "database backup", scope=Scope.ARCHIVE) == ["archived memories/old.md"]


def test_filters_come_before_the_cut(tmp_path: Path) -> None:
    """Twelve better notes that no longer hold do not hide the one that does."""
    with sidecar_of(tmp_path, live="kiwi and other fruit in a long line of words") as sidecar:
        for number in range(12):
            write(sidecar.memories, f"over{number}.md", "---\ninvalid_at: 2025-01-01\n---\nkiwi")
        assert ask(sidecar, "kiwi", limit=1, today=date(2026, 1, 1)) == ["live.md"]
        assert len(ask(sidecar, "kiwi", limit=20, today=date(2024, 1, 1))) == 13


def test_tags_match_whole_and_as_a_union(tmp_path: Path) -> None:
    """Tag a is not ab, and two tags mean either."""
    with sidecar_of(tmp_path, **{tag: f"---\ntags: [{tag}]\n---\nkiwi" for tag in ("a", "ab", "c")}) as sidecar:
        assert ask(sidecar, "kiwi", tags=("a",)) == ["a.md"]
        assert set(ask(sidecar, "kiwi", tags=("a", "c"))) == {"a.md", "c.md"}


def test_an_agent_sees_its_own_and_the_shared(tmp_path: Path) -> None:
    """A worker finds its own notes and those of nobody; the primary finds all."""
    notes = {"own": "---\nagent: worker\n---\nkiwi", "other": "---\nagent: else\n---\nkiwi", "shared": "kiwi"}
    with sidecar_of(tmp_path, **notes) as sidecar:
        assert set(ask(sidecar, "kiwi", agent="worker")) == {"own.md", "shared.md"}
        assert len(ask(sidecar, "kiwi")) == 3


def test_a_correction_in_a_note_is_what_is_quoted(tmp_path: Path) -> None:
    """One file answers once, with the later of two equal lines."""
    with sidecar_of(tmp_path, nas="device A is X\n\nmore about discs\n\ndevice A is Y\n") as sidecar:
        hits = search(sidecar, "device A").hits
        assert [hit.snippet for hit in hits] == ["device A is Y"]


def test_a_hit_is_cut_from_the_file_as_it_stands(tmp_path: Path) -> None:
    """The snippet is a piece of the file, its section the heading above."""
    text = "# Deploy\n\nIntro.\n\n## Rollback\n\nUse `kubectl rollout undo`, **never** delete.\n"
    with sidecar_of(tmp_path, deploy=text) as sidecar:
        hit = search(sidecar, "undo a rollout").hits[0]
        assert hit.section == "Rollback"
        assert hit.snippet in text


def test_the_last_line_of_a_long_note_is_found(tmp_path: Path) -> None:
    """A note of 3,000 characters is found by a word of its last line, and the line is shown."""
    with sidecar_of(tmp_path, long="some filler words here\n" * 150 + "the zanzibar line\n", two="filler") as sidecar:
        assert search(sidecar, "zanzibar").hits[0].snippet == "the zanzibar line"


def test_more_of_a_word_is_better(tmp_path: Path) -> None:
    """More occurrences in a shorter text score higher; a term in every text still counts."""
    notes = {"a": "kiwi kiwi kiwi plum", "b": "kiwi plum", "c": "kiwi plum " + "other words follow here " * 10}
    with sidecar_of(tmp_path, **notes) as sidecar:
        assert ask(sidecar, "kiwi") == ["a.md", "b.md", "c.md"]


def test_a_limit_is_kept(tmp_path: Path) -> None:
    """At most so many hits as asked for; none for zero and less."""
    with sidecar_of(tmp_path, **{f"n{i}": "kiwi" for i in range(9)}) as sidecar:
        assert [len(search(sidecar, "kiwi", Wish(limit=limit)).hits) for limit in (3, 0, -1)] == [3, 0, 0]


def test_equal_hits_keep_their_order(tmp_path: Path) -> None:
    """Equal scores are ordered the same every time."""
    with sidecar_of(tmp_path, **{f"n{i}": "kiwi" for i in range(9)}) as sidecar:
        assert len({tuple(ask(sidecar, "kiwi")) for _ in range(5)}) == 1


def test_sub_folders_are_searched(tmp_path: Path) -> None:
    """Notes below the folder belong to the sidecar, under their path."""
    with sidecar_of(tmp_path) as sidecar:
        write(sidecar.memories, "projects/a/x.md", "kiwi")
        hit = search(sidecar, "kiwi").hits[0]
        assert (hit.name, hit.kind) == ("projects/a/x.md", "folder")


def test_a_note_comes_back_byte_for_byte(tmp_path: Path) -> None:
    """The whole note is returned as it is, of a very long one the section."""
    text = "# A\n\nalpha\n\n## B\n\nkiwi\t \n" + "more\n" * 20
    with sidecar_of(tmp_path, one=text) as sidecar:
        hit = search(sidecar, "kiwi").hits[0]
        assert verbatim(sidecar, hit) == text
        assert verbatim(sidecar, hit, most=10) == text[text.index("## B") :]


def test_a_home_that_cannot_be_written_can_be_searched(tmp_path: Path) -> None:
    """Where no sidecar can be made it is built in memory, and the answer says so."""
    (tmp_path / "plugin-data").write_text("in the way")
    with sidecar_of(tmp_path, one="kiwi") as sidecar:
        answer = search(sidecar, "kiwi")
        assert names(answer) == ["one.md"]
        assert "built in memory" in answer.degraded
