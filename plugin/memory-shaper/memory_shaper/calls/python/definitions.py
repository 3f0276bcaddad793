"""Assignments, definitions and imports. Pure."""

from __future__ import annotations

import ast
import posixpath
import sys
from collections.abc import Sequence

from .calling import Calling
from .machine import Machine
from .values import UNKNOWN, Arguments, Frame, Items, Ref, Scope, Table, Value, known, maybe, only, union


class Definitions(Calling):
    """The part of the interpreter that gives names their values."""

    def __init__(self, machine: Machine, frame: Frame) -> None:
        """Start in a frame of names, usually an empty one."""
        super().__init__(machine, frame)
        self._modules: dict[str, Value] = {}

    def run_source(self, source: str, frame: Frame) -> None:
        """Read a text as Python and carry it out in a frame; one that does not parse makes the program opaque."""
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            self.machine.opaque = True
            return
        outer, self.frame = self.frame, frame
        try:
            self.run_body(tree.body)
        finally:
            self.frame = outer

    def bind(self, target: ast.expr, value: Value) -> None:
        """Give a target of an assignment its value; a sequence is unpacked."""
        if isinstance(target, ast.Name):
            self.frame.set(target.id, value)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, UNKNOWN)
        elif isinstance(target, ast.Tuple | ast.List):
            self._unpack(target.elts, value)
        elif isinstance(target, ast.Attribute):
            self._set_attribute(target, value)
        elif isinstance(target, ast.Subscript):
            self._set_item(target, value)

    def _unpack(self, targets: Sequence[ast.expr], value: Value) -> None:
        starred = any(isinstance(target, ast.Starred) for target in targets)
        rows = [option.values for option in value.options if isinstance(option, Items)]
        fitting = [row for row in rows if len(row) == len(targets)] if not starred else []
        whole = value.complete and len(fitting) == len(value.options)
        for place, target in enumerate(targets):
            found = union(row[place] for row in fitting) if fitting else UNKNOWN
            self.bind(target, found if whole else maybe(found))

    def _set_attribute(self, target: ast.Attribute, value: Value) -> None:
        for option in self.value(target.value).options:
            if isinstance(option, Scope):
                option.frame.layers[0][target.attr] = value

    def _set_item(self, target: ast.Subscript, value: Value) -> None:
        owner, key = self.value(target.value), self.value(target.slice)
        table, name = only(owner), only(key)
        if table == Ref("os.environ"):
            self.call(known(Ref("os.putenv")), Arguments((key, value)), "putenv")
        elif isinstance(target.value, ast.Name):
            self.frame.set(target.value.id, UNKNOWN)
            if isinstance(table, Table) and isinstance(name, str | int | bytes):
                self.frame.set(target.value.id, known(Table({**table.rows, name: value})))

    def _assign(self, node: ast.Assign) -> None:
        value = self.value(node.value)
        for target in node.targets:
            self.bind(target, value)

    def _annotated(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.bind(node.target, self.value(node.value))

    def _augmented(self, node: ast.AugAssign) -> None:
        old = self.value(node.target)
        self.bind(node.target, self.operate(node.op, old, self.value(node.value)))

    def _define(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        function = self.function(node)
        decorated = function
        for decorator in reversed(node.decorator_list):
            kind = only(self.value(decorator))
            if isinstance(kind, Ref) and kind.name in ("staticmethod", "classmethod", "property", "functools.cache"):
                continue
            decorated = union([self.call(self.value(decorator), Arguments((decorated,)), node.name), function])
        self.frame.set(node.name, decorated)

    def _class(self, node: ast.ClassDef) -> None:
        bases = [self.value(base) for base in node.bases]
        outer, self.frame = self.frame, Frame(self.frame)
        try:
            self.run_body(node.body)
            made = Scope(self.frame, "class", bases[0] if bases else None)
        finally:
            self.frame = outer
        self.frame.set(node.name, known(made))

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            module = self.load_module(alias.name)
            root = alias.name.partition(".")[0]
            self.frame.set(alias.asname or root, module if alias.asname or root == alias.name else known(Ref(root)))

    def _import_from(self, node: ast.ImportFrom) -> None:
        module = self.load_module(node.module or "")
        for alias in node.names:
            if alias.name == "*":
                self._import_all(module)
            else:
                self.frame.set(alias.asname or alias.name, self.attribute(module, alias.name))

    def _import_all(self, module: Value) -> None:
        for option in module.options:
            if isinstance(option, Scope):
                self.frame.layers[-1].update(option.frame.layers[0])
            elif isinstance(option, Ref):
                for name in _STAR.get(option.name, ()):
                    self.frame.set(name, self.attribute(known(option), name))

    def load_module(self, name: str) -> Value:
        """The module of that name; one that lies in the folder the program runs in is carried out, once."""
        root = name.partition(".")[0]
        if root in sys.stdlib_module_names or self.machine.cwd is None or not root:
            return known(Ref(name))
        if name not in self._modules:
            self._modules[name] = known(Ref(name))
            text = self._module_text(posixpath.join(self.machine.cwd, *name.split(".")))
            if text is not None and self.machine.repeat(len(text) // 40):
                frame = Frame()
                self.run_source(text, frame)
                self._modules[name] = known(Scope(frame, "module"))
        return self._modules[name]

    def _module_text(self, path: str) -> str | None:
        found = self.machine.world.text(path + ".py")
        return found if found is not None else self.machine.world.text(path + "/__init__.py")


_STAR = {
    "os": (
        "open",
        "remove",
        "unlink",
        "rename",
        "replace",
        "rmdir",
        "removedirs",
        "system",
        "popen",
        "chdir",
        "path",
        "environ",
        "link",
        "symlink",
    ),
    "shutil": ("copy", "copy2", "copyfile", "copytree", "move", "rmtree"),
    "pathlib": ("Path",),
    "subprocess": ("run", "call", "check_call", "check_output", "Popen", "getoutput"),
    "hermes_tools": ("terminal", "write_file", "patch", "read_file"),
    "os.path": ("join", "expanduser", "expandvars", "dirname", "basename", "abspath"),
}
"""What `from module import *` brings of the modules that touch files."""
