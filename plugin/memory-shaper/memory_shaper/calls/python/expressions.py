"""Expressions: names, attributes and the arguments of calls. Pure."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable

from .library import module_constant, name_of_builtin
from .machine import Machine
from .places import path_attribute
from .values import (
    MAX_ITEMS,
    NONE,
    UNKNOWN,
    Arguments,
    Constant,
    Frame,
    Function,
    Handle,
    Items,
    Method,
    PathText,
    Ref,
    Scope,
    Table,
    Value,
    known,
    only,
    union,
)


class Expressions(ABC):
    """The part of the interpreter that evaluates; operators, sequences, calls and statements come on top of it."""

    def __init__(self, machine: Machine, frame: Frame) -> None:
        """Start in a frame of names, usually an empty one."""
        self.machine = machine
        self.frame = frame
        self._kinds: dict[type[ast.AST], Callable[..., Value]] = {
            ast.Constant: self._constant,
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Call: self._call,
        }

    @abstractmethod
    def call(self, function: Value, arguments: Arguments, name: str) -> Value:
        """What a call gives; `name` is how the program spells the function."""

    @abstractmethod
    def bind(self, target: ast.expr, value: Value) -> None:
        """Give a target of an assignment its value."""

    @abstractmethod
    def elements(self, value: Value) -> tuple[list[Value], bool]:
        """What a loop over the value sees one after the other, and whether it is exactly that."""

    def value(self, node: ast.expr | None) -> Value:
        """What the expression may stand for; its calls are carried out on the way."""
        if node is None:
            return NONE
        work = self._kinds.get(type(node))
        if work is not None:
            return work(node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child)
        return UNKNOWN

    def _constant(self, node: ast.Constant) -> Value:
        return UNKNOWN if node.value is ... else known(node.value)

    def _name(self, node: ast.Name) -> Value:
        found = self.frame.find(node.id)
        if found is not None:
            return found
        builtin = name_of_builtin(node.id)
        if builtin is None:  # a kernel may have kept anything under that name
            self.machine.opaque = True
            return UNKNOWN
        return known(Ref(builtin))

    def _attribute(self, node: ast.Attribute) -> Value:
        owner = self.value(node.value)
        return self.attribute(owner, node.attr)

    def attribute(self, owner: Value, name: str) -> Value:
        """`owner.name` for everything that the owner may be."""
        if len(owner.options) == 1 and owner.complete:
            return self._one_attribute(owner.options[0], name)
        found = union(self._one_attribute(option, name) for option in owner.options)
        return Value(found.options, found.complete and owner.complete)

    def _one_attribute(self, owner: Constant, name: str) -> Value:
        if isinstance(owner, Ref):
            constant = module_constant(self.machine, f"{owner.name}.{name}")
            return constant if constant is not None else known(Ref(f"{owner.name}.{name}"))
        if isinstance(owner, Scope):
            return self._member(owner, name)
        if isinstance(owner, PathText):
            found = path_attribute(self.machine, owner, name)
            if found is not None:
                return found
        if isinstance(owner, Handle) and name == "name":
            return known(owner.path)
        if isinstance(owner, Handle) and name in ("buffer", "raw", "file"):
            return known(owner)
        return known(Method(owner, name))

    def _member(self, owner: Scope, name: str) -> Value:
        found = owner.frame.layers[0].get(name)
        if found is None and owner.base is not None:
            found = self.attribute(owner.base, name)
        if found is None:
            return known(Method(owner, name))
        if owner.kind != "instance":
            return found
        options = (_bound(option, owner) for option in found.options)
        return Value(tuple(options), found.complete)

    def _call(self, node: ast.Call) -> Value:
        function = self.value(node.func)
        arguments = self._arguments(node)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            self._mutate(node.func.value, name, arguments)
        return self.call(function, arguments, name)

    def _arguments(self, node: ast.Call) -> Arguments:
        positional: list[Value] = []
        exact = True
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                inner = only(self.value(argument.value))
                exact = exact and isinstance(inner, Items)
                positional.extend(inner.values if isinstance(inner, Items) else ())
            else:
                positional.append(self.value(argument))
        named: dict[str, Value] = {}
        for keyword in node.keywords:
            value = self.value(keyword.value)
            if keyword.arg is not None:
                named[keyword.arg] = value
                continue
            table = only(value)
            exact = exact and isinstance(table, Table)
            named |= {str(key): one for key, one in table.rows.items()} if isinstance(table, Table) else {}
        return Arguments(tuple(positional[:MAX_ITEMS]), named, exact)

    def _mutate(self, target: ast.Name, name: str, arguments: Arguments) -> None:
        """A method that changes a list or dict in place gives its name a new value."""
        owner = self.frame.find(target.id) if name in _MUTATORS else None
        if owner is not None and any(isinstance(option, Items | Table) for option in owner.options):
            grown = union(_grown(option, name, arguments) for option in owner.options)
            self.frame.set(target.id, Value(grown.options, grown.complete and owner.complete))


def _bound(option: Constant, owner: Scope) -> Constant:
    if isinstance(option, Function) and option.owner is None:
        return Function(option.node, option.home, option.defaults, known(owner))
    return option


def _grown(owner: Constant, name: str, arguments: Arguments) -> Value:
    """A list or dict after a method changed it, UNKNOWN where the method is none of those that are followed."""
    first = arguments.at(0) or UNKNOWN
    if isinstance(owner, Items) and name in ("append", "add"):
        return known(Items((*owner.values, first))) if len(owner.values) < MAX_ITEMS else UNKNOWN
    more = only(first)
    if isinstance(owner, Items) and name == "extend" and isinstance(more, Items):
        return known(Items((*owner.values, *more.values)[:MAX_ITEMS]))
    if isinstance(owner, Table) and name == "update" and isinstance(more, Table):
        return known(Table({**owner.rows, **more.rows}))
    return UNKNOWN


_MUTATORS = frozenset(
    {"add", "append", "clear", "extend", "insert", "pop", "remove", "reverse", "setdefault", "sort", "update"}
)
