"""What an endpoint answers, read with distrust. Pure."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

from ...outgoing.endpoint import NoAnswer
from .maths import Vector, unit

_MOST_NUMBERS = 65_536  # in one vector; no model has near as many


def read_answer(body: bytes, count: int) -> list[Vector]:
    """The vectors of `count` texts in their order, each of length one and all of one size.

    The form is OpenAI's: `{"data": [{"index": 0, "embedding": [numbers]}, …]}`. Raises NoAnswer for any other.
    """
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        raise NoAnswer("the answer is no JSON; does embedding_url lead to the API?") from None
    rows = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(rows, list) or len(rows) != count:
        raise NoAnswer(f"the answer does not hold {count} vectors")
    vectors = dict(_placed(rows))
    if vectors.keys() != set(range(count)):
        raise NoAnswer("the answer does not say which vector belongs to which text")
    if len({len(vector) for vector in vectors.values()}) != 1:
        raise NoAnswer("the answer holds vectors of several lengths")
    return [vectors[place] for place in range(count)]


def _placed(rows: list[object]) -> Iterator[tuple[object, Vector]]:
    for place, row in enumerate(rows):
        if not isinstance(row, dict):
            raise NoAnswer("the answer holds something that is no vector")
        index = row.get("index", place)
        yield index if type(index) is int else place, _vector(row.get("embedding"))


def _vector(numbers: object) -> Vector:
    if not isinstance(numbers, list) or not 0 < len(numbers) <= _MOST_NUMBERS or not all(map(_is_number, numbers)):
        raise NoAnswer("the answer holds something that is no vector")
    return unit(numbers)


def _is_number(value: object) -> bool:
    if type(value) is int:
        return abs(value) < 2**53
    return type(value) is float and math.isfinite(value)
