"""Lists, dicts, functions as values, comprehensions and what loops see. Pure."""

from __future__ import annotations

import ast

from .folding import plain
from .machine import Machine
from .operations import Operations
from .values import (
    HOLE,
    MAX_ITEMS,
    UNKNOWN,
    Constant,
    Frame,
    Function,
    Items,
    Key,
    Table,
    Value,
    known,
    maybe,
    only,
    truth,
)


class Sequences(Operations):
    """The part of the interpreter that builds and walks through sequences."""

    def __init__(self, machine: Machine, frame: Frame) -> None:
        """Start in a frame of names, usually an empty one."""
        super().__init__(machine, frame)
        self._kinds |= {
            ast.List: self._items,
            ast.Tuple: self._items,
            ast.Set: self._items,
            ast.Dict: self._table,
            ast.NamedExpr: self._walrus,
            ast.Lambda: self._lambda,
            ast.ListComp: self._comprehension,
            ast.SetComp: self._comprehension,
            ast.GeneratorExp: self._comprehension,
            ast.DictComp: self._comprehension,
            ast.Await: self._inner,
            ast.YieldFrom: self._inner,
            ast.Yield: self._yield,
        }

    def _items(self, node: ast.List | ast.Tuple | ast.Set) -> Value:
        values: list[Value] = []
        for element in node.elts:
            if isinstance(element, ast.Starred):
                inner = only(self.value(element.value))
                if not isinstance(inner, Items):
                    return UNKNOWN
                values.extend(inner.values)
            else:
                values.append(self.value(element))
        return known(Items(tuple(values))) if len(values) <= MAX_ITEMS else UNKNOWN

    def _table(self, node: ast.Dict) -> Value:
        rows: dict[Key, Value] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            inner = self.value(value)
            name = only(self.value(key)) if key is not None else only(inner)
            if key is None and isinstance(name, Table):
                rows |= name.rows
            elif isinstance(name, str | int | bytes | float | None) and key is not None:
                rows[name] = inner
            else:
                return UNKNOWN
        return known(Table(rows))

    def _walrus(self, node: ast.NamedExpr) -> Value:
        value = self.value(node.value)
        self.bind(node.target, value)
        return value

    def _lambda(self, node: ast.Lambda) -> Value:
        return self.function(node)

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Value:
        """The function as a value, its defaults worked out now."""
        names = node.args
        positional = [*names.posonlyargs, *names.args]
        late = positional[len(positional) - len(names.defaults) :]
        defaults = {one.arg: self.value(default) for one, default in zip(late, names.defaults, strict=True)}
        for one, default in zip(names.kwonlyargs, names.kw_defaults, strict=True):
            if default is not None:
                defaults[one.arg] = self.value(default)
        return known(Function(node, self.frame, defaults))

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Value:
        outer, self.frame = self.frame, Frame(self.frame)
        try:
            found: list[tuple[Value, Value]] = []
            exact = self._generate(node, 0, found)
        finally:
            self.frame = outer
        if isinstance(node, ast.DictComp):
            rows: dict[Key, Value] = {plain(key): value for key, value in found}
            return Value((Table(rows),), exact and HOLE not in rows)
        return Value((Items(tuple(value for _, value in found[:MAX_ITEMS])),), exact and len(found) <= MAX_ITEMS)

    def _generate(
        self,
        node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
        depth: int,
        found: list[tuple[Value, Value]],
    ) -> bool:
        """Add what the comprehension gives from a `for` on inwards; False where there may be more or less of it."""
        if depth == len(node.generators):
            last = (node.key, node.value) if isinstance(node, ast.DictComp) else (None, node.elt)
            found.append((self.value(last[0]), self.value(last[1])))
            return True
        part = node.generators[depth]
        elements, exact = self.elements(self.value(part.iter))
        for number, element in enumerate(elements):
            if number and not self.machine.repeat():
                return False
            self.bind(part.target, element)
            answers = [truth(self.value(test)) for test in part.ifs]
            if False not in answers:
                exact = self._generate(node, depth + 1, found) and exact and None not in answers
        return exact

    def elements(self, value: Value) -> tuple[list[Value], bool]:
        """What a loop over the value sees one after the other, and whether it is exactly that."""
        found: list[Value] = []
        exact = value.complete and len(value.options) == 1
        for option in value.options:
            inner = _elements(option)
            exact = exact and inner is not None
            found.extend(inner or ())
        return (found, True) if exact else ([*found[:MAX_ITEMS], UNKNOWN], False)

    def _inner(self, node: ast.Await | ast.YieldFrom) -> Value:
        value = self.value(node.value)
        if isinstance(node, ast.YieldFrom):
            elements, exact = self.elements(value)
            self.frame.yields.extend(elements if exact else [*map(maybe, elements)])
        return value

    def _yield(self, node: ast.Yield) -> Value:
        self.frame.yields.append(self.value(node.value))
        return UNKNOWN


def _elements(option: Constant) -> list[Value] | None:
    if isinstance(option, Items):
        return list(option.values)
    if isinstance(option, Table):
        return [known(key) for key in option.rows if isinstance(key, str | int | bytes | float | None)]
    if isinstance(option, str) and len(option) <= 64 and HOLE not in option:
        return [known(one) for one in option]
    return None
