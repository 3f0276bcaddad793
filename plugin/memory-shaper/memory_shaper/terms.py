"""The telling words of a text, with weights: proper nouns, commands, codes, plain words; never a secret. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from .rules.base import hyphenated, lower
from .rules.words import GENERIC, hidden_by_host
from .sayings import SAYINGS
from .secrets import without

# Cuts a run of Chinese into words.
Segment = Callable[[str], Sequence[str]]

EARLY = 12  # words; what a text begins with is what it is about
WEAK, PLENTY = 0.55, 6  # words below this weight are left out where so many others are there
_LONG = 16  # characters; few people say so long a word
_LONGEST_WORD = 28  # characters
_SHORT_RUN = 4  # characters
_PARTS = 6  # words; so far ahead a longer word is looked for
_HAN = "\u3400-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"(?P<han>[{_HAN}]+)|[^\W_{_HAN}](?:[^\W{_HAN}]|[.+#/@&-])*")
_URL = re.compile(r"(?i)\b[a-z][a-z0-9+.-]{1,20}://|\bwww\.")
_CODE = re.compile(r"`([^`\n]{1,200})`")
_CODE_NUMBER = re.compile(r"[A-Z]{1,8}[-_]?\d{2,6}|E[A-Z]{3,}")
_RANDOM = re.compile(
    r"[0-9a-f-]{12,}|(?=[^\d]*\d)(?=[^a-zA-Z]*[a-zA-Z])\w{20,}|[a-z]{0,4}\d{6,}"
    r"|[\d.:/x+-]+(?:st|nd|rd|th|am|pm|h|s|ms|g|ml|gb|mb)?"
)
_SENTENCE = re.compile(r"(?:\A|[.!?:;。！？：；\n•*#→-])[\s\"'`*(（“]*\Z")
STOP = frozenset(
    """
    am been being but by can could did do does doing done down each few got had has have he her here him his i if
    into its just let like made make many may me might more most much must my need needs never no nor not now off once
    one only our out over own per please same say says she should so some such than that their them then there these
    they those through too under until up us used user uses using very via want wants we were when where which
    while who why will would you your remember always also after again before because between both during
    的 了 是 在 和 有 我 你 他 她 它 们 也 都 就 不 要 这 那 与 及 或 被 把 对 从 到 为 以 请 记住 需要 使用 可以
    """.split()
)
_FUNCTION = re.compile(
    "[由先的了是在和有我你他她它们也都就不要这那与及或被把对从到为以请很再又会能可将让给用每各上下中里]"
)
_STOP_HAN = frozenset(
    "用户 喜欢 不要 需要 使用 可以 每天 每周 每月 所有 自己 我们 他们 一个 一次 没有 必须 然后 因为 所以 如果 但是 "
    "已经 时候 之后 之前 以后 以前 现在 今天 明天 进行 通过 以及 或者 并且 不能 不会 应该 一些 这个 那个 就是 还是 "
    "放在 时要 三点 只有 一定 告诉 去年 明年 今年 一个 两个 三个 几个 非常 比较 特别 大概 可能 "
    "只有 只要 "
    "凌晨 早上 晚上 下午 上午 小时 分钟 记得 最后 先要 后来 为了 其中 左右 方式 地方 东西 问题".split()
)
_WEAK = frozenset(
    """
    get use prefers prefer preferred likes like loves hates runs run running lives live set sets setting keep keeps kept
    send
    sends goes works work working ask asks called call calls find found gives takes take put puts starts start
    stops stop begins ends end comes happen happens means need needed look looks know known think tell tells told try
    tries makes making gets getting done first last second third next new old big small good bad best better right wrong
    long short high low full empty whole every each both several another still yet ever too quite rather almost
    monday tuesday wednesday thursday friday saturday sunday day days week weeks month months year years hour hours
    minute minutes time times today tomorrow yesterday morning evening night january february march april june july
    august september october november december way thing lot bit part one two three four five six seven eight nine ten
    cannot don doesn didn won isn aren wasn without within against around across behind below above near since
    although though unless whether while because however instead therefore anything something everything nothing
    someone anyone everyone user's already usually currently recently finally probably maybe perhaps exactly simply
    tel otherwise test tests key keys fine afraid owner lives expired building built half otherwise
    http https www com org net html example including include includes etc via per them himself herself itself
    """.split()
)


@dataclass(frozen=True, slots=True)
class Term:
    """A word as a keyword would be written, its root (under which its forms are one word) and how telling its form
    is: 1 for a plain word, more for names, commands and codes, less for words that any text may hold."""

    word: str
    root: str
    form: float


def terms(text: str, segment: Segment | None = None) -> list[Term]:
    """The telling words of a text, repeats included; `segment` cuts Chinese into words, else runs are cut at
    function characters."""
    clean = _URL.sub(" ", without(text))
    code = {lower(found.group()) for span in _CODE.finditer(clean) for found in _TOKEN.finditer(span[1])}
    return [term for match in _TOKEN.finditer(clean) for term in _of(match, clean, code, segment)]


@lru_cache(maxsize=1 << 16)
def root(word: str) -> str:
    """What a word and its plural have in common.

    >>> root("backups"), root("policies"), root("class"), root("redis")
    ('backup', 'policy', 'class', 'redis')
    """
    if not word.isascii() or len(word) < 5 or word.endswith(("ss", "us", "is", "as", "os")) or word in _NO_PLURAL:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("ches", "shes", "xes", "sses")) else word.removesuffix("s")


def gain(term: Term, word: str, place: int) -> float:
    """How much a term speaks for its word: its form, whether people say the word, whether the text begins with it."""
    return term.form * _habit(word) * (1.25 if place < EARLY else 1.0)


def _habit(word: str) -> float:
    """How likely people are to say a word: everyday subjects more, long technical ones less."""
    if word in SAYINGS or root(word) in SAYINGS:
        return 1.4
    return 0.7 if len(word) > _LONG else 1.0


def _of(match: re.Match[str], text: str, code: set[str], segment: Segment | None) -> Iterator[Term]:
    if match["han"]:
        for word in _han_words(match["han"], segment):
            yield Term(word, word, 1.0)
        return
    raw = match.group().rstrip(".+-/@&" if not match.group().lower().endswith("++") else ".-/@&")
    deep = raw.count("/") > 1 or len(raw) > _LONGEST_WORD or "@" in raw
    for part in re.split(r"[/@&]", raw) if deep else (raw,):
        word = hyphenated(part)
        if _tells(word):
            starts = _SENTENCE.search(text[max(0, match.start() - 4) : match.start()]) is not None
            yield Term(word, root(word), _form(part, word, starts, word in code or lower(raw) in code))


def _form(raw: str, word: str, starts: bool, in_code: bool) -> float:
    if word in _WEAK or word in STOP or (word.endswith("ly") and raw.islower()):
        return 0.4
    if _CODE_NUMBER.fullmatch(raw):
        return 1.6
    if in_code or any(char.isupper() for char in raw[1:]):
        return 1.5
    if raw[:1].isupper() and not starts:
        return 1.3
    if raw[:1].isupper() or re.search(r"[\d.+#/_-]", raw):
        return 1.15
    return 1.0


def _tells(word: str) -> bool:
    long_enough = len(word) > 2 or (len(word) == 2 and word.isalpha() and word not in STOP and word in _SHORT)
    if not long_enough or len(word) > _LONGEST_WORD or word in GENERIC or word in STOP:
        return False
    return not _RANDOM.fullmatch(word) and not hidden_by_host(word)


_NO_PLURAL = frozenset("postgres kubernetes jenkins series news".split())
_SHORT = frozenset("ai ci db gc ip k8 mr os pr qa r2 s3 tv ui ux vm vs".split())


def _han_words(run: str, segment: Segment | None) -> Iterator[str]:
    cut = [_bare(word) for word in segment(run)] if segment else []
    # The parts of a longer word (服务, 务器 of 服务器) come just before it.
    words = [word for at, word in enumerate(cut) if not any(word in longer for longer in cut[at + 1 : at + _PARTS])]
    yield from [word for word in words if _is_han_word(word)] or (
        word for chunk in _FUNCTION.split(run) for word in _chunks(chunk) if _is_han_word(word)
    )


def _bare(word: str) -> str:
    return word if len(word) < 3 else _FUNCTION.sub("", word[0]) + word[1:]


def _chunks(chunk: str) -> list[str]:
    # Without a dictionary: a short run between function characters and everyday words is a word, a long one is cut
    # into pairs.
    runs = [chunk] if len(chunk) <= _SHORT_RUN else [run for run in _everyday().split(chunk) if run]
    return [part for run in runs for part in _pairs(run)]


def _pairs(run: str) -> list[str]:
    return [run] if len(run) <= _SHORT_RUN else [run[at : at + 2] for at in range(0, len(run) - 1, 2)]


@cache
def _everyday() -> re.Pattern[str]:
    """The Chinese words of two characters that are known without a dictionary, to cut at."""
    known = {word for word in (*SAYINGS, *_STOP_HAN) if len(word) == 2 and not word.isascii()}
    return re.compile(f"({'|'.join(sorted(known))})")


def _is_han_word(word: str) -> bool:
    return (
        2 <= len(word) <= 8
        and len(set(word)) > 1
        and word not in _STOP_HAN
        and word not in GENERIC
        and word not in STOP
    )
