"""Postings: the counts that were put are the counts that are read, whatever was changed on the way."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.recall.database import open_in_memory
from memory_shaper.recall.postings import BLOCK, Postings

Counts = dict[str, int]

_counts = st.dictionaries(st.sampled_from(["a", "b", "=部署", "\x7f"]), st.integers(1, 300), max_size=4)
_texts = st.sampled_from([1, 2, 13, BLOCK - 1, BLOCK, 5 * BLOCK + 39])
_steps = st.lists(st.tuples(_texts, _counts, st.booleans()), max_size=12)


def read(postings: Postings, term: str) -> Counts:
    """Return the counts of a term by text."""
    return {
        block * BLOCK + low: count
        for block, row in postings.rows(term).items()
        for low, count in zip(row[::2], row[1::2], strict=True)
    }


@given(_steps)
def test_what_is_put_is_read(steps: list[tuple[int, Counts, bool]]) -> None:
    """After any puts, changes and removals each term has the texts that hold it, with counts of at most 255."""
    with closing(open_in_memory("").connection) as connection:
        postings, known = Postings(connection, "note"), dict[int, Counts]()
        for text, counts, flush in steps:
            if text in known:
                postings.change(text, known[text], counts)
            else:
                postings.add(text, counts)
            known[text] = counts
            if flush:
                postings.flush()
        postings.flush()
        for term in ("a", "b", "=部署", "\x7f"):
            wanted = {text: min(counts[term], 255) for text, counts in known.items() if term in counts}
            assert read(postings, term) == wanted


def test_a_term_that_no_text_holds_leaves_no_row() -> None:
    """What is removed is gone from the file, and from the terms that begin with a character."""
    with closing(open_in_memory("").connection) as connection:
        postings = Postings(connection, "note")
        postings.add(1, {"alpha": 2, "also": 1})
        postings.flush()
        postings.change(1, {"alpha": 2, "also": 1}, {"also": 1})
        postings.flush()
        assert postings.beginning_with("a") == ["also"]
        assert rows(connection) == [("also", b"\x01\x01")]


def test_what_is_dropped_is_never_written() -> None:
    """A change that is given up leaves nothing behind for the next one."""
    with closing(open_in_memory("").connection) as connection:
        postings = Postings(connection, "note")
        postings.add(1, {"alpha": 2})
        postings.change(2, {}, {"beta": 2})
        postings.drop()
        postings.flush()
        assert rows(connection) == []


def rows(connection: sqlite3.Connection) -> list[tuple[str, bytes]]:
    return connection.execute("SELECT term, texts FROM note_post ORDER BY term").fetchall()
