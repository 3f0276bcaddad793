"""The order of things: blocks, pipes, branches, loops, redirects; the commands themselves are left to the heir."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Self

from .expand import UNKNOWN, expand, text_of
from .globs import matching
from .hands import DONE, SILENT, UNHEARD, Input, Outcome
from .notes import MAX_NEST, Notes
from .state import State
from .tree import Block, Case, Define, For, Group, If, Node, Redirect, Simple, Step, Test, While

MAX_ROUNDS = 200
"""Rounds of one loop that are walked."""


class Flow(ABC):
    """Walks blocks. Where it is not known which way a script goes, every way is walked and the memories are joined."""

    notes: Notes
    state: State
    source: Input

    @abstractmethod
    def fork(self) -> Self:
        """A shell that begins where this one stands."""

    @abstractmethod
    def simple(self, node: Simple) -> Outcome:
        """Run a simple command."""

    @abstractmethod
    def read(self, path: str, via: str) -> None:
        """A file is read."""

    @abstractmethod
    def write(self, path: str, via: str, tree: bool = False) -> None:
        """A file is written."""

    @abstractmethod
    def keep(self, path: str, text: str | None, append: bool = False) -> None:
        """Remember what a file holds now."""

    @property
    def cwd(self) -> str | None:
        """The present folder."""
        return self.state.cwd

    def value(self, name: str) -> str | tuple[str, ...] | None:
        """The value of a variable."""
        return self.state.value(name)

    def assign(self, name: str, value: str | tuple[str, ...]) -> None:
        """Set a variable."""
        self.state.assign(name, value)

    def output(self, block: Block) -> str:
        """What a substitution prints, UNKNOWN where that is not known."""
        out = self.fork().walk(block).out
        return UNKNOWN if out is None else out

    def names(self, folder: str) -> Sequence[str]:
        """The names in a folder."""
        place = self.state.absolute(folder)
        return () if place is None else self.notes.names(place)

    # -- blocks ------------------------------------------------------------------------------------------------

    def walk(self, block: Block) -> Outcome:
        """Run a block; the output is known where that of each command is."""
        if self.notes.nest >= MAX_NEST:
            self.notes.opaque = True
            return UNHEARD
        self.notes.nest += 1
        outcome = self._steps(block)
        self.notes.nest -= 1
        return outcome

    def _steps(self, block: Block) -> Outcome:
        success: bool | None = True
        heard: list[str | None] = []
        for step in block:
            if (step.joint == "&&" and success is False) or (step.joint == "||" and success is True):
                continue
            unsure = step.joint == "||" and success is None
            outcome = self._perhaps(step) if unsure else self._step(step)
            success = None if unsure else outcome.success
            heard.append(outcome.out)
            if self.state.ended:
                break
        known = [text for text in heard if text is not None]
        return Outcome(success, "".join(known) if len(known) == len(heard) else None)

    def _perhaps(self, step: Step) -> Outcome:
        way = self.fork()
        outcome = way._step(step)
        self.state.join([way.state, self.state.fork()])
        return outcome if outcome.out == "" else UNHEARD

    def _step(self, step: Step) -> Outcome:
        if step.background:
            self.fork()._pipe(step)
            return DONE
        outcome = self.node(step.stages[0]) if len(step.stages) == 1 else self._pipe(step)
        if step.negated and outcome.success is not None:
            return outcome._replace(success=not outcome.success)
        return outcome

    def _pipe(self, step: Step) -> Outcome:
        outcome, source = UNHEARD, self.source
        for stage in step.stages:
            way = self.fork()
            way.source = source
            outcome = way.node(stage)
            source = Input(outcome.out)
        return outcome

    def node(self, node: Node) -> Outcome:
        """Run one node of the tree."""
        if isinstance(node, Simple):
            return self.simple(node)
        match node:
            case Define():
                self.state.functions[node.name] = node.body
                return DONE
            case Test():
                for word in node.words:
                    text_of(word, self)
                return SILENT
            case Group(body=body, forked=forked):
                return (self.fork() if forked else self).redirected(node.redirects, lambda shell: shell.walk(body))
            case If():
                return self.redirected(node.redirects, lambda shell: shell._if(node))
            case While():
                return self.redirected(node.redirects, lambda shell: shell._while(node))
            case For():
                return self.redirected(node.redirects, lambda shell: shell._for(node))
            case Case():
                return self.redirected(node.redirects, lambda shell: shell._case(node))

    def call(self, body: Node, arguments: Sequence[str]) -> Outcome:
        """Run a function."""
        if self.notes.nest >= MAX_NEST:
            self.notes.opaque = True
            return UNHEARD
        old, self.state.arguments = self.state.arguments, tuple(arguments)
        self.notes.repeating += 1
        self.notes.nest += 1
        outcome = self.node(body)
        self.notes.nest -= 1
        self.notes.repeating -= 1
        self.state.arguments = old
        self._end("return")
        return outcome

    def _end(self, *kinds: str) -> None:
        if self.state.ended in kinds:
            self.state.ended = ""

    # -- branches and loops ------------------------------------------------------------------------------------

    def _if(self, node: If) -> Outcome:
        ways: list[State] = []
        sure = False
        for condition, body in node.arms:
            success = self.walk(condition).success if condition else True
            if success is False:
                continue
            if success and not ways:
                return self.walk(body)
            ways.append(self._way(body))
            if success:
                sure = True
                break
        self.state.join(ways + ([] if sure else [self.state.fork()]))
        return UNHEARD

    def _way(self, body: Block) -> State:
        """The memory of a fork that went through the block."""
        way = self.fork()
        way.walk(body)
        return way.state

    def _case(self, node: Case) -> Outcome:
        value = text_of(node.word, self)
        ways: list[State] = []
        for patterns, body in node.arms:
            fits = [self._fits(text_of(pattern, self), value) for pattern in patterns]
            if True in fits and not ways:
                return self.walk(body)
            if any(fit is not False for fit in fits):
                ways.append(self._way(body))
        self.state.join([*ways, self.state.fork()])
        return UNHEARD

    def _fits(self, pattern: str, value: str) -> bool | None:
        if pattern == "*":
            return True
        found = None if UNKNOWN in value or UNKNOWN in pattern else matching(pattern)
        return None if found is None else found.match(value) is not None

    def _for(self, node: For) -> Outcome:
        if not node.name:
            return self._maybe_round(node.body)
        listed = self.state.value("@") if node.words is None else expand(node.words, self)
        values = listed or ()
        self.notes.opaque = self.notes.opaque or len(values) > MAX_ROUNDS
        heard: list[str | None] = []
        for value in values[:MAX_ROUNDS]:
            self.state.assign(node.name, value)
            heard.append(self._round(node.body))
            if self.state.ended:
                break
        self._end("break")
        known = [text for text in heard if text is not None]
        return Outcome(None, "".join(known) if len(known) == len(heard) else None)

    def _round(self, body: Block) -> str | None:
        """One round of a loop, and what it printed."""
        if not self.notes.may_repeat():
            return None
        self.notes.repeating += 1
        out = self.walk(body).out
        self.notes.repeating -= 1
        self._end("continue")
        return out

    def _maybe_round(self, body: Block) -> Outcome:
        """A round of which it is not known whether, or how often, it is gone."""
        way = self._way(body)
        if way.ended in ("break", "continue"):
            way.ended = ""
        self.state.join([way, self.state.fork()])
        return UNHEARD

    def _while(self, node: While) -> Outcome:
        for _ in range(MAX_ROUNDS):
            before = self.source
            success = self.walk(node.condition).success
            if success is not None and success is node.until:
                return UNHEARD
            if success is None or before is self.source:
                return self._maybe_round(node.body)
            self._round(node.body)
            if self.state.ended:
                break
        self._end("break")
        return UNHEARD

    # -- redirects ---------------------------------------------------------------------------------------------

    def redirected(self, redirects: tuple[Redirect, ...], action: Callable[[Self], Outcome]) -> Outcome:
        """Run an action with its redirects; a stdout that goes into files is kept as their text."""
        if not redirects:
            return action(self)
        old = self.source
        files: list[tuple[str, bool]] = []
        caught = False
        for redirect in redirects:
            caught = self._redirect(redirect, files) or caught
        outcome = action(self)
        self.source = old
        for path, append in files:
            self.keep(path, outcome.out, append)
        return outcome._replace(out="") if caught else outcome

    def _redirect(self, redirect: Redirect, files: list[tuple[str, bool]]) -> bool:
        """Apply one redirect; whether it takes stdout away."""
        fd, op = redirect.fd, redirect.op
        if redirect.here is not None:
            self.source = Input(_known(text_of(redirect.here.body, self)))
        elif op == "<<<":
            self.source = Input(_known(text_of(redirect.target, self) + "\n"))
        elif op:
            return self._with_file(fd, op, expand((redirect.target,), self), files)
        return False

    def _with_file(self, fd: str, op: str, fields: list[str], files: list[tuple[str, bool]]) -> bool:
        """More than one field, or none, is an error of the shell: nothing is opened."""
        if len(fields) != 1 or not fields[0]:
            return False
        path, stdout = fields[0], fd in ("", "1")
        if (op in (">&", "<&") and path.rstrip("-").isdecimal()) or path == "-":
            return stdout and op == ">&" and path != "1"
        if op in ("<", "<&") or (op == "<>" and fd in ("", "0")):
            self.read(path, op)
            self.source = Input(None, self.state.absolute(path)) if fd in ("", "0") else self.source
            return False
        self.write(path, op)
        if stdout:
            files.append((path, op in (">>", "&>>")))
        return stdout


def _known(text: str) -> str | None:
    return None if UNKNOWN in text else text
