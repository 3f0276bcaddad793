"""The index format: reading loses nothing, and an edit of one line changes that line only."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper import grammar, host
from memory_shaper.model import Entry, Index, Kind
from tools import CANONICAL, ENTRIES, HEADING, NEWLINES, check_round_trip

PIECES = st.sampled_from(
    [
        "\n", "\r\n", "\r", "§", "\n§\n", "\r\n§\r\n", " ", "\t", "\u2028", "\x85", "\x0c", "\x1c", "\u3000", "\ufeff",
        "#", "# head", "a", "b,c", ",", "，", "、", "→", " → ", "->", "=>", "➡️", "›", "x.md", "É.md", "keyword", "!",
        "!!", "！", "\x00", "\ud800", "a,b,c → x.md", "!a,b → y.md", "prose with words", "routing table", "/", "🡒",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.lists(PIECES, max_size=24).map("".join), st.text(st.characters(), max_size=60))
LINES = TEXTS.map(lambda text: text.replace("\n", "").replace("\r", ""))


def lines_of(text: str) -> Counter[str]:
    """The stripped lines of a text that are neither blank nor a delimiter; without byte order marks."""
    bare = host.universal(text.replace("\ufeff", ""))
    return Counter(line.strip() for line in bare.split("\n") if line.strip() not in ("", "§"))


def plain_entry(text: str) -> Entry | None:
    """A second reader of the plain form, written the dull way."""
    left, arrow, target = text.rpartition(" → ")
    mark = "!!" if left.startswith("!!") else "!" if left.startswith("!") else ""
    keywords = left[len(mark) :].split(",")
    dull = set(",，、﹐､→！")
    if not arrow or any(not word or any(char.isspace() or char in dull for char in word) for word in keywords):
        return None
    if any(char.isspace() or char in ",，→/\\" for char in target) or not target.endswith(".md") or target == ".md":
        return None
    return Entry(mark, tuple(keywords), target)


@given(TEXTS)
def test_round_trip(text: str) -> None:
    """Whatever a text is, reading and rendering it gives the same text."""
    check_round_trip(text)


@pytest.mark.parametrize(
    "text", ["", "\n", "\r", "a\r\nb\nc\rd", "\ufeff# h\r\n", "\ufeff\ufeffa", "a\u2028b\x85c\x0cd", "\r\r\n\n", "§"]
)
def test_round_trip_of_odd_texts(text: str) -> None:
    """Mixed line ends, marks and separators of other systems survive."""
    check_round_trip(text)


@pytest.mark.parametrize("sign", ["\u2028", "\x85", "\x0c", "\x0b", "\x1c"])
def test_only_cr_and_lf_end_a_line(sign: str) -> None:
    """A separator that the host does not split at stays inside its line."""
    assert [f"a{sign}b", "c"] == [line.text for line in grammar.parse(f"a{sign}b\nc").lines]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("§", Kind.DELIMITER), (" § ", Kind.DELIMITER), ("§§", Kind.STRAY), ("", Kind.BLANK), ("\u3000", Kind.BLANK),
        ("# a → b.md", Kind.HEADING), ("  #a", Kind.HEADING), ("═══", Kind.STRAY), ("a → x.md", Kind.ENTRY),
        ("keyword,keyword → file.md", Kind.TEMPLATE), ("keyword,other → file.md", Kind.ENTRY),
        ("!keyword → f.md", Kind.TEMPLATE), ("a,b,c", Kind.STRAY), ("→ x.md", Kind.STRAY), ("! → x.md", Kind.STRAY),
        ("a,b → x", Kind.STRAY), ("a,b,c → x.txt", Kind.ENTRY), ("a,b -> x.md", Kind.ENTRY), ("a,b → ", Kind.STRAY),
        ("moved the notes of last week → old.md", Kind.STRAY), ("<<<<<<< HEAD", Kind.STRAY), ("\ufeff", Kind.STRAY),
    ],
)  # fmt: skip
def test_kind_of_a_line(text: str, kind: Kind) -> None:
    """Each line is what a reader of the index would take it for."""
    assert kind == grammar.parse_line(text).kind


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("a,b → x.md", Entry("", ("a", "b"), "x.md")),
        ("!!a,b → x.md", Entry("!!", ("a", "b"), "x.md")),
        ("!!!a → x.md", Entry("!!", ("!a",), "x.md")),
        ("! a,b → x.md", Entry("!", (" a", "b"), "x.md")),
        ("！a,b → x.md", Entry("!", ("a", "b"), "x.md")),
        ("!！a,b → x.md", Entry("!", ("！a", "b"), "x.md")),
        ("!!！a,b → x.md", Entry("!!", ("！a", "b"), "x.md")),
        ("a→b,c → x.md", Entry("", ("a→b", "c"), "x.md")),
        ("c++,node.js,ci/cd,部署 → 部署.md", Entry("", ("c++", "node.js", "ci/cd", "部署"), "部署.md")),
        ("a,b→x.md", Entry("", ("a", "b"), "x.md", "→")),
        ("a, b ,c  ->  x.md", Entry("", ("a", " b ", "c"), "x.md", "  ->  ")),
        ("a，b、c → x.md", Entry("", ("a", "b", "c"), "x.md", " → ", frozenset("，、"))),
        ("a,,b → x.md", Entry("", ("a", "", "b"), "x.md")),
        ("a,b → ../x.md", Entry("", ("a", "b"), "../x.md")),
        ("a,b → new topic.md", Entry("", ("a", "b"), "new topic.md")),
    ],
)
def test_parts_of_an_entry(text: str, entry: Entry) -> None:
    """Mark, keywords, arrow and target are read as they stand."""
    assert entry == grammar.parse_entry(text)


@given(LINES)
def test_two_readers_agree(text: str) -> None:
    """What the dull reader takes for a plain entry is the same entry to ours."""
    plain = plain_entry(text.strip())
    assert plain in (None, grammar.parse_entry(text.strip()))


@given(
    st.sampled_from(["", "!", "!!"]),
    st.lists(st.from_regex("[ab!！c+部]{0,2}k", fullmatch=True), min_size=1, max_size=4),
)
def test_plain_entries_are_read_back(mark: str, keywords: list[str]) -> None:
    """A plain line gives back the keyword set it was written from, also behind odd exclamation marks."""
    read = grammar.parse_entry(f"{mark}{','.join(keywords)} → x.md")
    assert read is not None
    assert f"{mark}{','.join(keywords)}".replace("！", "!") == f"{read.mark}{','.join(read.keywords)}".replace(
        "！", "!"
    )


@pytest.mark.parametrize("line", ["a," * 20_000 + "b → x.md", "a" * 20_001 + " → x.md", "->" * 15_000])
def test_overlong_lines_are_strays(line: str) -> None:
    """A line of more than 20,000 characters is no entry, whatever stands in it."""
    assert Kind.STRAY is grammar.parse_line(line).kind


@given(TEXTS)
def test_canonical_is_idempotent(text: str) -> None:
    """The canonical form of a canonical text is itself."""
    once = grammar.canonical(text)
    assert once == grammar.canonical(once)
    assert grammar.is_canonical(once)


@given(TEXTS)
def test_canonical_keeps_every_line(text: str) -> None:
    """Canonical form moves no line out and none in."""
    assert lines_of(text) == lines_of(grammar.canonical(text))


@given(TEXTS)
def test_host_sees_the_parts(text: str) -> None:
    """The host loads a canonical text as exactly the parts that we see."""
    canonical = grammar.canonical(text)
    parts = grammar.parts(grammar.parse(canonical))
    assert list(dict.fromkeys(parts)) == host.entries(canonical.removeprefix("\ufeff"))
    if "\ufeff" not in text:
        assert parts == grammar.parts(grammar.parse(text))


@given(TEXTS)
def test_canonical_keeps_line_ends_and_mark(text: str) -> None:
    """A canonical text has one kind of line end, the one that was used most, and the byte order mark it had."""
    index, canonical = grammar.parse(text), grammar.parse(grammar.canonical(text))
    assert {line.ending for line in canonical.lines} <= {"", grammar.newline(index)}
    assert text.startswith("\ufeff") <= grammar.canonical(text).startswith("\ufeff")


def test_canonical_of_a_newline_file() -> None:
    """A newline-only index becomes heading and entries, each on its own; its final newline stays."""
    assert grammar.canonical(NEWLINES) == CANONICAL + "\n"
    assert CANONICAL.replace("\n", "\r\n") == grammar.canonical(NEWLINES.replace("\n", "\r\n").rstrip())


@given(TEXTS, st.data(), st.sampled_from(["z,y → z.md", "", "§", "# z"]))
def test_replacing_changes_one_line(text: str, data: st.DataObject, new: str) -> None:
    """The bytes before and after a replaced line are the bytes that were there."""
    index = grammar.parse(text)
    if index.lines:
        number = data.draw(st.integers(1, len(index.lines)))
        before, after = around(index, number, number)
        ending = index.lines[number - 1].ending
        assert before + new + ending + after == grammar.render(grammar.replace_line(index, number, new))


def around(index: Index, first: int, last: int) -> tuple[str, str]:
    """The text in front of line `first` and the text behind line `last`."""
    before = index.bom + "".join(line.raw for line in index.lines[: first - 1])
    return before, "".join(line.raw for line in index.lines[last:])


@given(TEXTS, st.data())
def test_removing_takes_one_line(text: str, data: st.DataObject) -> None:
    """A removed line takes at most one delimiter along; all other bytes but a last line end stay."""
    index = grammar.parse(text)
    if index.lines:
        number = data.draw(st.integers(1, len(index.lines)))
        result = grammar.render(grammar.remove_line(index, number))
        spans = [(number, number), (number - 1, number), (number, number + 1)]
        options = ["".join(around(index, max(first, 1), last)) for first, last in spans]
        closed = [option.removesuffix("\n").removesuffix("\r") for option in options]
        assert result in [*options, *closed]


@given(TEXTS, st.data())
def test_removing_keeps_canonical_form(text: str, data: st.DataObject) -> None:
    """An entry taken out of a canonical text leaves a canonical text with one host entry less."""
    canonical = grammar.canonical(text)
    index = grammar.parse(canonical)
    numbers = [number for number, _ in index.entries()]
    if numbers:
        left = grammar.remove_line(index, data.draw(st.sampled_from(numbers)))
        assert grammar.is_canonical(grammar.render(left))
        assert len(grammar.parts(index)) - 1 == len(grammar.parts(left))


@given(TEXTS)
def test_appending_adds_one_host_entry(text: str) -> None:
    """An appended entry is the host's last entry, and everything in front of it is what was there."""
    index = grammar.parse(text)
    result = grammar.render(grammar.append_entry(index, "z,y,x,w,v → z.md"))
    assert result.startswith(text)
    before, after = (each.removeprefix("\ufeff") for each in (text + "\n", result))
    assert [*host.parts(before), "z,y,x,w,v → z.md"] == host.parts(after)


@given(TEXTS)
def test_appending_keeps_canonical_form(text: str) -> None:
    """An entry appended to a canonical text leaves a canonical text, and taking it out again the text before."""
    canonical = grammar.canonical(text)
    grown = grammar.append_entry(grammar.parse(canonical), "z,y,x,w,v → z.md")
    assert grammar.is_canonical(grammar.render(grown))
    assert canonical == grammar.render(grammar.remove_line(grown, len(grown.lines)))


@pytest.mark.parametrize("end", ["§", "§\n", "\n§\n", "a\n§\n", "a\n§\n\n", "a\n §\n", "a\n§\n§\n", "a\n§\n§"])
def test_appending_behind_a_delimiter(end: str) -> None:
    """A delimiter that ends the file is used, where the host takes it for one."""
    grown = grammar.render(grammar.append_entry(grammar.parse(end), "z,y → z.md"))
    assert [*host.parts(end + "\n"), "z,y → z.md"] == host.parts(grown)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (CANONICAL, True), (NEWLINES, True), ("\n".join(HEADING), True), (ENTRIES[2], True), ("", False),
        ("## Schedule\n- Daily: check\n- Weekly: backup", False), ("the user likes tea\n§\nold → x.md", False),
        ("keyword,keyword,keyword → file.md", False), ("# Notes", False), ("moved a, b and c → notes file.md", False),
        ("see a,b → x.txt", False), ("tea\n§\nRelease: tag, build → NOTES.md", False), ("Release: a, b → N.md", False),
        ("tea\n§\nbread\n§\nBuild, push → NOTES.md", False), ("tea\n§\nbuild, push → notes.md", True),
    ],
)  # fmt: skip
def test_is_index(text: str, answer: bool) -> None:
    """A text is an index by one real entry or by our heading; prose with an arrow in it is none."""
    assert answer is grammar.is_index(grammar.parse(text))


def test_heading_ends_at_the_first_entry() -> None:
    """The heading block is what stands in front of the first delimiter or entry."""
    assert "\n".join(HEADING) == grammar.heading(grammar.parse(CANONICAL)) == grammar.heading(grammar.parse(NEWLINES))


def test_map_entries_leaves_other_lines() -> None:
    """Only entry lines are rewritten; heading, delimiters and template stay."""
    index = grammar.parse(CANONICAL)
    assert grammar.render(grammar.map_entries(index, str)) == CANONICAL
    assert "\n".join(HEADING) + "\n§\nx" * 4 == grammar.render(grammar.map_entries(index, lambda entry: "x"))
