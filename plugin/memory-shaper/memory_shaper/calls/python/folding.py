"""Operators and methods of constants, worked out where that is cheap. Pure."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from .values import HOLE, MAX_ITEMS, Constant, Handle, Items, PathText, Table, Value, known

Plain: TypeAlias = str | bytes | int | float | None
"""A constant that Python itself can calculate with."""

MAX_TEXT = 1_000_000
"""Longest string, in characters, that is put together."""

MAX_WORK = 20_000
"""Longest string that a method is applied to."""

FAULTS = (TypeError, ValueError, IndexError, KeyError, AttributeError, OverflowError, ZeroDivisionError, LookupError)
"""What a wrong operation raises in the program as well: it has no value then."""

_NUMBERS: dict[type[ast.operator], Callable[[int, int], int | float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
}

_COMPARISONS: dict[type[ast.cmpop], Callable[[Constant, Constant], object]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}

_TEXT_METHODS = frozenset(
    [
        "capitalize",
        "casefold",
        "count",
        "decode",
        "encode",
        "endswith",
        "find",
        "format",
        "hex",
        "index",
        "isalnum",
        "isalpha",
        "isdigit",
        "islower",
        "isspace",
        "isupper",
        "join",
        "lower",
        "lstrip",
        "partition",
        "removeprefix",
        "removesuffix",
        "replace",
        "rfind",
        "rpartition",
        "rsplit",
        "rstrip",
        "split",
        "splitlines",
        "startswith",
        "strip",
        "swapcase",
        "title",
        "upper",
    ]
)
_BIG_WIDTH = re.compile(r"\d{4}")


def binary(op: ast.operator, left: Constant, right: Constant) -> Value | None:
    """`left op right` for two constants; None where it is not folded."""
    if isinstance(left, PathText) or isinstance(right, PathText):
        return _path_division(op, left, right)
    if isinstance(left, Items) and isinstance(right, Items) and isinstance(op, ast.Add):
        both = left.values + right.values
        return known(Items(both)) if len(both) <= MAX_ITEMS else None
    if isinstance(left, str) and isinstance(op, ast.Mod):
        return _percent(left, right)
    if isinstance(left, str | bytes) or isinstance(right, str | bytes):
        return _text_operation(op, left, right)
    if isinstance(left, int) and isinstance(right, int) and left.bit_length() + right.bit_length() < 128:
        return _number(op, left, right)
    return None


def _number(op: ast.operator, left: int, right: int) -> Value | None:
    work = _NUMBERS.get(type(op))
    try:
        return known(work(left, right)) if work else None
    except FAULTS:
        return None


def _path_division(op: ast.operator, left: Constant, right: Constant) -> Value | None:
    texts = [one.text if isinstance(one, PathText) else one for one in (left, right)]
    if not isinstance(op, ast.Div) or not isinstance(texts[0], str) or not isinstance(texts[1], str):
        return None
    return known(PathText(join(texts[0], texts[1])))


def join(folder: str, name: str) -> str:
    """A name put below a folder; an absolute one replaces it, and one whose start is unknown might."""
    if name.startswith(HOLE):
        return HOLE
    if name.startswith("/") or not folder:
        return name
    return folder + name if folder.endswith("/") else f"{folder}/{name}"


def _text_operation(op: ast.operator, left: Constant, right: Constant) -> Value | None:
    if isinstance(op, ast.Add):
        if isinstance(left, str) and isinstance(right, str) and len(left) + len(right) <= MAX_TEXT:
            return known(left + right)
        if isinstance(left, bytes) and isinstance(right, bytes) and len(left) + len(right) <= MAX_TEXT:
            return known(left + right)
    if isinstance(op, ast.Mult):
        text, count = (left, right) if isinstance(left, str) else (right, left)
        if isinstance(text, str) and isinstance(count, int) and len(text) * max(count, 0) <= MAX_WORK:
            return known(text * count)
    return None


def _percent(pattern: str, right: Constant) -> Value | None:
    """`pattern % right`; an argument that is not known becomes a hole."""
    values = [plain(value) for value in right.values] if isinstance(right, Items) else [plain(known(right))]
    if _BIG_WIDTH.search(pattern) or len(pattern) > MAX_WORK:
        return None
    for arguments in (tuple(values), (tuple(HOLE for _ in values))):
        try:
            return known(pattern % arguments)
        except FAULTS:
            continue
    return known(HOLE)


def plain(value: Value) -> Plain:
    """The constant as Python calculates with it; a hole where it is not exactly one such constant."""
    if value.complete and len(value.options) == 1:
        option = value.options[0]
        if option is None or isinstance(option, str | bytes | int | float):
            return option
        if isinstance(option, PathText):
            return option.text
    return HOLE


def compare(op: ast.cmpop, left: Constant, right: Constant) -> bool | None:
    """`left op right`; None where it is not known."""
    if _holed(left) or _holed(right):
        return None
    if isinstance(op, ast.In | ast.NotIn):
        found = _contains(left, right)
        return None if found is None else found is isinstance(op, ast.In)
    work = _COMPARISONS.get(type(op))
    simple = (str, bytes, int, float, type(None), PathText)
    if work and isinstance(left, simple) and isinstance(right, simple):
        return bool(work(left, right))
    if isinstance(left, int) and isinstance(right, int):
        orders = {ast.Lt: left < right, ast.LtE: left <= right, ast.Gt: left > right, ast.GtE: left >= right}
        return orders.get(type(op))
    return None


def _contains(left: Constant, right: Constant) -> bool | None:
    if isinstance(right, str):
        return left in right if isinstance(left, str) else None
    if isinstance(right, Items) and isinstance(left, str | int):
        members = [plain(value) for value in right.values]
        return True if left in members else None if HOLE in members else False
    if isinstance(right, Table) and isinstance(left, str | int):
        return left in right.rows
    return None


def _holed(constant: Constant) -> bool:
    return isinstance(constant, str) and HOLE in constant


def method(owner: str | bytes | int, name: str, arguments: Sequence[Plain], named: dict[str, Plain]) -> Value:
    """A method of a string, bytes or number; a string with a hole where it is not worked out."""
    if name in ("format", "format_map", "join"):
        return _filled(owner, name, arguments, named)
    given = (owner, *arguments, *named.values())
    size = sum(len(one) for one in given if isinstance(one, str | bytes))
    if name not in _TEXT_METHODS or size > MAX_WORK or any(isinstance(one, str) and HOLE in one for one in given):
        return Value((HOLE,), False)
    if name == "replace" and len(arguments) > 1 and _longest(owner) * _longest(arguments[1]) > MAX_TEXT:
        return Value((HOLE,), False)
    try:
        return _lifted(getattr(owner, name)(*arguments, **named))
    except FAULTS:
        return Value()


def _longest(text: object) -> int:
    return len(text) + 1 if isinstance(text, str | bytes) else 1


def _filled(owner: object, name: str, arguments: Sequence[Plain], named: dict[str, Plain]) -> Value:
    """`format` and `join`, where unknown arguments leave a hole."""
    if not isinstance(owner, str) or name != "format" or len(owner) > MAX_WORK or _BIG_WIDTH.search(owner):
        return known(HOLE)
    if any(isinstance(one, str) and len(one) > MAX_WORK for one in (*arguments, *named.values())):
        return known(HOLE)
    try:
        return known(owner.format(*arguments, **named))
    except FAULTS:
        return known(HOLE)


def _lifted(result: object) -> Value:
    if isinstance(result, str | bytes | int | float):
        return known(result)
    if isinstance(result, list | tuple):
        return known(Items(tuple(known(one) for one in result))) if len(result) <= MAX_ITEMS else Value()
    return Value()


def joined(separator: str, parts: Items) -> Value:
    """`separator.join(parts)`, unknown parts as holes."""
    texts = [one if isinstance(one, str) else HOLE for one in map(plain, parts.values)]
    if sum(map(len, texts)) + len(separator) * len(texts) > MAX_TEXT:
        return known(HOLE)
    return known(separator.join(texts))


def subscript(owner: Constant, key: Constant) -> Value | None:
    """`owner[key]` for constants; None where it is not folded."""
    if isinstance(owner, Table) and isinstance(key, str | int | bytes | float | None):
        return owner.rows.get(key)
    if isinstance(owner, Handle) or not isinstance(key, int):
        return None
    try:
        if isinstance(owner, Items):
            return owner.values[key]
        if isinstance(owner, str):
            return None if HOLE in owner else known(owner[key])
        return known(owner[key]) if isinstance(owner, bytes) else None
    except IndexError:
        return None


def sliced(owner: Constant, low: Plain, high: Plain, step: Plain) -> Value | None:
    """`owner[low:high:step]` for constants; None where it is not folded."""
    bounds = [part for part in (low, high, step) if part is None or isinstance(part, int)]
    if len(bounds) < 3:
        return None
    cut = slice(*bounds)
    try:
        if isinstance(owner, Items):
            return known(Items(owner.values[cut]))
        if isinstance(owner, str) and HOLE not in owner:
            return known(owner[cut])
        return known(owner[cut]) if isinstance(owner, bytes) else None
    except ValueError:
        return None
