"""The tree of a shell text: words are parts, commands are words, blocks are commands."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Text(NamedTuple):
    """Letters as they stand; `quoted` ones never glob, split or open a brace."""

    text: str
    quoted: bool


class Var(NamedTuple):
    """`$name` or `${name OP arg}`; `op` is empty for the plain value, `?` for a form that is not followed."""

    name: str
    op: str
    arg: Word
    quoted: bool


class Sub(NamedTuple):
    """`$(…)` or backticks (`kind` is `$`), `<(…)` and `>(…)` (`<`, `>`), and `$((…))` (`+`, words in `body`)."""

    body: Block
    quoted: bool
    kind: str


Part: TypeAlias = Text | Var | Sub
Word: TypeAlias = tuple[Part, ...]


class Here:
    """The body of a here-document, filled in when the lexer comes to the next line."""

    __slots__ = ("body",)

    def __init__(self) -> None:
        self.body: Word = ()


class Redirect(NamedTuple):
    """`fd` is the number or name before `op` as written, `here` the body of a `<<`."""

    fd: str
    op: str
    target: Word
    here: Here | None


class Assign(NamedTuple):
    """`name=value`, `name+=value`, `name=(items)`; an element `name[i]=value` has its `key`."""

    name: str
    key: str
    append: bool
    value: Word
    items: tuple[Word, ...] | None


class Simple(NamedTuple):
    """Assignments, words and redirects of one command; any of them may be empty."""

    assigns: tuple[Assign, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]


class Group(NamedTuple):
    """`{ … }` or, forked, `( … )`."""

    body: Block
    forked: bool
    redirects: tuple[Redirect, ...]


class If(NamedTuple):
    """Arms of condition and body; `else` is an arm without a condition."""

    arms: tuple[tuple[Block, Block], ...]
    redirects: tuple[Redirect, ...]


class While(NamedTuple):
    """`while` or, with `until` set, `until`."""

    condition: Block
    body: Block
    until: bool
    redirects: tuple[Redirect, ...]


class For(NamedTuple):
    """`for name in words`; `words` is None for the positional parameters, the name is empty for `for ((…))`."""

    name: str
    words: tuple[Word, ...] | None
    body: Block
    redirects: tuple[Redirect, ...]


class Case(NamedTuple):
    """A word and arms of patterns and body."""

    word: Word
    arms: tuple[tuple[tuple[Word, ...], Block], ...]
    redirects: tuple[Redirect, ...]


class Define(NamedTuple):
    """A function."""

    name: str
    body: Node


class Test(NamedTuple):
    """`[[ … ]]` or `(( … ))`: the words are only looked at for substitutions."""

    words: tuple[Word, ...]


Node: TypeAlias = Simple | Group | If | While | For | Case | Define | Test


class Step(NamedTuple):
    """One pipeline of a block; `joint` is `&&`, `||` or empty, towards the step before."""

    joint: str
    stages: tuple[Node, ...]
    negated: bool
    background: bool


Block: TypeAlias = tuple[Step, ...]
