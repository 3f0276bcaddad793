"""Control and invisible characters made visible, before a text is shown to a person. Pure."""

from __future__ import annotations

import unicodedata


def visible(text: str) -> str:
    """The text with control and invisible characters made visible, each as one cell; tabs stay."""
    return text if text.isascii() and text.isprintable() else "".join(map(_visible, text))


def _visible(char: str) -> str:
    if char == "\t" or char.isprintable() or unicodedata.category(char) == "Zs":
        return char
    return chr(0x2400 + ord(char)) if ord(char) < 0x20 else "\N{REPLACEMENT CHARACTER}"
