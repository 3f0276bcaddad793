"""Archives and compressed files: members that are named are known, others are not."""

from __future__ import annotations

import re

from ..shell.hands import SILENT, UNHEARD, Call, Outcome
from ..shell.paths import join
from .options import named, read_options

_TAR = named(
    "f file C directory T files-from X exclude-from b g N V H K F I use-compress-program exclude "
    "transform xform strip-components owner group mode"
)
_SUFFIX = {
    "gzip": ".gz",
    "bzip2": ".bz2",
    "xz": ".xz",
    "lzma": ".lzma",
    "zstd": ".zst",
    "lz4": ".lz4",
    "compress": ".Z",
}
_UNDO = {
    "gunzip": "gzip",
    "bunzip2": "bzip2",
    "unxz": "xz",
    "unlzma": "lzma",
    "unzstd": "zstd",
    "uncompress": "compress",
}
_KEEPS = frozenset({"zstd", "lz4"})


def tar(call: Call) -> Outcome:
    """tar and bsdtar: -x writes below -C, -c writes -f and with --remove-files eats its operands."""
    args = list(call.args)
    if args and re.fullmatch(r"[A-Za-z]+", args[0]):
        args = [*_old_style(args[0], args[1:])]
    given = read_options(args, _TAR)
    if given.has("x", "extract", "get"):
        _extract(
            call,
            given.last("C", "directory"),
            given.operands,
            given.has("O", "to-stdout", "wildcards", "transform", "strip-components"),
        )
    elif given.has("c", "create", "r", "append", "u", "update", "A", "delete"):
        path = given.last("f", "file")
        if path and path != "-":
            call.hands.write(path, call.name)
        for member in given.operands if given.has("remove-files") else ():
            call.hands.delete(join(given.last("C", "directory") or "", member), call.name, call.hands.is_folder(member))
    return UNHEARD


def _old_style(letters: str, rest: list[str]) -> list[str]:
    """`tar xzfC a.tgz dir`: the values follow in the order of the letters."""
    values = iter(rest)
    words: list[str] = []
    for letter in letters:
        words += ["-" + letter, next(values, "")] if letter in _TAR else ["-" + letter]
    return [*words, *values]


def _extract(call: Call, folder: str | None, members: list[str], unsure: bool) -> None:
    if not members or unsure:
        call.hands.opaque()
        return
    for member in members:
        call.hands.write(join(folder or "", member.removeprefix("./")), call.name, tree=member.endswith("/"))


def unzip(call: Call) -> Outcome:
    """unzip: -d names the folder; -l, -t, -p, -v, -z only look."""
    given = read_options(call.args, ("d", "x", "P"))
    if not given.has("l", "t", "p", "v", "z", "c", "Z"):
        plain = [name for name in given.operands[1:] if not re.search(r"[*?\[]", name)]
        _extract(call, given.last("d"), plain, len(plain) < len(given.operands[1:]) or given.has("j"))
    return UNHEARD


def zip_up(call: Call) -> Outcome:
    """zip: the first operand is written; -m moves the others in."""
    given = read_options(call.args, ("x", "i", "n", "P", "b", "t"))
    for path in given.operands[:1]:
        call.hands.write(path, call.name)
    for path in given.operands[1:] if given.has("m", "move") else ():
        call.hands.delete(path, call.name, call.hands.is_folder(path))
    return UNHEARD


def seven(call: Call) -> Outcome:
    """7z and rar: `x` and `e` extract, `a`, `u` and `d` write the archive."""
    verb, *rest = call.args or ("",)
    operands = [word for word in rest if word[:1] != "-"]
    if verb in ("x", "e"):
        folder = next((word[2:] for word in rest if word.startswith("-o")), "")
        _extract(call, folder, operands[1:], any("*" in name for name in operands[1:]))
    elif verb in ("a", "u", "d"):
        for path in operands[:1]:
            call.hands.write(path, call.name)
        for path in operands[1:] if "-sdel" in rest else ():
            call.hands.delete(path, call.name, call.hands.is_folder(path))
    return UNHEARD


def compress(call: Call) -> Outcome:
    """gzip and its kin: FILE is replaced by FILE.gz, or the other way round."""
    given = read_options(call.args, ("S", "suffix", "o", "b", "T", "threads", "M", "D"))
    tool = _UNDO.get(call.name, call.name)
    suffix = given.last("S", "suffix") or _SUFFIX[tool]
    if given.has("c", "stdout", "to-stdout", "l", "list", "t", "test"):
        return UNHEARD
    keeps = given.has("k", "keep") or (tool in _KEEPS and not given.has("rm"))
    undo = call.name in _UNDO or given.has("d", "decompress", "uncompress")
    for path in given.operands:
        _compress_one(call, path, suffix, undo, given.last("o") if tool == "zstd" else None)
        if not keeps:
            call.hands.delete(path if not undo or path.endswith(suffix) else path + suffix, call.name)
    return SILENT


def _compress_one(call: Call, path: str, suffix: str, undo: bool, out: str | None) -> None:
    call.hands.write(out or (path.removesuffix(suffix) if undo else path + suffix), call.name)
