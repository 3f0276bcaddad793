"""The rules: each finds its case, says where and what to do, and leaves its neighbours alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper import host, rules
from memory_shaper.model import Finding, Folder, Severity
from memory_shaper.rules import RULES, Scope, check, corrected, new_errors
from tools import CANONICAL, FOLDER, HEADING, check_clean, check_finds, findings

HEAD = "# routing table\n§\n"
GOOD = "alpha,beta,gamma,delta,epsilon → x.md"


def lines(*entries: str) -> str:
    """A canonical index with a heading: the first entry is line 3, the next line 5."""
    return HEAD + host.join(entries)


def only(text: str, rule: str, folder: Folder | None = None) -> list[Finding]:
    """What one rule finds in a text."""
    return check(Scope(text, folder), select=[rule])


def place(found: Finding) -> tuple[str, int, int, int, str, str]:
    return found.rule, found.line, found.column, found.width, found.message, found.fix


def test_a_good_index_is_clean() -> None:
    """The index that these tests start from has no finding; that of the case file warns of words and an orphan."""
    check_clean(lines(GOOD))
    assert {"keyword-generic", "topic-orphan"} == {found.rule for found in findings(CANONICAL, FOLDER)}


def test_an_empty_index_has_one_finding() -> None:
    """An empty file is reported once, as what it is."""
    for text in ("", "\n\n", "§\n§", " \n§\n"):
        check_finds(text, ("index-empty", 0))


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Alpha,beta,gamma,delta,epsilon → x.md",
         ("keyword-case", 3, 1, 5, 'keyword "Alpha" is not in lower case', GOOD)),
        ("alpha,beta,gamma,delta,eps ilon → x.md",
         ("keyword-shape", 3, 24, 8, 'keyword "eps-ilon" is written with a blank in it',
          "alpha,beta,gamma,delta,eps-ilon → x.md")),
        ("alpha,beta,gamma,delta,epsilon,beta → x.md",
         ("keyword-repeated", 3, 7, 4, 'keyword "beta" stands twice in the line', GOOD)),
        ("alpha,beta,gamma,delta,epsilon → x.MD",
         ("target-shape", 3, 34, 4, 'the target "x.MD" does not end in ".md"', "")),
        ("alpha,beta,gamma,delta,epsilon -> x.md",
         ("arrow-shape", 3, 31, 4, '"->" for the arrow; write " → "', GOOD)),
        ("alpha,beta,gamma,delta,epsilon →x.md",
         ("arrow-shape", 3, 31, 2, 'an arrow without exactly one blank on each side; write " → "', GOOD)),
        ("alpha，beta,gamma,delta,epsilon → x.md",
         ("comma-shape", 3, 6, 1, '"，" between keywords; write ","', GOOD)),
        ("alpha,beta,gamma,delta → x.md",
         ("keyword-count", 3, 1, 29, "4 keywords, an entry has 5 to 20; add words a user would say", "")),
        ("alpha,beta,gamma,delta,epsilon,notes → x.md",
         ("keyword-generic", 3, 32, 5, 'keyword "notes" is generic: it fits every topic', "")),
        ("alpha,beta,gamma,delta,metasploit → x.md",
         ("host-hidden", 3, 24, 10, "metasploit makes the host hide this entry from the prompt; use another word", "")),
        ("see the notes of last week",
         ("not-an-entry", 3, 1, 26, "this line is not an entry of the form keyword,keyword,… → file.md",
          "move the text into a topic file and name that file in one entry, or run: memory-shaper migrate")),
        ("<<<<<<< HEAD",
         ("merge-markers", 3, 1, 12, "a merge marker: the file holds two versions", "memory-shaper merge MEMORY.md")),
        (f"alpha,beta,gamma,delta,{'e' * 65} → x.md",
         ("keyword-shape", 3, 24, 65, "a keyword of 65 characters; 64 are the most", "")),
    ],
)  # fmt: skip
def test_whole_findings(line: str, found: tuple[str, int, int, int, str, str]) -> None:
    """A fault is one finding with its line, column, width, sentence and the line that is meant."""
    assert [found] == [place(each) for each in findings(lines(line)) if each.rule == found[0]]
    assert [found[0]] == [each.rule for each in findings(lines(line))]


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("keyword-case", "straße,größe,ß,部署,naïve → x.md"),
        ("keyword-case", "c++,c#,.net,node.js,ci/cd → x.md"),
        ("keyword-case", "x86-64,/design,@home,1.0,πr² → x.md"),
        ("keyword-shape", "c++,c#,.net,node.js,ci/cd → x.md"),
        ("keyword-shape", "दिल्ली,ไทย,עברית,العربية,한국어 → x.md"),
        ("keyword-shape", "emoji🎉,a_b,a-b,a:b,(x) → x.md"),
        ("keyword-shape", f"{'k' * 64},b,c,d,e → x.md"),
        ("keyword-repeated", "java,javascript,jav,ava,va → x.md"),
        ("keyword-count", "a1,b1,c1,d1,e1 → x.md"),
        ("keyword-count", ",".join(f"k{n}" for n in range(20)) + " → x.md"),
        ("keyword-generic", "notebook,filesystem,dataset,infoblox,anything → x.md"),
        ("arrow-shape", "a->b,c,d,e,f → x.md"),
        ("comma-shape", "a;b,c,d,e,f → x.md"),
        ("target-shape", "a,b,c,d,e → a.b.c.md"),
        ("target-shape", "a,b,c,d,e → 部署.md"),
        ("target-shape", "a,b,c,d,e → README.md"),
        ("target-shape", "a,b,c,d,e → console.md"),
        ("host-hidden", "mythical,slivers,havocs,ssh,authorized-keys → x.md"),
        ("host-hidden", "ignore,previous,override,system,prompt → x.md"),
        ("host-hidden", "soft\u00adhyphen,b,c,d,e → x.md"),
        ("line-long", f"{'k' * 60},{'l' * 60},{'m' * 60},{'n' * 60},{'o' * 20} → x.md"),
        ("not-an-entry", "# any heading at all"),
        ("not-an-entry", "keyword,keyword,keyword → file.md"),
        ("not-an-entry", "§"),
        ("merge-markers", "# ======="),
        ("target-missing", "a,b,c,d,e → Gone.md"),
    ],
)
def test_leaves_alone(rule: str, line: str) -> None:
    """What looks close to a fault and is none is not reported."""
    assert only(lines(line), rule) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\ufeff" + lines(GOOD), [("form-bom", 1)]),
        (f"# routing table\n{GOOD}", [("form-newline-only", 0)]),
        (f"{HEAD}{GOOD}\nwords in a row", [("form-newline-only", 0), ("not-an-entry", 4)]),
        (f"# routing table\n§\n\n{GOOD}", [("form-drift", 0)]),
        (f"{HEAD}{GOOD}\n§\n", [("form-drift", 0)]),
        (lines(GOOD, GOOD.replace("x.md", "y.md")), [("lines-compete", 5)]),
        (lines(GOOD, "one,two,three,four,five → X.md"), [("target-repeated", 5)]),
        (GOOD, [("heading-without-routing-rule", 0)]),
        (f"# Notes\n§\n{GOOD}", [("heading-without-routing-rule", 0)]),
        ("# Schedule\n- Daily: check\n- Weekly: backup", [("not-an-entry", 2), ("not-an-entry", 3)]),
    ],
)
def test_faults_of_the_file(text: str, expected: list[tuple[str, int]]) -> None:
    """Form, heading and lines that go against each other are found once each."""
    check_finds(text, *expected)


@pytest.mark.parametrize(
    "text",
    [
        lines(GOOD) + "\n", lines(GOOD).replace("\n", "\r\n"), f"# 路由表\n§\n{GOOD}",
        f"# Routing\n# more\n\n# x\n§\n{GOOD}",
        lines(GOOD, "one,two,three,four,five → y.md"), lines(GOOD, "alpha,beta,three,four,five → y.md"),
        "# routing\nkeyword,keyword,keyword → file.md\n§\n" + GOOD, "\n" + lines(GOOD),
    ],
)  # fmt: skip
def test_good_forms(text: str) -> None:
    """Final newlines, other line ends, long headings and lines that share a little are fine."""
    check_clean(text)


def test_cap() -> None:
    """Over the cap is an error, from 95 % on a warning, below it nothing; no cap, no finding."""
    text = lines(GOOD)
    rules_at = {cap: [found.rule for found in check(Scope(text, None, cap))] for cap in (len(text) - 1, len(text), 200)}
    assert {len(text) - 1: ["over-cap"], len(text): ["near-cap"], 200: []} == rules_at
    assert check(Scope(text, None, None)) == []


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"x.md"}, []), ({"x.md", "MEMORY.md", "USER.md", "archived-memories.md", "README.md"}, []),
        ({"x.md", ".x.md.swp", "x.md~", "4913", "#x.md#", "x.tmp", ".~lock.x.md#", "pic.png", "x.md.bak"}, []),
        ({"x.md", "other.md"}, [("topic-orphan", 0)]), (set(), [("target-missing", 3)]),
        ({"X.md"}, [("target-shape", 3)]), ({"x.md", "X.md"}, [("name-twins", 0)]),
        ({"x.md", "x 2.md"}, [("conflict-copy", 0)]), ({"x.md", "y 2.md"}, [("topic-orphan", 0)]),
        ({"x.md", "MEMORY.sync-conflict-20260921-101010-ABCDEFG.md"}, [("conflict-copy", 0)]),
        ({"x.md", "x (conflicted copy 2026-09-21).md"}, [("conflict-copy", 0)]),
        ({"x.md", ".y.md.icloud"}, [("not-downloaded", 0)]),
    ],
)  # fmt: skip
def test_the_folder(files: set[str], expected: list[tuple[str, int]]) -> None:
    """Orphans, missing files, twins and copies are told apart from what editors and systems leave about."""
    check_finds(lines(GOOD), *expected, folder=Folder(frozenset(files)))


def test_a_folder_is_no_topic_file() -> None:
    """A target that is a folder does not exist as a file."""
    found = only(lines(GOOD), "target-missing", Folder(frozenset(), frozenset({"x.md"})))
    assert [each.message for each in found] == ['topic file "x.md" is a folder']


def test_names_in_other_forms() -> None:
    """A decomposed name on disk is the composed target; two forms side by side are twins and no error."""
    text = lines(GOOD.replace("x.md", "é.md"))
    check_clean(text, Folder(frozenset({"e\u0301.md"})))
    check_finds(text, ("name-twins", 0), folder=Folder(frozenset({"e\u0301.md", "é.md"})))


def test_select_and_ignore() -> None:
    """Rules are chosen and left out by name; findings come in the order of the lines."""
    text = lines("A,b -> x.md", "C,d -> y.md")
    assert [found.rule for found in check(Scope(text), select=["arrow-shape"])] == ["arrow-shape", "arrow-shape"]
    left = check(Scope(text), ignore=["arrow-shape"])
    assert "arrow-shape" not in {found.rule for found in left}
    assert [found.line for found in left] == sorted(found.line for found in left)


def test_the_table() -> None:
    """Every rule has a docstring, and its severity stands in the one table."""
    assert all(rule.__doc__ and severity in Severity for rule, severity in RULES.values())
    assert all(found.severity is RULES[found.rule][1] for found in findings(lines("A,the → x.md")))


WORD = st.one_of(
    st.sampled_from(["a", "B", "c d", "", "ß", "\u200b", "é", "e\u0301", "new york", "→", "the"]), st.text(max_size=4)
)
ENTRY = st.builds(
    lambda words, comma, arrow, name: f"{comma.join(words)}{arrow}{name}",
    st.lists(WORD, min_size=1, max_size=8), st.sampled_from([",", "，", ", "]), st.sampled_from([" → ", "->", "→ "]),
    st.sampled_from(["x.md", "y.md", "X.md", "a b.md", "../z.md", "MEMORY.md"]),
)  # fmt: skip
INDEX = st.lists(st.one_of(ENTRY, st.sampled_from(["# h", "prose it is", "§", "", GOOD, "======="])), max_size=6).map(
    "\n§\n".join
)
FOLDERS = st.sampled_from([None, Folder(), Folder(frozenset({"x.md", "y 2.md", "X.md"}), frozenset({"y.md"}))])


@given(INDEX, FOLDERS)
def test_findings_point_into_the_text(text: str, folder: Folder | None) -> None:
    """Whatever the text, no rule fails, and each finding of a line lies within that line."""
    source = rules.Scope(text).index.lines
    for found in findings(text, folder):
        if found.line:
            line = source[found.line - 1].text
            assert found.source == line
            assert found.column >= 1 and found.column - 1 + found.width <= max(len(line), 1)
        assert found.rule in RULES and found.message and "\n" not in found.message


@given(INDEX, FOLDERS)
def test_fixes_bring_nothing_new(text: str, folder: Folder | None) -> None:
    """A corrected line does not break the rule that it was offered for."""
    for found in findings(text, folder):
        if " → " in found.fix and found.line and "keyword" not in found.fix and found.rule != "target-shape":
            assert only(lines(found.fix), found.rule) == [], found


@given(ENTRY)
def test_corrections_settle(text: str) -> None:
    """Correcting a corrected entry changes nothing more."""
    row = next(iter(Scope(text).rows), None)
    if row is not None:
        once = corrected(row.entry)
        again = next(iter(Scope(once).rows), None)
        assert again is None or once == corrected(again.entry)


@given(INDEX, INDEX, FOLDERS)
def test_new_errors(before: str, after: str, folder: Folder | None) -> None:
    """Nothing is new against itself, and against nothing every error is new; a new one is among those after."""
    old, new = findings(before, folder), findings(after, folder)
    errors = [found for found in new if found.severity is Severity.ERROR]
    assert new_errors(new, new) == []
    assert errors == new_errors([], new)
    assert all(found in errors for found in new_errors(old, new))
    assert new_errors(old + new, new) == []


def test_a_moved_fault_is_old_and_a_second_one_new() -> None:
    """A fault that moved to another line counts as the same; the same fault twice counts once as new."""
    one, moved, two = lines("A,b,c,d,e → x.md"), lines(GOOD, "A,b,c,d,e → x.md"), lines(*["A,b,c,d,e → x.md"] * 2)
    assert [found for found in new_errors(findings(one), findings(moved)) if found.rule == "keyword-case"] == []
    assert len([found for found in new_errors(findings(one), findings(two)) if found.rule == "keyword-case"]) == 1


def test_headings_of_the_fixture_are_within_the_limit() -> None:
    """The heading that the tests use is a heading block that could be real."""
    assert len("\n".join(HEADING)) <= 220
