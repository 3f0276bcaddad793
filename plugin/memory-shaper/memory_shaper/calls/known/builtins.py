"""Commands of the shell itself: folders, variables, printing, reading."""

from __future__ import annotations

import re

from ..shell.hands import DONE, FAILED, SILENT, UNHEARD, UNKNOWN, Call, Outcome
from ..shell.paths import base
from ..shell.quoting import ansi_c

_ASSIGN = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\+?)=(.*)\Z", re.DOTALL)
_FORMAT = re.compile(r"%(?:%|[-+ #0]*\d*(?:\.\d+)?([sdbqiuxXc]))")


def change_folder(call: Call) -> Outcome:
    """cd, pushd: a folder that is not there leaves the shell where it is, if this call cannot have made it."""
    state = call.hands.state
    words = [word for word in call.args if word not in ("-P", "-L", "-e", "-@", "--", "-n")]
    path = words[0] if words else "~"
    if call.name == "pushd":
        if not words:
            return _popped(call)
        state.folders = (*state.folders[-50:], state.cwd)
    if path == "-":
        state.enter(state.before)
        return DONE
    home = state.value("HOME")
    folder = (home if isinstance(home, str) else UNKNOWN) if path == "~" and not words else path
    place = call.hands.absolute(folder)
    if place is None:
        state.enter(None)
        call.hands.opaque()
        return SILENT
    return _entered(call, place)


def _entered(call: Call, place: str) -> Outcome:
    if call.hands.is_folder(place):
        call.hands.state.enter(place)
        return DONE
    if call.hands.may_be_made(place):
        call.hands.state.enter(place)
        return SILENT
    return FAILED


def pop_folder(call: Call) -> Outcome:
    """popd: back to where pushd left."""
    return _popped(call)


def _popped(call: Call) -> Outcome:
    state = call.hands.state
    if not state.folders:
        return FAILED
    back = state.folders[-1]
    state.folders = (*state.folders[:-1], state.cwd) if call.name == "pushd" else state.folders[:-1]
    state.enter(back)
    return Outcome(True, None)


def declare(call: Call) -> Outcome:
    """export, declare, local, readonly: assignments among the words."""
    state = call.hands.state
    flags = "".join(word for word in call.args if word[:1] in "-+")
    exports = call.name == "export" or "x" in flags
    for word in call.args:
        found = _ASSIGN.match(word)
        if found:
            state.assign(found.group(1), UNKNOWN if found.group(2) or "i" in flags else found.group(3))
        if exports and word[:1] not in "-+":
            state.exported.add(found.group(1) if found else word)
    return DONE


def unset(call: Call) -> Outcome:
    """unset: forget variables and functions."""
    for word in call.args:
        call.hands.state.assign(word, "")
        call.hands.state.functions.pop(word, None)
    return DONE


def set_words(call: Call) -> Outcome:
    """set -- words: the parameters."""
    args = list(call.args)
    while args and args[0][:1] in "-+" and args[0] != "--":
        takes = args[0] in ("-o", "+o")
        args = args[2:] if takes else args[1:]
        if not args:
            return DONE
    if args:
        call.hands.state.arguments = tuple(args[1:] if args[0] == "--" else args)
    return DONE


def shift(call: Call) -> Outcome:
    """shift: parameters move up."""
    count = int(call.args[0]) if call.args and call.args[0].isdecimal() and len(call.args[0]) < 6 else 1
    if call.hands.state.arguments is not None:
        call.hands.state.arguments = call.hands.state.arguments[count:]
    return DONE


def echo(call: Call) -> Outcome:
    """echo: its words, known where they are."""
    args = list(call.args)
    flags = ""
    while args and re.fullmatch(r"-[neE]+", args[0]):
        flags += args.pop(0)
    text = " ".join(args)
    text = ansi_c(text) if "e" in flags else text
    return Outcome(True, _known(text if "n" in flags else text + "\n"))


def print_format(call: Call) -> Outcome:
    """printf: %s, %d, %b, %q with the arguments, as often as they last; -v sets a variable."""
    args = list(call.args)
    name = ""
    if args[:1] == ["-v"] and len(args) > 1:
        name, args = args[1], args[2:]
    args = args[1:] if args[:1] == ["--"] else args
    text = _formatted(args[0], args[1:]) if args else ""
    if name:
        call.hands.state.assign(name, UNKNOWN if text is None else text)
        return DONE
    return Outcome(True, None if text is None else _known(text))


def _formatted(form: str, args: list[str]) -> str | None:
    form = ansi_c(form).replace("\\0", "\n")
    rest = iter(args)
    left = len(args)

    def fill(found: re.Match[str]) -> str:
        nonlocal left
        if not found.group(1):
            return "%"
        left -= 1
        word = next(rest, "")
        return ansi_c(word) if found.group(1) == "b" else word

    if form.replace("%%", "").count("%") != sum(1 for found in _FORMAT.finditer(form) if found.group(1)):
        return None
    out = [_FORMAT.sub(fill, form)]
    while left > 0 and _FORMAT.search(form) and "%" in form.replace("%%", ""):
        out.append(_FORMAT.sub(fill, form))
    return "".join(out)


def _known(text: str) -> str | None:
    return None if UNKNOWN in text else text


def print_folder(call: Call) -> Outcome:
    """pwd."""
    return Outcome(True, None if call.hands.state.cwd is None else call.hands.state.cwd + "\n")


def path_parts(call: Call) -> Outcome:
    """basename and dirname."""
    words = [word for word in call.args if word[:1] != "-"]
    if not words or UNKNOWN in words[0] or len(words) > 2 or len(words) != len(call.args):
        return UNHEARD
    if call.name == "basename":
        name = base(words[0]) or "/"
        return Outcome(True, name.removesuffix(words[1] if len(words) > 1 else "") + "\n")
    head, slash, _ = words[0].rstrip("/").rpartition("/")
    return Outcome(True, (head or (slash or ".")) + "\n")


def real_path(call: Call) -> Outcome:
    """realpath and readlink -f: links are left to whoever looks at the path."""
    words = [word for word in call.args if word[:1] != "-"]
    place = call.hands.absolute(words[0]) if len(words) == 1 else None
    if place is None or (call.name == "readlink" and not {"-f", "-m", "-e"} & set(call.args)):
        return UNHEARD
    return Outcome(None, place + "\n")


def pass_on(call: Call) -> Outcome:
    """cat: files are read; what comes in goes out."""
    files = [word for word in call.args if word[:1] != "-"]
    for path in files:
        call.hands.read(path, call.name)
    plain = not call.args or call.args == ("-",)
    return Outcome(None, call.source.text if plain else None)


def read_line(call: Call) -> Outcome:
    """read: takes a line off what comes in."""
    names: list[str] = []
    args = iter(call.args)
    for word in args:
        if word[:1] == "-" and len(word) > 1:
            if word[-1] in "dinNptua":
                next(args, "")
        else:
            names.append(word)
    text = call.input()
    if text is None or (set("".join(call.args)) >= set("-d") and any(word[:2] == "-d" for word in call.args)):
        for name in names or ["REPLY"]:
            call.hands.state.assign(name, UNKNOWN)
        return SILENT
    line, newline, rest = text.partition("\n")
    call.hands.feed(rest)
    parts = line.split(None, len(names) - 1) if len(names) > 1 else [line.strip()]
    for number, name in enumerate(names or ["REPLY"]):
        call.hands.state.assign(name, parts[number] if number < len(parts) else "")
    return DONE if newline or line else FAILED


def read_array(call: Call) -> Outcome:
    """mapfile: the lines that come in."""
    words = [word for word in call.args if word[:1] != "-"]
    text = call.input()
    name = words[-1] if words else "MAPFILE"
    lines = (UNKNOWN,) if text is None else tuple(text.split("\n")[:-1])
    call.hands.state.assign(name, lines)
    return DONE


def evaluate(call: Call) -> Outcome:
    """eval: its words joined are run here."""
    return call.hands.evaluate(" ".join(call.args), None)


def source(call: Call) -> Outcome:
    """source: a file is run here."""
    text = call.hands.text(call.args[0]) if call.args else None
    if text is None:
        call.hands.opaque()
        return UNHEARD
    outcome = call.hands.evaluate(text, call.args[1:] or None)
    if call.hands.state.ended == "return":
        call.hands.state.ended = ""
    return outcome


def leave(call: Call) -> Outcome:
    """exit, return, break, continue."""
    call.hands.state.ended = call.name
    return SILENT


def succeed(_: Call) -> Outcome:
    """true."""
    return DONE


def fail(_: Call) -> Outcome:
    """false."""
    return FAILED


def test(call: Call) -> Outcome:
    """test: what folders and known texts can answer."""
    words = list(call.args[:-1] if call.name == "[" else call.args)
    negated = words[:1] == ["!"]
    answer = _answer(call, words[1:] if negated else words)
    return Outcome(None if answer is None else answer is not negated, "")


def _answer(call: Call, words: list[str]) -> bool | None:
    if any(UNKNOWN in word for word in words):
        return None
    match words:
        case ["-d", path]:
            return call.hands.is_folder(path) or (None if call.hands.may_be_made(path) else False)
        case ["-e", path] if call.hands.exists(path):
            return True
        case ["-n" | "-z" as sign, text]:
            return bool(text) is (sign == "-n")
        case [left, "=" | "==", right]:
            return left == right
        case [left, "!=", right]:
            return left != right
    return None
