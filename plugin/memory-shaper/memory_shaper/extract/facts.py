"""Facts as a model or the user's own function gives them: read with care, screened, at most eight. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..frontmatter import without_front
from ..privacy.rules import Rules
from ..privacy.screening import screen

MOST = 8
TYPES = ("profile", "project", "history", "fact")
_LEAST, _LONGEST = 4, 2000  # characters of a fact
_FENCED = re.compile(r"```(?:json)?\s*(.+?)```", re.DOTALL)
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing worth keeping: a sentence that stands by itself, its type, and where it could go."""

    text: str
    type: str = "fact"
    topic: str = ""
    keywords: tuple[str, ...] = ()
    project: str = ""


def json_in(answer: str) -> object:
    """The JSON of an answer, fenced, prefaced or bare; None where there is none.

    >>> json_in('Here you are: {"facts": []} Good luck!')
    {'facts': []}
    """
    text = _THOUGHT.sub("", answer)
    fenced = _FENCED.search(text)
    text = fenced[1] if fenced else text
    reader = json.JSONDecoder()
    for match in list(re.finditer(r"[\[{]", text))[:50]:
        try:
            return reader.raw_decode(text, match.start())[0]
        except (ValueError, RecursionError):
            continue
    return None


def facts_in(answer: str) -> list[Fact] | None:
    """The facts of a model's answer, None where it is no answer: the question is asked again another time."""
    found = json_in(answer)
    listed = found.get("facts") if isinstance(found, Mapping) else found
    return list(facts_of(listed)) if isinstance(listed, list) else None


def facts_of(items: Iterable[object]) -> Iterator[Fact]:
    """The items that are facts; malformed ones are skipped. What a text says of a note as front matter is no fact."""
    for item in items:
        if isinstance(item, str):
            item = {"text": item}
        if not isinstance(item, Mapping):
            continue
        text = without_front(_text(item.get("text")))
        if _LEAST <= len(text) <= _LONGEST and any(char.isalnum() for char in text):
            kind = _text(item.get("type"))
            yield Fact(
                text,
                kind if kind in TYPES else "fact",
                _text(item.get("topic"))[:100],
                _words(item.get("keywords")),
                _text(item.get("project"))[:100],
            )


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _words(value: object) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else []
    return tuple(word for one in listed[:20] if (word := _text(one)) and len(word) <= 60)


def kept(facts: Sequence[Fact], wanted: Iterable[str], rules: Rules) -> list[Fact]:
    """The first eight facts as they may be kept; what the user always wants kept comes first, once.

    A fact with a secret or excluded text anywhere in it is dropped.
    """
    found = [fact for fact in facts if fact.text]
    held = "\n".join(fact.text for fact in found)
    always = [Fact(text) for text in dict.fromkeys(wanted) if text not in held]
    clean = (_screened(fact, rules) for fact in (*always, *found))
    return list({fact.text: fact for fact in clean if fact is not None}.values())[:MOST]


def _screened(fact: Fact, rules: Rules) -> Fact | None:
    fields = (fact.text, fact.topic, ",".join(fact.keywords), fact.project)
    answers = [screen(text, rules) for text in fields]
    if any(answer.reason for answer in answers):
        return None
    words = tuple(screen(word, rules).text for word in fact.keywords)
    return Fact(answers[0].text, fact.type, answers[1].text, words, answers[3].text)
