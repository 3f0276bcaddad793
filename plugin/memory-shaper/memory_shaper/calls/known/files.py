"""Commands on single files: removing, making, changing modes, linking, writing second operands."""

from __future__ import annotations

import re

from ..shell.hands import DONE, SILENT, UNHEARD, UNKNOWN, Call, Outcome
from ..shell.paths import base, join
from .options import Options, read_options

_MODE = re.compile(r"-[rwxXst]+(?:,.*)?\Z")


def remove(call: Call) -> Outcome:
    """rm: a folder only with -r (its tree) or -d (itself)."""
    given = read_options(call.args)
    deep = given.has("r", "R", "recursive")
    for path in given.operands:
        folder = call.hands.is_folder(path)
        if not folder or deep or given.has("d", "dir"):
            call.hands.delete(path, call.name, deep and (folder or not call.hands.exists(path)))
    return SILENT


def make_folder(call: Call) -> Outcome:
    """mkdir: what is there already stays as it is."""
    given = read_options(call.args, ("m", "mode"))
    for path in given.operands:
        if not call.hands.exists(path):
            call.hands.write(path, call.name)
        call.hands.made_folder(path)
    return DONE if given.has("p", "parents") else SILENT


def touch(call: Call) -> Outcome:
    """touch: times of what exists, a new empty file else."""
    given = read_options(call.args, ("d", "date", "r", "reference", "t", "time"))
    for path in given.operands:
        if call.hands.exists(path):
            call.hands.metadata(path, call.name)
        elif not given.has("c", "no-create"):
            call.hands.write(path, call.name)
            call.hands.keep(path, "")
    return SILENT


def change_mode(call: Call) -> Outcome:
    """chmod, chown, chgrp: a mode or an owner first, unless --reference says it."""
    given = read_options([word for word in call.args if not _MODE.match(word)], ("from",))
    skips = 0 if given.has("reference") or len(call.args) != len(_without_modes(call)) else 1
    for path in given.operands[skips:]:
        call.hands.metadata(path, call.name, given.has("R", "recursive"))
    return SILENT


def _without_modes(call: Call) -> list[str]:
    return [word for word in call.args if not _MODE.match(word)]


def change_attributes(call: Call) -> Outcome:
    """chattr: modes begin with a sign."""
    deep = any(word[:1] == "-" and "R" in word for word in call.args)
    for path in call.args:
        if path[:1] not in "-+=":
            call.hands.metadata(path, call.name, deep)
    return SILENT


def change_list(call: Call) -> Outcome:
    """setfacl and setfattr."""
    takes = ("m", "x", "M", "X", "modify", "remove", "n", "v", "name", "value", "set", "set-file")
    given = read_options(call.args, takes if call.name == "setfacl" else (*takes, "x"))
    if not given.has("test"):
        for path in given.operands:
            call.hands.metadata(path, call.name, given.has("R", "recursive"))
    return SILENT


def second_written(call: Call) -> Outcome:
    """uniq: IN is read, OUT is written."""
    given = read_options(call.args, ("f", "s", "w", "skip-fields", "skip-chars", "check-chars"))
    for number, path in enumerate(given.operands[:2]):
        (call.hands.write if number else call.hands.read)(path, call.name)
    return SILENT if len(given.operands) > 1 else UNHEARD


def split(call: Call) -> Outcome:
    """split: the pieces are the prefix and a suffix, never the prefix itself."""
    takes = ("a", "b", "C", "l", "n", "t", "lines", "bytes", "number", "suffix-length", "filter", "additional-suffix")
    given = read_options(call.args, takes)
    for path in given.operands[:1]:
        call.hands.read(path, call.name)
    prefix = given.operands[1] if len(given.operands) > 1 else "x"
    call.hands.write(prefix + "aa" + (given.last("additional-suffix") or ""), call.name)
    return SILENT


def tee(call: Call) -> Outcome:
    """tee: every operand is written, what comes in goes on."""
    given = read_options(call.args)
    text = call.input() if call.source.text is not None else None
    for path in given.operands:
        call.hands.write(path, call.name)
        call.hands.keep(path, text, given.has("a", "append"))
    return Outcome(None, text)


def shred(call: Call) -> Outcome:
    """shred: overwritten, and with -u gone."""
    given = read_options(call.args, ("n", "s", "iterations", "size", "random-source"), attached="")
    for path in given.operands:
        call.hands.write(path, call.name)
        if given.has("u", "remove"):
            call.hands.delete(path, call.name)
    return SILENT


def dump(call: Call) -> Outcome:
    """dd: if=, of=."""
    for word in call.args:
        key, _, path = word.partition("=")
        if key == "of":
            call.hands.write(path, call.name)
        elif key == "if":
            call.hands.read(path, call.name)
    return UNHEARD


def link(call: Call) -> Outcome:
    """ln: makes a name; what it leads to stays as it is."""
    given = read_options(call.args, ("t", "target-directory", "S", "suffix"))
    target_folder = given.last("t", "target-directory")
    *targets, name = given.operands if target_folder is None else (*given.operands, target_folder)
    if not targets:
        targets, name = [name], "."
    plain = given.has("T", "no-target-directory", "n", "no-dereference")
    inside = target_folder is not None or (call.hands.is_folder(name) and not plain)
    for target in targets:
        _link_one(call, given, target, join(name, base(target)) if inside else name)
    return SILENT


def _link_one(call: Call, given: Options, target: str, name: str) -> None:
    if call.hands.exists(name) and not given.has("f", "force", "b", "backup", "i"):
        return
    call.hands.write(name, call.name)
    symbolic = given.has("s", "symbolic") and not target.startswith("/")
    folder = name.rpartition("/")[0]
    call.hands.link(join(folder, target) if symbolic and folder else target, name)


def link_plain(call: Call) -> Outcome:
    """link: always a new name."""
    if len(call.args) == 2 and not call.hands.exists(call.args[1]):
        call.hands.write(call.args[1], call.name)
        call.hands.link(call.args[0], call.args[1])
    return SILENT


def rename(call: Call) -> Outcome:
    """rename and prename with plain letters: `from to FILES`, or `s/from/to/ FILES`."""
    given = read_options(call.args, ("e", "expr"))
    if given.has("n", "no-act", "nono"):
        return SILENT
    words = given.all("e", "expr") + given.operands
    found = re.fullmatch(r"s/((?:[\w .-]|\\\.)+)/((?:[\w .-]|\\\.)*)/g?", words[0]) if words else None
    if found:
        old, new, paths = found.group(1).replace("\\.", "."), found.group(2).replace("\\.", "."), words[1:]
    elif len(words) > 2 and re.fullmatch(r"[\w.-]+", words[0]) and call.name == "rename":
        old, new, paths = words[0], words[1], words[2:]
    else:
        call.hands.opaque()
        return SILENT
    for path in paths:
        name = base(path)
        if old in name or UNKNOWN in name:
            call.hands.delete(path, call.name)
            call.hands.write(path[: len(path) - len(name)] + name.replace(old, new, 1), call.name)
    return SILENT


def mount(call: Call) -> Outcome:
    """mount --bind A B: B shows A."""
    given = read_options(call.args, ("t", "o", "L", "U"))
    if given.operands[1:]:
        call.hands.write(given.operands[1], call.name, call.hands.is_folder(given.operands[1]))
        call.hands.link(given.operands[0], given.operands[1])
    return SILENT
