"""The routing set: 181 questions to an index of sixty lines."""

from __future__ import annotations

from pathlib import Path

import yaml
from memory_shaper.model import Entry
from memory_shaper.recall.cases import Outcome, read_cases, run_cases
from memory_shaper.recall.fuzzy import near_words
from memory_shaper.recall.route import Router

SET = yaml.safe_load((Path(__file__).parent / "routing.yaml").read_text("utf-8"))
ENTRIES = [Entry("", tuple(topic["keywords"].split(",")), name) for name, topic in SET["topics"].items()]
KINDS = [row["kind"] for row in SET["tests"]]


def outcomes(*kinds: str) -> list[Outcome]:
    tried = run_cases(Router(ENTRIES, near_words()), read_cases(SET))
    return [one for kind, one in zip(KINDS, tried, strict=True) if kind in kinds]


def test_a_keyword_or_its_inflection_leads_to_its_line() -> None:
    """Of questions that hold a keyword in some form at least 95 % come to the right line first."""
    tried = outcomes("literal", "inflected", "several")
    assert len(tried) >= 120 and sum(one.right for one in tried) >= 0.95 * len(tried)


def test_few_questions_are_led_astray() -> None:
    """At most 2 % of all questions come surely to a wrong line."""
    tried = outcomes(*KINDS)
    astray = [one.case.question for one in tried if one.got and not one.right]
    assert len(astray) <= 0.02 * len(tried), astray


def test_misspelt_keywords_are_mostly_found() -> None:
    """A slip of the keys in the only keyword is found nine times of ten."""
    tried = outcomes("misspelt")
    assert sum(one.right for one in tried) >= 0.9 * len(tried)


def test_symptoms_are_left_to_the_sidecar() -> None:
    """A question without a word of any line is led nowhere by the index alone."""
    assert [one.case.question for one in outcomes("symptom") if one.got] == []
