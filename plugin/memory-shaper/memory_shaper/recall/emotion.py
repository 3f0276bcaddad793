"""How strongly a text is felt, and whether it is a good or a bad word. Pure.

Keepsake's scale from 0 to 2 in its own steps, with whole words instead of pieces of words: "know" holds no "no",
超市 no 超, and `---`, `10.10.10.10` and an abbreviation are no outcry.
"""

from __future__ import annotations

import re

MOST = 2.0
_LONGEST = 4000  # characters of a text that are looked at

_CLUSTER = re.compile(r"[!?！？]{2,}")
_REPEATED = re.compile(r"([^\W\d_])\1{2,}")
_CHUNK = re.compile(r"\b([a-z]{2,4})\1+\b|([\u3400-\u9fff]{2,4})\2", re.IGNORECASE)
_SHOUT = re.compile(r"\b[A-Z]{3,}(?:[ ,!]+[A-Z]{2,})+\b")
_DEGREES = re.compile(
    "非常|极其|超级|格外|分外|过于|无比|绝顶|十分|相当|特别|完全|根本|彻底|绝对|真的|真是|简直|实在|到底|究竟|明明"
    "|太(?![阳空极太子平原湖行])|超(?![市过出时载声越链])|(?<![北南积终登])极(?![限地端点光])|巨(?![大人头型额])|贼(?!人)"
    "|老(?![师板婆公家人年虎鼠乡友爷奶太爸妈])|(?<![模奇独])特(?![点色定征殊性意权产写长])|爆(?![炸发破])"
)

_POSITIVE = re.compile(r"喜欢|不错|满意|太棒|爱了|绝了|牛逼|推荐|值得|\b(?:nice|good|great)\b", re.IGNORECASE)
_NEGATIVE = re.compile(
    r"垃圾|恶心|讨厌|失望|废物|烂(?!漫)|麻烦|烦死|很烦|太烦|(?:太|很|真)差|\b(?:bad|terrible|hate|useless)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"(?:不|没|别|勿|无|\b(?:not|no|never|n't)\b)[^\w。.!?！？]*(?:\w{1,8}\s+)?\Z", re.IGNORECASE)


def intensity(text: str) -> float:
    """Return how strongly a text is felt, 0 to 2.

    >>> intensity("fine."), intensity("太阳系老师在超市"), intensity("非常好！！")
    (0.0, 0.0, 0.35)
    """
    text = text[:_LONGEST]
    clusters = _CLUSTER.findall(text)
    mixed = sum(1 for run in clusters if {"!", "！"} & set(run) and {"?", "？"} & set(run))
    asked = text.count("?") + text.count("？")
    total = (
        min(0.15 * len(clusters), 0.6)
        + 0.2 * mixed
        + min(0.2 * len(_DEGREES.findall(text)), 0.6)
        + min(0.15 * len(_REPEATED.findall(text)), 0.3)
        + min(0.2 * len(_CHUNK.findall(text)), 0.4)
        + min(0.15 * len(_SHOUT.findall(text)), 0.3)
        + min(0.1 * max(asked - 1, 0), 0.3)
    )
    return round(min(total, MOST), 4)


def mood(text: str) -> int:
    """Return 1 for a good word, -1 for a bad one (a negated good word is one), 0 for neither.

    >>> [mood(text) for text in ("I know this now", "not good", "great!", "不错", "不喜欢", "goodbye", "Badge number")]
    [0, -1, 1, 1, -1, 0, 0]
    """
    text = text[:_LONGEST]
    good = _signs(text, _POSITIVE)
    bad = _signs(text, _NEGATIVE)
    if (good and min(good) < 0) or (bad and max(bad) > 0):
        return -1
    return 1 if good or bad else 0


def _signs(text: str, words: re.Pattern[str]) -> list[int]:
    """Return 1 for each word as it stands, -1 for each negated one."""
    return [
        -1 if _NEGATED.search(text[max(0, found.start() - 12) : found.start()]) else 1 for found in words.finditer(text)
    ]
