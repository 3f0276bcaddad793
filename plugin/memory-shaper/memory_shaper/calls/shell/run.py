"""The walk: goes through a tree as the shell would, and notes what the commands do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Self

from ..commands import handler_of
from ..effects import Act, Reading, World
from ..elsewhere import elsewhere
from .expand import MAX_FIELDS, UNKNOWN, clip, expand, text_of
from .flow import Flow
from .hands import SILENT, UNHEARD, Call, Input, Outcome, Programs
from .notes import MAX_NEST, Notes
from .parse import parse
from .state import State
from .tree import Simple

_ARGUMENT = re.compile(r"\b(?:sys\.)?argv\[([0-9]{1,3})\]")


def read_command(command: str | Sequence[str], world: World, programs: Programs | None = None) -> Reading:
    """What a shell command would read, write, delete and start.

    `command` is a shell text, or a list of words that is run as it stands (an argv). An unknown part of a word in
    `runs` is a NUL. Never raises.
    """
    notes = Notes(world)
    shell = Shell(notes, State(world.cwd, world.env), programs or Programs())
    if isinstance(command, str):
        shell.evaluate(command.replace(UNKNOWN, ""), None)
    elif command:
        shell.command([str(word) for word in command], Input())
    return Reading(tuple(notes.effects), tuple(notes.runs), shell.state.cwd, notes.opaque)


class Shell(Flow):
    """One shell on its walk; forks share the notebook."""

    def __init__(self, notes: Notes, state: State, programs: Programs) -> None:
        self.notes = notes
        self.state = state
        self.programs = programs
        self.source = Input()

    # -- forks -------------------------------------------------------------------------------------------------

    def fork(self) -> Self:
        """A shell that begins where this one stands."""
        return self._with(self.state.fork())

    def _with(self, state: State) -> Self:
        shell = type(self)(self.notes, state, self.programs)
        shell.source = self.source
        return shell

    def inside(self, folder: str) -> Shell:
        """A fork in another folder."""
        shell = self.fork()
        shell.state.cwd = self.state.absolute(folder)
        return shell

    def clean(self, cleared: bool) -> Shell:
        """A child, with `cleared` without variables."""
        return self._with(self.state.child(cleared))

    # -- notes -------------------------------------------------------------------------------------------------

    def absolute(self, path: str) -> str | None:
        """The absolute path."""
        return self.state.absolute(path)

    def _note(self, act: Act, path: str, via: str, tree: bool = False) -> None:
        place = self.state.absolute(path)
        if place is None:
            self.notes.opaque = self.notes.opaque or (act is not Act.READ and bool(path))
        else:
            self.notes.effect(act, place, via, tree)

    def read(self, path: str, via: str) -> None:
        """A file is read."""
        if path and path != "-":
            self._note(Act.READ, path, via)

    def write(self, path: str, via: str, tree: bool = False) -> None:
        """A file is written."""
        self._note(Act.WRITE, path, via, tree)

    def delete(self, path: str, via: str, tree: bool = False) -> None:
        """A file goes away."""
        self._note(Act.DELETE, path, via, tree)

    def metadata(self, path: str, via: str, tree: bool = False) -> None:
        """Mode, owner, times change."""
        self._note(Act.METADATA, path, via, tree)

    def opaque(self) -> None:
        """A part cannot be known."""
        self.notes.opaque = True

    def keep(self, path: str, text: str | None, append: bool = False) -> None:
        """Remember the text that a file gets."""
        place = self.state.absolute(path)
        if place is not None:
            self.notes.keep(place, None if text is None or UNKNOWN in text else text, append)

    def link(self, target: str, name: str) -> None:
        """`name` leads to `target` now."""
        there, here = self.state.absolute(target), self.state.absolute(name)
        if there is not None and here is not None:
            self.notes.link(there, here)

    def made_folder(self, path: str) -> None:
        """The folder exists from now on."""
        place = self.state.absolute(path)
        if place is not None:
            self.notes.made_folder(place)

    # -- questions ---------------------------------------------------------------------------------------------

    def is_folder(self, path: str) -> bool:
        """Whether it is a folder."""
        place = self.state.absolute(path)
        return place is not None and self.notes.is_folder(place)

    def exists(self, path: str) -> bool:
        """Whether there is such a file or folder."""
        place = self.state.absolute(path)
        return place is not None and self.notes.exists(place)

    def text(self, path: str) -> str | None:
        """The text of a small file."""
        place = self.state.absolute(path)
        return None if place is None else self.notes.text(place)

    def may_be_made(self, path: str) -> bool:
        """Whether a missing folder may be this call's."""
        place = self.state.absolute(path)
        return place is None or self.notes.may_be_made(place)

    def feed(self, text: str) -> None:
        """Put back what was not taken."""
        self.source = Input(text)

    # -- commands ----------------------------------------------------------------------------------------------

    def simple(self, node: Simple) -> Outcome:
        """Assignments, redirects and the command itself."""
        if self.notes.repeating and not self.notes.may_repeat():
            return UNHEARD
        words = expand(node.words, self)
        if not words:
            self._assign_all(node)
            return self._bare(node)
        if not node.assigns:
            return self.redirected(node.redirects, lambda shell: shell.command(words, shell.source))
        names = {assign.name for assign in node.assigns}
        before = self.state.take(names)
        self._assign_all(node)
        self.state.exported |= names
        outcome = self.redirected(node.redirects, lambda shell: shell.command(words, shell.source))
        self.state.give_back(names, before)
        return outcome

    def _assign_all(self, node: Simple) -> None:
        for item in node.assigns:
            value: str | tuple[str, ...]
            if item.items is not None:
                value = tuple(expand(item.items, self))
            else:
                value = text_of(item.value, self, assigned=True)
            old = self.state.value(item.name) if item.append or item.key else None
            self.state.assign(item.name, _added(old, value, bool(item.key)) if item.append or item.key else value)

    def _bare(self, node: Simple) -> Outcome:
        """Only redirects: `> f` empties a file, `$(< f)` is its text."""

        def heard(shell: Self) -> Outcome:
            path = shell.source.path
            return Outcome(None, shell.notes.text(path)) if path and node.redirects[0].op == "<" else SILENT

        return self.redirected(node.redirects, heard)

    def command(self, words: Sequence[str], source: Input) -> Outcome:
        """Run one command, its words already expanded."""
        name = words[0]
        self.notes.runs[tuple(words)] = None
        self.state.last = words[-1]
        function = self.state.function(name)
        if function is not None:
            return self.call(function, words[1:])
        in_bin = "/" in name and (name[0] == "/" or "bin/" in name)
        short = name.rpartition("/")[2] if in_bin else name
        handler = handler_of(short)
        if handler is None:
            return self._unknown(words, source)
        if self.notes.nest > MAX_NEST:
            self.notes.opaque = True
            return UNHEARD
        self.notes.nest += 1
        outcome = handler(Call(short, tuple(words[1:]), source, self))
        self.notes.nest -= 1
        return outcome

    def _unknown(self, words: Sequence[str], source: Input) -> Outcome:
        """A program that the table does not know; a script is read, anything else may do anything."""
        text = self.text(words[0]) if "/" in words[0] else None
        if text is None:
            self.notes.opaque = True
            return UNHEARD
        first = text.partition("\n")[0].strip()
        if not first.startswith("#!"):
            return self.script(text, words[1:], source)
        interpreter = [word for word in first[2:].split() if word != "-S"]
        return self.command([*interpreter, *words], source) if interpreter else UNHEARD

    def script(self, text: str, arguments: Sequence[str], source: Input) -> Outcome:
        """Run a text in a child shell."""
        shell = self._with(self.state.child())
        shell.source = source
        return shell.evaluate(text, arguments)

    def evaluate(self, text: str, arguments: Sequence[str] | None) -> Outcome:
        """Run a text in this very shell; None leaves the parameters as they are."""
        if not self.notes.may_parse(text):
            return UNHEARD
        old = self.state.arguments
        self.state.arguments = old if arguments is None else tuple(arguments)
        parsed = parse(text)
        if not parsed.whole or UNKNOWN in text:
            self.notes.opaque = True
        outcome = self.walk(parsed.block)
        self.state.arguments = old
        return outcome

    def program(self, language: str, source: str, arguments: Sequence[str]) -> None:
        """Run a program text of another language."""
        if UNKNOWN in source:
            self.notes.opaque = True
        world = elsewhere(self.notes.world, self.state.cwd, _environment(self.state))
        if language == "python":
            reading = self.programs.python(_with_arguments(source, arguments), world)
        else:
            reading = self.programs.other(language, source, world)
        for effect in reading.effects:
            self.notes.effect(effect.act, effect.path, effect.via, effect.tree)
        for words in reading.runs:
            self.notes.runs[tuple(words)] = None
        self.notes.opaque = self.notes.opaque or reading.opaque


def _environment(state: State) -> Mapping[str, str]:
    changed = {name: state.value(name) for name in state.child().exported}
    known = {name: value for name, value in changed.items() if isinstance(value, str) and UNKNOWN not in value}
    return {**state.env, **known} if changed else state.env


def _with_arguments(source: str, arguments: Sequence[str]) -> str:
    """A Python source in which `sys.argv[1]` and so on are the texts that are known."""
    if not arguments or "argv" not in source:
        return source

    def known(found: re.Match[str]) -> str:
        number = int(found[1]) - 1
        word = arguments[number] if 0 <= number < len(arguments) else UNKNOWN
        return found[0] if UNKNOWN in word else repr(word)

    return _ARGUMENT.sub(known, source)


def _added(old: str | tuple[str, ...] | None, value: str | tuple[str, ...], element: bool) -> str | tuple[str, ...]:
    """The value after `+=` or after setting one element, where that can be followed."""
    if element:
        return UNKNOWN
    if isinstance(old, tuple):
        return (*old, *(value if isinstance(value, tuple) else (value,)))[:MAX_FIELDS]
    if isinstance(value, tuple):
        return (old, *value) if old else value
    return UNKNOWN if old is None else clip(old + value)
