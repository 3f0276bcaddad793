"""Vectors as plain numbers: scaled to length one, compared by cosine; numpy for many, where it is there. Pure."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence
from operator import mul
from typing import TypeAlias

# Single-precision numbers, as they are kept.
Vector: TypeAlias = "array[float]"

# Multiplications from which numpy is worth its import, and from which plain Python takes too long (about a second).
_NUMPY = 400_000
PLAIN = 30_000_000


def unit(numbers: Sequence[float]) -> Vector:
    """The vector of that direction with length one; all zeros where there is no direction.

    >>> unit([3, 4]).tolist() == array("f", [0.6, 0.8]).tolist()
    True
    """
    largest = max(map(abs, numbers), default=0)
    if not largest:
        return array("f", bytes(4 * len(numbers)))
    scaled = [number / largest for number in numbers]
    length = math.sqrt(math.fsum(number * number for number in scaled))
    return array("f", [number / length for number in scaled])


def cosines(rows: Vector, query: Vector) -> list[float]:
    """The cosine of the query with every row of `rows`, which holds vectors of its size and of length one in a row.

    Rounded to four digits, finer than which two ways of adding do not agree. Raises ImportError where there are too
    many rows for plain Python and no numpy.
    """
    if len(rows) < _NUMPY:
        return list(_plain(rows, query))
    try:
        return _by_numpy(rows, query)
    except ImportError:
        if len(rows) > PLAIN:
            raise
        return list(_plain(rows, query))


def _plain(rows: Vector, query: Vector) -> Iterator[float]:
    size = len(query)
    for start in range(0, len(rows), size):
        yield round(sum(map(mul, rows[start : start + size], query)), 4)


def _by_numpy(rows: Vector, query: Vector) -> list[float]:
    import numpy

    matrix = numpy.frombuffer(rows, dtype=numpy.float32).reshape(-1, len(query))
    return [round(float(value), 4) for value in matrix @ numpy.frombuffer(query, dtype=numpy.float32)]
