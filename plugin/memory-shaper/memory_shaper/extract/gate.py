"""The gate: which messages may hold something worth keeping. Pure.

It stops what is surely nothing: what a machine wrote, what is too long to be said, confirmations, questions about how
things stand, lines without a letter, and what is in the memory already. Anything else passes: "I use vim" is a fact.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

LONGEST = 2000  # characters; what is longer was pasted, not said
_LEAST = 7  # width; a Chinese character counts two: "I use vim" and "端口是 8080" pass, "部署" does not
_MACHINE = (
    "[CONTEXT COMPACTION",
    "[System note",
    "[System:",
    "[IMPORTANT: Background process",
    "[Background process",
    "[The user sent an image",
)
_CONFIRMATIONS = frozenset(
    """
    ok okay yes yep yeah no nope sure fine good great nice done thanks thankyou thankyouverymuch continue goon goahead
    proceed doit yesdoit pleasedo pleasecontinue soundsgood looksgood lgtm perfect exactly right correct agreed approved
    makesense gotit understood nevermind stop wait hello hi
    好 好的 好吧 好啊 行 行吧 可以 可以的 可以了 嗯 嗯嗯 是 是的 对 对的 没错 没问题 继续 继续吧 请继续 谢谢 多谢 收到
    明白 明白了 知道了
    了解 同意 确认 不用了 算了 部署 重启 重启吧 开始 开始吧 执行 执行吧 试试 再试一次 你好 辛苦了 搞定 完成
    """.split()
)
_STATUS = re.compile(
    r"(?:目前|现在|当前|进展|进度)?(?:是?什么)?(?:情况|进展|进度|状态|结果)(?:如何|怎么样|怎样|呢|了)?"
    r"|(?:弄|搞|做|跑|改|修|装|部署|完成|处理|测试)?(?:好|完|成功|结束)了?(?:吗|没|没有|么)"
    r"|怎么样了?|好了吗|到哪了|whatsthestatus|status|anynews|anyupdates?|isitdone|areyoudone|done(?:yet)?|howisitgoing"
)


class Decision(StrEnum):
    """What becomes of a message."""

    STORE = "store"
    REJECT = "reject"
    COUNT = "count"  # it is known: only that it was said again counts


@dataclass(frozen=True, slots=True)
class Passed:
    """The decision and its reason: machine, long, confirmation, paste, memory-tool, known, fact, wanted, off."""

    decision: Decision
    reason: str


@dataclass(frozen=True, slots=True)
class Gate:
    """How strict the gate is: off lets everything through."""

    on: bool = True
    longest: int = LONGEST


def judge(text: str, gate: Gate | None = None, from_memory: bool = False, known: str = "") -> Passed:
    """Decide on a message; `from_memory` says that a memory tool wrote it, `known` where it is kept: turn, fact or "".

    >>> [judge(text).reason for text in ("OK", "I use vim", "用户对花生过敏", "弄好了吗?")]
    ['confirmation', 'fact', 'fact', 'confirmation']
    """
    rules = gate or Gate()
    if not rules.on:
        return Passed(Decision.STORE, "off")
    if text.lstrip().startswith(_MACHINE):
        return Passed(Decision.REJECT, "machine")
    if len(text) > rules.longest:
        return Passed(Decision.REJECT, "long")
    bare = _bare(text)
    if bare and (bare in _CONFIRMATIONS or _STATUS.fullmatch(bare) or _width(bare) < _LEAST):
        return Passed(Decision.REJECT, "confirmation")
    if not bare:
        return Passed(Decision.REJECT, "paste")
    if from_memory:
        return Passed(Decision.REJECT, "memory-tool")
    return Passed(Decision.COUNT, "known") if known == "turn" else Passed(Decision.STORE, "fact")


def _bare(text: str) -> str:
    """Letters and digits only, in lower case."""
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


def _width(bare: str) -> int:
    return sum(1 + (char > "\u2e7f") for char in bare)
