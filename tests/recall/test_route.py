"""Routing: which lines a message touches, in what order, and when to say that there is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.model import Entry
from memory_shaper.recall.fuzzy import near_words
from memory_shaper.recall.matching import How, Routed
from memory_shaper.recall.route import Router, route

SIGNS = {
    "cpp.md": "c++,templates,linker,clang,cmake",
    "cs.md": "c#,dotnet,nuget,blazor,wpf",
    "net.md": ".net,clr,assembly,runtime,msil",
    "node.md": "node.js,npm,v8,event-loop,libuv",
    "design.md": "/design,figma,ux,wireframe,colour",
    "ci.md": "ci/cd,pipeline,runner,artifact,stage",
    "x86.md": "x86-64,registers,simd,avx,opcode",
}


def lines(**targets: str) -> list[Entry]:
    return [Entry("", tuple(words.split(",")), f"{name}.md") for name, words in targets.items()]


def first(text: str, entries: list[Entry], near: bool = False) -> str | None:
    found = route(text, entries, near_words() if near else None)
    return found[0].entry.target if found else None


def only(text: str, entries: list[Entry]) -> Routed:
    (found,) = route(text, entries, near_words())
    return found


@pytest.mark.parametrize(("target", "words"), SIGNS.items())
def test_a_keyword_with_signs_finds_its_own_file(target: str, words: str) -> None:
    """Each of `c++`, `c#`, `.net`, `node.js`, `/design`, `ci/cd`, `x86-64` alone leads to its line."""
    entries = [Entry("", tuple(row.split(",")), name) for name, row in SIGNS.items()]
    assert first(words.split(",")[0], entries) == target


def test_one_letter_is_no_part_of_a_keyword_with_signs() -> None:
    """`c` finds neither `c++` nor `c#` nor `ci/cd`."""
    entries = [Entry("", tuple(row.split(",")), name) for name, row in SIGNS.items()]
    assert route("c", entries) == []


@pytest.mark.parametrize("word", ["timestamp", "timestamping", "TIMESTAMPS", "timestamps"])
def test_forms_of_a_word_lead_to_one_line(word: str) -> None:
    """Case and inflection do not matter."""
    assert first(word, lines(time="timestamps,clock,ntp,zone,utc", other="a1,b1,c1,d1,e1")) == "time.md"


def test_one_shared_word_never_beats_two() -> None:
    """Two words that many lines have weigh more than one that a single line has."""
    many = {f"x{number}": f"build,deploy,x{number}a,x{number}b,x{number}c" for number in range(6)}
    entries = lines(one="unicorn,a1,b1,c1,d1", **many, two="build,test,e1,f1,g1")
    assert first("unicorn build test", entries) == "two.md"


def test_java_is_not_javascript() -> None:
    """A word written apart is one keyword, and the whole set decides."""
    entries = lines(java="java,jvm,heap,gc,jmx", js="javascript,npm,vite,node,lint")
    assert first("the java script build with vite fails", entries) == "js.md"
    assert first("java heap", entries) == "java.md"


def test_nothing_matches_is_said() -> None:
    """A symptom that no line names matches nothing; nothing is made up."""
    assert route("the fans never stop", lines(hw="thermal,cooling,noise,heat,laptop"), near_words()) == []


@pytest.mark.parametrize("text", ["", " ", "\0", "*", "NEAR(", "(python", "a AND", "\ud800", "😀", "x" * 10_000])
def test_no_text_is_an_error(text: str) -> None:
    """Any text is a question, if one without an answer."""
    assert route(text, lines(a="postgres,vacuum,index,explain,bloat")) == []


def test_chinese_is_found_inside_a_sentence() -> None:
    """A keyword without blanks around it is found, also beside Latin letters and in traditional characters."""
    entries = lines(rime="拼音,输入法,词库,雾凇,部署", allergy="过敏,花生,药物,皮疹,急救")
    assert first("我的输入法坏了", entries) == "rime.md"
    assert first("修改youer部署脚本", entries) == "rime.md"
    assert first("對花生過敏", entries) == "allergy.md"


def test_a_misspelt_word_is_a_last_resort() -> None:
    """Rapidfuzz finds it, a word as written comes before it, and short words are left alone."""
    entries = lines(deploy="deployment,release,staging,canary,rollback", toner="toner,paper,drum,cups,duplex")
    assert first("the deplyoment failed", entries, near=True) == "deploy.md"
    assert first("the deplyoment failed", entries) is None
    assert first("how tall is the tower", entries, near=True) is None
    assert only("deplyoment", entries).matches[0].how is How.FUZZY


@pytest.mark.parametrize(
    ("better", "worse"),
    [("deploys", "deploying"), ("deploys", "depolys"), ("deploying", "depolys")],
)
def test_exact_before_stem_before_fuzzy(better: str, worse: str) -> None:
    """The same keyword is worth less the further off the word is."""
    entries = lines(a="deploys,b1,c1,d1,e1")
    assert only(better, entries).score > only(worse, entries).score


def test_one_word_counts_once_a_line() -> None:
    """Three forms of one word in a line are no three matches."""
    found = only("deploy", lines(a="deploy,deploys,deploying,deployed,deployments"))
    assert len(found.matches) == 1


def test_a_compound_keyword_is_found_joined_and_apart() -> None:
    """`release-notes` is found as "release notes", as "notes for the release", and less by half of it."""
    entries = lines(a="release-notes,b1,c1,d1,e1")
    joined, apart, half = (only(text, entries).score for text in ("release notes", "notes for a release", "release"))
    assert joined > apart > half


def test_of_equals_the_first_line_wins() -> None:
    """The order of the index decides between lines that match equally."""
    found = route("build", lines(one="build,a1,b1,c1,d1", two="build,e1,f1,g1,h1"))
    assert [one.entry.target for one in found] == ["one.md", "two.md"]


def test_the_reasons_are_told() -> None:
    """Each match says by which words it came about."""
    found = only("releases with vacuum", lines(a="release,vacuum,c1,d1,e1"))
    assert found.why == 'release ("releases", stem), vacuum'


@given(st.text(max_size=80), st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=6))
def test_scores_are_in_order_and_bounded(text: str, words: list[str]) -> None:
    """Whatever is asked of whatever lines: best first, confidence between 0 and 1, the same answer twice."""
    router = Router([Entry("", tuple(words), "a.md"), Entry("", tuple(words[:1]), "b.md")], near_words())
    found = router.route(text)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert all(0 <= one.confidence <= 1 and one.matches for one in found)
    assert router.route(text) == found


@given(st.lists(st.from_regex(r"[a-z]{4,9}", fullmatch=True), min_size=6, max_size=10, unique=True))
def test_a_whole_keyword_set_leads_to_its_line(words: list[str]) -> None:
    """All keywords of a line lead to a line that holds them all."""
    entries = [Entry("", tuple(words[:3]), "a.md"), Entry("", tuple(words[3:]), "b.md")]
    assert first(" ".join(words[3:]), entries) == "b.md"


def test_a_lone_underscore_is_no_word() -> None:
    """A sign that holds no word touches no line and breaks nothing."""
    entries = [Entry("", ("deploy", "release"), "deploy.md")]
    assert route("_ and '_' ~", entries) == []
    assert [found.entry.target for found in route("deploy _ now", entries)] == ["deploy.md"]
