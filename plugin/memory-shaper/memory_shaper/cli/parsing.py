"""From words to a request: parsers made from the table of verbs, and the help, which looks the same everywhere."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from ..errors import Usage
from .request import Argument, Kind, Verb

PROGRAM = "memory-shaper"
_COMMON = (
    Argument("--home", "the Hermes home; else $HERMES_HOME, the active profile, the default", metavar="DIR"),
    Argument("--json", "JSON on stdout", Kind.FLAG),
)
_DRY = Argument("--dry-run", "show what would change, change nothing", Kind.FLAG)
_HELP = Argument("--help", "show this help", Kind.FLAG, short="-h")


_MANY = {Kind.WORDS: "+", Kind.ANY: "*"}


class HelpAsked(Exception):
    """The user asked for help."""


class _Parser(argparse.ArgumentParser):
    def _get_formatter(self) -> argparse.HelpFormatter:
        # With a width of its own it does not load what is needed to ask the terminal: the help is made here anyway.
        return argparse.HelpFormatter(self.prog, width=100)

    def error(self, message: str) -> NoReturn:
        raise Usage(f"{self.prog}: {message}; see: {self.prog} --help")


def arguments_of(verb: Verb) -> tuple[Argument, ...]:
    """All arguments of a verb, those that every verb has included."""
    return (*verb.arguments, *_COMMON, *((_DRY,) if verb.changes_files else ()), _HELP)


def parse(verb: Verb, words: Sequence[str]) -> dict[str, object]:
    """The arguments of a verb by name. Raises Usage, or HelpAsked."""
    parser = _Parser(prog=f"{PROGRAM} {verb.name}", add_help=False, allow_abbrev=False)
    for argument in arguments_of(verb):
        _add(parser, argument)
    if {"-h", "--help"} & set(words):
        raise HelpAsked
    taken = _taken_literally(verb, words)
    given = vars(parser.parse_args([taken.get(word, word) for word in words]))
    back = {marked: word for word, marked in taken.items()}
    return {key: back.get(value, value) if isinstance(value, str) else value for key, value in given.items()}


def _taken_literally(verb: Verb, words: Sequence[str]) -> dict[str, str]:
    """The words with a dash that are no options, each with a blank in front, so that it passes for a value."""
    if not any(argument.literal for argument in verb.arguments):
        return {}
    options = {name for argument in arguments_of(verb) for name in (argument.name, argument.short)}
    words = words[: words.index("--")] if "--" in words else words
    return {word: f" {word}" for word in words if word[:1] == "-" and word.partition("=")[0] not in options}


def _add(parser: _Parser, argument: Argument) -> None:
    names = [name for name in (argument.short, argument.name) if name]
    if argument.kind is Kind.FLAG:
        parser.add_argument(*names, dest=argument.key, action="store_true")
        return
    kind = _above_zero if argument.kind is Kind.COUNT else str
    if argument.is_option:
        several = "+" if argument.kind is Kind.WORDS else None
        parser.add_argument(*names, dest=argument.key, type=kind, choices=argument.choices or None, nargs=several)
        return
    many = _MANY.get(argument.kind, "?" if argument.optional else None)
    parser.add_argument(argument.key, nargs=many, type=kind, metavar=argument.name, choices=argument.choices or None)


def _above_zero(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= 18 and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text[:20]!r} is no whole number above 0")


def usage_of(verb: Verb) -> str:
    """One line: how a verb is called."""
    places = [_place(argument) for argument in verb.arguments if not argument.is_option]
    return " ".join((PROGRAM, verb.name, "[options]", *places))


def _place(argument: Argument) -> str:
    name = f"{argument.name}…" if argument.kind in _MANY else argument.name
    return f"[{name}]" if argument.optional and argument.kind is not Kind.WORDS else name


def help_of(verb: Verb) -> str:
    """The help of a verb: usage, what it does, its arguments and an example."""
    rows = [(_spelled(argument), argument.help) for argument in arguments_of(verb)]
    room = max(len(left) for left, _ in rows)
    lines = [f"usage: {usage_of(verb)}", "", f"{verb.help[0].upper()}{verb.help[1:]}.", ""]
    lines += [verb.about, ""] if verb.about else []
    lines += [f"  {left:{room}}  {right}" for left, right in rows]
    return "\n".join([*lines, "", "example:", *(f"  {line}" for line in verb.example.splitlines())])


def _spelled(argument: Argument) -> str:
    if not argument.is_option:
        return argument.name
    value = "|".join(argument.choices) or argument.metavar + ("…" if argument.kind is Kind.WORDS else "")
    return ", ".join(filter(None, (argument.short, argument.name))) + (f" {value}" if value else "")


def overview(verbs: Sequence[Verb]) -> str:
    """The help of the command itself."""
    width = max(len(verb.name) for verb in verbs) + 2
    rows = [f"  {verb.name:{width}}{verb.help}" for verb in verbs]
    head = f"usage: {PROGRAM} VERB [options]\n\nA memory index, its topic files and their archive, kept whole.\n"
    tail = f"\n  {PROGRAM} VERB --help says more; exit codes: 0 fine, 1 findings or refused, 2 usage or unreadable,"
    return "\n".join((head, *rows, tail, "  3 busy, 4 read-only"))
