"""The page as text: well-formed, named for every reader, safe whatever the names are, private."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from cli_tools import Demo, demo
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.report.about_index import MOST_IN_MATRIX
from memory_shaper.report.facts import Line, Pair, Report, Used
from memory_shaper.report.page import render
from report_tools import STYLE, Node, facts, lived_in, page, read

SECRET = "ghp_0123456789abcdefghij0123456789abcdef"
NASTY = '<script>alert("1")</script>&\u202e\x00\ud800'


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return lived_in(tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="module")
def report(home: Demo) -> Report:
    return facts(home)


@pytest.fixture(scope="module")
def root(report: Report) -> Node:
    return read(render(report, STYLE))


def test_landmarks(root: Node) -> None:
    """One banner, one navigation with a name, one main part, one footer, and a skip link to the main part first."""
    assert [len(root.all(name)) for name in ("header", "nav", "main", "footer", "h1")] == [1, 1, 1, 1, 1]
    first = root.all("body")[0].all("a")[0]
    assert (first.attrs["class"], first.attrs["href"]) == ("skip", f"#{root.all('main')[0].attrs['id']}")
    assert root.all("nav")[0].attrs["aria-label"] == "Sections"
    assert root.all("html")[0].attrs["lang"] == "en"


def test_headings_go_down_one_step_at_a_time(root: Node) -> None:
    """No level of headings is left out, and each section is named by its own."""
    levels = [int(node.name[1]) for node in root.all("h1", "h2", "h3", "h4")]
    assert levels[0] == 1 and all(later - earlier <= 1 for earlier, later in pairwise(levels))
    for section in root.all("section"):
        assert section.attrs["aria-labelledby"] == section.all("h2")[0].attrs["id"]


def test_links_and_names_lead_somewhere(root: Node) -> None:
    """Every id is there once, and every link and every name by reference has its target."""
    ids = [node.attrs["id"] for node in everything(root) if "id" in node.attrs]
    assert len(ids) == len(set(ids))
    wanted = {str(node.attrs["href"])[1:] for node in root.all("a")}
    wanted |= {one for node in everything(root) for one in str(node.attrs.get("aria-labelledby") or "").split()}
    assert wanted <= set(ids)


def everything(node: Node) -> list[Node]:
    return [node, *(one for child in node.children for one in everything(child))]


def test_tables_can_be_heard(root: Node) -> None:
    """Each has a caption, heads with a scope for columns and rows, and lies in a named box that takes the focus."""
    boxes = [node for node in everything(root) if node.attrs.get("class") == "box"]
    assert len(boxes) == len(root.all("table")) > 4
    for box in boxes:
        (table,) = box.children
        assert (box.attrs["role"], box.attrs["tabindex"]) == ("region", "0")
        assert table.all("caption")[0].attrs["id"] == box.attrs["aria-labelledby"]
        assert {cell.attrs["scope"] for cell in table.all("thead")[0].all("th")} == {"col"}
        for row in table.all("tbody")[0].all("tr"):
            assert [cell.attrs["scope"] for cell in row.all("th")] == ["row"]
            assert len(row.all("th", "td")) == len(table.all("thead")[0].all("th"))


def test_drawings_can_be_heard(root: Node) -> None:
    """Each is a picture with a name and a description, or is hidden because the words stand beside it."""
    drawings = root.all("svg")
    named = [node for node in drawings if node.attrs.get("role") == "img"]
    assert len(named) > 15
    assert all(node.attrs.get("aria-hidden") == "true" for node in drawings if node not in named)
    for node in named:
        assert node.children[0].name == "title" and node.children[0].text
        assert node.children[1].name == "desc" and node.children[1].text


def test_marks_are_words(root: Node) -> None:
    """What a colour says is said in words as well: marks, severities, parts of the bar."""
    badges = {node.words() for node in everything(root) if str(node.attrs.get("class")).startswith("badge")}
    assert {"!! critical", "! pinned", "warning"} <= badges
    legend = next(node for node in everything(root) if node.attrs.get("class") == "legend")
    assert [re.sub(r":.*", "", item.words()) for item in legend.all("li")][-1] == "free"


def test_nothing_is_loaded(report: Report) -> None:
    """No address but places in the page itself, no script, no inline style; a policy that forbids the rest."""
    text = render(report, STYLE)
    root = read(text)
    assert root.all("script", "img", "link", "iframe", "object", "base", "form") == []
    assert "url(" not in STYLE and "@import" not in STYLE
    for node in everything(root):
        assert "style" not in node.attrs and not any(name.startswith("on") for name in node.attrs)
        assert str(node.attrs.get("href", "#")).startswith("#") and "src" not in node.attrs
    policy = next(node.attrs["content"] for node in root.all("meta") if "http-equiv" in node.attrs)
    assert str(policy).startswith("default-src 'none'; style-src 'sha256-")


def test_names_are_text(tmp_path: Path) -> None:
    """Tags, quotes and direction marks in names and keywords are shown, never obeyed."""
    line = f'a"b,<script>,x\u202ey,{SECRET},e → <img src=x onerror=1>\'".md'
    home = demo(tmp_path, f"# h\n§\n{line}\n§\n{NASTY[:-1]}")
    text = page(home, with_content=True)
    assert "\u202e" not in text and SECRET not in text and "[a GitHub token]" in text
    assert read(text).all("script", "img") == []


@given(st.text(max_size=40))
def test_whatever_a_line_holds_the_page_is_whole(name: str) -> None:
    """Any text as name, keyword or home gives a page that reads as one."""
    one = Pair(name, 1, name + "x", 2, (name,), ())
    text = render(replace(_EMPTY(), home=name, pairs=(one,), notes=(name,)), STYLE)
    assert len(read(text).all("section")) == 9
    text.encode()


def _EMPTY() -> Report:
    from memory_shaper.report.facts import Budget, Journal, Questions, Upkeep
    from report_tools import NOW

    budget = Budget(0, 2200, "default", 2090, 1760, ())
    return Report(
        "~", "given", "1", NOW, False, (), budget, (), (), (), Journal(), Questions(), (), Upkeep(), (), (), ()
    )


def test_cells_are_words() -> None:
    """Whether a line may be archived is yes, or no and why; the matrix says what its numbers count."""
    pairs = (Pair("a.md", 1, "b.md", 2, ("x", "y"), ("z",)), Pair("b.md", 2, "a.md", 1, (), ("z",)))
    lines = tuple(Line("", name, ("k",), 9, Used(), stays=why) for name, why in (("a.md", ""), ("b.md", "pinned (!)")))
    html = render(replace(_EMPTY(), pairs=pairs, lines=lines), STYLE)
    for cell in ("yes", "no: pinned (!)", "2 taken, 1 shared", "1 shared"):
        assert f">{cell}</td>" in html


@pytest.mark.parametrize(("lines", "matrices"), [(MOST_IN_MATRIX, 1), (MOST_IN_MATRIX + 1, 0)])
def test_a_large_matrix_becomes_a_list(lines: int, matrices: int) -> None:
    """Up to sixty lines that meet are drawn as a matrix, more are listed only."""
    pairs = tuple(Pair("a.md", 1, f"t{number}.md", number, ("w",), ("v",)) for number in range(2, lines + 1))
    root = read(render(replace(_EMPTY(), pairs=pairs), STYLE))
    assert sum(node.attrs.get("class") == "matrix" for node in root.all("table")) == matrices
    assert any(node.attrs.get("id") == "pairs-table-caption" for node in everything(root))


def test_contents_are_left_out(home: Demo) -> None:
    """Neither a line of a topic file nor a question is in the page; with --with-content both are."""
    content, question = "never on a Friday", "phone number of the landlord"
    without, with_them = page(home), page(home, with_content=True)
    assert content not in without and question not in without
    assert content in with_them and question in with_them
    assert "deploy.md" in without and "blue-green" in without


def test_prose_is_content(tmp_path: Path) -> None:
    """The text of a line that is no entry is left out, its finding is not."""
    home = demo(tmp_path, "# h\n§\nMy garage code is 4711\n§\na1,b1,c1,d1,e1 → deploy.md")
    text = page(home)
    assert "not-an-entry" in text and "4711" not in text
