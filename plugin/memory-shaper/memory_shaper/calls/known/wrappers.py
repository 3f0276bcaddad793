"""Commands that start other commands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..shell.hands import DONE, SILENT, UNHEARD, UNKNOWN, Call, Handler, Hands, Outcome
from .options import named, read_options

_ENV_TAKES = frozenset({"u", "unset", "C", "chdir", "S", "split-string", "a", "argv0"})
_SUDO_TAKES = named("u g h p r t C T R D user group host prompt role type chdir chroot")
_SHELL_TAKES = frozenset({"o", "O", "init-file", "rcfile"})
_ASSIGN = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)\Z", re.DOTALL)
_XARGS_TAKES = named("a arg-file d delimiter E I L max-lines n max-args P max-procs s max-chars process-slot-var")
_QUOTED = re.compile(r"""(?:[^\s'"\\]|\\.|'[^'\n]*'|"[^"\n]*")+""", re.DOTALL)
_UNQUOTE = re.compile(r"""\\(.)|'([^'\n]*)'|"([^"\n]*)\"""", re.DOTALL)

MAX_CALLS = 500
"""Commands that one xargs is followed into."""


def wrapper(takes: str = "", skip: int = 0) -> Handler:
    """A command of options, `skip` operands of its own, and then the command that it starts."""
    names = frozenset(takes.split())

    def run(call: Call) -> Outcome:
        rest = read_options(call.args, names, mixed=False).operands[skip:]
        return call.hands.command(rest, call.source) if rest else UNHEARD

    return run


def environment(call: Call) -> Outcome:
    """env: assignments, -C folder, -S text, then a command."""
    given = read_options(call.args, _ENV_TAKES, mixed=False)
    words = [*(word for text in given.all("S", "split-string") for word in text.split()), *given.operands]
    clears = given.has("i", "ignore-environment") or words[:1] == ["-"]
    words = words[1:] if words[:1] == ["-"] else words
    return _with_assignments(call, call.hands.clean(clears), words, given.last("C", "chdir"))


def _with_assignments(call: Call, hands: Hands, words: list[str], folder: str | None) -> Outcome:
    while words and (found := _ASSIGN.match(words[0])):
        hands.state.assign(found.group(1), found.group(2))
        hands.state.exported.add(found.group(1))
        words = words[1:]
    if folder is not None:
        hands = hands.inside(folder)
    return hands.command(words, call.source) if words else UNHEARD


def superuser(call: Call) -> Outcome:
    """Running as the superuser: assignments, -D folder, then a command; with -i or -s a shell."""
    given = read_options(call.args, _SUDO_TAKES, mixed=False)
    if given.has("e", "edit"):
        for path in given.operands:
            call.hands.write(path, call.name)
        return UNHEARD
    if not given.operands and given.has("s", "i"):
        return shell(Call("sh", (), call.source, call.hands))
    return _with_assignments(call, call.hands.clean(False), given.operands, given.last("D", "chdir"))


def switch_user(call: Call) -> Outcome:
    """su and script: the command stands in -c; script writes its operand."""
    given = read_options(call.args, ("c", "command", "s", "shell", "g", "G", "w"))
    text = given.last("c", "command")
    if call.name == "script":
        for path in given.operands:
            call.hands.write(path, call.name)
    return UNHEARD if text is None else call.hands.script(text, (), call.source)


def shell(call: Call) -> Outcome:
    """sh, bash, zsh …: -c TEXT, a script file, or what comes in."""
    given = read_options([word for word in call.args if not re.match(r"\+[A-Za-z]", word)], _SHELL_TAKES, mixed=False)
    if given.has("version", "help"):
        return UNHEARD
    if given.has("n"):
        return SILENT
    if given.has("c"):
        text, *rest = given.operands or [""]
        return call.hands.script(text, rest[1:], call.source)
    if given.operands and not given.has("s"):
        text_or_none = call.hands.text(given.operands[0])
        source = call.source
        rest = given.operands[1:]
    else:
        text_or_none, source, rest = call.input(), call.source._replace(text=None, path=None), given.operands
    if text_or_none is None:
        call.hands.opaque()
        return UNHEARD
    return call.hands.script(text_or_none, rest, source)


def time_command(call: Call) -> Outcome:
    """time, strace, ltrace: -o FILE is written."""
    given = read_options(call.args, ("o", "output", "f", "format", "e", "p", "s", "P", "u"), mixed=False)
    for path in given.all("o", "output"):
        call.hands.write(path, call.name)
    return call.hands.command(given.operands, call.source) if given.operands else SILENT


def flock(call: Call) -> Outcome:
    """flock FILE command, flock FILE -c TEXT, flock NUMBER: the file is only made where it is missing."""
    given = read_options(call.args, ("w", "timeout", "E", "conflict-exit-code"), mixed=False)
    path, *words = given.operands or [""]
    if path and not path.isdecimal() and not call.hands.exists(path):
        call.hands.write(path, call.name)
    if words[:1] in (["-c"], ["--command"]):
        return call.hands.script(" ".join(words[1:2]), (), call.source)
    return call.hands.command(words, call.source) if words else UNHEARD


def watch(call: Call) -> Outcome:
    """watch: its words joined are a shell text."""
    given = read_options(call.args, ("n", "interval", "q", "equexit"), mixed=False)
    return call.hands.script(" ".join(given.operands), (), call.source)


def command_word(call: Call) -> Outcome:
    """command, builtin, exec, busybox: the rest is a command; -v and -V only look it up."""
    given = read_options(call.args, ("a",), mixed=False)
    if given.has("v", "V", "list") or not given.operands:
        return UNHEARD
    outcome = call.hands.command(given.operands, call.source)
    if call.name == "exec":
        call.hands.state.ended = "exit"
    return outcome


def trap(call: Call) -> Outcome:
    """trap TEXT SIGNAL…: the text runs at some time."""
    words = [word for word in call.args if word != "--"]
    if len(words) > 1 and words[0][:1] != "-":
        return call.hands.script(words[0], (), call.source)._replace(success=True, out="")
    return DONE


def later(call: Call) -> Outcome:
    """at, batch, crontab and other hands that work later, or elsewhere: nothing is known."""
    call.hands.opaque()
    return UNHEARD


def each_argument(call: Call) -> Outcome:
    """xargs: the words that come in are put behind the command, or with -I into it."""
    given = read_options(call.args, _XARGS_TAKES, attached="ile", mixed=False)
    command = given.operands or ["echo"]
    path = given.last("a", "arg-file")
    text = call.hands.text(path) if path else call.input()
    if text is None or UNKNOWN in text:
        return call.hands.command([*command, UNKNOWN], call.source._replace(text=None, path=None))
    mark = given.last("I", "replace") or ("{}" if given.has("i") else None)
    items = list(_items(text, given.has("0", "null"), given.last("d", "delimiter"), mark is not None))
    return _each(call, command, items, mark, given.last("n", "max-args") or given.last("L", "max-lines"))


def _each(call: Call, command: list[str], items: list[str], mark: str | None, many: str | None) -> Outcome:
    none = call.source._replace(text=None, path=None)
    if mark is None and many is None:
        return call.hands.command([*command, *items], none)
    size = int(many) if many and many.isdecimal() and int(many) and mark is None else 1
    for start in range(0, min(len(items), MAX_CALLS * size), size):
        group = items[start : start + size]
        words = [*command, *group] if mark is None else [word.replace(mark, group[0]) for word in command]
        call.hands.command(words, none)
    if len(items) > MAX_CALLS * size:
        call.hands.opaque()
    return UNHEARD


def _items(text: str, by_nul: bool, delimiter: str | None, by_line: bool) -> Iterator[str]:
    if by_nul or delimiter:
        yield from (item for item in text.split("\n" if by_nul else _sign(delimiter or "")) if item)
    elif by_line:
        yield from (line.strip() for line in text.split("\n") if line.strip())
    else:
        for found in _QUOTED.finditer(text):
            yield _UNQUOTE.sub(lambda part: part.group(1) or part.group(2) or part.group(3) or "", found.group())


def _sign(written: str) -> str:
    return {"\\n": "\n", "\\t": "\t", "\\0": "\n"}.get(written, written[:1])


def parallel(call: Call) -> Outcome:
    """parallel command ::: items, or items from what comes in."""
    given = read_options(
        call.args,
        named("j jobs a arg-file delay timeout joblog results workdir n N"),
        mixed=False,
    )
    words = given.operands
    place = next((number for number, word in enumerate(words) if word[:3] == ":::"), None)
    command = words[:place]
    text = call.input() if place is None else None
    items = words[place + 1 :] if place is not None else (text.split("\n") if text is not None else [UNKNOWN])
    for item in [item for item in items if item][:MAX_CALLS]:
        filled = " ".join(command) if any("{}" in word for word in command) else " ".join([*command, "{}"])
        call.hands.script(filled.replace("{}", "'" + item.replace("'", "'\\''") + "'"), (), call.source)
    return UNHEARD
