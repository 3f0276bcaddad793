"""The search for writing words and the paths beside them. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..effects import Act, Effect, Reading, World
from ..elsewhere import elsewhere
from ..paths import absolute, expand_user
from .tokens import Kind, Token
from .words import MAKERS, METHODS, NAMED_PATHS, STARTERS, WORDS, Word

MAX_ARGUMENTS = 200
"""Tokens that are looked at behind one function name."""

SHORT = 8
"""The same once more tokens were looked at than the program has three times over."""

MAX_TEXTS = 8
"""Texts that one name may stand for."""

MAX_FILLED = 4_096
"""Characters of a text in which names are filled in."""

_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_FILLED = re.compile(r"[$#]\{\s*([^{}]{1,80}?)\s*\}|\{(\$\w+)\}|(\$\w+)")
_ENVIRONMENT = frozenset({"env", "ENV", "$ENV", "getenv", "get", "$_ENV", "$_SERVER", "Sys.getenv", "environ"})
_HOMES = frozenset({"homedir", "home", "home_dir"})
_JOINERS = frozenset(
    {"join", "resolve", "file.path", "catfile", "expand_path", "expanduser", "normalize", "path.expand"}
)
_WRITING_FLAGS = frozenset(
    {"WRONLY", "RDWR", "CREAT", "TRUNC", "APPEND", "O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND"}
)


class Search:
    """One pass over the tokens of a program; `effects` and `runs` hold what was found."""

    def __init__(
        self,
        tokens: Sequence[Token],
        language: str,
        world: World,
        shell: Callable[[str | Sequence[str], World], Reading] | None,
    ) -> None:
        """Look at the tokens as those of a language out of WORDS."""
        self.effects: dict[Effect, None] = {}
        self.runs: list[tuple[str, ...]] = []
        self._tokens = tokens
        self._language = language
        self._world = world
        self._shell = shell
        self._cwd = world.cwd
        self._names: dict[str, tuple[str, ...]] = {}
        self._table = WORDS[language]
        self._left = 3 * len(tokens) + 4 * MAX_ARGUMENTS

    def run(self) -> None:
        """Go through the tokens from the first to the last."""
        for at, token in enumerate(self._tokens):
            if token.kind is Kind.WORD:
                self._look(at, token.text)

    def _look(self, at: int, name: str) -> None:
        if self._sign(at + 1) == "=" and self._sign(at + 2) not in ("=", "~", ">"):
            self._assign(at, name)
            return
        full = f"{self._text(at - 2)}.{name}" if self._sign(at - 1) in (".", ":") else name
        word = self._table.get(full) or self._table.get(name)
        if word is not None:
            self._apply(word, full, self._arguments(at + 1))
        elif name == "chdir":
            paths = [self._place(text) for text in self._first(at)]
            self._cwd = paths[0] if len(paths) == 1 else None
        elif full in STARTERS or name in STARTERS:
            self._start(self._arguments(at + 1))
        if name in MAKERS:
            self._made(at)

    def _text(self, at: int) -> str:
        return self._tokens[at].text if 0 <= at < len(self._tokens) else ""

    def _sign(self, at: int) -> str:
        inside = 0 <= at < len(self._tokens) and self._tokens[at].kind is Kind.SIGN
        return self._tokens[at].text if inside else ""

    def _assign(self, at: int, name: str) -> None:
        end = at + 2
        limit = at + (MAX_ARGUMENTS if self._left > 0 else SHORT)
        while end < min(limit, len(self._tokens)) and self._tokens[end].kind is not Kind.LINE:
            self._left -= 1
            end += 1
        texts = self._resolve(self._tokens[at + 2 : end])
        self._names[name] = tuple(texts[:MAX_TEXTS])

    def _arguments(self, at: int) -> list[Sequence[Token]]:
        """The arguments that begin at a token: up to the matching bracket, or without one to the end of the line."""
        bracketed = self._sign(at) == "("
        start, depth = at + bracketed, 0
        limit = MAX_ARGUMENTS if self._left > 0 else SHORT
        end = min(start + limit, len(self._tokens))
        found: list[Sequence[Token]] = []
        for place in range(start, end):
            self._left -= 1
            token = self._tokens[place]
            sign = token.text if token.kind is Kind.SIGN else ""
            ends = (sign in _CLOSING and depth == 0) or (token.kind is Kind.LINE and not bracketed)
            if ends or (sign == "," and depth == 0):
                found.append(self._tokens[start:place])
                start = place + 1
            if ends:
                return found
            depth += (sign in _OPENING) - (sign in _CLOSING)
        return [*found, self._tokens[start:end]]

    def _first(self, at: int) -> list[str]:
        arguments = self._arguments(at + 1)
        return self._resolve(arguments[0]) if arguments else []

    def _apply(self, word: Word, via: str, arguments: list[Sequence[Token]]) -> None:
        if self._language == "perl" and via == "open" and len(arguments) == 2:
            self._two_argument_open(arguments[1])
            return
        if word.mode is not None and not self._writes(arguments, word.mode):
            return
        if word.gone is not None and word.gone < len(arguments):
            self._touch(Act.DELETE, arguments[word.gone], via, word.tree)
        chosen = arguments if word.place == -1 else arguments[word.place : word.place + 1]
        named = [argument[2:] for argument in arguments if _is_named(argument)]
        for argument in [*chosen, *named]:
            self._touch(word.act, argument, via, word.tree)

    def _two_argument_open(self, argument: Sequence[Token]) -> None:
        for text in self._resolve(argument):
            if text.lstrip().startswith((">", "+")):
                self._add(Act.WRITE, text.lstrip("+>< "), "open", False)

    def _writes(self, arguments: list[Sequence[Token]], place: int) -> bool:
        """Whether the argument that holds the mode asks for writing."""
        mode = arguments[place] if place < len(arguments) else ()
        if any(token.text.rpartition(".")[2] in _WRITING_FLAGS for token in mode):
            return True
        if len(mode) > 2 and mode[0].text == "{":  # Deno.open(path, {write: true})
            return any(token.text in ("write", "append", "create", "truncate") for token in mode)
        return any(set(text) & set("wax+c>") for text in self._resolve(mode))

    def _made(self, at: int) -> None:
        """A method of an object that a path was just put into."""
        arguments = self._arguments(at + 1)
        end = at + 2 + sum(map(len, arguments)) + len(arguments)
        dots = [self._sign(end), self._sign(end + 1)]
        if len(arguments) != 1 or self._sign(at + 1) != "(" or (dots[0] != "." and dots != ["-", ">"]):
            return
        name = self._text(end + (1 if dots[0] == "." else 2))
        if name in METHODS:
            self._touch(METHODS[name], arguments[0], name, False)

    def _start(self, arguments: list[Sequence[Token]]) -> None:
        if self._shell is None or not arguments:
            return
        words = [self._resolve(argument) for argument in arguments]
        flat = [texts[0] for texts in words if len(texts) == 1]
        if not flat or not words[0]:
            return
        world = elsewhere(self._world, self._cwd, self._world.env)
        single = " " in flat[0] or len(flat) == 1
        reading = self._shell(flat[0] if single else flat, world)
        self.effects.update(dict.fromkeys(reading.effects))
        self.runs.extend(reading.runs)

    def _touch(self, act: Act, argument: Sequence[Token], via: str, tree: bool) -> None:
        for text in self._resolve(argument):
            self._add(act, text, via, tree)

    def _add(self, act: Act, text: str, via: str, tree: bool) -> None:
        place = self._place(text)
        if place is not None:
            self.effects[Effect(act, place, via, tree)] = None

    def _place(self, text: str) -> str | None:
        tilde = self._language in ("ruby", "r")
        return absolute(expand_user(text, self._world.env) if tilde else text, self._cwd)

    def _resolve(self, argument: Sequence[Token]) -> list[str]:
        """The texts that an argument may be; empty where it is none that is known."""
        words = [token for token in argument if token.kind is Kind.WORD]
        if any(word.text in _JOINERS for word in words):
            return self._joined(argument)
        if words and any(word.text in _ENVIRONMENT for word in words):
            return self._environment(argument)
        if words and words[-1].text in _HOMES:
            return [self._world.env["HOME"]] if "HOME" in self._world.env else []
        parts = [self._piece(token) for token in argument if token.text not in _PLUS]
        if not parts or any(not part for part in parts):
            return []
        texts = [""]
        for part in parts:
            texts = [text + piece for text in texts for piece in part][:MAX_TEXTS]
        return texts

    def _piece(self, token: Token) -> tuple[str, ...]:
        if token.kind is Kind.TEXT:
            return (token.text,)
        if token.kind is Kind.FILLED:
            return self._fill(token.text)
        return self._names.get(token.text, ()) if token.kind is Kind.WORD else ()

    def _fill(self, text: str) -> tuple[str, ...]:
        """A text with the names in it replaced; nothing where one is not known."""
        if len(text) > MAX_FILLED:
            return ()
        for hit in _FILLED.finditer(text):
            name = (hit[1] or hit[2] or hit[3]).strip()
            known = self._names.get(name) or self._known_home(name)
            if not known:
                return () if self._language != "node" or hit[1] else (text,)
            text = text.replace(hit[0], known[0], 1)
        return (text,)

    def _known_home(self, name: str) -> tuple[str, ...]:
        variable = re.search(r"(?:env\.|ENV\[?['\"{]?)(\w+)|(Dir\.home|homedir)", name)
        key = "" if variable is None else variable[1] or "HOME"
        return (self._world.env[key],) if key in self._world.env else ()

    def _joined(self, argument: Sequence[Token]) -> list[str]:
        """`path.join(a, b)` and its like: what stands between the brackets, joined as a path."""
        opens = [place for place, token in enumerate(argument) if token.text == "("]
        inner = argument[opens[0] + 1 : -1] if opens else []
        heads = [""]
        for part in _split(inner):
            texts = self._resolve(part)
            if not texts:
                return []
            heads = [_join(head, expand_user(text, self._world.env)) for head in heads for text in texts][:MAX_TEXTS]
        return heads

    def _environment(self, argument: Sequence[Token]) -> list[str]:
        """`process.env.NAME`, `ENV['NAME']`, `getenv("NAME")`, with what is put behind it."""
        for place, token in enumerate(argument):
            if token.text in self._world.env:
                rest = [one for one in argument[place + 1 :] if one.text not in _CLOSING]
                tails = self._resolve(rest) if rest else [""]
                return [self._world.env[token.text] + tail for tail in tails]
        return []


_PLUS = frozenset({"+", "."})


def _join(folder: str, name: str) -> str:
    return name if name.startswith("/") or not folder else f"{folder.rstrip('/')}/{name}"


def _is_named(argument: Sequence[Token]) -> bool:
    return len(argument) > 2 and argument[0].text in NAMED_PATHS and argument[1].text in ("=", ":")


def _split(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    found: list[Sequence[Token]] = []
    start = depth = 0
    for place, token in enumerate(tokens):
        sign = token.text if token.kind is Kind.SIGN else ""
        depth += (sign in _OPENING) - (sign in _CLOSING)
        if sign == "," and depth == 0:
            found.append(tokens[start:place])
            start = place + 1
    return [*found, tokens[start:]]
