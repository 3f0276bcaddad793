"""The pure parts of vectors: answers, numbers, fusion, passages, the breaker."""

from __future__ import annotations

import json
import math
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.outgoing.endpoint import NoAnswer
from memory_shaper.recall.vectors import maths
from memory_shaper.recall.vectors.answers import read_answer
from memory_shaper.recall.vectors.breaker import LONGEST, Breaker
from memory_shaper.recall.vectors.fusion import by_rank, convex, outstanding, reciprocal, spread
from memory_shaper.recall.vectors.passages import MOST, passages, sendable

TOKEN = "ghp_0123456789abcdefghij0123456789abcdef"
texts = st.text(st.characters(exclude_categories=()), max_size=60)
numbers = st.floats(allow_nan=False, allow_infinity=False)


def body(*vectors: object) -> bytes:
    return json.dumps({"data": [{"embedding": vector} for vector in vectors]}).encode()


@pytest.mark.parametrize(
    "answer",
    [
        b"", b"<html><body>Sign in</body></html>", b"null", b"[]", b"{}", b'{"data": {}}', b'{"data": [1]}', b"\xff\xfe",
        body([1, 2], [3]), body([1, 2]), body([1, 2], []), body([1, 2], "ab"), body([1, 2], [1, True]),
        body([1, 2], [1, None]), body([1, 2], [1, [2]]), body([1, 2], [1, 10**400]),
        b'{"data": [{"embedding": [1]}, {"embedding": [NaN]}]}',
        b'{"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]}',
        b"[" * 100_000,
    ],
)  # fmt: skip
def test_bad_answers(answer: bytes) -> None:
    """Whatever else an endpoint says is one kind of error."""
    with pytest.raises(NoAnswer):
        read_answer(answer, 2)


def test_order_by_index() -> None:
    """Vectors belong to texts by their index, not by their place."""
    rows = [{"index": 1, "embedding": [0, 2]}, {"index": 0, "embedding": [5, 0]}]
    assert [list(one) for one in read_answer(json.dumps({"data": rows}).encode(), 2)] == [[1, 0], [0, 1]]


@given(st.binary(max_size=200))
def test_any_bytes_are_an_answer_or_an_error(answer: bytes) -> None:
    """No answer raises anything else."""
    try:
        assert len(read_answer(answer, 1)) == 1
    except NoAnswer:
        return


@given(st.lists(numbers, min_size=1, max_size=20))
def test_units(values: list[float]) -> None:
    """A vector has length one after scaling, or is all zeros."""
    length = math.hypot(*maths.unit(values))
    assert length == pytest.approx(1, abs=1e-5) or not any(values)


@given(st.lists(st.lists(st.floats(-1, 1), min_size=3, max_size=3), min_size=1, max_size=8), st.data())
def test_numpy_and_plain_python_agree(rows: list[list[float]], data: st.DataObject) -> None:
    """Both ways of comparing give the same numbers, to the last of four digits."""
    pytest.importorskip("numpy")
    matrix = array("f", [number for row in rows for number in maths.unit(row)])
    query = maths.unit(data.draw(st.sampled_from(rows)))
    plain, fast = list(maths._plain(matrix, query)), maths._by_numpy(matrix, query)
    assert fast == pytest.approx(plain, abs=1.01e-4)


def test_reciprocal_ranks() -> None:
    """[A, B, C] and [C, A] give A, C, B."""
    scores = reciprocal(["A", "B", "C"], ["C", "A"])
    assert sorted(scores, key=scores.__getitem__, reverse=True) == ["A", "C", "B"]
    assert by_rank({"A": 0.9, "B": 0.8, "C": 0.7}, {"C": 0.9, "A": 0.8}) == scores


@given(st.dictionaries(texts, st.floats(0, 1)), st.dictionaries(texts, st.floats(0, 1)), st.floats(0, 1))
def test_convex_loses_no_entry(words: dict[str, float], meaning: dict[str, float], weight: float) -> None:
    """Every name of both is there, with a score from 0 to 1, and weight 0 leaves words as they are."""
    fused = convex(words, meaning, weight)
    assert fused.keys() == words.keys() | meaning.keys()
    assert all(-1e-9 <= score <= 1 + 1e-9 for score in fused.values())
    assert {name: convex(words, meaning, 0)[name] for name in words} == words


@given(st.dictionaries(texts, st.floats(-1, 1)), st.floats(0, 1))
def test_spread_keeps_the_order(likeness: dict[str, float], margin: float) -> None:
    """Stretching keeps the order and lies in 0 to 1; what stands out is the head of that order."""
    stretched = spread(likeness)
    order = sorted(likeness, key=lambda name: (-likeness[name], name))
    assert all(0 <= value <= 1 for value in stretched.values())
    assert [stretched[name] for name in order] == sorted(stretched.values(), reverse=True)
    head = outstanding(likeness, margin)
    assert head == order[: len(head)]


def test_nothing_stands_out_of_equals() -> None:
    """Of many notes that are all as alike as is usual for the model none is shown."""
    assert outstanding({str(number): 0.8 for number in range(29)}, 0.2) == []
    assert outstanding({**{str(number): 0.8 for number in range(29)}, "x": 0.9}, 0.2) == ["x"]


@given(texts)
def test_passages_of_any_text(text: str) -> None:
    """Any text is cut; passages are UTF-8, begin inside the text and are in order."""
    cut = passages("a.md", text)
    assert [one.place for one in cut] == sorted({one.place for one in cut})
    assert all(0 <= one.place < len(text) and one.text.encode() for one in cut)


def test_passages_are_short_and_not_endless() -> None:
    """A long note is cut at its units into passages of about 800 characters, and has 128 of them at most."""
    cut = passages("a.md", "one line of text that says little\n" * 10_000)
    assert len(cut) == MOST
    assert max(len(one.text) for one in cut) < 1000


def test_secrets_are_masked_before_they_are_cut() -> None:
    """No part of a secret is sent, nor any front matter but title and tags; places stay those of the file."""
    key = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEowIBAAKCAQEA7\n" * 40 + "-----END RSA PRIVATE KEY-----"
    text = f"---\ntitle: Keys {TOKEN}\nagent: me\n---\n# Here\n{key}\nand {TOKEN}\nthe end\n"
    cut = passages("keys.md", text)
    sent = "\n".join(one.text for one in cut)
    assert "MIIE" not in sent and "ghp_" not in sent and "agent" not in sent
    assert "Keys" in sent and "the end" in sent
    assert text[cut[0].place :].startswith("# Here")


def test_questions_are_masked_too() -> None:
    """A secret in a question is not sent."""
    assert TOKEN not in sendable(f"what is {TOKEN} for? \ud800")


@given(st.integers(0, 10**9), st.floats(0, 1e10), st.floats(0, 1e10))
def test_the_breaker_always_closes_again(failures: int, now: float, later: float) -> None:
    """Fifteen minutes after any failure the endpoint is asked again, whatever the clock did meanwhile."""
    breaker = Breaker(failures).failed("x", now)
    assert breaker.is_open(now + 1)
    assert not breaker.is_open(now + LONGEST + later + 1)
    assert not breaker.is_open(min(now - LONGEST, now - later) - 1)
