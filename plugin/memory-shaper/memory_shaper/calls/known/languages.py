"""Interpreters of other languages, and the programs that only pass on to them."""

from __future__ import annotations

import re

from ..shell.hands import UNHEARD, UNKNOWN, Call, Outcome
from .options import named, read_options

_PYTHON_TAKES = frozenset({"W", "X", "check-hash-based-pycs"})
_UV_TAKES = named(
    "with with-editable with-requirements p python extra group package directory project env-file index "
    "index-url n name f"
)
_NODE_TAKES = frozenset({"r", "require", "import", "C", "conditions", "loader", "e", "p", "pe", "eval", "print"})
_PERL_TAKES = frozenset({"e", "E", "I", "M", "m"})
_LANGUAGE = {"nodejs": "node", "deno": "node", "bun": "node", "node": "node", "irb": "ruby", "tsx": "node"}


def python(call: Call) -> Outcome:
    """python: -c TEXT, -m MODULE, a script, or what comes in."""
    args = list(call.args)
    flags: list[str] = []
    while args and args[0][:1] == "-" and args[0] not in ("-", "--"):
        word = args.pop(0)
        place = next((number for number, letter in enumerate(word) if letter in "cmWX"), None)
        if word[:2] == "--" or place is None:
            flags.append(word)
            if word[2:] in _PYTHON_TAKES and args:
                args.pop(0)
            continue
        value = word[place + 1 :] or (args.pop(0) if args else "")
        if word[place] == "c":
            call.hands.program("python", value, args)
            return UNHEARD
        if word[place] == "m":
            return _module(call, value, args)
    return _python_file(call, args, bool({"-V", "--version", "-h", "--help"} & set(flags)))


def _python_file(call: Call, args: list[str], asked: bool) -> Outcome:
    if asked:
        return UNHEARD
    args = args[1:] if args[:1] == ["--"] else args
    source = call.hands.text(args[0]) if args and args[0] != "-" else call.input()
    if source is None:
        call.hands.opaque()
    else:
        call.hands.program("python", source, args[1:])
    return UNHEARD


def _module(call: Call, module: str, args: list[str]) -> Outcome:
    """Modules of the standard library that write a file which their arguments name."""
    operands = [word for word in args if word[:1] != "-"]
    if module == "json.tool":
        for path in operands[1:2]:
            call.hands.write(path, module)
        return UNHEARD
    if module not in ("http.server", "venv", "pip", "timeit", "calendar", "this", "platform", "site", "py_compile"):
        call.hands.opaque()
    return UNHEARD


def uv(call: Call) -> Outcome:
    """uv run, poetry run and the like: options, then a command or a script."""
    verb, *rest = call.args or ("",)
    if verb != "run":
        return UNHEARD
    given = read_options(rest, _UV_TAKES, mixed=False)
    hands = call.hands.inside(given.last("directory") or ".") if given.has("directory") else call.hands
    if given.has("m", "module"):
        return hands.command(["python", "-m", *given.operands], call.source)
    if not given.operands:
        return UNHEARD
    words = given.operands
    script = words[0].endswith(".py") or words[0] == "-" or given.has("s", "script")
    return hands.command(["python", *words] if script else words, call.source)


def node(call: Call) -> Outcome:
    """node, deno, bun: -e TEXT, a script, or what comes in."""
    args = call.args
    if args[:1] in (("run",), ("eval",)) and call.name in ("deno", "bun"):
        args = ("-e", *args[1:]) if args[0] == "eval" else args[1:]
    given = read_options(args, _NODE_TAKES, mixed=False)
    _other(call, "node", given.all("e", "p", "pe", "eval", "print"), given.operands)
    return UNHEARD


def perl(call: Call) -> Outcome:
    """perl, ruby: -e TEXT or a script; with -i the files are written, with -n or -p they are read."""
    takes = _PERL_TAKES | ({"r", "C"} if call.name == "ruby" else set())
    given = read_options(call.args, takes, attached="iFxCD", mixed=False)
    texts = given.all("e", "E")
    files = given.operands if texts else given.operands[1:]
    looped = given.has("n", "p")
    if given.has("i"):
        for path in files:
            call.hands.write(path, call.name)
    elif looped:
        for path in files:
            call.hands.read(path, call.name)
    _other(call, _language(call.name), texts, given.operands)
    return UNHEARD


def php(call: Call) -> Outcome:
    """php: -r TEXT, -f FILE, a script, or what comes in."""
    given = read_options(call.args, frozenset({"r", "f", "d", "c", "B", "R", "E", "S", "t", "z"}), mixed=False)
    _other(call, _language(call.name), given.all("r", "B", "R", "E"), given.all("f") + given.operands)
    return UNHEARD


def _language(name: str) -> str:
    plain = re.sub(r"[0-9.]+\Z", "", name)
    return _LANGUAGE.get(plain, plain)


def _other(call: Call, language: str, texts: list[str], operands: list[str]) -> None:
    sources: list[str | None] = list(texts)
    if not texts:
        sources = [call.hands.text(operands[0]) if operands and operands[0] != "-" else call.input()]
    for source in sources:
        if source is None or UNKNOWN in source:
            call.hands.opaque()
        if source is not None:
            call.hands.program(language, source, operands)
