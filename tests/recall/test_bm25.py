"""BM25 by hand: the exact figure of a text, empty stores, the number of statements, the order of equals."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from memory_shaper.recall.analyser import analyse_query
from memory_shaper.recall.score import Closer, Means, Sight, Spots, idf, score, slowness
from recall_tools import ask, sidecar_of

NOTHING = Spots((), (0,), (0,), 0)
MEANS = Means(texts=10, text=20, unit=20, extra=0, extra_unit=0)


def sight(length: int, **counts: int) -> Sight:
    """A text of one unit that holds terms so often."""
    found = [(0, term) for term, count in counts.items() for _ in range(count)]
    return Sight(Spots(found, (0,), (0,), length), NOTHING)


def parts(sights: dict[int, Sight], weight: dict[str, float]) -> list[float]:
    """BM25 of whole texts, as shares of the best."""
    closer = {name: Closer("", "", (0,)) for name in sights}
    found = score(analyse_query(" ".join(weight)), sights, weight, MEANS, {}, lambda _: closer)
    return [found[name].parts["text"] for name in sights]


def test_bm25_of_one_text_by_hand() -> None:
    """N 10, df 2, tf 3, a text of mean length: ln(4.4) · 3/3.9; one of two mean lengths has 1.44 for 0.9.

    k1 0.9 and b 0.6; the factor k1 + 1 falls out. The other text holds this word once and another, of df 5, once.
    """
    assert idf(10, 2) == pytest.approx(math.log(4.4))
    assert (slowness(20, 20), slowness(40, 20)) == (pytest.approx(0.9), pytest.approx(1.44))
    weight = {"kiwi": idf(10, 2), "fig": idf(10, 5)}
    first, second = math.log(4.4) * 3 / 3.9, (math.log(4.4) + math.log(2)) / 2.44
    assert parts({1: sight(20, kiwi=3), 2: sight(40, kiwi=1, fig=1)}, weight) == [1, pytest.approx(second / first)]


def test_an_empty_store_divides_by_nothing(tmp_path: Path) -> None:
    """No texts, no mean length and a word that no text holds give numbers, and no hits."""
    assert all(map(math.isfinite, (idf(0, 0), idf(0, 3), idf(5, 0), slowness(5, 0))))
    assert idf(0, 3) > 0
    with sidecar_of(tmp_path) as sidecar:
        assert ask(sidecar, "kiwi") == []


def test_thirty_candidates_cost_no_more_statements_than_five(tmp_path: Path) -> None:
    """The number of statements of a search does not depend on how many texts it looks at."""
    counts = []
    for size in (5, 30):
        home = tmp_path / str(size)
        home.mkdir()
        with sidecar_of(home, **{f"n{number}": f"kiwi {number}" for number in range(size)}) as sidecar:
            ask(sidecar, "kiwi", limit=size)
            statements: list[str] = []
            sidecar.connection.set_trace_callback(statements.append)
            assert len(ask(sidecar, "kiwi", limit=size)) == size
            counts.append(len(statements))
    assert counts[0] == counts[1]


def test_equal_notes_keep_their_order(tmp_path: Path) -> None:
    """Notes that answer equally well come in the same order each time, and in a sidecar built anew."""
    orders = []
    for name in ("a", "b"):
        home = tmp_path / name
        home.mkdir()
        with sidecar_of(home, **dict.fromkeys(("fig", "nut", "oak", "elm"), "kiwi")) as sidecar:
            orders += [ask(sidecar, "kiwi"), ask(sidecar, "kiwi")]
    assert len(orders[0]) == 4 and orders.count(orders[0]) == 4
