"""Calls: functions and classes of the program, methods of constants, functions of the library. Pure."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence

from . import folding, library
from .opening import handle_method
from .places import path_method
from .sequences import Sequences
from .values import (
    HOLE,
    UNKNOWN,
    Arguments,
    Constant,
    Frame,
    Function,
    Handle,
    Items,
    Method,
    Partial,
    PathText,
    Ref,
    Scope,
    Table,
    Value,
    items,
    known,
    maybe,
    only,
    table_of,
    union,
)
from .writing import path_write, unknown_call

MAX_DEPTH = 12
"""Calls of the program's own functions inside one another; deeper ones are opaque."""

MAX_SOURCE = 400_000
"""Characters of code in a string, or of an imported file, that are read."""


class Calling(Sequences):
    """The part of the interpreter that carries out calls."""

    depth = 0

    @abstractmethod
    def run_body(self, body: Sequence[ast.stmt]) -> object:
        """Carry out the statements of a function or module in the current frame."""

    @abstractmethod
    def run_source(self, source: str, frame: Frame) -> None:
        """Read a text as Python and carry it out in a frame."""

    @abstractmethod
    def load_module(self, name: str) -> Value:
        """The module of that name: one of the program's own folder is carried out."""

    def call(self, function: Value, arguments: Arguments, name: str) -> Value:
        """What the call gives, for everything that the function may be."""
        results = [self._apply(option, arguments, name) for option in function.options]
        if not function.complete:
            self._run_callbacks(arguments)
            results.append(unknown_call(self.machine, name, arguments))
        return results[0] if len(results) == 1 else union(results)

    def _apply(self, function: Constant, arguments: Arguments, name: str) -> Value:
        if isinstance(function, Ref):
            return self._library(library.canonical(function.name), arguments)
        if isinstance(function, Method):
            return self._method(function.owner, function.name, arguments)
        if isinstance(function, Function):
            return self._invoke(function, arguments)
        if isinstance(function, Scope):
            return self._construct(function, arguments)
        if isinstance(function, Partial):
            given = function.arguments
            both = Arguments((*given.positional, *arguments.positional), {**given.named, **arguments.named})
            return self.call(function.function, both, name)
        return UNKNOWN

    def _library(self, name: str, arguments: Arguments) -> Value:
        special = _SPECIAL.get(name)
        if special is not None:
            return special(self, arguments)
        if name.startswith("pathlib.Path.") and arguments.positional:  # a method called through its class
            return self.call(self.attribute(arguments.positional[0], name[13:]), arguments.after(1), name[13:])
        found = library.library_call(self.machine, name, arguments)
        if name not in ("sorted", "min", "max") and found is not None:
            return found
        self._run_callbacks(arguments)
        if found is not None:
            return found
        return UNKNOWN if library.is_library(name) else unknown_call(self.machine, name, arguments, foreign=True)

    def _run_callbacks(self, arguments: Arguments) -> None:
        """A function of the program that is handed on may be called, nobody knows with what."""
        given = only(arguments.named.get("args")) if "target" in arguments.named else None
        values = Arguments(given.values) if isinstance(given, Items) else Arguments(exact=False)
        for place, value in enumerate(arguments.all()):
            for option in value.options:
                if isinstance(option, Function | Method | Partial):
                    rest = arguments.after(1) if place == 0 and len(arguments.positional) > 1 else values
                    self._apply(option, rest, "")

    def _method(self, owner: Constant, name: str, arguments: Arguments) -> Value:
        if isinstance(owner, PathText):
            found = path_method(self.machine, owner, name, arguments) or path_write(
                self.machine, owner, name, arguments
            )
            return found or UNKNOWN
        if isinstance(owner, Handle):
            return handle_method(self.machine, owner, name, arguments)
        if isinstance(owner, str) and name == "join":
            return self._join(owner, arguments)
        if isinstance(owner, str | bytes | int):
            named = {key: folding.plain(value) for key, value in arguments.named.items()}
            return folding.method(owner, name, [folding.plain(value) for value in arguments.positional], named)
        if isinstance(owner, Table):
            return _table_method(owner, name, arguments)
        self._run_callbacks(arguments)
        if isinstance(owner, Items):
            return union(owner.values) if name == "pop" else known(owner) if name == "copy" else UNKNOWN
        return unknown_call(self.machine, name, arguments)

    def _join(self, separator: str, arguments: Arguments) -> Value:
        parts = arguments.at(0) or UNKNOWN
        found = union(
            folding.joined(separator, option) if isinstance(option, Items) else known(HOLE) for option in parts.options
        )
        return found if parts.complete else Value((*found.options, HOLE), True)

    def _construct(self, scope: Scope, arguments: Arguments) -> Value:
        """An instance of a class of the program, its `__init__` carried out."""
        if scope.kind != "class":
            return self.call(self.attribute(known(scope), "__call__"), arguments, "__call__")
        frame = Frame()
        frame.layers[0].update(scope.frame.layers[0])
        made = known(Scope(frame, "instance", scope.base))
        start = self.attribute(made, "__init__")
        if any(isinstance(option, Function) for option in start.options):
            self.call(start, arguments, "__init__")
        return made

    def _invoke(self, function: Function, arguments: Arguments) -> Value:
        """Carry out a function of the program with its parameters bound."""
        if self.depth >= MAX_DEPTH or not self.machine.repeat():
            self.machine.opaque = True
            return UNKNOWN
        outer, self.frame = self.frame, Frame(function.home)
        self.depth += 1
        try:
            self._bind_parameters(function, arguments)
            if isinstance(function.node, ast.Lambda):
                return self.value(function.node.body)
            self.run_body(function.node.body)
            return _result(self.frame)
        finally:
            self.depth -= 1
            self.frame = outer

    def _bind_parameters(self, function: Function, arguments: Arguments) -> None:
        names = function.node.args
        positional = [one.arg for one in (*names.posonlyargs, *names.args)]
        if function.owner is not None:
            arguments = Arguments((function.owner, *arguments.positional), arguments.named, arguments.exact)
        for place, name in enumerate(positional):
            self.frame.set(name, arguments.at(place, name) or function.defaults.get(name, UNKNOWN))
        for one in names.kwonlyargs:
            self.frame.set(one.arg, arguments.at(-1, one.arg) or function.defaults.get(one.arg, UNKNOWN))
        if names.vararg:
            rest = known(Items(arguments.positional[len(positional) :]))
            self.frame.set(names.vararg.arg, rest if arguments.exact else maybe(rest))
        if names.kwarg:
            named = {key: value for key, value in arguments.named.items() if key not in positional}
            self.frame.set(names.kwarg.arg, known(table_of(named)) if arguments.exact else UNKNOWN)


def _result(frame: Frame) -> Value:
    if frame.yields:
        return Value((Items(tuple(frame.yields)),), False)
    return union(frame.results) if frame.results else UNKNOWN


def _table_method(table: Table, name: str, arguments: Arguments) -> Value:
    if name == "values":
        return known(Items(tuple(table.rows.values())))
    keys = [key for key in table.rows if isinstance(key, str | int | bytes | float | None)]
    if name == "keys":
        return items(keys)
    if name == "items":
        return items(Items((known(key), table.rows[key])) for key in keys)
    if name in ("get", "pop", "setdefault"):
        key = only(arguments.at(0))
        default = arguments.at(1) or known(None)
        return table.rows.get(key, default) if isinstance(key, str | int) else UNKNOWN
    return known(table) if name == "copy" else UNKNOWN


def _execute(reader: Calling, arguments: Arguments) -> Value:
    """`exec`, `eval`: a constant text is read as Python, in place."""
    code = arguments.at(0, "source") or UNKNOWN
    reader.machine.opaque = reader.machine.opaque or not code.complete
    for option in code.options:
        text = option.decode("utf-8", "replace") if isinstance(option, bytes) else option
        if (
            isinstance(text, str)
            and HOLE not in text
            and len(text) <= MAX_SOURCE
            and reader.machine.repeat(len(text) // 40)
        ):
            reader.run_source(text, reader.frame)
        else:
            reader.machine.opaque = True
    return UNKNOWN


def _run_file(reader: Calling, arguments: Arguments) -> Value:
    for place in reader.machine.places(arguments.at(0, "path_name")):
        text = reader.machine.world.text(place)
        if text is None or not reader.machine.repeat(len(text) // 40):
            reader.machine.opaque = True
        else:
            reader.run_source(text, Frame())
    return UNKNOWN


def _get_attribute(reader: Calling, arguments: Arguments) -> Value:
    name = only(arguments.at(1))
    owner = arguments.at(0) or UNKNOWN
    return reader.attribute(owner, name) if isinstance(name, str) and HOLE not in name else UNKNOWN


def _import(reader: Calling, arguments: Arguments) -> Value:
    name = only(arguments.at(0, "name"))
    return reader.load_module(name) if isinstance(name, str) and HOLE not in name else UNKNOWN


def _map(reader: Calling, arguments: Arguments) -> Value:
    """`map` and `filter`: the function on every element."""
    elements, exact = reader.elements(arguments.at(1) or UNKNOWN)
    function = arguments.at(0) or UNKNOWN
    found: list[Value] = []
    for element in elements:
        if found and not reader.machine.repeat():
            exact = False
            break
        found.append(reader.call(function, Arguments((element,)), "map"))
    return Value((Items(tuple(found)),), exact)


def _filter(reader: Calling, arguments: Arguments) -> Value:
    _map(reader, arguments)
    return maybe(arguments.at(1) or UNKNOWN)


def _partial(reader: Calling, arguments: Arguments) -> Value:
    return known(Partial(arguments.at(0) or UNKNOWN, arguments.after(1)))


def _compile(reader: Calling, arguments: Arguments) -> Value:
    return arguments.at(0, "source") or UNKNOWN


_SPECIAL: Mapping[str, Callable[[Calling, Arguments], Value]] = {
    "exec": _execute,
    "eval": _execute,
    "compile": _compile,
    "runpy.run_path": _run_file,
    "getattr": _get_attribute,
    "__import__": _import,
    "importlib.import_module": _import,
    "map": _map,
    "filter": _filter,
    "functools.partial": _partial,
}
