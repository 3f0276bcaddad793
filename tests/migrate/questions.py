"""The forty prose entries of the tests, and forty questions with a part of the entry that answers each."""

from __future__ import annotations

from pathlib import Path

FIXTURES = Path(__file__).parent / "fixtures"
FORTY = (FIXTURES / "forty.md").read_text(encoding="utf-8")
ROWS = [row.split(" | ") for row in (FIXTURES / "questions.txt").read_text(encoding="utf-8").splitlines()]
QUESTIONS: list[tuple[str, str]] = [(part, question) for part, question in ROWS]
