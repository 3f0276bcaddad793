"""sed and awk: files as arguments, and files that their programs write."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..shell.hands import UNHEARD, UNKNOWN, Call, Outcome
from .options import read_options

_SED_TAKES = frozenset({"e", "expression", "f", "file", "l", "line-length"})
_ADDRESS = re.compile(r"[\s;{}!,0-9$~+]+")
_AWK_TAKES = frozenset({"f", "file", "F", "field-separator", "v", "assign", "i", "include", "E", "exec", "l", "load"})
_AWK = re.compile(
    r'#[^\n]*|"((?:[^"\\\n]|\\.)*)"|printf?\b|system\b|[A-Za-z_]\w*|>>?|\|&?|[(){};\n]|[^\s\w"]', re.DOTALL
)


def sed(call: Call) -> Outcome:
    """sed: with -i the files are written; `w file` in the script is written in any case."""
    given = read_options(call.args, _SED_TAKES, attached="iI")
    scripts = given.all("e", "expression")
    scripts += [call.hands.text(path) or "" for path in given.all("f", "file")]
    files = given.operands
    if not given.has("e", "expression", "f", "file"):
        scripts, files = files[:1], files[1:]
    for script in scripts:
        for path in sed_files(script):
            call.hands.write(path, call.name)
        if re.search(r"(?:^|[;{}\s\d$/])e(?:\s|\Z)", script):
            call.hands.opaque()
    in_place = given.has("i", "in-place", "I")
    for path in files:
        (call.hands.write if in_place else call.hands.read)(path, call.name)
    return UNHEARD


def sed_files(script: str) -> Iterator[str]:
    """The files that a sed script writes with `w`, `W` and `s///w`."""
    place, size = 0, len(script)
    while place < size:
        found = _ADDRESS.match(script, place)
        place = found.end() if found else place
        sign = script[place : place + 1]
        if sign in ("/", "\\"):
            place = _past(script, place + (sign == "\\"), 1)
            while script[place : place + 1] in ("I", "M"):
                place += 1
        elif sign in ("s", "y"):
            place = _past(script, place + 1, 2)
            flags = re.compile(r"[gpiIeMm0-9]*").match(script, place)
            place = flags.end() if flags else place
            if script[place : place + 1] == "w":
                yield _line(script, place + 1)
                place = _end_of_line(script, place)
        elif sign and sign in "wWrRaic:#btT}qQlL":
            if sign in "wW":
                yield _line(script, place + 1)
            ends = re.compile(r"[;\n}]" if sign in "btTqQlL}" else r"\n").search(script, place)
            place = ends.start() + 1 if ends else size
        else:
            place += 1


def _past(script: str, place: int, times: int) -> int:
    """Behind the `times`-th next delimiter; the delimiter stands at `place`."""
    end = script[place : place + 1]
    if not end:
        return len(script)
    seen = 0
    place += 1
    while place < len(script) and seen < times:
        if script[place] == "\\":
            place += 1
        elif script[place] == end:
            seen += 1
        place += 1
    return place


def _line(script: str, place: int) -> str:
    return script[place : _end_of_line(script, place)].strip()


def _end_of_line(script: str, place: int) -> int:
    end = script.find("\n", place)
    return len(script) if end < 0 else end


def awk(call: Call) -> Outcome:
    """awk: `-i inplace` writes the files; the program may print into files and commands."""
    given = read_options(call.args, _AWK_TAKES, mixed=False)
    programs = [call.hands.text(path) or "" for path in given.all("f", "file", "E", "exec")]
    files = given.operands
    if not programs:
        programs, files = files[:1], files[1:]
    set_before = dict(word.split("=", 1) for word in given.all("v", "assign") + files if "=" in word)
    for program in programs:
        _run_awk(call, program, set_before)
    in_place = "inplace" in given.all("i", "include")
    for path in files:
        if "=" not in path:
            (call.hands.write if in_place else call.hands.read)(path, call.name)
    return UNHEARD


def _run_awk(call: Call, program: str, variables: dict[str, str]) -> None:
    for kind, target in awk_targets(program, variables):
        if target is None or UNKNOWN in target:
            call.hands.opaque()
        elif kind == "file":
            call.hands.write(target, call.name)
        else:
            call.hands.script(target, (), call.source._replace(text=None, path=None))


def awk_targets(program: str, variables: dict[str, str]) -> Iterator[tuple[str, str | None]]:
    """What an awk program prints into: ("file" or "command", its name), the name None where it is computed."""
    printing, level, wanted = False, 0, ""
    for found in _AWK.finditer(program):
        token = found.group()
        if token[0] == "#":
            continue
        if wanted:
            if token == "(":
                continue
            text = found.group(1)
            tail = program[found.end() : found.end() + 40].lstrip(" \t)")
            simple = tail[:1] in ("", ";", "}", "\n")
            known = text if text is not None else variables.get(token)
            yield wanted, known if simple and known is not None else None
            wanted, printing = "", False
        elif token in ("print", "printf"):
            printing, level = True, 0
        elif token in ("{", "}", ";", "\n"):
            printing = False
        elif token == "system":
            wanted = "command"
        elif token in "()":
            level += 1 if token == "(" else -1
        elif printing and level == 0 and token in (">", ">>", "|", "|&"):
            wanted = "file" if token[0] == ">" else "command"
        elif token[0] == "|" and not printing and program[: found.start()].rstrip()[-1:] == '"':
            yield "command", None
