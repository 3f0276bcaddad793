"""How often does search find the paragraph that answers a Chinese question? CMRC2018's format, one haystack.

    python benchmarks/cmrc.py FILE [--json] [--only NAME]

A document is one paragraph, cut into its sentences; no paragraph has a date of its own, so all share one.
"""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path

from retrieval_tools import Corpus, Document, Question, run

_DAY = date(2018, 1, 1)


def read(path: Path) -> list[Corpus]:
    """Read the paragraphs of a file with their questions."""
    rows = [row for article in json.loads(path.read_text("utf-8"))["data"] for row in article["paragraphs"]]
    documents = [Document(_DAY, re.split(r"(?<=[。！？])", row["context"])) for row in rows]
    questions = [
        Question(asked["question"], frozenset((number,)), "paragraph")
        for number, row in enumerate(rows)
        for asked in row["qas"]
    ]
    return [Corpus("cmrc2018", documents, questions)]


if __name__ == "__main__":
    raise SystemExit(run(__doc__.splitlines()[0], read))
