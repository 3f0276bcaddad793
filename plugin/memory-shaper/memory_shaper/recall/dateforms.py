"""How dates are written in English and Chinese: the words, and one pattern for all forms. Pure data."""

from __future__ import annotations

import re
from collections.abc import Iterable

_MONTH_NAMES = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
MONTHS = {name: i for i, name in enumerate(_MONTH_NAMES, 1)} | {name[:3]: i for i, name in enumerate(_MONTH_NAMES, 1)}
MONTHS["sept"] = 9
_DAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAYS = {name: i for i, name in enumerate(_DAY_NAMES)} | {name: i for i, name in enumerate("一二三四五六日")}
WEEKDAYS["天"] = 6

# First and last day of a part of a month.
PARTS = {
    "early": (1, 10), "beginning of": (1, 10), "start of": (1, 10), "mid": (11, 20), "mid-": (11, 20),
    "middle of": (11, 20), "late": (21, 31), "end of": (21, 31),
    "初": (1, 10), "上旬": (1, 10), "中": (11, 20), "中旬": (11, 20), "末": (21, 31), "底": (21, 31), "下旬": (21, 31),
}  # fmt: skip
RELATIVE_DAYS = {
    "day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "this morning": 0,
    "tomorrow": 1, "day after tomorrow": 2,
    "大前天": -3, "前天": -2, "昨天": -1, "昨日": -1, "昨晚": -1, "今天": 0, "今日": 0, "今晚": 0, "今早": 0,
    "明天": 1, "明日": 1, "明晚": 1, "后天": 2, "大后天": 3,
}  # fmt: skip
UNITS = {"day": "day", "week": "week", "month": "month", "year": "year"}
UNITS |= {f"{name}s": name for name in ("day", "week", "month", "year")}
UNITS |= {"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}

_DIGITS = {c: i for i, c in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2}
_COUNTS = ["a", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_WORDS = {name: max(i, 1) for i, name in enumerate(_COUNTS)} | {"an": 1, "a couple of": 2, "few": 3, "a few": 3}


def number(text: str) -> int:
    """Return a small number written in digits, in English words or in Chinese (up to 99); 0 where it is none.

    >>> [number(text) for text in ("12", "three", "二十一", "十", "廿")]
    [12, 3, 21, 10, 0]
    """
    if text.isascii() and text.isdigit():
        return int(text[:6])
    if text in _WORDS:
        return _WORDS[text]
    tens, ten, ones = text.rpartition("十")
    if ten:
        return 10 * _DIGITS.get(tens, 1 if not tens else 0) + _DIGITS.get(ones, 0)
    return _DIGITS.get(text, 0)


RELATIVE_YEARS = {"前年": -2, "去年": -1, "今年": 0, "明年": 1}
WHICH = {"last": -1, "previous": -1, "this": 0, "next": 1}
WHICH |= {"上上": -2, "上": -1, "上个": -1, "这": 0, "这个": 0, "本": 0, "下": 1, "下个": 1}


def _any(words: Iterable[str]) -> str:
    """Return a pattern for any of the words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_MONTH = _any(MONTHS)
_YEAR = r"(?:19|20)\d\d"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?!\d)"
_HAN = "[一二三四五六七八九十]{1,3}"
_HAN_MONTH = rf"(?:1[0-2]|0?[1-9]|{_HAN})月"
_COUNT = rf"\d{{1,4}}|{_any(_WORDS)}"
_UNIT = "days?|weeks?|months?|years?"
_PART = "early|beginning of|start of|mid-?|middle of|late|end of"
_WEEKDAY = _any(word for word in WEEKDAYS if word.isascii())
# `may` and `march` are also words: without a day or a year they are months only after one of these.
_BEFORE_WORDS = ("in", "of", "on", "since", "until", "by", "during", "last", "this", "next")
_BEFORE = "|".join(rf"(?<=\b{word} )" for word in _BEFORE_WORDS)

# Every name ends in the number of its row, since a pattern may hold a name once.
_ENGLISH = (
    rf"(?<![\d.-])(?P<year1>{_YEAR})[-/.](?P<num1>1[0-2]|0?[1-9])(?!\d)(?:[-/.](?P<day1>{_DAY}))?",
    rf"\b(?P<day2>{_DAY})(?:st|nd|rd|th)?(?: of)?[ -](?P<month2>{_MONTH})\b\.?(?:,? (?P<year2>{_YEAR})\b)?",
    rf"\b(?P<month3>{_MONTH})\.? (?:the )?(?P<day3>{_DAY})(?:st|nd|rd|th)?\b(?:,? (?P<year3>{_YEAR})\b)?",
    rf"\b(?:(?P<part4>{_PART}) ?)?(?P<month4>{_MONTH})\b\.?,? (?:of )?(?P<year4>{_YEAR})\b",
    rf"\b(?P<part5>{_PART}) ?(?P<month5>{_MONTH})\b",
    rf"\b(?P<month6>(?!(?:may|march|mar|sep|dec|jan|jun)\b)(?:{_MONTH}))\b",
    rf"(?:{_BEFORE})(?P<month7>may|march)\b",
    rf"(?<![\d/])(?P<num8>1[0-2]|0?[1-9])/(?P<day8>{_DAY})/(?P<year8>{_YEAR})(?![\d/])",
    rf"\bq(?P<quarter9>[1-4])[ ,]+(?P<year9>{_YEAR})\b",
    rf"\b(?P<near10>{_any(word for word in RELATIVE_DAYS if word.isascii())})\b",
    rf"\b(?P<count11>{_COUNT}) (?P<unit11>{_UNIT}) (?P<ago11>ago)\b",
    rf"\bin (?P<count12>{_COUNT}) (?P<unit12>{_UNIT})\b",
    r"\b(?P<which13>last|previous|this|next) (?P<unit13>week|month|year)\b",
    rf"\b(?:(?P<which14>last|previous|this|next) )?(?P<weekday14>{_WEEKDAY})s?\b",
    rf"(?<![\w.,-])(?P<year15>{_YEAR})(?![\w-]|[.,/]\d)",
)
_CHINESE = (
    rf"(?:(?P<year21>{_YEAR})年|(?P<fromyear21>{_any(RELATIVE_YEARS)}))?"
    rf"(?<!\d)(?P<num21>{_HAN_MONTH})(?:(?P<day21>{_DAY})[日号]?|(?P<handay21>{_HAN})[日号])",
    rf"(?:(?P<year22>{_YEAR})年|(?P<fromyear22>{_any(RELATIVE_YEARS)}))?"
    rf"(?<!\d)(?P<num22>{_HAN_MONTH})份?(?P<part22>上旬|中旬|下旬|初|中|末|底)?",
    rf"(?P<year23>{_YEAR})年(?:(?P<half23>[上下])半年|第?(?P<quarter23>[一二三四1-4])季度)?",
    rf"(?P<near24>{_any(word for word in RELATIVE_DAYS if not word.isascii())})",
    r"(?P<count25>\d{1,4}|[一二两三四五六七八九十]{1,3})个?(?P<unit25>天|日|周|星期|礼拜|月|年)(?:之|以)?(?:(?P<ago25>前)|后)",
    r"(?P<which26>上上|上个?|这个?|本|下个?)?(?:周|星期|礼拜)(?P<weekday26>[一二三四五六日天])",
    r"(?P<which27>上上|上个?|这个?|本|下个?)(?P<unit27>周|星期|礼拜|月)",
    rf"(?P<fromyear28>{_any(RELATIVE_YEARS)})",
)
FORMS = re.compile("|".join((*_ENGLISH, *_CHINESE)), re.IGNORECASE)
