"""Operators, f-strings, conditions and subscripts. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import product

from .expressions import Expressions
from .folding import Plain, binary, compare, plain, sliced, subscript
from .machine import Machine
from .values import (
    HOLE,
    MAX_OPTIONS,
    UNKNOWN,
    Arguments,
    Constant,
    Frame,
    PathText,
    Ref,
    Value,
    known,
    maybe,
    only,
    truth,
    union,
)


class Operations(Expressions):
    """The part of the interpreter that works out operators."""

    def __init__(self, machine: Machine, frame: Frame) -> None:
        """Start in a frame of names, usually an empty one."""
        super().__init__(machine, frame)
        self._kinds |= {
            ast.BinOp: self._binary,
            ast.JoinedStr: self._joined,
            ast.BoolOp: self._either,
            ast.IfExp: self._if,
            ast.Compare: self._compare,
            ast.UnaryOp: self._unary,
            ast.Subscript: self._subscript,
        }

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
