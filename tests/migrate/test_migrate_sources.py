"""Other memories: JSON lines, markdown files, the counts of an older watchdog, and the way back to prose."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.migrate.exports import read_lines
from memory_shaper.migrate.folder import Markdown, read_files
from memory_shaper.migrate.memory import Aim, imported
from memory_shaper.migrate.parts import Piece
from memory_shaper.migrate.planning import content
from memory_shaper.migrate.prosing import to_prose
from memory_shaper.migrate.tally import read_tally
from migrate_tools import HEADING, shelf


def read(**fields: object) -> Piece:
    """The piece of one line."""
    return read_lines(json.dumps(fields, ensure_ascii=False)).pieces[0]


def test_the_fields_of_an_export_are_kept() -> None:
    """Tags, kind and day stand in the front matter of the topic file, the text below as it was."""
    piece = read_lines(
        json.dumps({"content": "花生过敏", "tags": "food, health", "type": "fact", "created": 1767312000})
    ).pieces
    assert content(piece) == "---\ntags: [food, health, fact]\ncreated: 2026-01-02\n---\n\n花生过敏\n"


@pytest.mark.parametrize(
    ("value", "day"),
    [
        (1767312000, "2026-01-02"),
        ("1767312000.5", "2026-01-02"),
        (1767312000000, "2026-01-02"),
        ("2026-01-02T03:04:05Z", "2026-01-02"),
        ("2026-13-40", ""),
        (True, ""),
        (-5, ""),
        (1e300, ""),
        ("nan", ""),
        (None, ""),
    ],
)
def test_days_are_read_in_every_usual_form(value: object, day: str) -> None:
    """Seconds, milliseconds and ISO; nonsense is no day."""
    assert read(content="x", created=value).created == day


@pytest.mark.parametrize("field", ["invalid_at", "valid_until", "superseded_by", "is_archived"])
def test_what_no_longer_holds_is_known(field: str) -> None:
    """Any value hides a text, as in Keepsake; empty, zero and false do not."""
    assert read(content="x", **{field: "1767312000"}).over
    assert not any(read(content="x", **{field: value}).over for value in ("", "0", False, None, "none"))


def test_wrapped_rows_and_other_names_are_read() -> None:
    """A dump of hashes by key, and a note with a title."""
    assert read(key="memory:frag:1", fields={"content": "a b"}).text == "a b"
    assert (read(text="t", title="A  title").text, read(text="t", title="A  title").title) == ("t", "A title")


def test_lines_that_make_no_sense_are_reported() -> None:
    """By number and reason; the others are taken."""
    taken = read_lines('{"content": "good"}\n[1]\n{"content": ""}\n{bad\n\n{"content": "\\ud800"}\n{"content": "good"}')
    assert [piece.text for piece in taken.pieces] == ["good"]
    assert taken.repeats == 1
    assert [fault.partition(":")[0] for fault in taken.faults] == ["line 2", "line 3", "line 4", "line 6"]


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["content", "tags", "created", "fields", "title"]), inner)
        ),
    )
)
def test_no_line_is_an_error(value: object) -> None:
    """Whatever a line holds, it is read or reported."""
    taken = read_lines(json.dumps(value))
    assert len(taken.pieces) + taken.repeats + len(taken.faults) == (len(value) if isinstance(value, list) else 1)


def test_an_array_is_read_as_well() -> None:
    """One JSON array over several lines: its items count as lines."""
    taken = read_lines('[\n {"content": "a"},\n 7,\n {"content": "b"}\n]')
    assert ([piece.text for piece in taken.pieces], taken.faults) == (["a", "b"], ("line 2: not a JSON object",))


def test_deep_nesting_is_reported() -> None:
    """A line of a hundred thousand brackets."""
    assert read_lines("[" * 100_000).faults == ("line 1: not a JSON object",)


def test_files_give_their_title_tags_and_name() -> None:
    """Front matter first, else the first heading; a README has the name of its folder."""
    text = b"---\ntitle: Night shift\ntags: [ops, pager]\n---\nbody"
    one, two = read_files([Markdown("a b/On Call.md", text), Markdown("net/README.md", b"# Router\nx")]).pieces
    assert (one.title, one.tags, one.file, one.data) == ("Night shift On Call", ("ops", "pager"), "On-Call.md", text)
    assert (two.title, two.file) == ("Router README", "net.md")


def test_files_that_are_no_text_are_reported() -> None:
    """Bytes that are not UTF-8, and files with nothing in them; a copy of another file is counted."""
    taken = read_files(
        [Markdown("a.md", b"\xff"), Markdown("b.md", b" \n"), Markdown("c.md", b"x"), Markdown("d.md", b"x")]
    )
    assert taken.faults == ("a.md: byte 0 is not UTF-8", "b.md: no text in it")
    assert ([piece.file for piece in taken.pieces], taken.repeats) == (["c.md"], 1)


def test_both_shapes_of_a_tally_are_read() -> None:
    """With and without `files`; rows that make no sense are left out, and what is no tally is None."""
    rows = {"git.md": {"reads": 3, "last": "2026-01-02T03:04:05"}, "x.md": 7, "y.md": {"reads": True, "last": "?"}}
    for shape in (rows, {"_meta": {"last_rowid": 9}, "files": rows}):
        found = read_tally(json.dumps(shape))
        assert found is not None
        assert [(one.name, one.reads, one.last.isoformat()) for one in found] == [
            ("git.md", 3, "2026-01-02T03:04:05+00:00")
        ]
    assert [read_tally(text) for text in ("", "[]", "{", "[" * 100_000)] == [None] * 4


def test_an_index_becomes_prose_again() -> None:
    """Each topic is an entry, prose of the index stays, what leads nowhere or would be cut is named."""
    index = "# h\n§\na,b,c,d,e → a.md\n§\nloose\n§\nf,g,h,i,j → gone.md\n§\nk,l,m,n,o → cut.md"
    made = to_prose(index, {"a.md": "# A\ntext\n", "cut.md": "x\n§\ny"}.get)
    assert made.text == "loose\n§\n# A\ntext\n§\nx\n§\ny\n"
    assert (made.entries, made.missing, made.cut) == (4, ("gone.md",), ("cut.md",))


def test_no_secret_gets_into_a_line_by_a_side_field() -> None:
    """A secret as a tag, in a title and as the name of a file: named, and neither keyword nor name."""
    key = "ghp_FAKE0123456789abcdefghij0123456789"
    rows = read_lines(
        json.dumps({"content": "The kestrel pump needs a new gasket in spring.", "tags": [key], "title": key})
    )
    files = read_files([Markdown(f"{key}.md", b"The heron server restarts each night after the backup.\n")])
    for taken in (rows, files):
        plan = imported(taken, shelf(HEADING), Aim(HEADING, 2200), frozenset())
        assert len(plan.topics) == 1
        assert "fake" not in plan.index.lower()
    assert [one.kind for one in imported(rows, shelf(HEADING), Aim(HEADING, 2200), frozenset()).secrets] == [
        "a GitHub token"
    ] * 2
