"""Command lines as the getopt family reads them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Options:
    """Flags without value, options with value, and the rest; long names stand without their dashes."""

    flags: set[str] = field(default_factory=set)
    values: dict[str, list[str]] = field(default_factory=dict)
    operands: list[str] = field(default_factory=list)

    def has(self, *names: str) -> bool:
        """Whether one of the options is given, with or without a value."""
        return any(name in self.flags or name in self.values for name in names)

    def all(self, *names: str) -> list[str]:
        """All values of the options."""
        return [value for name in names for value in self.values.get(name, ())]

    def last(self, *names: str) -> str | None:
        """The value that counts, None where there is none."""
        found = self.all(*names)
        return found[-1] if found else None


def named(names: str) -> frozenset[str]:
    """A set of option names, written with blanks between them."""
    return frozenset(names.split())


def read_options(args: Sequence[str], takes: Iterable[str] = (), attached: str = "", mixed: bool = True) -> Options:
    """Sort arguments; `takes` name a value as the next word, `attached` letters only one that is glued on.

    With `mixed` unset the options end at the first operand, as wrappers such as `nice` have it.
    """
    done = Options()
    names = takes if isinstance(takes, (set, frozenset)) else frozenset(takes)
    rest = iter(args)
    for word in rest:
        if word == "--" or ((word[:1] != "-" or word == "-") and not mixed):
            done.operands.extend(rest if word == "--" else (word, *rest))
        elif word[:2] == "--":
            name, equals, value = word[2:].partition("=")
            if equals or name in names:
                done.values.setdefault(name, []).append(value if equals else next(rest, ""))
            else:
                done.flags.add(name)
        elif word[:1] == "-" and word != "-":
            _cluster(word, rest, names, attached, done)
        else:
            done.operands.append(word)
    return done


def _cluster(word: str, rest: Iterable[str], names: frozenset[str] | set[str], attached: str, done: Options) -> None:
    """Short options glued together: `-xzf name`, `-i.bak`."""
    for place in range(1, min(len(word), 200)):
        letter = word[place]
        if letter in names:
            value = word[place + 1 :] or next(iter(rest), "")
            done.values.setdefault(letter, []).append(value)
            return
        if letter in attached:
            done.values.setdefault(letter, []).append(word[place + 1 :])
            return
        done.flags.add(letter)
