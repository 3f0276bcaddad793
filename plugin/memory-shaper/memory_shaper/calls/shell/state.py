"""What a shell remembers: variables, folder, functions, parameters; forks of it, and forks brought together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from .expand import UNKNOWN
from .paths import absolute
from .tree import Node

Value: TypeAlias = str | tuple[str, ...]

_OWN = frozenset("?$!-0") | {"RANDOM", "SECONDS", "LINENO", "BASHPID", "PPID", "OPTARG", "OPTIND", "REPLY"}


class State:
    """One shell's memory; a fork sees its parent's and changes only its own."""

    def __init__(self, cwd: str | None, env: Mapping[str, str], parent: State | None = None) -> None:
        self.cwd = cwd
        self.before: str | None = parent.before if parent else env.get("OLDPWD")
        self.folders: tuple[str | None, ...] = parent.folders if parent else ()
        self.env = env
        self.parent = parent
        self.arguments: tuple[str, ...] | None = parent.arguments if parent else None
        self.last: str = parent.last if parent else UNKNOWN
        self.ended = ""
        self.variables: dict[str, Value | None] = {}
        self.functions: dict[str, Node] = {}
        self.exported: set[str] = set()

    def fork(self) -> State:
        """A shell that begins where this one stands."""
        return State(self.cwd, self.env, self)

    def child(self, cleared: bool = False) -> State:
        """A new program's shell: of the variables, only the exported ones."""
        state = State(self.cwd, {} if cleared else self.env)
        state.before = self.before
        if not cleared:
            state.variables = self._all_exported()
            state.exported = set(state.variables)
        return state

    def _all_exported(self) -> dict[str, Value | None]:
        found: dict[str, Value | None] = self.parent._all_exported() if self.parent else {}
        names = self.exported | (self.variables.keys() & (found.keys() | self.env.keys()))
        return found | {name: self.value(name) for name in names}

    def value(self, name: str) -> Value | None:
        """The value of a variable or parameter; UNKNOWN where it is set to something unknown, None where unset."""
        if name in ("@", "*"):
            return (UNKNOWN,) if self.arguments is None else self.arguments
        if name.isdecimal() and name != "0":
            return self._parameter(int(name))
        if name == "PWD":
            return self.cwd or UNKNOWN
        if name == "OLDPWD":
            return self.before or UNKNOWN
        if name == "_":
            return self.last
        if name == "#":
            return UNKNOWN if self.arguments is None else str(len(self.arguments))
        return self._variable(name)

    def _parameter(self, number: int) -> str | None:
        if self.arguments is None:
            return None
        return self.arguments[number - 1] if number <= len(self.arguments) else ""

    def _variable(self, name: str) -> Value | None:
        state: State | None = self
        while state is not None:
            if name in state.variables:
                return state.variables[name]
            state = state.parent
        return UNKNOWN if name in _OWN else self.env.get(name)

    def assign(self, name: str, value: Value | None) -> None:
        """Set a variable, or with None forget it."""
        self.variables[name] = value

    def take(self, names: set[str]) -> dict[str, Value | None]:
        """The values that this very shell has for the names, to be given back later."""
        return {name: self.variables[name] for name in names if name in self.variables}

    def give_back(self, names: set[str], values: dict[str, Value | None]) -> None:
        """Undo the assignments to the names that stood before a command."""
        for name in names:
            self.variables.pop(name, None)
        self.variables.update(values)
        self.exported -= names - values.keys()

    def function(self, name: str) -> Node | None:
        """The body of a function."""
        state: State | None = self
        while state is not None:
            if name in state.functions:
                return state.functions[name]
            state = state.parent
        return None

    def enter(self, folder: str | None) -> None:
        """Change the folder."""
        self.before, self.cwd = self.cwd, folder

    def absolute(self, path: str) -> str | None:
        """The absolute path, None where it cannot be known."""
        return absolute(path, self.cwd)

    def join(self, forks: Sequence[State]) -> None:
        """Go on after one of several ways, it is not known which: what differs between them is unknown."""
        going = [fork for fork in forks if not fork.ended]
        if not going:
            self.ended = forks[0].ended if forks else self.ended
            return
        for name in {name for fork in going for name in fork.variables}:
            values = {fork.value(name) for fork in going}
            self.assign(name, values.pop() if len(values) == 1 else UNKNOWN)
        for fork in going:
            self.functions.update(fork.functions)
            self.exported |= fork.exported
        self.cwd = self.cwd if all(fork.cwd == self.cwd for fork in going) else _only([fork.cwd for fork in going])
        self.before = _only([fork.before for fork in going])


def _only(values: Sequence[str | None]) -> str | None:
    return values[0] if len(set(values)) == 1 else None
