"""What an expression may stand for, and the calls inside it. Pure."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from itertools import product

from .folding import Plain, binary, compare, plain, sliced, subscript
from .library import module_constant, name_of_builtin
from .machine import Machine
from .places import path_attribute
from .values import (
    HOLE,
    MAX_ITEMS,
    MAX_OPTIONS,
    NONE,
    UNKNOWN,
    Arguments,
    Constant,
    Frame,
    Function,
    Handle,
    Items,
    Key,
    Method,
    PathText,
    Ref,
    Scope,
    Table,
    Value,
    known,
    maybe,
    only,
    truth,
    union,
)


class Expressions(ABC):
    """The part of the interpreter that evaluates; calls and statements are added by its subclasses."""

    def __init__(self, machine: Machine, frame: Frame) -> None:
        """Start in a frame of names, usually an empty one."""
        self.machine = machine
        self.frame = frame
        self._kinds: dict[type[ast.AST], Callable[..., Value]] = {
            ast.Constant: self._constant,
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Call: self._call,
            ast.BinOp: self._binary,
            ast.JoinedStr: self._joined,
            ast.BoolOp: self._either,
            ast.IfExp: self._if,
            ast.Compare: self._compare,
            ast.UnaryOp: self._unary,
            ast.Subscript: self._subscript,
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

    @abstractmethod
    def call(self, function: Value, arguments: Arguments, name: str) -> Value:
        """What a call gives; `name` is how the program spells the function."""

    @abstractmethod
    def bind(self, target: ast.expr, value: Value) -> None:
        """Give a target of an assignment its value."""

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
        return known(Ref(builtin)) if builtin else UNKNOWN

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
        owner = self.frame.find(target.id)
        if owner is None or not any(isinstance(option, Items | Table) for option in owner.options):
            return
        grown = union(_grown(option, name, arguments) or known(option) for option in owner.options)
        if name in (
            "append",
            "add",
            "extend",
            "insert",
            "update",
            "setdefault",
            "pop",
            "remove",
            "clear",
            "sort",
            "reverse",
        ):
            self.frame.set(target.id, Value(grown.options, grown.complete and owner.complete))

    def _binary(self, node: ast.BinOp) -> Value:
        return self.operate(node.op, self.value(node.left), self.value(node.right))

    def operate(self, op: ast.operator, left: Value, right: Value) -> Value:
        """`left op right` for every pair of options; an unknown side of a string or path leaves a hole."""
        left, right = _filled(left, right, op), _filled(right, left, op)
        results = []
        complete = left.complete and right.complete and len(left.options) * len(right.options) <= MAX_OPTIONS
        for one, other in self._pairs(left, right):
            result = binary(op, one, other) if self._affordable(one, other) else None
            complete = complete and result is not None
            results.append(result or UNKNOWN)
        found = union(results)
        return Value(found.options, found.complete and complete)

    def _affordable(self, *constants: Constant) -> bool:
        return self.machine.spend(sum(len(one) for one in constants if isinstance(one, str | bytes)))

    def _pairs(self, left: Value, right: Value) -> Iterator[tuple[Constant, Constant]]:
        for count, pair in enumerate(product(left.options, right.options)):
            if count == 4 * MAX_OPTIONS:
                return
            yield pair

    def _joined(self, node: ast.JoinedStr) -> Value:
        """An f-string: every combination of its parts."""
        texts, complete = [""], True
        for part in node.values:
            options, whole = self._part(part)
            complete = complete and whole and len(texts) * len(options) <= MAX_OPTIONS
            texts = [text + option for text in texts for option in options][:MAX_OPTIONS]
            if not self.machine.spend(sum(map(len, texts))):
                return UNKNOWN
        return Value(tuple(dict.fromkeys(texts)), complete)

    def _part(self, node: ast.expr) -> tuple[list[str], bool]:
        if isinstance(node, ast.Constant):
            return [str(node.value)], True
        if not isinstance(node, ast.FormattedValue):
            return [HOLE], True
        value = self.value(node.value)
        style = only(self.value(node.format_spec)) if node.format_spec else ""
        texts = [_shown(option, node.conversion, style) for option in value.options]
        return (texts if value.complete and texts else [*texts, HOLE]), True

    def _either(self, node: ast.BoolOp) -> Value:
        """`and`, `or`: each operand that may be reached; a name set in one that may be skipped stays open."""
        results: list[Value] = []
        stops = isinstance(node.op, ast.Or)
        for operand in node.values:
            value = self.value(operand)
            answer = truth(value)
            if answer is not (not stops) or operand is node.values[-1]:
                results.append(value)
            if answer is stops:
                break
        return union(results)

    def _if(self, node: ast.IfExp) -> Value:
        answer = truth(self.value(node.test))
        if answer is not None:
            return self.value(node.body if answer else node.orelse)
        return union([self.value(node.body), self.value(node.orelse)])

    def _compare(self, node: ast.Compare) -> Value:
        left = self.value(node.left)
        rights = [self.value(one) for one in node.comparators]
        if len(rights) > 1:
            return UNKNOWN
        answers = {compare(node.ops[0], one, other) for one, other in self._pairs(left, rights[0])}
        if left.complete and rights[0].complete and len(answers) == 1 and None not in answers:
            return known(answers.pop())
        return UNKNOWN

    def _unary(self, node: ast.UnaryOp) -> Value:
        value = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            answer = truth(value)
            return UNKNOWN if answer is None else known(not answer)
        constant = only(value)
        return known(-constant) if isinstance(node.op, ast.USub) and isinstance(constant, int | float) else UNKNOWN

    def _subscript(self, node: ast.Subscript) -> Value:
        owner = self.value(node.value)
        if isinstance(node.slice, ast.Slice):
            parts = [self._bound_of(part) for part in (node.slice.lower, node.slice.upper, node.slice.step)]
            found = [sliced(option, *parts) or UNKNOWN for option in owner.options]
        else:
            key = self.value(node.slice)
            if only(owner) == Ref("os.environ"):
                return self.call(known(Ref("os.getenv")), Arguments((key,)), "getenv")
            found = [subscript(one, other) or UNKNOWN for one, other in self._pairs(owner, key)]
            owner = owner if key.complete else maybe(owner)
        merged = union(found)
        return Value(merged.options, merged.complete and owner.complete)

    def _bound_of(self, node: ast.expr | None) -> Plain:
        return None if node is None else plain(self.value(node))

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


def _bound(option: Constant, owner: Scope) -> Constant:
    if isinstance(option, Function) and option.owner is None:
        return Function(option.node, option.home, option.defaults, known(owner))
    return option


def _filled(value: Value, other: Value, op: ast.operator) -> Value:
    """The value with a hole for what is unknown of it, if the other side shows that it is a text or a path."""
    textual = isinstance(op, ast.Add | ast.Div | ast.Mod) and any(
        isinstance(one, str | PathText) for one in other.options
    )
    if value.complete or not textual or (isinstance(op, ast.Mod) and not value.options and other.complete is False):
        return value
    return Value((*value.options, HOLE), True)


def _shown(option: Constant, conversion: int, style: object) -> str:
    """A constant as an f-string shows it; a hole where its form is not known."""
    if isinstance(option, PathText):
        option = option.text
    if not isinstance(option, str | int | float | None) or not isinstance(style, str) or len(style) > 6:
        return HOLE
    try:
        text = repr(option) if conversion == ord("r") and HOLE not in str(option) else option
        return format(text, style)
    except (TypeError, ValueError):
        return HOLE


def _elements(option: Constant) -> list[Value] | None:
    if isinstance(option, Items):
        return list(option.values)
    if isinstance(option, Table):
        return [known(key) for key in option.rows if isinstance(key, str | int | bytes | float | None)]
    if isinstance(option, str) and len(option) <= 64 and HOLE not in option:
        return [known(one) for one in option]
    return None


def _grown(owner: Constant, name: str, arguments: Arguments) -> Value | None:
    """A list or dict after a method changed it, None where the method is none of those that are followed."""
    first = arguments.at(0) or UNKNOWN
    if isinstance(owner, Items) and name in ("append", "add"):
        return known(Items((*owner.values, first))) if len(owner.values) < MAX_ITEMS else UNKNOWN
    if isinstance(owner, Items) and name == "extend":
        more = only(first)
        return known(Items((*owner.values, *more.values)[:MAX_ITEMS])) if isinstance(more, Items) else UNKNOWN
    if isinstance(owner, Table) and name == "update":
        more = only(first)
        return known(Table({**owner.rows, **more.rows})) if isinstance(more, Table) else UNKNOWN
    return UNKNOWN
