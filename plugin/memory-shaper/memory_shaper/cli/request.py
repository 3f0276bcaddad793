"""What a verb is, what it is given and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import cast

from .. import settings
from ..errors import Usage
from ..settings import Home, Settings
from .screen import PLAIN, Screen

Json = dict[str, object]


class Kind(StrEnum):
    """What the value of an argument is."""

    TEXT = "text"
    FLAG = "flag"
    COUNT = "count"  # a whole number above 0
    WORDS = "words"  # one or more
    ANY = "any"  # none or more


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: `--name` for an option, `NAME` for a value by its place; `optional` only says so of the latter.

    `names` is the list of `completion --names` that a shell offers there; for FILE and DIR it offers those. `literal`
    says that a word with a dash in front which is no option of the verb belongs to the value.
    """

    name: str
    help: str
    kind: Kind = Kind.TEXT
    metavar: str = ""
    short: str = ""
    choices: tuple[str, ...] = ()
    optional: bool = True
    names: str = ""
    literal: bool = False

    @property
    def is_option(self) -> bool:
        return self.name.startswith("-")

    @property
    def key(self) -> str:
        """The name under which a request holds the value."""
        return self.name.lstrip("-").replace("-", "_").lower()


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb of the command, for all its doors: the terminal, `hermes memory-shaper` and `/memory-shaper`.

    `place` is `module:function` in this package, imported when the verb is run. `fields` are the documented fields of
    its JSON. `chat` says that the output is short enough for a chat. `reads` says that it only reads, and `rehearsals`
    are the flags with which a verb that changes files only reads: then it goes on where the settings are faulty.
    """

    name: str
    help: str
    place: str
    example: str
    fields: tuple[tuple[str, str], ...]
    arguments: tuple[Argument, ...] = ()
    about: str = ""
    changes_files: bool = False
    chat: bool = True
    reads: bool = False
    rehearsals: tuple[str, ...] = ()

    def only_reads(self, values: Mapping[str, object]) -> bool:
        """Whether the verb changes nothing with these arguments."""
        return self.reads or any(values.get(flag) is True for flag in self.rehearsals)

    @property
    def action(self) -> Action:
        """The function of the verb."""
        module, function = self.place.split(":")
        return cast("Action", getattr(import_module(f".{module}", __package__), function))


@dataclass(frozen=True)
class Request:
    """A verb with its arguments, for one home and one screen."""

    verb: str
    home: Home
    values: Mapping[str, object] = field(default_factory=dict)
    screen: Screen = PLAIN
    only_reads: bool = False

    @cached_property
    def settings(self) -> Settings:
        """The settings of the home. Raises Unreadable, but for a verb that only reads: `surveyed` has the faults."""
        return self.surveyed[0] if self.only_reads else settings.load(self.home)

    @cached_property
    def surveyed(self) -> tuple[Settings, tuple[str, ...]]:
        """The settings as far as they make sense, and their faults: for reports, never for changes."""
        return settings.survey(self.home)

    def text(self, name: str) -> str:
        """A text argument, "" where it was not given. Raises Usage for one that no file system can hold."""
        value = self.values.get(name)
        text = value if isinstance(value, str) else ""
        if "\0" in text:
            raise Usage(f"memory-shaper {self.verb}: an argument holds a NUL character")
        return text

    def flag(self, name: str) -> bool:
        """Whether an option without value was given."""
        return self.values.get(name) is True

    def count(self, name: str) -> int | None:
        """A number argument, None where it was not given."""
        value = self.values.get(name)
        return value if isinstance(value, int) else None

    def words(self, name: str) -> tuple[str, ...]:
        """The words of an argument that takes several."""
        value = self.values.get(name)
        return tuple(str(word) for word in value) if isinstance(value, list) else ()

    def path(self, name: str) -> Path | None:
        """A path argument, None where it was not given."""
        text = self.text(name)
        return Path(text).expanduser() if text else None

    @property
    def dry_run(self) -> bool:
        return self.flag("dry_run")

    @property
    def place(self) -> str:
        """The home and how it was found, for reports."""
        return f"home: {self.screen.path(self.home.path)} ({self.home.source})"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a verb has to say: `text` or `data` on stdout, `talk` on stderr, and the exit code."""

    text: str = ""
    data: Json = field(default_factory=dict)
    code: int = 0
    talk: str = ""


Action = Callable[[Request], Outcome]
