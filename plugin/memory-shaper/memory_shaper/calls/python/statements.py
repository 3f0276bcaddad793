"""A program carried out statement by statement, on what its names may hold. Pure."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from enum import Enum, auto

from .definitions import Definitions
from .machine import Machine
from .values import UNKNOWN, Arguments, Frame, Ref, Scope, Value, known, maybe, only, truth, union

_LEAVING = frozenset({"sys.exit", "os._exit", "os.abort", "exit", "quit"})


class Flow(Enum):
    """How a block ends: with the next statement, or by leaving the loop, the pass or the function."""

    NEXT = auto()
    BREAK = auto()
    CONTINUE = auto()
    LEAVE = auto()


class Program(Definitions):
    """The interpreter: statements over calls over expressions."""

    def __init__(self, machine: Machine, frame: Frame) -> None:
        """Start in a frame of names, usually an empty one."""
        super().__init__(machine, frame)
        self._statements: dict[type[ast.stmt], Callable[..., Flow | None]] = {
            ast.Expr: self._expression,
            ast.Assign: self._assign,
            ast.AnnAssign: self._annotated,
            ast.AugAssign: self._augmented,
            ast.If: self._choose,
            ast.For: self._for,
            ast.AsyncFor: self._for,
            ast.While: self._while,
            ast.With: self._with,
            ast.AsyncWith: self._with,
            ast.Try: self._try,
            ast.TryStar: self._try,
            ast.Match: self._match,
            ast.FunctionDef: self._define,
            ast.AsyncFunctionDef: self._define,
            ast.ClassDef: self._class,
            ast.Return: self._return,
            ast.Raise: self._raise,
            ast.Assert: self._assert,
            ast.Break: lambda _: Flow.BREAK,
            ast.Continue: lambda _: Flow.CONTINUE,
            ast.Import: self._import,
            ast.ImportFrom: self._import_from,
            ast.Global: self._global,
            ast.Nonlocal: self._nonlocal,
        }

    def run_body(self, body: Sequence[ast.stmt]) -> Flow:
        """Carry out statements in order, up to one that leaves."""
        self.machine.repeats -= len(body)
        for statement in body:
            work = self._statements.get(type(statement))
            flow = work(statement) if work else None
            if flow is not None and flow is not Flow.NEXT:
                return flow
        return Flow.NEXT

    def _expression(self, node: ast.Expr) -> Flow:
        self.value(node.value)
        if not isinstance(node.value, ast.Call):
            return Flow.NEXT
        function = node.value.func
        if isinstance(function, ast.Name) or (
            isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name)
        ):
            called = only(self.value(function))
            if isinstance(called, Ref) and (called.name in _LEAVING or called.name.startswith("os.exec")):
                return Flow.LEAVE
        return Flow.NEXT

    def _choose(self, node: ast.If) -> Flow:
        answer = truth(self.value(node.test))
        if answer is not None:
            return self.run_body(node.body if answer else node.orelse)
        return self._branches([node.body, node.orelse])

    def _branches(self, bodies: Iterable[Sequence[ast.stmt]], *, exhaustive: bool = True) -> Flow:
        """Carry out bodies of which one runs; the names they set may hold what any of them gave."""
        ends: list[tuple[Flow, dict[str, Value]]] = []
        for body in bodies:
            self.frame.layers.append({})
            flow = self.run_body(body)
            ends.append((flow, self.frame.layers.pop()))
        if not exhaustive:
            ends.append((Flow.NEXT, {}))
        self._merge([layer for flow, layer in ends if flow is not Flow.LEAVE])
        flows = {flow for flow, _ in ends}
        return flows.pop() if len(flows) == 1 else Flow.NEXT

    def _merge(self, layers: Sequence[dict[str, Value]]) -> None:
        names = dict.fromkeys(name for layer in layers for name in layer)
        for name in names:
            before = self.frame.find(name)
            found = [layer.get(name, before) for layer in layers]
            self.frame.layers[-1][name] = union(value for value in found if value is not None)

    def _for(self, node: ast.For | ast.AsyncFor) -> Flow:
        elements, exact = self.elements(self.value(node.iter))
        if not exact:
            self._loop_unknown(node, elements)
            return self._branches([node.orelse, []]) and Flow.NEXT
        for number, element in enumerate(elements):
            if number and not self.machine.repeat():
                return Flow.NEXT
            self.bind(node.target, element)
            flow = self.run_body(node.body)
            if flow is Flow.BREAK:
                return Flow.NEXT
            if flow is Flow.LEAVE:
                return flow
        return self.run_body(node.orelse)

    def _loop_unknown(self, node: ast.For | ast.AsyncFor, elements: Sequence[Value]) -> None:
        for number, element in enumerate(elements):
            if number and not self.machine.repeat():
                return
            self.frame.layers.append({})
            self.bind(node.target, element)
            self.run_body(node.body)
            self._leave_layer()
        self._once_more(node.body)

    def _once_more(self, body: Sequence[ast.stmt]) -> None:
        """A second pass over a loop's body, in which what the first one set is not the only possibility."""
        if not self.machine.repeat():
            return
        self.frame.layers.append({})
        self.run_body(body)
        self._leave_layer(settled=False)

    def _leave_layer(self, *, settled: bool = True) -> None:
        layer = self.frame.layers.pop()
        self._merge([layer if settled else {name: maybe(value) for name, value in layer.items()}, {}])

    def _while(self, node: ast.While) -> Flow:
        answer = truth(self.value(node.test))
        if answer is False:
            return self.run_body(node.orelse)
        self.frame.layers.append({})
        flow = self.run_body(node.body)
        self._leave_layer()
        if flow in (Flow.NEXT, Flow.CONTINUE):
            self.value(node.test)
            self._once_more(node.body)
        self._branches([node.orelse, []])
        return Flow.NEXT

    def _with(self, node: ast.With | ast.AsyncWith) -> Flow:
        for item in node.items:
            value = self.value(item.context_expr)
            if item.optional_vars is not None:
                self.bind(item.optional_vars, self._entered(value))
        return self.run_body(node.body)

    def _entered(self, value: Value) -> Value:
        scopes = [option for option in value.options if isinstance(option, Scope)]
        if not scopes:
            return value
        return union(self.call(self.attribute(known(one), "__enter__"), Arguments(), "__enter__") for one in scopes)

    def _try(self, node: ast.Try | ast.TryStar) -> Flow:
        self.frame.layers.append({})
        body = self.run_body(node.body)
        layer = self.frame.layers.pop()
        self._merge([layer] if body is Flow.NEXT and not node.handlers else [layer, {}])
        if body is Flow.NEXT and node.orelse:
            body = self.run_body(node.orelse)
        handlers = [handler.body for handler in node.handlers]
        for handler in node.handlers:
            if handler.name:
                self.frame.set(handler.name, UNKNOWN)
        flow = self._branches(handlers, exhaustive=body is not Flow.NEXT) if handlers else body
        flow = body if body is flow or body is Flow.NEXT else flow
        last = self.run_body(node.finalbody)
        return flow if last is Flow.NEXT else last

    def _match(self, node: ast.Match) -> Flow:
        self.value(node.subject)
        for case in node.cases:
            for part in ast.walk(case.pattern):
                name = getattr(part, "name", None) or getattr(part, "rest", None)
                if isinstance(name, str):
                    self.frame.set(name, UNKNOWN)
        return self._branches([case.body for case in node.cases], exhaustive=False)

    def _return(self, node: ast.Return) -> Flow:
        self.frame.results.append(self.value(node.value))
        return Flow.LEAVE

    def _raise(self, node: ast.Raise) -> Flow:
        self.value(node.exc)
        return Flow.LEAVE

    def _assert(self, node: ast.Assert) -> Flow:
        return Flow.LEAVE if truth(self.value(node.test)) is False else Flow.NEXT

    def _global(self, node: ast.Global) -> None:
        top = self.frame
        while top.parent is not None:
            top = top.parent
        self.frame.outer.update(dict.fromkeys(node.names, top))

    def _nonlocal(self, node: ast.Nonlocal) -> None:
        if self.frame.parent is not None:
            self.frame.outer.update(dict.fromkeys(node.names, self.frame.parent))
