"""Tokens of shell text, and the signs that are operators."""

from __future__ import annotations

import re
from typing import NamedTuple

from .tree import Word

MAX_DEPTH = 24
"""Nesting that is followed; deeper text is given up as not known."""

MAX_SUM = 10_000
"""Characters of one arithmetic expression that are looked through for its end."""

BARE_WORD = re.compile(r"[ \t]*+([^ \t\n'\"\\$`|&;<>()#][^ \t\n'\"\\$`|&;<>()]*+)(?=[ \t\n;|&]|\Z)")
BARE_COMMAND = re.compile(r"[ \t]*+([\w./-]++(?:[ \t]++[\w./:,@%+=-]++)*+)[ \t]*+(?=[;\n|&)]|\Z)", re.ASCII)
_PARENS = re.compile(r"[()]")
OPERATOR = re.compile(r"&>>|&>|&&|&|\|\||\|&|\||;;&|;;|;&|;|<<<|<<-|<<|<&|<>|<(?!\()|>>|>&|>\||>(?!\()|\(|\)")
REDIRECTS = frozenset({"&>>", "&>", "<<<", "<<-", "<<", "<&", "<>", "<", ">>", ">&", ">|", ">"})


class Broken(Exception):
    """The text ends inside a quote or a bracket, or is nested too deeply: what follows is not known."""


class Token(NamedTuple):
    """`kind` is word, op, redirect, newline or end; `text` the operator, or the word where it is one bare literal."""

    kind: str
    text: str
    word: Word = ()
    fd: str = ""


END = Token("end", "")
NEWLINE = Token("newline", "\n")
OPERATORS = {
    sign: Token("redirect" if sign in REDIRECTS else "op", sign)
    for sign in (*REDIRECTS, "&", "&&", "|", "||", "|&", ";", ";;", ";&", ";;&", "(", ")")
}


def sum_end(text: str, start: int) -> int | None:
    """Where the `((` at `start` is closed by `))`, or None where it is no arithmetic."""
    level = 0
    for found in _PARENS.finditer(text, start, start + MAX_SUM):
        level += 1 if found[0] == "(" else -1
        if level == 1 and found[0] == ")":
            return found.end() + 1 if text.startswith(")", found.end()) else None
    return None
