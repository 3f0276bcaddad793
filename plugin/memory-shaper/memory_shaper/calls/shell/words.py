"""The lexer: shell text to tokens, each character looked at a bounded number of times."""

from __future__ import annotations

import re
from collections.abc import Callable

from .quoting import ansi_c
from .tokens import BARE_COMMAND, BARE_WORD, END, MAX_DEPTH, NEWLINE, OPERATOR, OPERATORS, Broken, Token, sum_end
from .tree import Block, Here, Part, Sub, Text, Var, Word

_GAP = re.compile(r"[ \t\n]*+")
_BLANK = re.compile(r"(?:[ \t]|\\\n)*")
_PLAIN = re.compile(r"[^ \t\n'\"\\$`|&;<>()]+")
_DOUBLE = re.compile(r'[^"\\$`]+')
_BRACED = re.compile(r"[^\"'\\$`}]+")
_HERE = re.compile(r"[^\\$`]+")
_FD = re.compile(r"(?:[0-9]+|\{[A-Za-z_][A-Za-z0-9_]*\})(?=[<>])")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]")
_PARAMETER = re.compile(r"([!#]?)([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])(\[[^\]}]*\])?(:?[-=+?]|%%|%|##|#|(?=\}))?")
_ANSI = re.compile(r"\$'([^'\\]*(?:\\.[^'\\]*)*)'", re.DOTALL)
_BACKTICK = re.compile(r"`([^`\\]*(?:\\.[^`\\]*)*)`", re.DOTALL)
_ARRAY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=\Z")


class Lexer:
    """Tokens of one text; `block` is the parser's function that reads the commands of a `$(…)` up to its `)`."""

    def __init__(self, text: str, block: Callable[[Lexer], Block], depth: int = 0) -> None:
        self.text = text
        self.pos = 0
        self.depth = depth
        self.in_arguments = False
        self._block = block
        self._ahead: Token | None = None
        self._pending: list[tuple[str, bool, bool, Here]] = []

    def peek(self) -> Token:
        """The next token, left in place."""
        if self._ahead is None:
            self._ahead = self._scan()
        return self._ahead

    def take(self) -> Token:
        """The next token."""
        token = self.peek()
        self._ahead = None
        return token

    def bare_words(self) -> re.Match[str] | None:
        """The words of a command without any sign, up to what ends it; nothing is taken yet."""
        return None if self._ahead is not None else BARE_COMMAND.match(self.text, self.pos)

    def deeper(self) -> None:
        """Count one level of nesting; raises Broken where there are too many."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Broken

    def _scan(self) -> Token:
        text = self.text
        bare = BARE_WORD.match(text, self.pos)  # most words are of this kind: one match instead of three
        if bare:
            self.pos = bare.end()
            return Token("word", bare[1], (Text(bare[1], False),))
        self.pos = _BLANK.match(text, self.pos).end()  # type: ignore[union-attr]  # matches the empty text too
        if self.pos >= len(text):
            return END
        if text[self.pos] == "#":
            end = text.find("\n", self.pos)
            self.pos = len(text) if end < 0 else end
            if end < 0:
                return END
        if text[self.pos] == "\n":
            self.pos = self.pos + 1 if self._pending else _GAP.match(text, self.pos).end()  # type: ignore[union-attr]
            self._read_bodies()
            return NEWLINE
        return self._operator() or self._word()

    def _operator(self) -> Token | None:
        sign = self.text[self.pos]
        if sign in "&|;<>()":
            found = OPERATOR.match(self.text, self.pos)
            if found:
                self.pos = found.end()
                return OPERATORS[found[0]]
        elif sign in "0123456789{" and (fd := _FD.match(self.text, self.pos)):
            found = OPERATOR.match(self.text, fd.end())
            if found:
                self.pos = found.end()
                return OPERATORS[found[0]]._replace(fd=fd[0])
        return None

    def _word(self) -> Token:
        text, size = self.text, len(self.text)
        parts: list[Part] = []
        while self.pos < size:
            plain = _PLAIN.match(text, self.pos)
            if plain:
                parts.append(Text(plain.group(), False))
                self.pos = plain.end()
                continue
            sign = text[self.pos]
            if sign in "<>" and text.startswith("(", self.pos + 1):
                parts.append(self._commands(self.pos + 2, False, sign))
            elif sign == "(" and self._is_pattern(parts):
                parts[-1] = self._pattern(parts[-1])
            elif sign in " \t\n|&;<>()":
                break
            else:
                parts.extend(self._special(sign))
        head = parts[0] if len(parts) == 1 else None
        bare = head.text if isinstance(head, Text) and not head.quoted else ""
        if bare and text.startswith("(", self.pos) and _ARRAY.match(bare):
            return Token("array", "", tuple(parts))
        return Token("word", bare, tuple(parts))

    def _special(self, sign: str) -> list[Part]:
        """A quote, an escape or an expansion outside of double quotes."""
        if sign == "'":
            return [Text(self._to("'"), True)]
        if sign == '"':
            self.pos += 1
            return self._quoted(_DOUBLE, '"')
        if sign == "\\":
            self.pos += 2
            escaped = self.text[self.pos - 1 : self.pos]
            return [] if escaped == "\n" else [Text(escaped or "\\", True)]
        return self._expansion(False)

    def _to(self, end: str) -> str:
        start = self.pos + 1
        stop = self.text.find(end, start)
        if stop < 0:
            raise Broken
        self.pos = stop + 1
        return self.text[start:stop]

    def _quoted(self, run: re.Pattern[str], end: str) -> list[Part]:
        """What stands between double quotes or in a here-document (`end` empty: up to the end of the text)."""
        parts: list[Part] = [Text("", True)]
        escapes = '$`"\\' if end else "$`\\"
        while True:
            found = run.match(self.text, self.pos)
            if found:
                parts.append(Text(found.group(), True))
                self.pos = found.end()
            sign = self.text[self.pos : self.pos + 1]
            if sign == end:
                self.pos += len(end)
                return parts
            if not sign:
                raise Broken
            parts.extend(self._escape(escapes) if sign == "\\" else self._expansion(True))

    def _escape(self, escapes: str) -> list[Part]:
        sign = self.text[self.pos + 1 : self.pos + 2]
        self.pos += 2
        if sign == "\n":
            return []
        return [Text(sign if sign and sign in escapes else "\\" + sign, True)]

    def _is_pattern(self, parts: list[Part]) -> bool:
        """Whether a `(` belongs to an extended glob such as `!(a|b)`."""
        last = parts[-1] if parts else None
        if not isinstance(last, Text) or last.quoted or last.text[-1:] not in "@!*?+":
            return False
        return self.in_arguments

    def _pattern(self, before: Part) -> Text:
        stop = self.text.find(")", self.pos)
        if stop < 0:
            raise Broken
        start, self.pos = self.pos, stop + 1
        return Text((before.text if isinstance(before, Text) else "") + self.text[start : self.pos], False)

    # -- expansions --------------------------------------------------------------------------------------------

    def _expansion(self, quoted: bool) -> list[Part]:
        """`$…` or a backtick."""
        text, start = self.text, self.pos
        if text[start] == "`":
            return [self._backtick(quoted)]
        follows = text[start + 1 : start + 2]
        if follows == "(":
            return [self._sum(quoted) or self._commands(start + 2, quoted, "$")]
        if follows == "{":
            return [self._parameter(quoted)]
        if not quoted and follows == "'" and (found := _ANSI.match(text, start)):
            self.pos = found.end()
            return [Text(ansi_c(found.group(1)), True)]
        if not quoted and follows == '"':
            self.pos += 2
            return self._quoted(_DOUBLE, '"')
        if found := _NAME.match(text, start + 1):
            self.pos = found.end()
            return [Var(found.group(), "", (), quoted)]
        self.pos += 1
        return [Text("$", True)]

    def _commands(self, start: int, quoted: bool, kind: str) -> Sub:
        self.deeper()
        self.pos = start
        pending, self._pending = self._pending, []
        arguments, self.in_arguments = self.in_arguments, False
        body = self._block(self)
        if self.take().text != ")":
            raise Broken
        self._pending, self.in_arguments = pending, arguments
        self.depth -= 1
        return Sub(body, quoted, kind)

    def _backtick(self, quoted: bool) -> Sub:
        found = _BACKTICK.match(self.text, self.pos)
        if not found:
            raise Broken
        self.pos = found.end()
        signs = r'\\([`$\\"])' if quoted else r"\\([`$\\])"
        inner = Lexer(re.sub(signs, r"\1", found.group(1)), self._block, self.depth)
        inner.deeper()
        return Sub(self._block(inner), quoted, "$")

    def words_of_sum(self, start: int, end: int) -> Word:
        """The parts of an arithmetic text, read as if in double quotes; `start` and `end` are those of the brackets."""
        inner = Lexer(self.text[start + 2 : end - 2], self._block, self.depth)
        inner.deeper()
        return tuple(inner._quoted(_HERE, ""))

    def _sum(self, quoted: bool) -> Sub | None:
        start = self.pos + 1
        end = sum_end(self.text, start) if self.text.startswith("((", start) else None
        if end is None:
            return None
        parts = self.words_of_sum(start, end)
        self.pos = end
        bodies = tuple(step for part in parts if isinstance(part, Sub) for step in part.body)
        return Sub(bodies, quoted, "+")

    def _parameter(self, quoted: bool) -> Var:
        """`${name}`, `${name:-word}` and the like; forms that are not followed get the op `?`."""
        self.deeper()
        found = _PARAMETER.match(self.text, self.pos + 2)
        self.pos = found.end() if found else self.pos + 2
        parts: list[Part] = []
        while not self.text.startswith("}", self.pos):
            parts.extend(self._in_braces(quoted))
        self.pos += 1
        self.depth -= 1
        if not found or found.group(4) is None:
            return Var(found.group(2) if found else "", "?", tuple(parts), quoted)
        sign, name, index, op = found.groups()
        known = not sign and (index in (None, "[@]", "[*]"))
        return Var(name + ("[@]" if index else ""), op if known else sign + "?", tuple(parts), quoted)

    def _in_braces(self, quoted: bool) -> list[Part]:
        if found := _BRACED.match(self.text, self.pos):
            self.pos = found.end()
            return [Text(found.group(), quoted)]
        sign = self.text[self.pos : self.pos + 1]
        if not sign:
            raise Broken
        if quoted and sign == "'":
            self.pos += 1
            return [Text("'", True)]
        return self._special(sign)

    # -- here-documents ----------------------------------------------------------------------------------------

    def expect_body(self, end: str, raw: bool, tabs: bool) -> Here:
        """Note that a here-document follows the present line; `raw` bodies hold no expansions, `tabs` are stripped."""
        here = Here()
        self._pending.append((end, raw, tabs, here))
        return here

    def _read_bodies(self) -> None:
        pending, self._pending = self._pending, []
        for end, raw, tabs, here in pending:
            body = self._body(end, tabs)
            here.body = (Text(body, True),) if raw else self._expanding(body)

    def _body(self, end: str, tabs: bool) -> str:
        lines: list[str] = []
        while self.pos < len(self.text):
            stop = self.text.find("\n", self.pos)
            stop = len(self.text) if stop < 0 else stop
            line = self.text[self.pos : stop]
            line = line.lstrip("\t") if tabs else line
            self.pos = min(stop + 1, len(self.text))
            if line == end:
                break
            lines.append(line + "\n")
        return "".join(lines)

    def _expanding(self, body: str) -> Word:
        if "$" not in body and "`" not in body and "\\" not in body:
            return (Text(body, True),)
        inner = Lexer(body, self._block, self.depth)
        inner.deeper()
        return tuple(inner._quoted(_HERE, ""))
