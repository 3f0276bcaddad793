"""What a name of a program may hold, as far as it can be read off the text. Pure.

A value is a short list of possible constants and a flag that says whether there may be others. A string with an unknown
part is a constant too: the part is written as HOLE, a character that no path and no command can contain.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

HOLE = "\0"
"""Stands for an unknown part of a string."""

MAX_OPTIONS = 16
"""Constants that one value may hold."""

MAX_ITEMS = 2_000
"""Elements of one sequence; a longer one is unknown."""


@dataclass(frozen=True, slots=True)
class Value:
    """The constants that an expression may stand for; `complete` means that nothing else is possible."""

    options: tuple[Constant, ...] = ()
    complete: bool = False


@dataclass(frozen=True, slots=True)
class PathText:
    """A pathlib path, or a folder entry of os.scandir."""

    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list, tuple, set or anything else that is walked through."""

    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A dict with constant keys."""

    rows: Mapping[Key, Value]


@dataclass(frozen=True, slots=True)
class Ref:
    """Something of a module, by its full name: `os`, `os.path.join`, `open`."""

    name: str


@dataclass(frozen=True, slots=True)
class Method:
    """A method taken off a constant."""

    owner: Constant
    name: str


@dataclass(frozen=True, slots=True)
class Handle:
    """An open file; its effect was counted when it was opened."""

    path: str


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function of the program, and the frame it was made in; `owner` is what its first parameter is bound to."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    home: Frame
    defaults: Mapping[str, Value]
    owner: Value | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """A module of the program, a class or an instance of one: names behind a dot; `base` answers for the rest."""

    frame: Frame
    kind: str
    base: Value | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Partial:
    """A callable with a part of its arguments given."""

    function: Value
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of one call; `exact` is False where some came out of an unknown `*` or `**`."""

    positional: tuple[Value, ...] = ()
    named: Mapping[str, Value] = field(default_factory=dict)
    exact: bool = True

    def at(self, place: int, *names: str) -> Value | None:
        """The argument given under one of the names or at a place (-1: by name only), None where there is none."""
        for name in names:
            if name in self.named:
                return self.named[name]
        if 0 <= place < len(self.positional):
            return self.positional[place]
        return None if self.exact else UNKNOWN

    def all(self) -> tuple[Value, ...]:
        """Every argument, positional ones first."""
        return (*self.positional, *self.named.values())

    def after(self, count: int) -> Arguments:
        """The arguments without the first positional ones."""
        return Arguments(self.positional[count:], self.named, self.exact)


@dataclass(slots=True, eq=False)
class Frame:
    """The names of one function call, class or module; a branch writes to a layer of its own."""

    parent: Frame | None = None
    layers: list[dict[str, Value]] = field(default_factory=lambda: [{}])
    outer: dict[str, Frame] = field(default_factory=dict)
    results: list[Value] = field(default_factory=list)
    yields: list[Value] = field(default_factory=list)

    def find(self, name: str) -> Value | None:
        """What the name holds here or further out, None where nothing gave it a value."""
        frame: Frame | None = self.outer.get(name, self)
        while frame is not None:
            for layer in reversed(frame.layers):
                if name in layer:
                    return layer[name]
            frame = frame.parent
        return None

    def set(self, name: str, value: Value) -> None:
        """Give the name a value in the innermost layer of the frame that it belongs to."""
        self.outer.get(name, self).layers[-1][name] = value


Key: TypeAlias = str | bytes | int | float | complex | None
"""What a dict may have for a key here."""

Constant: TypeAlias = (
    str
    | bytes
    | int
    | float
    | complex
    | PathText
    | Items
    | Table
    | Ref
    | Method
    | Handle
    | Function
    | Scope
    | Partial
    | None
)

UNKNOWN = Value()
NONE = Value((None,), True)


def known(constant: Constant) -> Value:
    """The value that is this constant and nothing else."""
    return Value((constant,), True)


def table_of(named: Mapping[str, Value]) -> Table:
    """Named arguments as a dict."""
    rows: dict[Key, Value] = {}
    rows.update(named)
    return Table(rows)


def items(constants: Iterable[Constant]) -> Value:
    """A known sequence of constants; unknown where it is longer than MAX_ITEMS."""
    found = tuple(known(one) for one in constants)
    return known(Items(found)) if len(found) <= MAX_ITEMS else UNKNOWN


def union(values: Iterable[Value]) -> Value:
    """Any one of the values; options over MAX_OPTIONS are dropped and the value becomes incomplete."""
    merged: list[Constant] = []
    complete = True
    values = list(values)
    if len(values) == 1:
        return values[0]
    for value in values:
        complete = complete and value.complete
        for option in value.options:
            if not any(_same(option, other) for other in merged):
                merged.append(option)
    return Value(tuple(merged[:MAX_OPTIONS]), complete and len(merged) <= MAX_OPTIONS)


def maybe(value: Value) -> Value:
    """The same options, but something else is possible."""
    return Value(value.options, False)


def only(value: Value | None) -> Constant | Value:
    """The single constant that a value is, UNKNOWN where it is not exactly one."""
    if value is None or not value.complete or len(value.options) != 1:
        return UNKNOWN
    return value.options[0]


def truth(value: Value) -> bool | None:
    """Whether the value counts as true, None where that is open."""
    answers = {_truth(option) for option in value.options} if value.complete else {None}
    return answers.pop() if len(answers) == 1 else None


def _truth(option: Constant) -> bool | None:
    if isinstance(option, str):
        return None if HOLE in option else bool(option)
    if isinstance(option, Items):
        return bool(option.values)
    if isinstance(option, Table):
        return bool(option.rows)
    if isinstance(option, Scope):
        return None
    return bool(option)


def _same(one: Constant, other: Constant) -> bool:
    return one is other or (type(one) is type(other) and not isinstance(one, Items) and one == other)
