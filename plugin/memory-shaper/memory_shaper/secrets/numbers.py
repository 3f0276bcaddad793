"""Payment cards and identity numbers in a text, each proved by its checksum or named by its label. Pure.

Cards: ISO/IEC 7812 (issuer ranges, lengths, Luhn). Chinese identity numbers: GB 11643 (region, day of birth, ISO 7064
MOD 11-2). A US social security number has no checksum and the shape of many an order number, so it counts only behind
its label; so does a passport number, unless it stands in the machine-readable lines of ICAO 9303.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

# Nine digits close together are in each of the numbers, one of these words in what is labelled.
_DIGITS = re.compile(r"\d(?:[ -]?\d){8}")
_WORDS = ("passport", "护照", "ssn", "social security", "<<<<")
_RUN = re.compile(r"(?<![0-9A-Za-z_./-])\d(?:[ -]?\d){11,18}(?![0-9A-Za-z_-]|\.\d)")
_GROUPS = re.compile(r"\d{12,19}|\d{4}(?:[ -]\d{4}){2,3}(?:[ -]?\d{1,4})?|\d{4}[ -]\d{6}[ -]\d{4,5}")
_CHINESE = re.compile(r"(?<![0-9A-Za-z_])[1-9]\d{16}[0-9Xx](?![0-9A-Za-z_])")
_IS = r"[ \t]*(?:[:：=#]|is|是|为)?[ \t]*"
_PASSPORT = r"(?P<passport>(?=(?:[A-Z]{0,3}\d){5})[A-Z0-9]{6,9})(?![0-9A-Za-z-])"
_LABELLED: tuple[tuple[str, str], ...] = (
    (
        "a social security number",
        rf"(?i:(?<![A-Za-z])(?:ssn|social security(?:[ \t]+(?:number|no\.?))?)){_IS}"
        r"(?P<ssn>(?!000|666|9)\d{3}([- ]?)(?!00)\d{2}\2(?!0000)\d{4})(?!\d)",
    ),
    (
        "a passport number",
        rf"(?i:(?<![A-Za-z])passport[ \t]*(?:(?:no|nr|num|number)\.?|#|[:：=]|is)){_IS}{_PASSPORT}",
    ),
    (
        "a passport number",
        rf"护照(?:号码?|编号)?{_IS}{_PASSPORT}",
    ),
    (
        "the lines of a passport",
        r"(?<![A-Z0-9<])P[A-Z<][A-Z]{3}[A-Z<]{39}(?:\s{1,2}[A-Z0-9<]{28}[A-Z0-9<]{16})?(?![A-Z0-9<])",
    ),
)
_CARD, _ID = "a payment card number", "an identity number"
KINDS = (_CARD, _ID, *dict.fromkeys(kind for kind, _ in _LABELLED))
_PROVINCES = frozenset(
    "11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83".split()
)
_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHECK = "10X98765432"
# First digits as whole numbers from and to, and the lengths of such cards.
_ISSUERS: tuple[tuple[int, int, frozenset[int]], ...] = (
    (4, 4, frozenset({16, 19})),  # Visa
    (51, 55, frozenset({16})),  # Mastercard
    (2221, 2720, frozenset({16})),
    (34, 34, frozenset({15})),  # American Express
    (37, 37, frozenset({15})),
    (6011, 6011, frozenset({16, 19})),  # Discover
    (644, 659, frozenset({16, 19})),
    (62, 62, frozenset({16, 17, 18, 19})),  # UnionPay
    (3528, 3589, frozenset({16, 17, 18, 19})),  # JCB
    (300, 305, frozenset({14})),  # Diners Club
    (36, 36, frozenset({14})),
    (38, 39, frozenset({14})),
)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(pattern)) for kind, pattern in _LABELLED)


def found(text: str) -> Iterator[tuple[int, int, str]]:
    """Where each is, and its kind; those of different kinds may overlap."""
    if _DIGITS.search(text):
        yield from _proved(text, _CHINESE, is_chinese_id, _ID)
        yield from _proved(text, _RUN, _is_written_as_card, _CARD)
    low = text.lower()
    if not any(word in low for word in _WORDS):
        return
    for kind, pattern in _patterns():
        yield from ((*match.span(match.lastgroup or 0), kind) for match in pattern.finditer(text))


def _proved(
    text: str, pattern: re.Pattern[str], proof: Callable[[str], bool], kind: str
) -> Iterator[tuple[int, int, str]]:
    for match in pattern.finditer(text):
        if proof(match[0]):
            yield (*match.span(), kind)


def _is_written_as_card(run: str) -> bool:
    digits = run.replace(" ", "").replace("-", "")
    return _GROUPS.fullmatch(run) is not None and is_card(digits)


def is_card(digits: str) -> bool:
    """Whether digits are the number of a payment card: an issuer's range, a length of that issuer, the check digit.

    >>> is_card("4111111111111111"), is_card("4111111111111112"), is_card("1234567812345670")
    (True, False, False)
    """
    numbers = [int(digit) for digit in digits]
    plain = "".join(map(str, numbers))
    of_issuer = any(low <= int(plain[: len(str(low))]) <= high and len(plain) in sizes for low, high, sizes in _ISSUERS)
    return of_issuer and len(set(plain)) > 1 and _luhn(numbers) == 0


def _luhn(numbers: list[int]) -> int:
    doubled = [2 * number - 9 * (number > 4) for number in numbers[-2::-2]]
    return (sum(numbers[-1::-2]) + sum(doubled)) % 10


def is_chinese_id(text: str) -> bool:
    """Whether 18 characters are a Chinese identity number: province, a day that exists, the check character.

    >>> is_chinese_id("11010519491231002X"), is_chinese_id("110105194912310021")
    (True, False)
    """
    from datetime import date  # seldom needed, and a check that runs after every save loads as little as it can

    digits = [int(char) for char in text[:17]]
    plain = "".join(map(str, digits))

    try:
        born = date(int(plain[6:10]), int(plain[10:12]), int(plain[12:14]))
    except ValueError:
        return False
    total = sum(weight * digit for weight, digit in zip(_WEIGHTS, digits, strict=True))
    return plain[:2] in _PROVINCES and born.year >= 1900 and _CHECK[total % 11] == text[17].upper()
