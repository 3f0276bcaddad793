"""The same texts and questions put to other search engines: SQLite's FTS5, bm25s and tantivy, where installed."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager

from memory_shaper.recall.analyser import analyse

Asker = Callable[[str], object]


def percentiles(ask: Asker, questions: Sequence[str]) -> dict[str, float]:
    """Return p50 and p95 of a call in ms, after a first call that warms it up."""
    ask(questions[0])
    seconds = sorted(timed(lambda question=question: ask(question)) for question in questions)  # type: ignore[misc]
    return {
        "p50": round(1000 * seconds[len(seconds) // 2], 2),
        "p95": round(1000 * seconds[len(seconds) * 95 // 100], 2),
    }


def timed(call: Callable[[], object]) -> float:
    """The seconds that a call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def words(text: str) -> list[str]:
    """The terms that every engine is given: those of the product's analyser."""
    return list(analyse(text).words)


@contextmanager
def fts5(texts: Sequence[str]) -> Iterator[Asker]:
    """SQLite's FTS5 with its own bm25(), in memory."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE VIRTUAL TABLE t USING fts5(text)")
        database.executemany("INSERT INTO t VALUES (?)", ((" ".join(words(text)),) for text in texts))

        def ask(question: str) -> object:
            match = " OR ".join(f'"{word}"' for word in words(question))
            sql = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT 10"
            return database.execute(sql, (match,)).fetchall()

        yield ask


@contextmanager
def bm25s(texts: Sequence[str]) -> Iterator[Asker]:
    """bm25s, in memory; its scores of all texts are computed ahead. Raises ImportError where it is not installed."""
    import bm25s

    index = bm25s.BM25()
    index.index([words(text) for text in texts], show_progress=False)
    yield lambda question: index.retrieve([words(question)], k=min(10, len(texts)), show_progress=False)


@contextmanager
def tantivy(texts: Sequence[str]) -> Iterator[Asker]:
    """tantivy, in memory. Raises ImportError where it is not installed."""
    import tantivy

    schema = tantivy.SchemaBuilder().add_text_field("text", tokenizer_name="whitespace").build()
    index = tantivy.Index(schema)
    writer = index.writer()
    for text in texts:
        writer.add_document(tantivy.Document(text=" ".join(words(text))))
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def ask(question: str) -> object:
        terms = [tantivy.Query.term_query(schema, "text", word) for word in words(question)]
        query = tantivy.Query.boolean_query([(tantivy.Occur.Should, term) for term in terms])
        return searcher.search(query, 10).hits

    yield ask


ENGINES = {"FTS5 bm25()": fts5, "bm25s": bm25s, "tantivy": tantivy}


def times(texts: Sequence[str], questions: Sequence[str]) -> dict[str, dict[str, float] | str]:
    """p50 and p95 in ms of every engine, or that it is not installed."""
    found: dict[str, dict[str, float] | str] = {}
    for name, engine in ENGINES.items():
        try:
            with engine(texts) as ask:
                found[name] = percentiles(ask, questions)
        except ImportError:
            found[name] = "not installed"
    return found
