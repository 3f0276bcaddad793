"""Grading an answer by the exact words that were wanted. Pure; the rules, in full:

1. Answer and value are compared in NFKC and lower case, runs of blanks as one, no commas between digits, one kind of
   dash and quote.
2. The value stands in the answer only as whole words: no letter or digit touches its ends, and no decimal part follows.
   Between Chinese characters there are no words, so there it may touch others.
3. A sentence that holds one of the denials below says nothing, whatever else it holds.
4. `right`: a sentence without a denial holds the value. `denied`: none does, and the answer has a denial. Else `wrong`.

There are no verdicts by hand. An answer that lists many values, the wanted one among them, is `right` by these rules.
"""

from __future__ import annotations

import re
import unicodedata

# English and Chinese; matched in the normal form of rule 1.
DENIALS = (
    r"\b(?:i|we) (?:do not|don't|did not|didn't|cannot|can't|could not|couldn't) (?:have|find|know|see|recall|tell)",
    r"\b(?:no|not any|without any) (?:record|memory|memories|information|mention|note|notes|entry|details?)\b",
    r"\bnot (?:in|part of|stored in|mentioned in|recorded in) (?:my |the |your )?(?:memory|memories|notes|files?)\b",
    r"\b(?:i am|i'm) (?:not sure|unsure|not certain)\b",
    r"\bcould you (?:tell|share|provide|clarify)\b",
    r"没有(?:任何)?(?:记录|记载|相关|找到|提到|信息|记忆)|不知道|不清楚|不确定|无法(?:确定|确认|找到|回答)|找不到|未(?:找到|提及|记录)",
)
_DENIAL = re.compile("|".join(DENIALS))
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])|\n+")
_SIGNS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "*": "", "`": ""})


def normal(text: str) -> str:
    """The form in which answers and values are compared.

    >>> normal("It’s **1,800  Requests**")
    "it's 1800 requests"
    """
    text = unicodedata.normalize("NFKC", text).translate(_SIGNS).casefold()
    return " ".join(re.sub(r"(?<=\d),(?=\d{3}\b)", "", text).split())


def holds(text: str, value: str) -> bool:
    """Whether a text in normal form holds a value as whole words.

    >>> holds("83 percent", "3 percent"), holds("it is 3 percent.", "3 percent"), holds("1.50", "1")
    (False, True, False)
    """
    wanted = normal(value)
    left = r"(?<![^\W\u4e00-\u9fff])(?<!\d[.,])" if wanted[0].isascii() else ""
    right = r"(?![^\W\u4e00-\u9fff])(?![.,]\d)" if wanted[-1].isascii() else ""
    return re.search(left + re.escape(wanted) + right, text) is not None


def grade(answer: str, value: str) -> str:
    """`right`, `denied` or `wrong`.

    >>> grade("The canary gets 4 percent.", "4 percent"), grade("I don't have any record of that.", "4 percent")
    ('right', 'denied')
    >>> grade("I don't know whether it is 4 percent.", "4 percent"), grade("14 percent", "4 percent")
    ('denied', 'wrong')
    """
    sentences = [normal(sentence) for sentence in _SENTENCE.split(answer)]
    said = [sentence for sentence in sentences if not _DENIAL.search(sentence)]
    if any(holds(sentence, value) for sentence in said):
        return "right"
    return "denied" if len(said) < len(sentences) else "wrong"
