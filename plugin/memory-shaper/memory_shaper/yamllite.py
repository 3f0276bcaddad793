"""Reading sections of a YAML file where PyYAML is not at hand. Pure.

The guard, the validator and the watchdog run on the standard library alone, and all they need of config.yaml is a few
nested mappings of plain values and lists of them. This reads block mappings, comments, quoted and plain scalars, and
steps over other lists and blocks of text; whatever else it meets is an error that says so, never a guess.
"""

from __future__ import annotations

import re
from typing import NamedTuple

Value = str | int | float | bool | None
Node = dict[str, "Node | Value | list[Value]"]

_KEY_END = re.compile(r":(?= |$)")
_QUOTED = re.compile(r"""'(?:[^']|'')*'|"(?:[^"\\]|\\.)*\"""")
_LIST_ROW = re.compile(r"-(?: |$)")
_NO_PLAIN_START = frozenset("&*!%@`{}],|>#\"'")  # `[`, `|` and `>` as values are stepped over
_BOOLS = {
    spelling: value
    for value, words in ((True, ("yes", "true", "on")), (False, ("no", "false", "off")))
    for word in words
    for spelling in (word, word.capitalize(), word.upper())
}
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9_]{0,300})")
_FLOAT = re.compile(r"(?:[-+]?[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+][0-9]+)?")
_DEEPEST = 40


class Unread(str):
    """The first line of what was stepped over: no value of any setting."""

    __slots__ = ()


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

    A list of plain values is given as such; another list or a block of text is `Unread`. Raises NotPlain for a line
    that is no plain mapping where one is needed.
    """
    rows = _rows(text)
    node, at = _mapping(rows, 0, 0, wanted)
    if at < len(rows):
        raise NotPlain(rows[at].number, "this line is indented otherwise than the ones above it")
    return node


def _rows(text: str) -> list[_Row]:
    rows: list[_Row] = []
    for number, raw in enumerate(text.splitlines(), 1):
        bare = raw.strip(" ")
        if not bare or bare.startswith("#") or (not rows and (bare == "---" or bare.startswith("--- #"))):
            continue
        rows.append(_Row(number, len(raw) - len(raw.lstrip(" ")), bare))
    return rows


def _mapping(rows: list[_Row], at: int, depth: int, wanted: frozenset[str] | None) -> tuple[Node, int]:
    node: Node = {}
    indent = rows[at].indent if at < len(rows) else 0
    while at < len(rows) and rows[at].indent >= indent:
        row = rows[at]
        pair = _pair(row)
        if pair is None or row.indent != indent or depth > _DEEPEST:
            raise NotPlain(row.number, "this line is no plain `key: value` beside the ones above it")
        key, rest = pair
        at += 1
        if wanted is not None and key not in wanted:
            at = _skip(rows, at, indent)
        elif rest == "":
            node[key], at = _below(rows, at, depth, indent)
        elif rest[0] in "[|>":
            node[key], at = _on_one_line(rest, row.number), _skip(rows, at, indent)
        else:
            node[key] = _scalar(rest, row.number)
    return node, at


def _pair(row: _Row) -> tuple[str, str] | None:
    """pair = ( quoted | plain ) ":" [ " " rest ]; a comment in the place of the rest is left out."""
    if quoted := _QUOTED.match(row.text):
        key, behind = _unquoted(quoted.group(), row.number), row.text[quoted.end() :].lstrip(" ")
        if behind[:1] != ":" or behind[1:2] not in ("", " "):
            return None
        rest = behind[1:].lstrip(" ")
    else:
        colon = _KEY_END.search(row.text)
        if colon is None or row.text[0] in _NO_PLAIN_START or row.text[0] in "[?-" or " #" in row.text[: colon.start()]:
            return None
        key, rest = row.text[: colon.start()].rstrip(" "), row.text[colon.end() :].lstrip(" ")
    return key, "" if rest.startswith("#") else rest


def _below(rows: list[_Row], at: int, depth: int, indent: int) -> tuple[Node | Value | list[Value], int]:
    """What stands below a key without a value: a mapping, a list, or nothing."""
    if at < len(rows) and _LIST_ROW.match(rows[at].text) and rows[at].indent >= indent:
        end = _skip(rows, at, indent)
        return _items(rows[at:end]), end
    if at < len(rows) and rows[at].indent > indent:
        return _mapping(rows, at, depth + 1, None)
    return None, at


def _items(rows: list[_Row]) -> list[Value] | Unread:
    """The values of a block list, one a row; Unread where one is no plain or quoted value."""
    values: list[Value] = []
    for row in rows:
        rest = row.text[1:].strip(" ")
        if not _LIST_ROW.match(row.text) or row.indent != rows[0].indent or rest[:1] in ("[", "|", ">", "{"):
            return Unread(rows[0].text)
        try:
            value = None if not rest or rest[0] == "#" else _scalar(rest, row.number)
        except NotPlain:
            return Unread(rows[0].text)
        if isinstance(value, dict):
            return Unread(rows[0].text)
        values.append(value)
    return values


_FLOW_ITEM = re.compile(r"""[ ]*('(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[^][{}'",#&*!|>%@`? -][^][{}'",#]*)[ ]*(,|(?=\]))""")
_FLOW_END = re.compile(r"[ ]*\](?:[ ]+#.*)?")


def _on_one_line(rest: str, number: int) -> list[Value] | Unread:
    """flow = "[" [ value { "," value } ] "]" on one line, each plain or quoted; Unread for anything else."""
    if rest[0] != "[":
        return Unread(rest)
    rows: list[_Row] = []
    at = 1
    while item := _FLOW_ITEM.match(rest, at):
        rows.append(_Row(number, 0, f"- {item[1].rstrip(' ')}"))
        at = item.end()
    if not _FLOW_END.fullmatch(rest, at):
        return Unread(rest)
    return _items(rows)


def _skip(rows: list[_Row], at: int, indent: int) -> int:
    while at < len(rows) and (
        rows[at].indent > indent or (rows[at].indent == indent and _LIST_ROW.match(rows[at].text))
    ):
        at += 1
    return at


def _scalar(rest: str, number: int) -> Node | Value:
    if quoted := _QUOTED.match(rest):
        behind = rest[quoted.end() :]
        if behind.strip(" ") and not behind.lstrip(" ").startswith("#"):
            raise NotPlain(number, "something stands behind the quoted text")
        return _unquoted(quoted.group(), number)
    bare = rest.partition(" #")[0].rstrip(" ")
    if bare == "{}":
        return {}
    odd = rest[0] in _NO_PLAIN_START or _LIST_ROW.match(rest) or rest[:2] in ("?", "? ") or "\t" in bare
    if odd or _KEY_END.search(bare):
        raise NotPlain(number, "this value is no plain or quoted text on one line")
    return plain(bare)


def _unquoted(text: str, number: int) -> str:
    if text[0] == "'":
        return text[1:-1].replace("''", "'")
    if "\\" not in text:
        return text[1:-1]
    import json

    try:
        return str(json.loads(text))
    except ValueError as error:
        raise NotPlain(number, "an escape that only a full YAML parser knows") from error


def plain(text: str) -> Value:
    """A plain scalar as YAML 1.1 reads it: null, a truth value, a number (`2_200` is 2200), else the text.

    Octal, hexadecimal and clock-like numbers and dates stay text.
    """
    if text in _NULLS:
        return None
    if text in _BOOLS:
        return _BOOLS[text]
    if _INT.fullmatch(text):
        return int(text.replace("_", ""))
    return float(text.replace("_", "")) if _FLOAT.fullmatch(text) else text
