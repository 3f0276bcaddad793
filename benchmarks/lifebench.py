"""How often does search find the day that answers a question? LifeBench's days, one haystack a user.

    python benchmarks/lifebench.py FILE… [--json] [--only NAME]

A file is {"user", "days": [{"date", "records"}], "questions": [{"question", "gold_dates", "type"}]}; a document is one
day, all its records in order; the query is the question alone.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

from retrieval_tools import Corpus, Document, Question, run


def read(path: Path) -> list[Corpus]:
    """Read the user of a file."""
    data = json.loads(path.read_text("utf-8"))
    documents = [Document(date.fromisoformat(row["date"]), row["records"]) for row in data["days"]]
    of_day = {row["date"]: i for i, row in enumerate(data["days"])}
    questions = []
    for row in data["questions"]:
        gold = frozenset(of_day[day] for day in row["gold_dates"] if day in of_day)
        if gold:
            questions.append(Question(row["question"], gold, row["type"]))
    return [Corpus(data.get("user", path.stem), documents, questions)]


if __name__ == "__main__":
    raise SystemExit(run(__doc__.splitlines()[0], read))
