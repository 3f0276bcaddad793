"""How often does search find the conversation that answers a question? LoCoMo10's format, one haystack a conversation.

    python benchmarks/locomo.py FILE [--json] [--only NAME]

A document is one session: the texts of its turns, without names, captions or dates; its date is the date of the note.
A question counts if one of its evidence ids is the id of a turn; all five categories count.
"""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

from retrieval_tools import Corpus, Document, Question, run


def read(path: Path) -> list[Corpus]:
    """Read the conversations of a file."""
    return [_corpus(sample) for sample in json.loads(path.read_text("utf-8"))]


def _corpus(sample: dict[str, Any]) -> Corpus:
    talk = sample["conversation"]
    numbers = sorted(int(key.split("_")[1]) for key in talk if key.startswith("session_") and not key.endswith("time"))
    documents = [
        Document(_day(talk, number), [turn["text"] for turn in talk[f"session_{number}"]]) for number in numbers
    ]
    of_turn = {turn["dia_id"]: i for i, number in enumerate(numbers) for turn in talk[f"session_{number}"]}
    questions = []
    for row in sample["qa"]:
        gold = frozenset(of_turn[name] for name in row.get("evidence") or () if name in of_turn)
        if gold:
            questions.append(Question(row["question"], gold, str(row["category"])))
    return Corpus(str(sample.get("sample_id", "")), documents, questions)


def _day(talk: dict[str, Any], number: int) -> date:
    return datetime.strptime(talk[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y").date()


if __name__ == "__main__":
    raise SystemExit(run(__doc__.splitlines()[0], read))
