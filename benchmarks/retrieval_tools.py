"""What the retrieval benchmarks share: the corpus, three rankings of it, and the figures."""

from __future__ import annotations

import argparse
import json
import math
import re
import sqlite3
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path

from common import draw
from memory_shaper.recall.search import Wish, search
from memory_shaper.recall.sidecar import Sidecar

DEEPEST = 10
Ranking = Callable[[str], list[int]]


@dataclass(frozen=True, slots=True)
class Document:
    """One text of a corpus: its date and what was said or noted, in order."""

    day: date
    units: Sequence[str]


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the numbers of the documents that answer it."""

    text: str
    gold: frozenset[int]
    category: str


@dataclass(frozen=True, slots=True)
class Corpus:
    """A haystack of its own, with its questions."""

    name: str
    documents: Sequence[Document]
    questions: Sequence[Question]


@contextmanager
def ours(corpus: Corpus) -> Iterator[Ranking]:
    """Rank by memory-shaper's own search, over real files and a real sidecar, with the defaults of the product."""
    with tempfile.TemporaryDirectory() as folder:
        memories = Path(folder, "memories")
        write_notes(memories, corpus)
        with Sidecar(Path(folder, "sidecar.db"), memories) as sidecar:
            sidecar.refresh()
            wish = Wish(limit=DEEPEST)
            yield lambda text: [number_of(hit.name) for hit in search(sidecar, text, wish, refresh=False).hits]


def write_notes(memories: Path, corpus: Corpus) -> None:
    """Write each document of a corpus as a dated note."""
    memories.mkdir(parents=True)
    for number, document in enumerate(corpus.documents):
        lines = (" ".join(unit.split()) for unit in document.units)
        text = f"---\ncreated: {document.day.isoformat()}\n---\n" + "".join(f"{line}\n" for line in lines)
        Path(memories, f"t{number:05d}.md").write_text(text, "utf-8")


def number_of(name: str) -> int:
    """The number of the document behind a note that `write_notes` wrote."""
    return int(name[1:6])


@contextmanager
def plain_bm25(corpus: Corpus) -> Iterator[Ranking]:
    """Rank whole documents by BM25 (k1 1.5, b 0.75) over words or pairs of Chinese characters; bm25s if installed."""
    texts = [_tokens(" ".join(document.units)) for document in corpus.documents]
    try:
        import bm25s
    except ImportError:
        yield _own_bm25(texts)
        return
    index = bm25s.BM25()
    index.index(texts, show_progress=False)

    def rank(text: str) -> list[int]:
        scores = index.get_scores(_tokens(text) or ["?"])
        return sorted(range(len(texts)), key=lambda number: (-scores[number], -number))[:DEEPEST]

    yield rank


@contextmanager
def fts5(corpus: Corpus) -> Iterator[Ranking]:
    """Rank whole documents by SQLite's own bm25(), its default tokenizer, any word of the question."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE VIRTUAL TABLE t USING fts5(text)")
        rows = ((number, " ".join(document.units)) for number, document in enumerate(corpus.documents))
        database.executemany("INSERT INTO t(rowid, text) VALUES (?, ?)", rows)

        def rank(text: str) -> list[int]:
            match = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", text)) or '"?"'
            sql = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t), rowid DESC LIMIT ?"
            return [number for (number,) in database.execute(sql, (match, DEEPEST))]

        yield rank


@contextmanager
def chance(corpus: Corpus) -> Iterator[Ranking]:
    """Rank by lot, each question anew."""
    lots = draw(f"random {corpus.name}")
    yield lambda text: lots.sample(range(len(corpus.documents)), min(DEEPEST, len(corpus.documents)))


def _own_bm25(texts: Sequence[Sequence[str]]) -> Ranking:
    counts = [Counter(tokens) for tokens in texts]
    holding = Counter(token for found in counts for token in found)
    mean = sum(map(len, texts)) / len(texts)

    def rank(text: str) -> list[int]:
        scores: dict[int, float] = defaultdict(float)
        for token in _tokens(text):
            weight = math.log(1 + (len(texts) - holding[token] + 0.5) / (holding[token] + 0.5))
            for number, found in enumerate(counts):
                count = found[token]
                scores[number] += weight * count * 2.5 / (count + 1.5 * (0.25 + 0.75 * len(texts[number]) / mean))
        return sorted(scores, key=lambda number: (-scores[number], -number))[:DEEPEST]

    return rank


def _tokens(text: str) -> list[str]:
    found: list[str] = []
    for run in re.findall(r"[\u4e00-\u9fff]+|[^\W\u4e00-\u9fff]+", text.lower()):
        dense = "\u4e00" <= run[0] <= "\u9fff" and len(run) > 1
        found.extend((run[i : i + 2] for i in range(len(run) - 1)) if dense else (run,))
    return found


# Memo asks for content words first; these are the words that it passes over.
_MEMO_WORDS = """
a an the is are was were be been am do does did has have had of in on at to for from with by and or but not no
what when where who whom whose which why how many much long old i you he she it we they me him her us them my
your his its our their this that these those as if than then so there here about into over after before any some
can could would should will shall may might must
"""
_MEMO_STOP = frozenset(_MEMO_WORDS.split())


@contextmanager
def memo(corpus: Corpus) -> Iterator[Ranking]:
    """Rank as Memo's README describes its search, with single events below the documents.

    The whole question as a phrase comes first; then at most eight tokens, each worth 4 ln((N + 1) / (1 + min(df, 50))),
    and pairs of neighbours, each worth its length times the larger of the two rarities. Per phrase the ten documents
    with the most occurrences in one event (then the shortest event, then the latest) all get its full weight.
    """
    events = [(number, _memo_tokens(unit)) for number, doc in enumerate(corpus.documents) for unit in doc.units]
    holding: dict[str, list[int]] = defaultdict(list)
    for place, (_, tokens) in enumerate(events):
        for token in dict.fromkeys(tokens):
            holding[token].append(place)

    def rarity(token: str) -> float:
        return math.log((len(events) + 1) / (1 + min(len(holding.get(token, ())), 50)))

    def best_ten(phrase: Sequence[str]) -> list[int]:
        best: dict[int, tuple[int, int, int]] = {}
        for place in holding.get(phrase[0], ()) if phrase else ():
            number, tokens = events[place]
            count = sum(list(phrase) == tokens[i : i + len(phrase)] for i in range(len(tokens)))
            if count:
                best[number] = min(best.get(number, (0, 0, 0)), (-count, len(tokens), -number))
        return sorted(best, key=lambda number: best[number])[:10]

    def rank(text: str) -> list[int]:
        tokens = list(dict.fromkeys(_memo_tokens(text)))
        kept = ([token for token in tokens if token not in _MEMO_STOP] or tokens)[:8]
        scores: dict[int, float] = defaultdict(float)
        for token in kept:
            for number in best_ten([token]):
                scores[number] += 4 * rarity(token)
        for pair in pairwise(kept):
            for number in best_ten(pair):
                scores[number] += len(" ".join(pair)) * max(map(rarity, pair))
        first = best_ten(_memo_tokens(text))
        rest = sorted(scores, key=lambda number: (-scores[number], -number))
        return list(dict.fromkeys((*first, *rest)))[:DEEPEST]

    yield rank


def _memo_tokens(text: str) -> list[str]:
    return re.findall(r"[\u4e00-\u9fff]+|[^\W\u4e00-\u9fff]+", text.lower())


RANKINGS = {
    "memory-shaper": ours,
    "plain BM25": plain_bm25,
    "FTS5 bm25()": fts5,
    "Memo's ranking": memo,
    "random": chance,
}


@dataclass(slots=True)
class Figures:
    """hit@k is the share of questions with an answering document among the first k; MRR looks at the first ten."""

    places: list[tuple[str, int]]
    seconds: list[float]

    def row(self, category: str = "") -> dict[str, float]:
        """Return n, hit@1, hit@5, hit@10 in percent and MRR, of all questions or of one category."""
        places = [place for name, place in self.places if category in ("", name)]
        hits = {f"hit@{k}": round(100 * sum(place < k for place in places) / len(places), 1) for k in (1, 5, 10)}
        mrr = sum(1 / (place + 1) for place in places if place < DEEPEST) / len(places)
        return {"n": len(places), **hits, "mrr": round(mrr, 4)}

    def categories(self) -> list[str]:
        return sorted({name for name, _ in self.places})


def measure(corpora: Iterable[Corpus], ranking: Callable[[Corpus], object]) -> Figures:
    """Put every question to a ranking of its corpus."""
    figures = Figures([], [])
    for corpus in corpora:
        with ranking(corpus) as rank:  # type: ignore[attr-defined]
            for question in corpus.questions:
                start = time.perf_counter()
                ranked = rank(question.text)
                figures.seconds.append(time.perf_counter() - start)
                figures.places.append((question.category, place_of(ranked, question)))
    return figures


def place_of(ranked: Sequence[int], question: Question) -> int:
    """The place of the first document that answers, counted from 0; DEEPEST where none of the ranked ones does."""
    return next((place for place, number in enumerate(ranked) if number in question.gold), DEEPEST)


def run(description: str, read: Callable[[Path], list[Corpus]]) -> int:
    """Be the command of a retrieval benchmark: FILE… [--json] [--only NAME]."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", choices=sorted(RANKINGS))
    wanted = parser.parse_args()
    corpora = [corpus for file in wanted.files for corpus in read(file)]
    results = {}
    for name, ranking in RANKINGS.items():
        if wanted.only in (None, name):
            results[name] = _result(measure(corpora, ranking))
            if not wanted.json:
                _print(name, results[name])
    if wanted.json:
        print(json.dumps(results, ensure_ascii=False, indent=1))
    return 0


def _result(figures: Figures) -> dict[str, object]:
    seconds = sorted(figures.seconds)
    return {
        "all": figures.row(),
        "categories": {name: figures.row(name) for name in figures.categories()},
        "ms": {f"p{p}": round(1000 * seconds[min(len(seconds) - 1, len(seconds) * p // 100)], 1) for p in (50, 95)},
    }


def _print(name: str, result: dict[str, object]) -> None:
    print(f"{name}: {result['ms']}")
    rows = {"all": result["all"], **result["categories"]}  # type: ignore[dict-item]
    for label, row in rows.items():
        print(f"  {label:6}", "  ".join(f"{key} {value}" for key, value in row.items()))  # type: ignore[attr-defined]
