"""The parser: tokens to a tree. What the shell would refuse is stepped over, and said."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .simples import Simples
from .tokens import Broken, sum_end
from .tree import (
    Block,
    Case,
    Define,
    For,
    Group,
    If,
    Node,
    Simple,
    Step,
    Sub,
    Test,
    Text,
    While,
    Word,
)
from .words import Lexer

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


class _Parser(Simples):
    """Recursive descent; the lexer's depth counter bounds the recursion."""

    def __init__(self) -> None:
        super().__init__()
        self._bares: dict[str, Simple] = {}
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
            first = self._bare(lexer)
            if first is None:
                token = lexer.peek()
                if token.kind == "end" or (token.text in ends and token.kind in ("op", "word")):
                    return
                if token.kind == "newline" or token.text in (";", "&", "&&", "||"):
                    lexer.take()
                    continue
            step = self._pipeline(lexer, joint, first)
            after = lexer.peek().text
            joint = lexer.take().text if after in ("&&", "||") else ""
            if step.stages:
                steps.append(step._replace(background=True) if after == "&" else step)

    def _bare(self, lexer: Lexer) -> Node | None:
        """A command of plain words, the commonest kind, in one match; the same text gives the same node."""
        found = lexer.bare_words()
        if found is None:
            return None
        node = self._bares.get(found[1])
        if node is None:
            words = found[1].split()
            if words[0] in self._compounds or words[0] in _CLOSING:
                return None
            node = self._bares[found[1]] = Simple((), tuple((Text(word, False),) for word in words), ())
        lexer.pos = found.end()
        return node

    def _pipeline(self, lexer: Lexer, joint: str, first: Node | None) -> Step:
        """pipeline = { "!" } command { ( "|" | "|&" ) command }; `first` is one that is read already"""
        negated = False
        while first is None and lexer.peek().text == "!":
            lexer.take()
            negated = not negated
        node = first or self._command(lexer)
        stages = [] if node is None else [node]
        while lexer.peek().text in ("|", "|&"):
            lexer.take()
            self._newlines(lexer)
            node = self._command(lexer)
            stages += [] if node is None else [node]
        return Step(joint, tuple(stages), negated, False)

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
        return self.simple(lexer)

    def defined(self, lexer: Lexer, word: Word) -> Node:
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
        end = sum_end(lexer.text, start) if lexer.text.startswith("((", start) else None
        lexer.take()
        if end is not None:
            word = lexer.words_of_sum(start, end)
            lexer.pos = end
            return Test((word,))
        lexer.deeper()
        body = self._block(lexer, ")")
        self._expect(lexer, ")")
        lexer.depth -= 1
        return Group(body, True, self.redirects(lexer))

    def _braces(self, lexer: Lexer) -> Node:
        lexer.take()
        body = self._block(lexer, "}")
        self._expect(lexer, "}")
        return Group(body, False, self.redirects(lexer))

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
        return If(tuple(arms), self.redirects(lexer))

    def _while(self, lexer: Lexer) -> Node:
        until = lexer.take().text == "until"
        condition = self._block(lexer, "do")
        return While(condition, self._do(lexer), until, self.redirects(lexer))

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
            return For("", None, inner + self._do(lexer), self.redirects(lexer))
        name = lexer.take().text
        self._newlines(lexer)
        words: list[Word] | None = None
        if lexer.peek().text == "in":
            lexer.take()
            words = []
            while lexer.peek().kind in ("word", "array"):
                words.append(lexer.take().word)
        body = self._do(lexer)
        return For(name, None if words is None else tuple(words), body, self.redirects(lexer))

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
        return Case(word, tuple(arms), self.redirects(lexer))

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
            node = self._command(lexer) if named else self.simple(lexer, first.word)
        return Group((Step("", (node,), False, True),) if node else (), True, ())
