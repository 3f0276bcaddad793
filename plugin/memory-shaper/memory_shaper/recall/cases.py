"""Tests that a user keeps, for routing and for search: questions with the file that each should lead to. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .matching import Routed
from .route import LEAST, Router


class BadCases(ValueError):
    """A section `tests` that cannot be understood; the text says what is wrong."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question and the files that are right for it; none where no line should match.

    `paraphrases` ask the same in other words; only the spot checks of search put them.
    """

    question: str
    expect: tuple[str, ...] = ()
    paraphrases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case: the line it was led to, None where no line surely matched."""

    case: Case
    got: Routed | None

    @property
    def right(self) -> bool:
        return self.got.entry.target in self.case.expect if self.got else not self.case.expect


def read_cases(tree: Mapping[object, object]) -> list[Case]:
    """Read the section `tests` of a YAML file: a list of `question` and `expect`, or a mapping. Raises BadCases."""
    tests = tree.get("tests")
    if isinstance(tests, Mapping):
        return [_case(question, expect, number) for number, (question, expect) in enumerate(tests.items(), 1)]
    if not isinstance(tests, Sequence) or isinstance(tests, str):
        raise BadCases("there is no section `tests` with a list or a mapping")
    return list(_listed(tests))


def _listed(tests: Sequence[object]) -> Iterator[Case]:
    for number, row in enumerate(tests, 1):
        if not isinstance(row, Mapping) or "question" not in row or "expect" not in row:
            raise BadCases(f"test {number} has no `question` or no `expect`")
        yield _case(row["question"], row["expect"], number, row.get("paraphrases"))


def _case(question: object, expect: object, number: int, paraphrases: object = None) -> Case:
    files, wordings = _several(expect), _several(paraphrases)
    if not isinstance(question, str) or not all(isinstance(file, str) for file in files):
        raise BadCases(f"test {number}: a question is text, and what is expected a file name, several, or null")
    if not all(isinstance(wording, str) for wording in wordings):
        raise BadCases(f"test {number}: a paraphrase is text")
    right = tuple(str(file) for file in files if file not in ("", "none"))
    return Case(question, right, tuple(str(wording) for wording in wordings if wording))


def _several(value: object) -> Sequence[object]:
    """The items of a list, or the one value that stands for it; nulls are none."""
    items = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    return [item for item in items if item is not None]


def surely(routes: Sequence[Routed]) -> Routed | None:
    """Return the first line, if it matches surely enough to act upon."""
    return routes[0] if routes and routes[0].confidence >= LEAST else None


def run_cases(router: Router, cases: Sequence[Case]) -> list[Outcome]:
    """Route every question."""
    return [Outcome(case, surely(router.route(case.question))) for case in cases]
