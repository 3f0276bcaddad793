"""`$'…'` and the escapes of `echo -e` and `printf`."""

from __future__ import annotations

import re

_ESCAPE = re.compile(
    r"\\(?:([abeEfnrtv\\'\"?])|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,4})|(c)(.))",
    re.DOTALL,
)
_SIMPLE = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}


def _replace(found: re.Match[str]) -> str:
    simple, two, four, eight, octal, control, sign = found.groups()
    if simple:
        return _SIMPLE.get(simple, simple)
    if control:
        return chr(ord(sign) & 0x1F)
    number = int(octal, 8) & 0xFF if octal else int(two or four or eight, 16)
    return chr(number) if 0 < number < 0x110000 else ""


def ansi_c(text: str) -> str:
    r"""What `$'text'` stands for.

    >>> ansi_c(r"a\tb\x41")
    'a\tbA'
    """
    return _ESCAPE.sub(_replace, text) if "\\" in text else text
