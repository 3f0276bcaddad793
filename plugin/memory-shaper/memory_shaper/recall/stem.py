"""English stems by the Porter2 rules (Snowball's "english"), standard library only. Pure.

The rules are those published at snowballstem.org/algorithms/english/stemmer.html; the names of the steps are theirs.
"""

from __future__ import annotations

import re
from collections.abc import Container
from functools import lru_cache

_VOWEL = "aeiouy"
_SHORT_END = re.compile(r"(?:^|.*[^aeiouy])[aeiouy][^aeiouywxY]\Z|\A[aeiouy][^aeiouy]\Z|\Apast\Z", re.DOTALL)
_REGION = re.compile(r"[aeiouy][^aeiouy]")
_R1_PREFIX = re.compile(r"\A(?:gener|commun|arsen|past|univers|later|emerg|organ|inter)")
_DOUBLES = ("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")
_LI_END = "cdeghkmnrt"

_WHOLE = {
    "skis": "ski",
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "idly": "idl",
    "gently": "gentl",
    "ugly": "ugli",
    "early": "earli",
    "only": "onli",
    "singly": "singl",
    "sky": "sky",
    "news": "news",
    "howe": "howe",
    "atlas": "atlas",
    "cosmos": "cosmos",
    "bias": "bias",
    "andes": "andes",
}
_AFTER_1A = frozenset(("inning", "outing", "evening", "canning", "herring", "earring", "proceed", "exceed", "succeed"))

_STEP2 = {
    "ization": "ize",
    "ational": "ate",
    "fulness": "ful",
    "ousness": "ous",
    "iveness": "ive",
    "tional": "tion",
    "biliti": "ble",
    "lessli": "less",
    "entli": "ent",
    "ation": "ate",
    "alism": "al",
    "aliti": "al",
    "ousli": "ous",
    "iviti": "ive",
    "fulli": "ful",
    "enci": "ence",
    "anci": "ance",
    "abli": "able",
    "izer": "ize",
    "ator": "ate",
    "alli": "al",
    "bli": "ble",
}
_STEP3 = {
    "ational": "ate",
    "tional": "tion",
    "alize": "al",
    "icate": "ic",
    "iciti": "ic",
    "ical": "ic",
    "ness": "",
    "ful": "",
}
_STEP4 = frozenset(
    (
        "ement",
        "ance",
        "ence",
        "able",
        "ible",
        "ment",
        "ant",
        "ent",
        "ism",
        "ate",
        "iti",
        "ous",
        "ive",
        "ize",
        "al",
        "er",
        "ic",
    )
)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the stem of one lower-case English word; words of one or two letters come back as they are.

    >>> [stem(word) for word in ("timestamps", "timestamping", "running", "deployed")]
    ['timestamp', 'timestamp', 'run', 'deploy']
    """
    if len(word) <= 2:
        return word
    if word in _WHOLE:
        return _WHOLE[word]
    word = _mark_y(word.removeprefix("'"))
    start1, start2 = _regions(word)
    word = _step1a(_step0(word))
    if word not in _AFTER_1A:
        word = _step1c(_step1b(word, start1))
        word = _step3(_step2(word, start1), start1, start2)
        word = _step5(_step4(word, start2), start1, start2)
    return word.replace("Y", "y")


def _mark_y(word: str) -> str:
    """Write a y that stands for a consonant (first, or after a vowel) as Y."""
    return re.sub(r"\Ay|(?<=[aeiouy])y", "Y", word)


def _regions(word: str) -> tuple[int, int]:
    """Return where the regions R1 and R2 of the word start."""
    prefix = _R1_PREFIX.match(word)
    first = prefix.end() if prefix else _after_vowel_consonant(word, 0)
    return first, _after_vowel_consonant(word, first)


def _after_vowel_consonant(word: str, start: int) -> int:
    found = _REGION.search(word, start)
    return found.end() if found else len(word)


def _has_vowel(part: str) -> bool:
    return any(letter in _VOWEL for letter in part)


def _is_short(word: str, start1: int) -> bool:
    return start1 >= len(word) and _SHORT_END.match(word) is not None


def _step0(word: str) -> str:
    for ending in ("'s'", "'s", "'"):
        if word.endswith(ending):
            return word[: -len(ending)]
    return word


def _step1a(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith(("us", "ss")) or not word.endswith("s"):
        return word
    return word[:-1] if _has_vowel(word[:-2]) else word


def _step1b(word: str, start1: int) -> str:
    for ending in ("eedly", "eed"):
        if word.endswith(ending):
            return word[: -len(ending)] + "ee" if len(word) - len(ending) >= start1 else word
    for ending in ("ingly", "edly", "ing", "ed"):
        if word.endswith(ending):
            return _mend(word, word[: -len(ending)], ending, start1)
    return word


def _mend(word: str, base: str, ending: str, start1: int) -> str:
    """Undo what English does to a base before -ed and -ing."""
    if not _has_vowel(base):
        return word
    if ending == "ing" and re.fullmatch(r"[^aeiouy]y", base):
        return base[0] + "ie"
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if base.endswith(_DOUBLES):
        return base if len(base) == 3 and base[0] in "aeo" else base[:-1]
    return base + "e" if _is_short(base, start1) else base


def _step1c(word: str) -> str:
    if len(word) > 2 and word[-1] in "yY" and word[-2] not in _VOWEL:
        return word[:-1] + "i"
    return word


def _longest(word: str, endings: Container[str], most: int, least: int) -> str:
    """Return the longest of the endings that the word has, "" where it has none."""
    for size in range(most, least - 1, -1):
        if word[-size:] in endings and len(word) >= size:
            return word[-size:]
    return ""


def _step2(word: str, start1: int) -> str:
    ending = _longest(word, _STEP2, 7, 3)
    if ending:
        return word[: -len(ending)] + _STEP2[ending] if len(word) - len(ending) >= start1 else word
    if word.endswith("ogist") and len(word) - 5 >= start1:
        return word[:-2]
    if word.endswith("ogi") and len(word) - 3 >= start1 and word[-4:-3] == "l":
        return word[:-1]
    if word.endswith("li") and len(word) - 2 >= start1 and word[-3:-2] in tuple(_LI_END):
        return word[:-2]
    return word


def _step3(word: str, start1: int, start2: int) -> str:
    ending = _longest(word, _STEP3, 7, 3)
    if ending:
        return word[: -len(ending)] + _STEP3[ending] if len(word) - len(ending) >= start1 else word
    if word.endswith("ative") and len(word) - 5 >= start2:
        return word[:-5]
    return word


def _step4(word: str, start2: int) -> str:
    ending = _longest(word, _STEP4, 5, 2)
    if ending:
        return word[: -len(ending)] if len(word) - len(ending) >= start2 else word
    if word.endswith("ion") and len(word) - 3 >= start2 and word[-4:-3] in ("s", "t"):
        return word[:-3]
    return word


def _step5(word: str, start1: int, start2: int) -> str:
    if word.endswith("e"):
        base = word[:-1]
        if len(base) >= start2 or (len(base) >= start1 and _SHORT_END.match(base) is None):
            return base
    elif word.endswith("ll") and len(word) - 1 >= start2:
        return word[:-1]
    return word
