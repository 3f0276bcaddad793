"""find: its expression is played on the names that can be seen; ls prints names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..shell.globs import matching
from ..shell.hands import UNHEARD, UNKNOWN, Call, Outcome
from ..shell.paths import base, join
from .options import named, read_options

MAX_FOUND = 5_000
"""Paths that one find looks at; beyond, it is taken as not known."""

_NONE = named("-empty -executable -readable -writable -nouser -nogroup -daystart -mount -xdev -follow -noleaf")
_SILENT = frozenset({"-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprintf", "-fls", "-ls", "-printf"})


@dataclass(frozen=True, slots=True)
class Seen:
    """One path that find comes to, and the start that it was found under."""

    path: str
    depth: int
    folder: bool


Check = Callable[[Seen], bool | None]


def find(call: Call) -> Outcome:
    """Play the expression for every path; a test that cannot be known makes the actions behind it unknown."""
    words = [word for word in call.args if word not in ("-H", "-L", "-P")]
    cut = next((number for number, word in enumerate(words) if word[:1] in "-(!" and word), len(words))
    expression = _Expression(call, words[cut:])
    starts = words[:cut] or ["."]
    if not expression.tests and not any(word in _SILENT - {"-delete"} for word in words):
        for start in starts if expression.deletes else ():
            call.hands.delete(start, call.name, tree=True)
        return UNHEARD if expression.deletes else _listed(call, expression, starts)
    return _listed(call, expression, starts)


def _listed(call: Call, expression: _Expression, starts: list[str]) -> Outcome:
    silent = any(word in _SILENT for word in call.args)
    out: list[str] | None = None if silent else []
    for start in starts:
        for number, seen in enumerate(_below(call, start, expression)):
            if number >= MAX_FOUND:
                call.hands.opaque()
                return UNHEARD
            fits = seen.depth >= expression.shallowest and expression.check(seen)
            if out is not None and fits is None:
                out = None
            if out is not None and fits:
                out.append(seen.path + "\n")
    expression.finish()
    return Outcome(None, None if out is None else "".join(out))


def _below(call: Call, start: str, expression: _Expression) -> Iterator[Seen]:
    if UNKNOWN in start:
        yield Seen(UNKNOWN, 0, False)
        return
    waiting = [Seen(start, 0, call.hands.is_folder(start))]
    while waiting:
        seen = waiting.pop()
        expression.pruned = False
        yield seen
        if seen.folder and seen.depth < min(expression.deepest, 32) and not expression.pruned:
            for name in call.hands.names(seen.path):
                path = seen.path + name if seen.path.endswith("/") else seen.path + "/" + name
                waiting.append(Seen(path, seen.depth + 1, call.hands.is_folder(path)))


class _Expression:
    """expression = term { [ "-o" ] term }, read from the words into one check."""

    def __init__(self, call: Call, words: list[str]) -> None:
        self.call = call
        self.tests = False
        self.deletes = "-delete" in words
        self.pruned = False
        self.deepest, self.shallowest = 32, 0
        self._words = iter(words)
        self._actions: list[Check] = []
        self._gathered: list[tuple[list[str], list[str]]] = []
        self.check = self._either(0)

    def _either(self, level: int) -> Check:
        groups: list[list[Check]] = [[]]
        negated = False
        for word in self._words:
            if word == ")":
                break
            if word in ("!", "-not"):
                negated = not negated
            elif word in ("-o", "-or"):
                groups.append([])
            elif word == "(":
                self.tests = True
                inner = self._either(level + 1) if level < 20 else _unsure
                groups[-1].append(_not(inner) if negated else inner)
                negated = False
            elif (check := self._term(word)) is not None:
                groups[-1].append(_not(check) if negated else check)
                negated = False
        return lambda seen: self._first(groups, seen)

    def _first(self, groups: list[list[Check]], seen: Seen) -> bool | None:
        """The ways between `-o`: the next is tried only where the one before failed for certain."""
        for number, group in enumerate(groups):
            fits = self._all(group, seen)
            if fits is None:
                self._skip([check for later in groups[number + 1 :] for check in later])
            if fits is not False:
                return fits
        return False

    def _all(self, checks: list[Check], seen: Seen) -> bool | None:
        for number, check in enumerate(checks):
            fits = check(seen)
            if fits is None:
                self._skip(checks[number + 1 :])
            if fits is not True:
                return fits
        return True

    def _skip(self, checks: list[Check]) -> None:
        """Checks that may or may not be come to: an action among them makes the call unknown."""
        if any(check in self._actions for check in checks):
            self.call.hands.opaque()

    def _term(self, word: str) -> Check | None:
        if word == "-maxdepth":
            self.deepest = _number(next(self._words, ""), 32)
            self.tests = True
            return None
        if word == "-mindepth":
            self.shallowest = _number(next(self._words, ""), 0)
            self.tests = self.tests or self.shallowest > 1
            return None
        if word in ("-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprintf", "-fls"):
            self._actions.append(self._action(word))
            return self._actions[-1]
        if word == "-prune":
            self.tests = True
            return self._prune
        if word in ("-printf", "-ls", "-print", "-print0", "-depth", "-a", "-and", "-true", "-O3", *_NONE):
            return self._plain(word)
        self.tests = True
        return self._test(word, next(self._words, ""))

    def _plain(self, word: str) -> Check | None:
        if word == "-printf":
            next(self._words, "")
        self.tests = self.tests or word in ("-empty", "-executable", "-readable", "-writable", "-nouser", "-nogroup")
        return _unsure if word in _NONE and word not in ("-daystart", "-mount", "-xdev", "-follow", "-noleaf") else None

    def _test(self, word: str, value: str) -> Check:
        if word in ("-name", "-iname", "-path", "-ipath", "-wholename"):
            pattern = matching(value.lower() if word[1] == "i" else value)
            whole, fold = not word.endswith("name") or word == "-wholename", word[1] == "i"
            if pattern is None or UNKNOWN in value:
                return _unsure

            def fits(seen: Seen) -> bool:
                text = seen.path if whole else base(seen.path) or seen.path
                return pattern.match(text.lower() if fold else text) is not None

            return fits
        if word == "-type" and value in ("f", "d"):
            return lambda seen: seen.folder == (value == "d")
        return _unsure

    def _action(self, word: str) -> Check:
        if word == "-delete":
            return self._delete
        if word[:2] == "-f":
            self.call.hands.write(next(self._words, ""), self.call.name)
            if word == "-fprintf":
                next(self._words, "")
            return lambda _: True
        command: list[str] = []
        for part in self._words:
            if part == ";" or (part == "+" and command[-1:] == ["{}"]):
                return self._start(command, word, part == "+")
            command.append(part)
        return lambda _: True

    def _prune(self, _: Seen) -> bool:
        self.pruned = True
        return True

    def _delete(self, seen: Seen) -> bool:
        self.call.hands.delete(seen.path, self.call.name)
        return True

    def _start(self, command: list[str], word: str, together: bool) -> Check:
        paths: list[str] = []
        if together:
            self._gathered.append((command, paths))
            return _gatherer(paths)
        inside = word in ("-execdir", "-okdir")

        def run(seen: Seen) -> None:
            name = base(seen.path) if inside else seen.path
            hands = self.call.hands.inside(join(seen.path, "..")) if inside else self.call.hands
            hands.command([part.replace("{}", "./" + name if inside else name) for part in command], self.call.source)

        def check(seen: Seen) -> bool | None:
            run(seen)
            return None

        return check if command else (lambda _: None)

    def finish(self) -> None:
        """Run the commands that get all paths at once."""
        for command, paths in self._gathered:
            if paths:
                self.call.hands.command([*command[:-1], *paths], self.call.source)


def _gatherer(paths: list[str]) -> Check:
    def gather(seen: Seen) -> bool:
        paths.append(seen.path)
        return True

    return gather


def _unsure(_: Seen) -> None:
    return None


def _not(check: Check) -> Check:
    def negated(seen: Seen) -> bool | None:
        fits = check(seen)
        return None if fits is None else not fits

    return negated


def _number(word: str, otherwise: int) -> int:
    return int(word) if word.isdecimal() and len(word) < 6 else otherwise


def listing(call: Call) -> Outcome:
    """ls: no read; the names it prints are known where it prints nothing else."""
    given = read_options(call.args, ("I", "w", "T", "ignore", "hide", "sort", "time", "color"))
    folders = [path for path in given.operands if call.hands.is_folder(path)]
    shown = given.has("l", "s", "i", "R", "F", "p") or (folders and len(given.operands) > 1 and not given.has("d"))
    if given.values or shown or given.flags - set("1dABUtSrXvfca"):
        return UNHEARD
    lines: list[str] = []
    for path in given.operands or ["."]:
        if UNKNOWN in path:
            return UNHEARD
        inner = call.hands.is_folder(path) and not given.has("d")
        lines.extend(
            name for name in call.hands.names(path) if name[0] != "." or given.has("A", "a")
        ) if inner else None
        lines.extend([] if inner else [path])
    return Outcome(None, "".join(line + "\n" for line in lines))
