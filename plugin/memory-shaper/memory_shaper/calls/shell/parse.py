"""The parser: tokens to a tree. What the shell would refuse is stepped over, and said."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from .tree import (
    Assign,
    Block,
    Case,
    Define,
    For,
    Group,
    Here,
    If,
    Node,
    Redirect,
    Simple,
    Step,
    Sub,
    Test,
    Text,
    While,
    Word,
)
from .words import Broken, Lexer, Token

_ASSIGN = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\[[^\]]*\])?(\+?)=")
_NO_ENDS: frozenset[str] = frozenset()
_CLOSING = frozenset({"then", "do", "done", "fi", "esac", "else", "elif", "}"})


class Parsed(NamedTuple):
    """The commands of a text, and whether all of it was understood."""

    block: Block
    whole: bool


def parse(text: str, depth: int = 0) -> Parsed:
    """Read a shell text; where it breaks off, the commands before that place are kept."""
    parser = _Parser()
    lexer = Lexer(text, parser.inner, depth)
    steps: list[Step] = []
    try:
        parser.steps(lexer, _NO_ENDS, steps)
    except Broken:
        return Parsed(tuple(steps), False)
    return Parsed(tuple(steps), not parser.odd)


class _Parser:
    """Recursive descent; the lexer's depth counter bounds the recursion."""

    def __init__(self) -> None:
        self.odd = False
        self._compounds: dict[str, Callable[[Lexer], Node]] = {
            "{": self._braces,
            "if": self._if,
            "while": self._while,
            "until": self._while,
            "for": self._for,
            "select": self._for,
            "case": self._case,
            "function": self._function,
            "[[": self._test,
            "coproc": self._coproc,
        }

    def inner(self, lexer: Lexer) -> Block:
        """The commands up to a `)` or the end, which is left in place."""
        return self._block(lexer, ")")

    def _block(self, lexer: Lexer, *ends: str) -> Block:
        steps: list[Step] = []
        self.steps(lexer, frozenset(ends), steps)
        return tuple(steps)

    def steps(self, lexer: Lexer, ends: frozenset[str], steps: list[Step]) -> None:
        """block = { pipeline ( "&&" | "||" | ";" | "&" | newline ) }, into `steps`, up to one of `ends`."""
        joint = ""
        while True:
            token = lexer.peek()
            if token.kind == "end" or (token.text in ends and token.kind in ("op", "word")):
                return
            if token.kind == "newline" or token.text in (";", "&", "&&", "||"):
                lexer.take()
                continue
            step = self._pipeline(lexer, joint)
            joint = lexer.take().text if lexer.peek().text in ("&&", "||") else ""
            background = lexer.peek().text == "&" and lexer.peek().kind == "op"
            if step.stages:
                steps.append(step._replace(background=True) if background else step)

    def _pipeline(self, lexer: Lexer, joint: str) -> Step:
        """pipeline = { "!" } command { ( "|" | "|&" ) command }"""
        negated, stages = False, []
        while lexer.peek().text == "!":
            lexer.take()
            negated = not negated
        while True:
            node = self._command(lexer)
            if node is not None:
                stages.append(node)
            if lexer.peek().text not in ("|", "|&"):
                return Step(joint, tuple(stages), negated, False)
            lexer.take()
            self._newlines(lexer)

    def _newlines(self, lexer: Lexer) -> None:
        while lexer.peek().kind == "newline":
            lexer.take()

    def _command(self, lexer: Lexer) -> Node | None:
        token = lexer.peek()
        if token.kind == "op":
            if token.text == "(":
                return self._round(lexer)
            self.odd = True
            lexer.take()
            return None
        if token.text in self._compounds:
            lexer.deeper()
            node = self._compounds[token.text](lexer)
            lexer.depth -= 1
            return node
        if token.text in _CLOSING:
            self.odd = True
            lexer.take()
            return None
        return self._simple(lexer)

    # -- simple commands ---------------------------------------------------------------------------------------

    def _simple(self, lexer: Lexer, *first: Word) -> Node:
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
                return self._defined(lexer, words[0])
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

    def _redirects(self, lexer: Lexer) -> tuple[Redirect, ...]:
        found: list[Redirect] = []
        while lexer.peek().kind == "redirect":
            found.append(self._redirect(lexer))
        return tuple(found)

    def _defined(self, lexer: Lexer, word: Word) -> Node:
        """function = name "(" ")" command"""
        lexer.deeper()
        lexer.take()
        if lexer.peek().text == ")":
            lexer.take()
        else:
            self.odd = True
        node = self._function_body(lexer, "".join(part.text for part in word if isinstance(part, Text)))
        lexer.depth -= 1
        return node

    def _function_body(self, lexer: Lexer, name: str) -> Node:
        self._newlines(lexer)
        return Define(name, self._command(lexer) or Simple((), (), ()))

    # -- compound commands -------------------------------------------------------------------------------------

    def _expect(self, lexer: Lexer, text: str) -> None:
        if lexer.peek().text == text:
            lexer.take()
        else:
            self.odd = True

    def _round(self, lexer: Lexer) -> Node:
        """( … ) or (( … ))"""
        start = lexer.pos - 1
        end = lexer.sum_end(start) if lexer.text.startswith("((", start) else None
        lexer.take()
        if end is not None:
            word = lexer.words_of_sum(start, end)
            lexer.pos = end
            return Test((word,))
        lexer.deeper()
        body = self._block(lexer, ")")
        self._expect(lexer, ")")
        lexer.depth -= 1
        return Group(body, True, self._redirects(lexer))

    def _braces(self, lexer: Lexer) -> Node:
        lexer.take()
        body = self._block(lexer, "}")
        self._expect(lexer, "}")
        return Group(body, False, self._redirects(lexer))

    def _if(self, lexer: Lexer) -> Node:
        """if = "if" block "then" block { "elif" block "then" block } [ "else" block ] "fi" """
        arms: list[tuple[Block, Block]] = []
        while lexer.peek().text in ("if", "elif"):
            lexer.take()
            condition = self._block(lexer, "then", "fi")
            self._expect(lexer, "then")
            arms.append((condition, self._block(lexer, "elif", "else", "fi")))
        if lexer.peek().text == "else":
            lexer.take()
            arms.append(((), self._block(lexer, "fi")))
        self._expect(lexer, "fi")
        return If(tuple(arms), self._redirects(lexer))

    def _while(self, lexer: Lexer) -> Node:
        until = lexer.take().text == "until"
        condition = self._block(lexer, "do")
        return While(condition, self._do(lexer), until, self._redirects(lexer))

    def _do(self, lexer: Lexer) -> Block:
        while lexer.peek().kind == "newline" or lexer.peek().text == ";":
            lexer.take()
        end = "}" if lexer.peek().text == "{" else "done"
        if lexer.peek().text in ("do", "{"):
            lexer.take()
        else:
            self.odd = True
        body = self._block(lexer, end)
        self._expect(lexer, end)
        return body

    def _for(self, lexer: Lexer) -> Node:
        """for = "for" name [ "in" { word } ] do-block, or "for" "((" … "))" do-block"""
        lexer.take()
        if lexer.peek().text == "(":
            head: Node = self._round(lexer)
            inner = (Step("", (head,), False, False),)
            return For("", None, inner + self._do(lexer), self._redirects(lexer))
        name = lexer.take().text
        self._newlines(lexer)
        words: list[Word] | None = None
        if lexer.peek().text == "in":
            lexer.take()
            words = []
            while lexer.peek().kind in ("word", "array"):
                words.append(lexer.take().word)
        body = self._do(lexer)
        return For(name, None if words is None else tuple(words), body, self._redirects(lexer))

    def _case(self, lexer: Lexer) -> Node:
        """case = "case" word "in" { [ "(" ] pattern { "|" pattern } ")" block ";;" } "esac" """
        lexer.take()
        word = lexer.take().word
        self._newlines(lexer)
        self._expect(lexer, "in")
        arms: list[tuple[tuple[Word, ...], Block]] = []
        while True:
            self._newlines(lexer)
            if lexer.peek().text == "esac" or lexer.peek().kind == "end":
                break
            arms.append(self._arm(lexer))
        self._expect(lexer, "esac")
        return Case(word, tuple(arms), self._redirects(lexer))

    def _arm(self, lexer: Lexer) -> tuple[tuple[Word, ...], Block]:
        patterns: list[Word] = []
        while lexer.peek().kind not in ("end", "newline"):
            token = lexer.take()
            if token.text == ")" and token.kind == "op":
                break
            if token.kind == "word":
                patterns.append(token.word)
        body = self._block(lexer, ";;", ";&", ";;&", "esac")
        if lexer.peek().kind == "op":
            lexer.take()
        return tuple(patterns), body

    def _function(self, lexer: Lexer) -> Node:
        lexer.take()
        name = lexer.take().text
        if lexer.peek().text == "(":
            lexer.take()
            self._expect(lexer, ")")
        return self._function_body(lexer, name)

    def _test(self, lexer: Lexer) -> Node:
        """[[ … ]]: comparison signs are no redirects here"""
        lexer.take()
        words: list[Word] = []
        while lexer.peek().kind != "end":
            token = lexer.take()
            if token.text == "]]":
                break
            words.append(token.word)
        return Test(tuple(word for word in words if any(isinstance(part, Sub) for part in word)))

    def _coproc(self, lexer: Lexer) -> Node:
        """coproc [ name ] command: a name is only taken before a compound command"""
        lexer.take()
        first = lexer.peek()
        if first.kind != "word" or first.text in self._compounds:
            node = self._command(lexer)
        else:
            lexer.take()
            named = lexer.peek().text == "(" or lexer.peek().text in self._compounds
            node = self._command(lexer) if named else self._simple(lexer, first.word)
        return Group((Step("", (node,), False, True),) if node else (), True, ())


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
