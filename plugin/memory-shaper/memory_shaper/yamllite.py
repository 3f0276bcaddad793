"""Reading sections of a YAML file where PyYAML is not at hand. Pure.

The guard, the validator and the watchdog run on the standard library alone, and all they need of config.yaml is a few
nested mappings of plain values. This reads block mappings, comments, quoted and plain scalars, and steps over lists and
blocks of text; whatever else it meets is an error that says so, never a guess.
"""

from __future__ import annotations

import re
from typing import NamedTuple

Value = str | int | float | bool | None
Node = dict[str, "Node | Value"]

_PAIR = re.compile(r"""("[^"]*"|'[^']*'|[^\s"'#&*!|>%@`\[{-][^#]*?)\s*:(?:[ \t]+(.*))?""")
_COMMENT = re.compile(r"""^((?:[^"'#]|"[^"]*"|'[^']*'|(?<![ \t])#|['"])*?)(?:(?:^|[ \t]+)#.*)?$""")
_BOOLS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_INT = re.compile(r"[-+]?[0-9](?:_?[0-9])*")
_FLOAT = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_DEEPEST = 40


class NotPlain(ValueError):
    """A line that only a full YAML parser can read; `line` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


class _Row(NamedTuple):
    number: int
    indent: int
    text: str


def load(text: str, wanted: frozenset[str]) -> Node:
    """The top-level sections named in `wanted`, as nested dictionaries of plain values.

    Raises NotPlain for a line that is no plain mapping where one is needed.
    """
    rows = _rows(text)
    node, at = _mapping(rows, 0, 0, wanted)
    if at < len(rows):
        raise NotPlain(rows[at].number, "this line is indented otherwise than the ones above it")
    return node


def _rows(text: str) -> list[_Row]:
    rows = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = _without_comment(raw)
        bare = line.lstrip(" ")
        if bare.startswith("\t"):
            raise NotPlain(number, "a tab may not indent YAML")
        if bare and line not in ("---", "..."):
            rows.append(_Row(number, len(line) - len(bare), bare))
    return rows


def _without_comment(line: str) -> str:
    match = _COMMENT.match(line) if "#" in line else None
    return (match.group(1) if match else line).rstrip()


def _mapping(rows: list[_Row], at: int, depth: int, wanted: frozenset[str] | None) -> tuple[Node, int]:
    node: Node = {}
    indent = rows[at].indent if at < len(rows) else 0
    while at < len(rows) and rows[at].indent >= indent:
        row = rows[at]
        match = _PAIR.fullmatch(row.text)
        if match is None or row.indent != indent or depth > _DEEPEST:
            raise NotPlain(row.number, "this line is no plain `key: value` beside the ones above it")
        key, rest = match.group(1).strip("\"'"), (match.group(2) or "").strip()
        at += 1
        if wanted is not None and key not in wanted:
            at = _skip(rows, at, indent)
        elif rest == "" and at < len(rows) and rows[at].indent > indent and not rows[at].text.startswith("- "):
            node[key], at = _mapping(rows, at, depth + 1, None)
        elif rest == "" or rest[0] in "|>[{&*!":
            at = _skip(rows, at, indent)
            node[key] = None
        else:
            node[key] = _scalar(rest, row.number)
    return node, at


def _skip(rows: list[_Row], at: int, indent: int) -> int:
    while at < len(rows) and (rows[at].indent > indent or (rows[at].indent == indent and rows[at].text[:2] == "- ")):
        at += 1
    return at


def _scalar(rest: str, number: int) -> Value:
    if rest[0] not in "\"'":
        return plain(rest)
    if len(rest) < 2 or rest[-1] != rest[0]:
        raise NotPlain(number, "the quoted text does not end on its line")
    return rest[1:-1]


def plain(text: str) -> Value:
    """A plain scalar as YAML reads it: null, a truth value, a number (`2_200` is 2200), else the text."""
    folded = text.lower()
    if folded in ("", "~", "null"):
        return None
    if folded in _BOOLS:
        return _BOOLS[folded]
    if _INT.fullmatch(text):
        return int(text.replace("_", ""))
    return float(text) if _FLOAT.fullmatch(text) else text
