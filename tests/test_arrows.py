"""The arrows between the parts: who may import whom, and what the pure parts never touch."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

from tools import PACKAGE

ROOT = PACKAGE / "memory_shaper"
FORMAT = {"model", "grammar", "host", "names", "rules", "secrets"}
FILES = FORMAT | {"archive", "edit", "errors", "privacy", "record", "settings", "store"}
# What each module or package at the top may import, itself left out. The order is that of the layers.
MAY_IMPORT: dict[str, set[str]] = {
    "": set(),
    "model": set(),
    "errors": set(),
    "host": set(),
    "names": set(),
    "yamllite": set(),
    "yamlfile": {"yamllite"},
    "yamledit": {"yamlfile"},
    "grammar": {"host", "model"},
    "rules": FORMAT,
    "sayings": set(),
    "terms": FORMAT | {"sayings", "secrets"},
    "keywords": FORMAT | {"sayings", "terms"},
    "merging": FORMAT,
    "fixes": FORMAT,
    "archive": FORMAT,
    "migrate": FILES | {"fixes", "frontmatter", "keywords", "sayings", "terms"},
    "lookthrough": {"errors", "names", "privacy", "store"},
    "calls": set(),
    # What the report on retrieval reads off a session it reads as the watchdog does.
    "recall": FORMAT | {"calls", "errors", "outgoing", "privacy", "record", "settings", "store", "watchdog"},
    "report": FILES | {"", "printable", "recall", "secrets", "watchdog"},
    "printable": set(),
    "settingstable": set(),
    "secrets": set(),
    "privacy": {"errors", "secrets", "yamllite"},
    "spans": set(),
    "places": {"errors", "names"},
    "settings": {"errors", "host", "places", "privacy", "settingstable", "spans", "yamllite", "yamlfile"},
    "headings": {"settings"},
    "outgoing": {"errors", "settings"},
    "refer": {"names", "settings"},
    "store": {"errors", "model"},
    "record": {"errors", "model"},
    "edit": FILES | {"purge"},
    "purge": FILES | {"lifecycle"},
    # The guard makes room as the watchdog makes it, and the watchdog's door looks at the files as the guard does.
    "guard": FILES | {"calls", "watchdog", "yamlfile"},
    # The watchdog's day ends with the rules of keeping, which are made of its parts.
    "watchdog": FILES | {"calls", "guard", "lifecycle"},
    "remember": FILES | {"frontmatter", "guard", "headings", "keywords", "recall"},
    "lifecycle": FILES | {"", "frontmatter", "guard", "keywords", "recall", "remember", "spans", "watchdog"},
    "extract": FILES | {"frontmatter", "lifecycle", "outgoing", "recall"},
    "frontmatter": set(),
    "tools": FILES | {"guard", "remember", "recall", "searching"},
    "searching": FILES | {"guard", "recall", "tools"},
    "serving": FILES | {"guard", "recall", "schemas", "searching", "tools"},
    "hinting": FILES | {"headings", "recall"},
    "hookcases": FILES | {"guard"},
    "shellhook": FILES | {"guard"},
    "cli": FILES | {"", "extract", "fixes", "guard", "headings", "hookcases", "lifecycle", "lookthrough", "merging",
    "migrate", "printable", "purge", "recall", "registered", "remember", "report", "searching", "secrets", "serving",
    "settingstable", "shellhook", "spans", "watchdog", "yamledit", "yamlfile"},
    "__main__": {"cli"},
    # The door to the host may hand its own commands to the terminal's door, never the other way round.
    "hooks": FILES | {"cli", "extract", "guard", "hinting", "plugin", "refer", "registered", "schemas", "searching",
    "tools"},
    "registered": set(),
    "plugin": {"guard", "hooks", "schemas"},
    "schemas": set(),
}  # fmt: skip
MACHINE = {
    "logging", "os", "pathlib", "shutil", "socket", "sqlite3", "subprocess", "tempfile", "threading", "time",
    "urllib.request",
}  # fmt: skip
# The words of a module's own docstring that let it be: it says itself where it is not pure.
HALF_PURE = {"headings": {"os"}}
OPTIONAL = {"jieba", "mcp", "numpy", "rapidfuzz", "watchdog", "yaml"}


@functools.cache
def modules() -> dict[tuple[str, ...], ast.Module]:
    """Every module by its path in the package ("guard", "memory"); a package is its own path."""
    paths = {path: path.relative_to(ROOT).with_suffix("").parts for path in sorted(ROOT.rglob("*.py"))}
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    return {parts[:-1] if parts[-1] == "__init__" else parts: trees[path] for path, parts in paths.items()}


def imports(name: tuple[str, ...], everywhere: bool = True) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """What a module imports at run time: (level, dotted name, path in the package)."""
    tree = modules()[name]
    package = name if any(other[:-1] == name for other in modules()) or name == () else name[:-1]
    for node in nodes(tree, everywhere):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield 0, node.module or "", ()
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] + tuple(
                (node.module or "").split(".") if node.module else ()
            )
            for alias in node.names:
                target = (*base, alias.name) if (*base, alias.name) in modules() else base
                yield node.level, ".".join(target), target


def nodes(tree: ast.AST, everywhere: bool) -> Iterator[ast.AST]:
    """The nodes of a tree without what only type checkers see, and without function bodies unless `everywhere`."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        if not everywhere and isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        yield child
        yield from nodes(child, everywhere)


def top(path: tuple[str, ...]) -> str:
    return path[0] if path else ""


def first_line(name: tuple[str, ...]) -> str:
    return (ast.get_docstring(modules()[name]) or "").partition("\n")[0]


def is_pure(name: tuple[str, ...]) -> bool:
    return re.search(r"\bPure\b", first_line(name)) is not None


def test_every_module_is_in_the_table() -> None:
    """A new part of the package gets its place among the layers."""
    assert set() == {top(name) for name in modules()} - set(MAY_IMPORT)


def test_arrows() -> None:
    """No module imports a part that its own part may not know."""
    wrong = [
        f"{'.'.join(name)} imports {dotted}"
        for name in modules()
        for level, dotted, target in imports(name)
        if level and top(target) != top(name) and top(target) not in MAY_IMPORT[top(name)]
    ]
    assert wrong == []


def test_no_cycles() -> None:
    """Following the imports at load time from any module never leads back to it."""
    arrows = {name: {target for level, _, target in imports(name, False) if level} - {name} for name in modules()}
    while ready := [name for name, targets in arrows.items() if not targets & arrows.keys()]:
        for name in ready:
            del arrows[name]
    assert arrows == {}


def test_own_imports_are_relative() -> None:
    """The package never names itself, so that the folder works under any name."""
    assert [
        name
        for name in modules()
        for level, dotted, _ in imports(name)
        if dotted.split(".")[0] == "memory_shaper" and not level
    ] == []


def test_pure_modules() -> None:
    """A module that calls itself pure imports nothing that opens files, reads the clock, logs or starts anything."""
    pure = [name for name in modules() if is_pure(name)]
    found = {
        ".".join(name): sorted(touched)
        for name in pure
        if (touched := {dotted for level, dotted, _ in imports(name) if not level} & MACHINE)
        and touched != HALF_PURE.get(".".join(name))
    }
    assert found == {}
    assert len(pure) > 20


def test_pure_modules_know_no_shell() -> None:
    """A module that calls itself pure imports no module that opens files, but for the records it speaks in."""
    values_only = {("settings",), ("record",)}  # their frozen dataclasses are values like any other
    wrong = [
        f"{'.'.join(name)} imports {dotted}"
        for name in modules()
        if is_pure(name) and ".".join(name) not in HALF_PURE
        for level, dotted, target in imports(name)
        if level and re.search(r"\bShell[.:]", first_line(target)) and target not in values_only
    ]
    assert wrong == []


def test_optional_libraries_are_imported_late() -> None:
    """What the guard can do without is imported in the function that uses it, never at load."""
    early = [(name, dotted) for name in modules() for level, dotted, _ in imports(name, False)
             if not level and dotted.split(".")[0] in OPTIONAL]  # fmt: skip
    assert early == []


def test_the_host_is_never_imported() -> None:
    """Of the host only its constants module is used, and nothing else of it is imported."""
    foreign = {"tools", "agent", "hermes_cli", "run_agent", "model_tools", "gateway"}
    assert [
        name
        for name in modules()
        for level, dotted, _ in imports(name)
        if not level and dotted.split(".")[0] in foreign
    ] == []


def test_every_module_says_what_it_is() -> None:
    """Every module has a docstring."""
    assert [name for name in modules() if not first_line(name)] == []


def test_files_are_short() -> None:
    """No file of the package has much more than 300 lines."""
    long = {
        str(path.relative_to(ROOT)) for path in ROOT.rglob("*.py") if len(Path(path).read_text().splitlines()) > 320
    }
    assert set() == long
