"""Expansion: a word of the tree to the words a command gets. An unknown part of a word is the sign UNKNOWN."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

from .braces import alternatives
from .globs import Piece, is_pattern, matches, plain
from .tree import Block, Part, Sub, Text, Var, Word

UNKNOWN = "\0"
"""Stands for what cannot be known; a NUL can be in no argument and no path."""

MAX_VALUE = 100_000
"""Characters of a value that is still followed; variables that double themselves end here."""

MAX_FIELDS = 4_000
"""Words that one word may become."""

_ACTIVE = re.compile(r"[~*?\[{(]")
_NAMED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_BLANKS = re.compile(r"[ \t\n]+")


class Scope(Protocol):
    """What expansion asks of the shell that it runs in."""

    @property
    def cwd(self) -> str | None:
        """The present folder."""

    def value(self, name: str) -> str | tuple[str, ...] | None:
        """The value of a variable, a list for arrays and `@`, None where nothing set it."""

    def assign(self, name: str, value: str | tuple[str, ...]) -> None:
        """Set a variable."""

    def output(self, block: Block) -> str:
        """Walk the commands of a substitution and give what they print, UNKNOWN where that is not known."""

    def walk(self, block: Block) -> object:
        """Walk commands whose output is of no interest."""

    def names(self, folder: str) -> Sequence[str]:
        """The names in a folder."""


def expand(words: Iterable[Word], scope: Scope) -> list[str]:
    """The arguments that the words become."""
    done: list[str] = []
    for word in words:
        if len(word) == 1 and isinstance(word[0], Text) and (word[0].quoted or not _ACTIVE.search(word[0].text)):
            done.append(word[0].text)
        else:
            done.extend(_fields(word, scope))
    return done


def text_of(word: Word, scope: Scope, *, assigned: bool = False) -> str:
    """The word as one text: no splitting, no globs; for values (`assigned`), here-documents and `case`."""
    if not word:
        return ""
    word = _with_home(word, scope, everywhere=assigned)
    return clip("".join(_joined(part, scope) for part in word))


def clip(text: str) -> str:
    """The text, or UNKNOWN where it is too long to follow."""
    return text if len(text) <= MAX_VALUE else UNKNOWN


def _joined(part: Part, scope: Scope) -> str:
    value = _value(part, scope)
    return value if isinstance(value, str) else " ".join(value)


def _fields(word: Word, scope: Scope) -> list[str]:
    done: list[str] = []
    for alternative in alternatives(word):
        splitter = _Splitter()
        for part in _with_home(alternative, scope, everywhere=False):
            if isinstance(part, Text):
                splitter.add(part.text, part.quoted)
            else:
                splitter.add_value(_value(part, scope), part.quoted)
        for field in splitter.end():
            done.extend(matches(field, scope) if is_pattern(field) else (plain(field),))
            if len(done) > MAX_FIELDS:
                return [*done[:MAX_FIELDS], UNKNOWN]
    return done


class _Splitter:
    """Builds fields of pieces; values that stand unquoted are split at blanks."""

    def __init__(self) -> None:
        self._done: list[list[Piece]] = []
        self._field: list[Piece] | None = None

    def add(self, text: str, quoted: bool) -> None:
        if self._field is None:
            self._field = []
        self._field.append((text, quoted))

    def add_value(self, value: str | tuple[str, ...], quoted: bool) -> None:
        if isinstance(value, tuple):
            self._add_list(value, quoted)
        elif quoted:
            self.add(value, True)
        elif value:
            self._add_split(value)

    def _add_list(self, values: tuple[str, ...], quoted: bool) -> None:
        for number, value in enumerate(values):
            if number:
                self._close()
            self.add_value(value, quoted)

    def _add_split(self, value: str) -> None:
        for number, piece in enumerate(_BLANKS.split(value)):
            if number:
                self._close()
            if piece:
                self.add(piece, False)

    def _close(self) -> None:
        if self._field is not None:
            self._done.append(self._field)
            self._field = None

    def end(self) -> list[list[Piece]]:
        self._close()
        return self._done


def _with_home(word: Word, scope: Scope, *, everywhere: bool) -> Word:
    """`~` at the start of a word; in values (`everywhere`) and behind `name=` also after each colon."""
    head = word[0] if word else None
    if not isinstance(head, Text) or head.quoted or "~" not in head.text:
        return word
    name = _NAMED.match(head.text)
    start = name.end() if name and not everywhere else 0
    pieces = head.text[start:].split(":") if everywhere or name else [head.text]
    if not any(piece.startswith("~") for piece in pieces):
        return word
    parts: list[Part] = [Text(head.text[:start], False)] if start else []
    for number, piece in enumerate(pieces):
        parts.extend([Text(":", True)] if number else [])
        parts.extend(_home(piece, scope))
    return (*parts, *word[1:])


def _home(piece: str, scope: Scope) -> list[Part]:
    if not piece.startswith("~"):
        return [Text(piece, False)]
    user, slash, rest = piece[1:].partition("/")
    name = {"": "HOME", "+": "PWD", "-": "OLDPWD"}.get(user)
    value = scope.value(name) if name else None
    return [Text(value if isinstance(value, str) else UNKNOWN, True), Text(slash + rest, False)]


def _value(part: Part, scope: Scope) -> str | tuple[str, ...]:
    if isinstance(part, Text):
        return part.text
    if isinstance(part, Var):
        return _variable(part, scope)
    if part.kind == "$":
        return clip(scope.output(part.body).rstrip("\n"))
    scope.walk(part.body)
    return UNKNOWN


def _variable(var: Var, scope: Scope) -> str | tuple[str, ...]:
    name, _, listed = var.name.partition("[")
    value = scope.value(name)
    if isinstance(value, tuple) and not listed and name not in ("@", "*"):
        value = value[0] if value else None
    if var.quoted and (name == "*" or var.name.endswith("[*]")) and isinstance(value, tuple):
        value = " ".join(value)
    if isinstance(value, str) and var.op in ("", ":?"):
        return value
    return _operated(var, name, value, scope)


def _operated(var: Var, name: str, value: str | tuple[str, ...] | None, scope: Scope) -> str | tuple[str, ...]:
    """The forms with an operator; the argument is walked in any case, since it may hold commands."""
    op = var.op.lstrip(":")
    if op.endswith("?"):
        _walk_subs(var.arg, scope)
        return value if value is not None and var.op == ":?" else UNKNOWN
    missing = value is None or (var.op.startswith(":") and value in ("", ()))
    if op in ("-", "=") and missing:
        fallback = text_of(var.arg, scope)
        if op == "=":
            scope.assign(name, fallback)
        return fallback
    if op == "+":
        return "" if missing else text_of(var.arg, scope)
    if op[:1] in ("%", "#") and op and isinstance(value, str):
        return _trimmed(op, value, text_of(var.arg, scope))
    return UNKNOWN if value is None else value


def _walk_subs(word: Word, scope: Scope) -> None:
    for part in word:
        if isinstance(part, Sub):
            scope.walk(part.body)


def _trimmed(op: str, value: str, pattern: str) -> str:
    """`${x%/*}`, `${x##*/}` and plain endings; other patterns are not followed."""
    if UNKNOWN in value:
        return UNKNOWN
    if not re.search(r"[*?\[\\]", pattern):
        return value.removesuffix(pattern) if op[0] == "%" else value.removeprefix(pattern)
    rest = pattern[:-1] if op[0] == "%" else pattern[1:]
    star = pattern[-1:] if op[0] == "%" else pattern[:1]
    if star != "*" or len(rest) != 1 or rest in "*?[\\":
        return UNKNOWN
    cut = {"%": value.rpartition(rest)[::2], "%%": value.partition(rest)[::2]}
    cut |= {"#": value.partition(rest)[::-2], "##": value.rpartition(rest)[::-2]}
    return cut[op][0] if rest in value else value
