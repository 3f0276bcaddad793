"""Commands that fetch, patch and convert: the option or the operand that names the output."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..shell.hands import UNHEARD, Call, Outcome
from ..shell.paths import base, join
from .options import named, read_options

_CURL_TAKES = named(
    "o output d data data-raw data-binary data-urlencode H header X request u user A user-agent e "
    "referer b cookie c cookie-jar D dump-header F form T upload-file x proxy w write-out m max-time "
    "connect-timeout retry K config cacert cert key r range C continue-at E y Y z output-dir trace "
    "trace-ascii stderr url etag-save limit-rate resolve interface json proto create-file-mode "
    "max-filesize max-redirs retry-delay U Q t"
)
_WGET_TAKES = named(
    "O output-document P directory-prefix o output-file a append-output i input-file t tries T timeout w "
    "wait U user-agent header post-data post-file Q l level A R D e execute B limit-rate user password"
)


def curl(call: Call) -> Outcome:
    """curl: -o FILE, -O (the name in the address), and what else it writes."""
    given = read_options(call.args, _CURL_TAKES)
    folder = given.last("output-dir") or ""
    paths = given.all("o", "output")
    if given.has("O", "remote-name", "remote-name-all"):
        paths += [_name(address) for address in given.operands + given.all("url")]
    for path in paths:
        if path and path != "-":
            call.hands.write(join(folder, path), call.name)
    for path in given.all("c", "cookie-jar", "D", "dump-header", "trace", "trace-ascii", "stderr", "etag-save"):
        if path != "-":
            call.hands.write(path, call.name)
    if given.has("K", "config"):
        call.hands.opaque()
    return UNHEARD


def wget(call: Call) -> Outcome:
    """wget: -O FILE; else a new name below -P, an existing file is only written anew with -N, -c, -r and the like."""
    given = read_options(call.args, _WGET_TAKES)
    for path in given.all("o", "output-file", "a", "append-output"):
        call.hands.write(path, call.name)
    out = given.last("O", "output-document")
    if out is not None:
        if out != "-":
            call.hands.write(out, call.name)
        return UNHEARD
    anew = given.has("N", "timestamping", "c", "continue", "x", "force-directories")
    for address in given.operands:
        path = join(given.last("P", "directory-prefix") or "", _name(address) or "index.html")
        if anew or not call.hands.exists(path):
            call.hands.write(path, call.name)
    if given.has("r", "recursive", "m", "mirror", "i", "input-file"):
        call.hands.opaque()
    return UNHEARD


def _name(address: str) -> str:
    return base(re.split(r"[?#]", address.partition("://")[2] or address, maxsplit=1)[0]) if "/" in address else ""


def patch(call: Call) -> Outcome:
    """patch: its first operand, -o FILE, or the files that the patch names where it can be seen."""
    given = read_options(
        call.args,
        named("p strip i input d directory o output r reject-file F B z D V g Y"),
    )
    if given.has("dry-run", "C", "check"):
        return UNHEARD
    hands = call.hands.inside(given.last("d", "directory") or ".") if given.has("d", "directory") else call.hands
    out = given.last("o", "output")
    if out is not None or given.operands:
        hands.write(out if out is not None else given.operands[0], call.name)
        return UNHEARD
    source = given.last("i", "input")
    text = hands.text(source) if source else call.input()
    if text is None:
        call.hands.opaque()
        return UNHEARD
    for path in patched(text, given.last("p", "strip")):
        hands.write(path, call.name)
    return UNHEARD


def patched(text: str, strip: str | None) -> Iterator[str]:
    """The files that a unified diff changes, `strip` parts of their paths taken off (None: only the last name)."""
    for found in re.finditer(r"^(?:---|\+\+\+) ([^\t\n]+)", text, re.MULTILINE):
        path = found.group(1).strip()
        if path != "/dev/null":
            parts = [part for part in path.split("/") if part]
            cut = int(strip) if strip and strip.isdecimal() else len(parts) - 1
            yield path if strip == "0" else "/".join(parts[cut:]) or parts[-1]


def openssl(call: Call) -> Outcome:
    """openssl and other tools with long options of one dash: -out FILE."""
    for number, word in enumerate(call.args[:-1]):
        if word in ("-out", "-keyout", "-writerand"):
            call.hands.write(call.args[number + 1], call.name)
    return UNHEARD


def hexdump(call: Call) -> Outcome:
    """xxd: IN is read, OUT is written."""
    given = read_options(call.args, ("c", "g", "l", "s", "o", "n", "R"))
    for number, path in enumerate(given.operands[:2]):
        (call.hands.write if number else call.hands.read)(path, call.name)
    return UNHEARD


def settings_file(call: Call) -> Outcome:
    """crudini: --get reads its file, every other verb writes it."""
    given = read_options(call.args, ("format", "list-sep"))
    looks = given.has("get")
    for path in given.operands[:1]:
        (call.hands.read if looks else call.hands.write)(path, call.name)
    return UNHEARD


def line_ends(call: Call) -> Outcome:
    """dos2unix and its kin: files in place, or pairs behind -n."""
    given = read_options(call.args, ("c", "convmode"))
    if given.has("O", "to-stdout", "i", "info"):
        return UNHEARD
    paths = given.operands[1::2] if given.has("n", "newfile") else given.operands
    for path in paths:
        call.hands.write(path, call.name)
    return UNHEARD


def editor(call: Call) -> Outcome:
    """Editors: their files are written, unless they only view."""
    takes = named("c S u U i W w T t r cmd servername l load eval f funcall e E L directory q s p Y o")
    if call.name.startswith(("emacs", "nano", "vi", "vim", "nvim", "ex")):
        takes -= named("o p e s r f E L")
    if call.name.startswith("emacs"):
        takes |= named("f L")
    if call.name in ("nano", "pico", "micro"):
        takes = named("T Y s r o Q")
    if call.name == "ed":
        takes = named("p")
    args = [f"-{word}" if re.fullmatch(r"-(?:eval|load|batch|nw|funcall|insert)", word) else word for word in call.args]
    given = read_options(args, takes)
    views = (
        given.has("R", "readonly", "M")
        or call.name in ("view", "rview")
        or (call.name == "nano" and given.has("v"))
        or (call.name in ("code", "codium") and given.has("d", "diff"))
    )
    for path in given.operands:
        if path[:1] != "+":
            (call.hands.read if views else call.hands.write)(path.removeprefix("file://"), call.name)
    return UNHEARD
