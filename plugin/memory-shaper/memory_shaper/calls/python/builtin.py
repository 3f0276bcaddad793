"""Functions that only calculate: builtins, and the few of the library that spell strings. Pure."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping

from .folding import FAULTS, plain
from .machine import Machine
from .values import (
    HOLE,
    MAX_ITEMS,
    UNKNOWN,
    Arguments,
    Items,
    PathText,
    Table,
    Value,
    items,
    known,
    only,
    table_of,
    union,
)


def _text(machine: Machine, arguments: Arguments) -> Value:
    value = arguments.at(0) or known("")
    texts = tuple(str(one.text if isinstance(one, PathText) else one) for one in value.options if _printable(one))
    return Value(texts, value.complete) if len(texts) == len(value.options) and texts else known(HOLE)


def _printable(option: object) -> bool:
    return option is None or isinstance(option, str | int | float | PathText)


def _number(machine: Machine, arguments: Arguments) -> Value:
    one = plain(arguments.at(0) or known(0))
    try:
        return known(int(one)) if isinstance(one, str | int | float) and len(str(one)) < 20 else UNKNOWN
    except FAULTS:
        return UNKNOWN


def _length(machine: Machine, arguments: Arguments) -> Value:
    one = only(arguments.at(0))
    if isinstance(one, str) and HOLE not in one:
        return known(len(one))
    return known(len(one.values)) if isinstance(one, Items) else UNKNOWN


def _character(machine: Machine, arguments: Arguments) -> Value:
    number = only(arguments.at(0))
    return known(chr(number)) if isinstance(number, int) and 0 < number < 0x110000 else known(HOLE)


def _range(machine: Machine, arguments: Arguments) -> Value:
    numbers = [only(value) for value in arguments.positional]
    bounds = [number for number in numbers if isinstance(number, int)]
    if len(bounds) != len(numbers) or not 1 <= len(bounds) <= 3 or bounds[2:] == [0]:
        return UNKNOWN
    found = range(*bounds)
    return items(found) if -1 < found.stop - found.start <= MAX_ITEMS * abs(found.step) else UNKNOWN


def _sequence(machine: Machine, arguments: Arguments) -> Value:
    value = arguments.at(0)
    if value is None:
        return known(Items(()))
    one = only(value)
    if isinstance(one, Table):
        return items(key for key in one.rows if isinstance(key, str | int | bytes))
    return value if isinstance(one, Items) else UNKNOWN


def _turned(machine: Machine, arguments: Arguments) -> Value:
    one = only(arguments.at(0))
    return known(Items(one.values[::-1])) if isinstance(one, Items) else UNKNOWN


def _sorted(machine: Machine, arguments: Arguments) -> Value:
    one = only(arguments.at(0))
    if not isinstance(one, Items):
        return UNKNOWN
    texts = [only(value) for value in one.values]
    if all(isinstance(text, str) for text in texts) and not arguments.named:
        return items(sorted(text for text in texts if isinstance(text, str)))
    return known(one)


def _numbered(machine: Machine, arguments: Arguments) -> Value:
    one, start = only(arguments.at(0)), only(arguments.at(1, "start") or known(0))
    if not isinstance(one, Items) or not isinstance(start, int):
        return UNKNOWN
    return items(Items((known(start + number), value)) for number, value in enumerate(one.values))


def _zipped(machine: Machine, arguments: Arguments) -> Value:
    lists = [only(value) for value in arguments.positional]
    rows = [one.values for one in lists if isinstance(one, Items)]
    if len(rows) != len(lists):
        return UNKNOWN
    return items(Items(row) for row in zip(*rows, strict=False))


def _dict(machine: Machine, arguments: Arguments) -> Value:
    return known(table_of(arguments.named)) if not arguments.positional and arguments.exact else UNKNOWN


def _from_base64(machine: Machine, arguments: Arguments) -> Value:
    one = plain(arguments.at(0, "s") or UNKNOWN)
    try:
        return known(base64.b64decode(one)) if isinstance(one, str | bytes) and one != HOLE else UNKNOWN
    except (binascii.Error, *FAULTS):
        return UNKNOWN


def _from_hex(machine: Machine, arguments: Arguments) -> Value:
    one = plain(arguments.at(0) or UNKNOWN)
    try:
        return known(bytes.fromhex(one)) if isinstance(one, str) and one != HOLE else UNKNOWN
    except FAULTS:
        return UNKNOWN


def _choice(machine: Machine, arguments: Arguments) -> Value:
    one = only(arguments.at(0))
    return union(one.values) if isinstance(one, Items) else UNKNOWN


def _first(machine: Machine, arguments: Arguments) -> Value:
    return arguments.at(0) or UNKNOWN


BUILTINS: Mapping[str, Callable[[Machine, Arguments], Value]] = {
    "os.fspath": _text,
    "os.fsdecode": _text,
    "base64.b64decode": _from_base64,
    "base64.urlsafe_b64decode": _from_base64,
    "bytes.fromhex": _from_hex,
    "str": _text,
    "int": _number,
    "len": _length,
    "chr": _character,
    "range": _range,
    "list": _sequence,
    "tuple": _sequence,
    "set": _sequence,
    "frozenset": _sequence,
    "iter": _first,
    "reversed": _turned,
    "sorted": _sorted,
    "enumerate": _numbered,
    "zip": _zipped,
    "dict": _dict,
    "next": _choice,
    "min": _choice,
    "max": _choice,
    "random.choice": _choice,
    "contextlib.closing": _first,
    "contextlib.nullcontext": _first,
    "typing.cast": lambda _, arguments: arguments.at(1) or UNKNOWN,
}
"""What gives a value out of its arguments alone, by the full name."""
