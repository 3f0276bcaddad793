"""The parser's lower half: assignments, words and redirects of simple commands."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from .tokens import Broken, Token
from .tree import Assign, Here, Node, Redirect, Simple, Text, Word
from .words import Lexer

_ASSIGN = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\[[^\]]*\])?(\+?)=")


class Simples(ABC):
    """Reads simple commands; `odd` says that something was stepped over which the shell would refuse."""

    def __init__(self) -> None:
        self.odd = False

    @abstractmethod
    def defined(self, lexer: Lexer, word: Word) -> Node:
        """The function whose name was read; its `(` comes next."""

    def simple(self, lexer: Lexer, *first: Word) -> Node:
        """simple = { assignment | redirect } { word | redirect }, or the head of a function"""
        assigns: list[Assign] = []
        words = list(first)
        redirects: list[Redirect] = []
        while True:
            token = lexer.peek()
            if token.kind == "redirect":
                redirects.append(self._redirect(lexer))
            elif token.kind in ("word", "array"):
                lexer.take()
                self._place(lexer, token, assigns, words)
            elif token.text == "(" and len(words) == 1 and not redirects:
                lexer.in_arguments = False
                return self.defined(lexer, words[0])
            else:
                lexer.in_arguments = False
                return Simple(tuple(assigns), tuple(words), tuple(redirects))

    def _place(self, lexer: Lexer, token: Token, assigns: list[Assign], words: list[Word]) -> None:
        if token.kind == "array":
            item = self._array(lexer, token)
            if not words:
                assigns.append(item)
            return
        assign = None if words else _assignment(token.word)
        if assign:
            assigns.append(assign)
        else:
            words.append(token.word)
            lexer.in_arguments = True

    def _array(self, lexer: Lexer, token: Token) -> Assign:
        lexer.take()
        items: list[Word] = []
        while lexer.peek().text != ")" or lexer.peek().kind != "op":
            item = lexer.take()
            if item.kind == "end":
                raise Broken
            if item.kind == "word":
                items.append(item.word)
        lexer.take()
        head = token.word[0]
        name = head.text.rstrip("=") if isinstance(head, Text) else ""
        return Assign(name.rstrip("+"), "", name.endswith("+"), (), tuple(items))

    def _redirect(self, lexer: Lexer) -> Redirect:
        token = lexer.take()
        target = lexer.peek()
        if target.kind != "word":
            self.odd = True
            return Redirect(token.fd, "", (), None)
        lexer.take()
        here: Here | None = None
        if token.text in ("<<", "<<-"):
            raw = any(not isinstance(part, Text) or part.quoted for part in target.word)
            end = "".join(part.text for part in target.word if isinstance(part, Text))
            here = lexer.expect_body(end, raw, token.text == "<<-")
        return Redirect(token.fd, token.text, target.word, here)

    def redirects(self, lexer: Lexer) -> tuple[Redirect, ...]:
        found: list[Redirect] = []
        while lexer.peek().kind == "redirect":
            found.append(self._redirect(lexer))
        return tuple(found)


def _assignment(word: Word) -> Assign | None:
    head = word[0] if word else None
    if not isinstance(head, Text) or head.quoted:
        return None
    found = _ASSIGN.match(head.text)
    if not found:
        return None
    rest = head.text[found.end() :]
    value = ((Text(rest, False),) if rest else ()) + word[1:]
    return Assign(found.group(1), found.group(2) or "", bool(found.group(3)), value, None)
